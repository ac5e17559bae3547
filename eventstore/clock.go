package eventstore

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Clock is the database's clock, so that servers whose own clocks differ decide
// alike. It runs on the monotonic clock between corrections: a step of the
// machine's wall clock does not move it. The zero Clock is the machine's own
// until it is corrected.
type Clock struct {
	// Offset is added to every answer. It lets expiry be tried in a sandbox.
	Offset time.Duration

	reading atomic.Pointer[reading]
	latest  atomic.Int64 // the latest answer, in Unix microseconds
}

const (
	// maxStepBack is the largest correction backwards that is hidden from callers:
	// meanwhile the clock advances by a microsecond with each answer, so what is
	// created later on one server has the later time. A larger step is taken at once.
	maxStepBack = 100 * time.Millisecond
	// maxDrift is how far the machine's clock may run away from the database's, per
	// unit of time: 500 parts per million, which is the most that NTP corrects.
	maxDrift = 500e-6
)

// reading is a time of the database's clock and the local time that corresponds to it,
// give or take uncertainty.
type reading struct {
	database    time.Time
	local       time.Time // with its monotonic part
	uncertainty time.Duration
}

// at is the database's time at a local time.
func (r *reading) at(local time.Time) time.Time { return r.database.Add(local.Sub(r.local)) }

// supersedes reports whether r, the newer reading, replaces old: because it is at least
// as exact as old is by now, or because the two contradict each other, as after a
// step of the database's clock. So a round trip that was slow by chance changes
// nothing, and a database that is always far away still corrects the clock.
func (r *reading) supersedes(old *reading) bool {
	drift := time.Duration(float64(r.local.Sub(old.local)) * maxDrift)
	expected := old.uncertainty + drift
	return r.uncertainty <= expected || r.database.Sub(old.at(r.local)).Abs() > r.uncertainty+expected
}

// Now is the ledger's time: the database's, shifted by Offset. In UTC and whole microseconds.
func (c *Clock) Now() time.Time { return c.WallTime().Add(c.Offset.Truncate(time.Microsecond)) }

// WallTime is the database's present time, for times that third parties compare with their
// own clocks, such as the time of a signature. In UTC and whole microseconds, as
// PostgreSQL stores them; later than every earlier answer, except after a large step
// back.
func (c *Clock) WallTime() time.Time {
	now := time.Now()
	if r := c.reading.Load(); r != nil {
		now = r.at(now)
	}
	for {
		latest, next := c.latest.Load(), now.UnixMicro()
		if next <= latest && latest-next < maxStepBack.Microseconds() {
			next = latest + 1
		}
		if c.latest.CompareAndSwap(latest, next) {
			return time.UnixMicro(next).UTC()
		}
	}
}

// Correct takes a reading of the database's clock that was made at some time
// between sent and received. It assumes the middle, so the error is at most half
// of the round trip.
func (c *Clock) Correct(database, sent, received time.Time) {
	half := received.Sub(sent) / 2
	r := &reading{database: database, local: sent.Add(half), uncertainty: half}
	if old := c.reading.Load(); old == nil || r.supersedes(old) {
		c.reading.Store(r)
	}
}

const readClockSQL = `SELECT clock_timestamp()`

// readings is how often ReadClock asks. The quickest answer counts: the others
// are less exact.
const readings = 3

// ReadClock corrects a clock by a query, for times when no batch corrects it.
func ReadClock(ctx context.Context, pool *pgxpool.Pool, c *Clock) error {
	var database, sent, received time.Time
	for n := range readings {
		var answer time.Time
		asked := time.Now()
		if err := pool.QueryRow(ctx, readClockSQL).Scan(&answer); err != nil {
			return fmt.Errorf("read the database's clock: %w", err)
		}
		if answered := time.Now(); n == 0 || answered.Sub(asked) < received.Sub(sent) {
			database, sent, received = answer, asked, answered
		}
	}
	c.Correct(database, sent, received)
	return nil
}

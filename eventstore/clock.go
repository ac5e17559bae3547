package eventstore

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Clock tells the database's time, so that servers whose own clocks differ
// decide alike. It runs on the monotonic clock between corrections: a step of
// the machine's wall clock does not move it. The zero Clock tells the machine's
// own time until it is corrected.
type Clock struct {
	// Offset is added to every answer. It lets expiry be tried in a sandbox.
	Offset time.Duration

	reading atomic.Pointer[reading]
	told    atomic.Int64 // the latest time that was told, in Unix microseconds
}

// held is how far a correction may set the clock back without anybody noticing:
// meanwhile it goes on by a microsecond each time it is asked. What is created
// later on one server so has the later time. A larger step is taken at once.
const held = 100 * time.Millisecond

// reading is a moment of the database's clock and the local moment to which it
// belongs.
type reading struct {
	database time.Time
	local    time.Time // with its monotonic part
}

// Now is the time by which the ledger goes: the database's, shifted by Offset. In
// UTC.
func (c *Clock) Now() time.Time { return c.Unshifted().Add(c.Offset) }

// Unshifted is the database's present time, for what others compare with their
// own clocks, such as the time of a signature. In UTC and whole microseconds, as
// PostgreSQL keeps them; later than what it told before.
func (c *Clock) Unshifted() time.Time {
	now := time.Now()
	if r := c.reading.Load(); r != nil {
		now = r.database.Add(now.Sub(r.local))
	}
	for {
		told, next := c.told.Load(), now.UnixMicro()
		if next <= told && told-next < held.Microseconds() {
			next = told + 1
		}
		if c.told.CompareAndSwap(told, next) {
			return time.UnixMicro(next).UTC()
		}
	}
}

// Correct takes a reading of the database's clock that was made at some moment
// between sent and received. The middle is assumed, so the error is at most
// half of the round trip; a slow answer is worth less than the reading before
// it and is left alone.
func (c *Clock) Correct(database, sent, received time.Time) {
	const tooSlow = 50 * time.Millisecond
	trip := received.Sub(sent)
	if trip > tooSlow && c.reading.Load() != nil {
		return
	}
	c.reading.Store(&reading{database: database, local: sent.Add(trip / 2)})
}

const readClockSQL = `SELECT clock_timestamp()`

// readings is how often ReadClock asks. The quickest answer counts: the others
// may have been on their way for any part of their time.
const readings = 3

// ReadClock corrects a clock by asking the database, for when no batch does.
func ReadClock(ctx context.Context, pool *pgxpool.Pool, c *Clock) error {
	var database, sent, received time.Time
	for n := range readings {
		var told time.Time
		asked := time.Now()
		if err := pool.QueryRow(ctx, readClockSQL).Scan(&told); err != nil {
			return fmt.Errorf("read the database's clock: %w", err)
		}
		if answered := time.Now(); n == 0 || answered.Sub(asked) < received.Sub(sent) {
			database, sent, received = told, asked, answered
		}
	}
	c.Correct(database, sent, received)
	return nil
}

package eventstore

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Servers that append at the same time wait for one another at the append lock. A batch
// that was sent cannot grow while it waits there. So where there are several, only one
// of them waits at the append lock; the others queue for that turn, and go on collecting
// until they have it. The queue serves throughput alone: a batch that is sent without a turn
// is as correct, and smaller.

// turnLock is the advisory lock, held by a session, that gives its server the turn to wait at
// the append lock.
const turnLock int64 = 8_712_000_002

const (
	// turnTimeoutSQL applies to one transaction: the server that has the turn may have died.
	turnTimeoutSQL = `SELECT set_config('lock_timeout', $1, true)`
	acquireTurnSQL = `SELECT pg_advisory_lock($1)`
	releaseTurnSQL = `SELECT pg_advisory_unlock($1)`
)

const (
	// uncontendedAfter is how many batches find the append lock free before a server believes
	// that no other one appends.
	uncontendedAfter = 16
	// turnTimeout is how long a batch waits for its turn, the time of some dozens of batches.
	// If the turn is not released in that time, batches are sent without one for backOffPeriod.
	turnTimeout, backOffPeriod = 250 * time.Millisecond, 10 * time.Second
)

// appendQueue keeps track of whether other servers append. One batch at a time calls observe
// and backOff.
type appendQueue struct {
	contended    atomic.Bool
	uncontended  int       // batches in a row that found the lock free
	backOffUntil time.Time // until then batches are sent without a turn
}

// observe records whether a batch waited for the batch of another server.
func (q *appendQueue) observe(waited bool) {
	if waited {
		q.uncontended = 0
		q.contended.Store(time.Now().After(q.backOffUntil))
		return
	}
	if q.uncontended++; q.uncontended >= uncontendedAfter {
		q.contended.Store(false)
	}
}

// backOff makes batches go without a turn for backOffPeriod.
func (q *appendQueue) backOff() {
	q.contended.Store(false)
	q.backOffUntil = time.Now().Add(backOffPeriod)
}

// turn is a connection whose session holds turnLock.
type turn struct{ conn *pgxpool.Conn }

// acquireTurn waits for this server's turn at the append lock. It returns nil if no other server
// appends, if the queue does not move, or if the database does not answer: the write then
// reports the error.
func (s *Store) acquireTurn(ctx context.Context) *turn {
	if !s.queue.contended.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	conn, err := s.writes.Acquire(ctx)
	if err != nil {
		return nil
	}
	var both pgx.Batch
	both.Queue(turnTimeoutSQL, turnTimeout.String())
	both.Queue(acquireTurnSQL, turnLock)
	if err := conn.SendBatch(ctx, &both).Close(); err != nil {
		s.queue.backOff()
		conn.Release()
		return nil
	}
	return &turn{conn}
}

// connection returns the connection of the turn, or any where there is none.
func (s *Store) connection(ctx context.Context, from *turn) (*pgxpool.Conn, error) {
	if from != nil {
		return from.conn, nil
	}
	conn, err := s.writes.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

// release gives up the turn without writing a batch.
func (t *turn) release(ctx context.Context) {
	if t != nil {
		_ = t.conn.Conn().Close(ctx)
		t.conn.Release()
	}
}

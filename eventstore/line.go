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
// of them waits at the append lock; the others stand in line for that place, and go on
// collecting until they have it. The line is a matter of manners: a batch that is sent
// without it is as right, and smaller.

// lineLock is the advisory lock of who may wait at the append lock, held by the session.
const lineLock int64 = 8_712_000_002

const (
	// patienceSQL is for the one transaction: who is first in line may have died there.
	patienceSQL    = `SELECT set_config('lock_timeout', $1, true)`
	standInLineSQL = `SELECT pg_advisory_lock($1)`
	stepDownSQL    = `SELECT pg_advisory_unlock($1)`
)

const (
	// aloneAfter is how many batches find the append lock free before a server believes
	// that no other one appends.
	aloneAfter = 16
	// patience is how long a batch stands in line, some dozens of batches. A place that
	// nobody leaves for so long is not worth standing for: shunned is for how long.
	patience, shunned = 250 * time.Millisecond, 10 * time.Second
)

// line says whether other servers append. note and giveUp are called by one batch at a time.
type line struct {
	busy  atomic.Bool
	alone int       // batches in a row that found the lock free
	shun  time.Time // until when the line is not used
}

// note takes down whether a batch waited for another server's.
func (l *line) note(waited bool) {
	if waited {
		l.alone = 0
		l.busy.Store(time.Now().After(l.shun))
		return
	}
	if l.alone++; l.alone >= aloneAfter {
		l.busy.Store(false)
	}
}

func (l *line) giveUp() {
	l.busy.Store(false)
	l.shun = time.Now().Add(shunned)
}

// head is a connection that is the first in line.
type head struct{ conn *pgxpool.Conn }

// standInLine waits for the head of the line. It is nil where no other server appends,
// where the line does not move, and where the database does not answer: the write will
// say so.
func (s *Store) standInLine(ctx context.Context) *head {
	if !s.line.busy.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	conn, err := s.writes.Acquire(ctx)
	if err != nil {
		return nil
	}
	var both pgx.Batch
	both.Queue(patienceSQL, patience.String())
	both.Queue(standInLineSQL, lineLock)
	if err := conn.SendBatch(ctx, &both).Close(); err != nil {
		s.line.giveUp()
		conn.Release()
		return nil
	}
	return &head{conn}
}

// connection is that of the head of the line, or any.
func (s *Store) connection(ctx context.Context, from *head) (*pgxpool.Conn, error) {
	if from != nil {
		return from.conn, nil
	}
	conn, err := s.writes.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return conn, nil
}

// leave gives the head of the line up without a batch.
func (h *head) leave(ctx context.Context) {
	if h != nil {
		_ = h.conn.Conn().Close(ctx)
		h.conn.Release()
	}
}

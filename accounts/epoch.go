package accounts

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const epochSQL = `SELECT epoch FROM credential_epoch`

const (
	// epochReaders is how many queries for the epoch run at a time: with one, a
	// connection that hangs would block all requests.
	epochReaders = 2
	epochLimit   = 5 * time.Second // of a query; unless Options say otherwise
)

// epochs reads the credential epoch. Calls that wait at the same time share a query:
// thousands of refused requests must not cost a query each. It is no
// worker.Coalescer, which owns goroutines until it is closed: Accounts has nothing to
// close, and an epoch is the same answer for all.
type epochs struct {
	pool  *pgxpool.Pool
	limit time.Duration // of a query

	mu      sync.Mutex
	next    *epochAnswer // of the query that begins next; nil: no call waits
	readers int
}

type epochAnswer struct {
	done  chan struct{} // closed when the rest is there
	epoch int64
	err   error
}

// read is the current epoch: the query begins after the call. The epoch is 0 before
// the first credential.
func (e *epochs) read(ctx context.Context) (int64, error) {
	e.mu.Lock()
	if e.next == nil {
		e.next = &epochAnswer{done: make(chan struct{})}
		if e.readers < epochReaders {
			e.readers++
			go e.answer() //nolint:gosec // it answers others too, and must not end with this request
		}
	}
	mine := e.next
	e.mu.Unlock()
	select {
	case <-mine.done:
		return mine.epoch, mine.err
	case <-ctx.Done():
		return 0, fmt.Errorf("wait for epoch: %w", ctx.Err())
	}
}

// answer runs queries until no call waits.
func (e *epochs) answer() {
	for {
		e.mu.Lock()
		a := e.next
		e.next = nil
		if a == nil {
			e.readers--
			e.mu.Unlock()
			return
		}
		e.mu.Unlock()
		// Many calls may wait for it: it does not end with the context of one.
		ctx, cancel := context.WithTimeout(context.Background(), e.limit)
		if err := e.pool.QueryRow(ctx, epochSQL).Scan(&a.epoch); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			a.err = fmt.Errorf("read epoch: %w", err)
		}
		cancel()
		close(a.done)
	}
}

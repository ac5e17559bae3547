package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
)

const (
	// measureEvery is how often a Replica measures how late its standby is.
	measureEvery = time.Second
	// maxLateness is how late a standby may be to be read.
	maxLateness = 30 * time.Second
)

// Replica runs queries whose answers may be a moment late on a standby, or on the primary if
// there is no standby or it is too late. It is safe for concurrent use.
type Replica struct {
	url     string
	options Options
	primary *pgxpool.Pool
	log     zerolog.Logger

	limit   time.Duration // how late the standby may be
	marks   []mark        // of the primary, that the standby has not reached
	mu      sync.Mutex
	standby *pgxpool.Pool // nil: it was not reached yet
	reached mark          // what was committed before it can be read from the standby
	fine    bool          // it is a standby, and answered the last measurement
}

// mark is where the primary's log ended at a time.
type mark struct {
	end      lsn
	database time.Time // by the primary's clock
	asked    time.Time // by this machine's clock
}

// lsn is a position in the write-ahead log, a pg_lsn.
type lsn uint64

// NewReplica reads from the standby at a URL; empty: there is none. Until Run has reached the
// standby, and whenever it cannot be used, the primary is read.
func NewReplica(url string, o Options, primary *pgxpool.Pool, log zerolog.Logger) *Replica {
	o.MayBeLate = true
	return &Replica{url: url, options: o, primary: primary, log: log, limit: maxLateness}
}

// Query implements Querier.
func (r *Replica) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	r.mu.Lock()
	pool := r.standby
	if !r.usable() {
		pool = nil
	}
	r.mu.Unlock()
	if pool != nil {
		rows, err := pool.Query(ctx, sql, args...)
		if Classify(err) != Unavailable {
			return rows, err
		}
	}
	return r.primary.Query(ctx, sql, args...)
}

// usable reports whether the standby can be read. r.mu must be held.
func (r *Replica) usable() bool { return r.fine && time.Since(r.reached.asked) < r.limit }

// AsOf is a time up to which a query that begins now sees everything; nil if it sees all that
// is committed.
func (r *Replica) AsOf() *time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.usable() {
		return nil
	}
	at := r.reached.database
	return &at
}

// Run measures how late the standby is until ctx ends, and closes the pool to it then.
func (r *Replica) Run(ctx context.Context) {
	if r.url == "" {
		return
	}
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.fine = false; r.standby != nil {
			r.standby.Close()
		}
	}()
	ticker := time.NewTicker(measureEvery)
	defer ticker.Stop()
	for logged := ""; ctx.Err() == nil; {
		trouble := ""
		if err := r.measure(ctx); err != nil {
			trouble = err.Error()
		}
		if trouble != logged && ctx.Err() == nil {
			r.log.Warn().Str("trouble", trouble).Bool("standby", trouble == "").
				Msg("where reads go that may be late has changed")
		}
		logged = trouble
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
}

// measure finds out up to when the standby has everything. An error says why it cannot be used.
func (r *Replica) measure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*measureEvery)
	defer cancel()
	fine := false
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.fine = fine
	}()
	if r.standby == nil {
		opened, err := Open(ctx, r.url, r.options)
		if err != nil {
			return err
		}
		if err := SameCluster(ctx, opened, r.primary); err != nil {
			opened.Close()
			return err
		}
		r.mu.Lock()
		r.standby = opened
		r.mu.Unlock()
	}
	if m, err := markOf(ctx, r.primary); err == nil {
		r.marks = append(r.marks, m)
	} // without a primary the standby can be read for a while
	at, err := replayedBy(ctx, r.standby)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.marks) > 0 && r.marks[0].end <= at {
		r.reached, r.marks = r.marks[0], r.marks[1:]
	}
	r.marks = r.marks[max(0, len(r.marks)-int(maxLateness/measureEvery)):]
	if fine = time.Since(r.reached.asked) < r.limit; !fine {
		return fmt.Errorf("the standby is more than %v behind", r.limit)
	}
	return nil
}

package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
)

// Errors of a rebuild. What it has done so far stays, and it can be resumed.
var (
	// ErrRebuilding says that another rebuild of the same read model is under way.
	ErrRebuilding = errors.New("another rebuild of this read model is under way")
	// ErrRestart says that a half-done rebuild is of no use any more: the tables,
	// or the program's version of them, have changed since. Options.Restart throws
	// it away.
	ErrRestart = errors.New("the half-done rebuild cannot go on; start again with --restart")
	// ErrNewerTable says that the table is of a version that this program does not
	// know.
	ErrNewerTable = errors.New("the read model was made by a newer program")
	// ErrBlocked says that somebody kept the old tables in use all the time that
	// the exchange was tried.
	ErrBlocked = errors.New("a long transaction keeps the old table in use")

	// errShadow is a mistake of ours: what was made is not put in place.
	errShadow = errors.New("what was made is not what the events come to")
)

// Options of a rebuild. The zero value is fit for use.
type Options struct {
	// AcceptDrift replaces a read model even where it differs from the events.
	AcceptDrift bool
	// Restart throws a half-done rebuild away instead of resuming it.
	Restart bool
	// Workers is how many chunks are replayed at a time; 0: one. More than the pool
	// has connections for, beside two, are not used.
	Workers int
	// MaxRate bounds the events that are replayed a second until the new tables
	// have caught up for the first time; 0: no bound.
	MaxRate int
	// Progress is told how far it is, one call at a time; nil: nobody.
	Progress func(Step)

	chunkEvents int64 // 0: chunkEvents
}

// Phase is a part of a rebuild.
type Phase string

// The phases, in their order.
const (
	PhaseCopying    Phase = "copying"     // whole streams are replayed, in chunks
	PhaseIndexing   Phase = "indexing"    // indexes are built
	PhaseCatchingUp Phase = "catching_up" // what was appended since follows
	PhaseVerifying  Phase = "verifying"   // old and new are compared
	PhaseSwapping   Phase = "swapping"    // the new tables take the place of the old
	PhaseDone       Phase = "done"
)

// Step is how far a rebuild is.
type Step struct {
	Phase       Phase
	Done, Total int64 // events
	Chunk       int   // chunks that are done
	Chunks      int
	Rate        float64       // events a second, of late
	Left        time.Duration // of the copying, at that rate; 0: unknown
}

// Rebuild makes a read model anew from the events, beside the old one, and puts it
// in its place while the service runs. Writers (or, where a group keeps the read
// model, the group) wait only for the last few events and the exchange; readers
// for the exchange. Where the old tables differ from the events they are kept and
// the report says where, unless AcceptDrift is set; the new ones then wait for a
// rebuild that accepts it.
//
// A rebuild that was interrupted in any way goes on where it stopped when it is
// called again. It needs the rights of the tables' owner.
func (p Projection) Rebuild(ctx context.Context, pool *pgxpool.Pool, o Options) (Report, error) {
	report, err := p.shape.rebuild(ctx, pool, o)
	if err != nil {
		return Report{}, fmt.Errorf("rebuild %s: %w", p.Name, err)
	}
	return report, nil
}

func (s shape) rebuild(ctx context.Context, pool *pgxpool.Pool, o Options) (Report, error) {
	started := time.Now()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return Report{}, err
	}
	defer conn.Release()
	release, err := s.lock(ctx, conn.Conn())
	if err != nil {
		return Report{}, err
	}
	defer release()
	if _, err := conn.Exec(ctx, sessionSQL); err != nil {
		return Report{}, fmt.Errorf("prepare session: %w", err)
	}
	if o.Restart {
		if err := s.discard(ctx, conn.Conn()); err != nil {
			return Report{}, err
		}
	}
	if _, err := s.dropReplaced(ctx, conn.Conn(), KeepReplaced); err != nil {
		return Report{}, err
	}
	r := &rebuild{shape: s, options: o, pool: pool, conn: conn.Conn()}
	if err := r.open(ctx); err != nil {
		return Report{}, err
	}
	stop := r.beat(ctx)
	report, err := r.run(ctx)
	stop()
	report.Seconds = time.Since(started).Seconds()
	return report, err
}

// sessionSQL lets the statements of a rebuild take their time, and no more of the
// machine than one process.
const sessionSQL = `SET statement_timeout = 0; SET jit = off; SET max_parallel_workers_per_gather = 0; SET max_parallel_maintenance_workers = 0`

const (
	tryLockSQL = `SELECT pg_try_advisory_lock($1, $2)`
	unlockSQL  = `SELECT pg_advisory_unlock($1, $2)`
)

// lock takes the session's lock on rebuilds of the read model. It goes with the
// session, so that nobody waits for one that died.
func (s shape) lock(ctx context.Context, conn *pgx.Conn) (release func(), err error) {
	var mine bool
	if err := conn.QueryRow(ctx, tryLockSQL, lockClass, s.lockKey()).Scan(&mine); err != nil {
		return nil, fmt.Errorf("lock rebuilds: %w", err)
	}
	if !mine {
		return nil, ErrRebuilding
	}
	cleanup := context.WithoutCancel(ctx)
	return func() {
		// Where the connection is gone, so is the lock.
		_, _ = conn.Exec(cleanup, unlockSQL+`; RESET ALL`, pgx.QueryExecModeSimpleProtocol, lockClass, s.lockKey())
	}, nil
}

// run goes through the phases from where the run is.
func (r *rebuild) run(ctx context.Context) (Report, error) {
	if r.phase == PhaseCopying {
		if err := r.copyChunks(ctx); err != nil {
			return Report{}, err
		}
		if err := r.enter(ctx, PhaseIndexing); err != nil {
			return Report{}, err
		}
	}
	if r.phase == PhaseIndexing {
		if err := r.index(ctx); err != nil {
			return Report{}, err
		}
	}
	if err := r.enter(ctx, PhaseCatchingUp); err != nil {
		return Report{}, err
	}
	if err := r.catchUp(ctx); err != nil {
		return Report{}, err
	}
	if err := r.enter(ctx, PhaseVerifying); err != nil {
		return Report{}, err
	}
	report, err := r.verify(ctx)
	if err != nil {
		return Report{}, err
	}
	if !report.OK && !r.options.AcceptDrift {
		return report, r.keepDrift(ctx, len(report.Drift))
	}
	if err := r.enter(ctx, PhaseSwapping); err != nil {
		return Report{}, err
	}
	if report.Pause, err = r.swap(ctx); err != nil {
		return Report{}, err
	}
	report.OK, report.Events = true, r.position
	r.tell()
	return report, nil
}

// retryable says whether a transaction of ours failed because of others at work.
func retryable(err error) bool { return postgres.Classify(err) == postgres.Retryable }

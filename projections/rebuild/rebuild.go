package rebuild

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/projections"
)

// Errors of Replace. What it has done so far stays, and it can be resumed.
var (
	// ErrRebuilding says that another rebuild of the same read model is under way.
	ErrRebuilding = errors.New("another rebuild of this read model is under way")
	// ErrRestart says that an unfinished rebuild cannot be used any more: the tables,
	// or the program's version of them, have changed since. Options.Restart discards
	// it.
	ErrRestart = errors.New("the half-done rebuild cannot go on; start again with --restart")
	// ErrNewerTable says that the table is of a version that this program does not
	// know.
	ErrNewerTable = errors.New("the read model was made by a newer program")
	// ErrBlocked says that other sessions kept the old tables in use all the time that
	// the swap was tried.
	ErrBlocked = errors.New("a long transaction keeps the old table in use")

	// errShadow is a bug of this program: the new tables do not replace the old ones.
	errShadow = errors.New("what was made is not what the events come to")
)

// Options of Replace. The zero value is usable.
type Options struct {
	// AcceptDrift replaces a read model even where it differs from the events.
	AcceptDrift bool
	// Restart discards an unfinished rebuild instead of resuming it.
	Restart bool
	// Progress is called with the progress, one call at a time; nil: not called.
	Progress func(Step)

	// ChunkEvents is about how many events are replayed in one transaction; their rows
	// are kept in memory. 0: 30,000.
	ChunkEvents int64
}

// Phase is a part of a rebuild.
type Phase string

// The phases, in their order.
const (
	PhaseCopying    Phase = "copying"     // whole streams are replayed, in chunks
	PhaseIndexing   Phase = "indexing"    // indexes are built
	PhaseCatchingUp Phase = "catching_up" // streams with later events are replayed
	PhaseVerifying  Phase = "verifying"   // old and new are compared
	PhaseSwapping   Phase = "swapping"    // the new tables replace the old
	PhaseDone       Phase = "done"
)

// Step is how far a rebuild is.
type Step struct {
	Phase       Phase    `json:"phase"`
	Done        int64    `json:"events"`
	Total       int64    `json:"total"`        // events
	Rate        float64  `json:"rate"`         // events a second
	SecondsLeft *float64 `json:"seconds_left"` // of the copying, at that rate; nil: unknown
	Chunk       int      `json:"chunk"`        // chunks that are done
	Chunks      int      `json:"chunks"`
}

// Replace builds a read model again from the events, next to the old one, and replaces
// the old one while the service runs. Writers (or, if a group writes the read
// model, the group) wait only for the last few events and the swap; readers for
// the swap. If the old tables differ from the events they are kept and the
// report lists the differences, unless AcceptDrift is set; the new ones then wait for a
// rebuild that accepts them.
//
// A rebuild that was interrupted in any way continues where it stopped when Replace is
// called again. It needs the rights of the tables' owner.
func Replace(ctx context.Context, pool *pgxpool.Pool, m projections.Model, o Options) (Report, error) {
	r := &rebuild{model: model{m}, options: o}
	report, err := r.replace(ctx, pool)
	if err != nil {
		return Report{}, fmt.Errorf("rebuild %s: %w", r.Name, err)
	}
	return report, nil
}

func (r *rebuild) replace(ctx context.Context, pool *pgxpool.Pool) (Report, error) {
	started := time.Now()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return Report{}, err
	}
	defer conn.Release()
	r.conn = conn.Conn()
	release, err := r.lock(ctx, r.conn)
	if err != nil {
		return Report{}, err
	}
	defer release()
	if _, err := r.conn.Exec(ctx, sessionSQL); err != nil {
		return Report{}, fmt.Errorf("prepare session: %w", err)
	}
	if r.options.Restart {
		if _, err := r.discard(ctx, r.conn); err != nil {
			return Report{}, err
		}
	}
	if _, err := r.dropReplaced(ctx, r.conn, KeepReplaced); err != nil {
		return Report{}, err
	}
	if err := r.open(ctx); err != nil {
		return Report{}, err
	}
	report, err := r.work(ctx)
	report.Seconds = time.Since(started).Seconds()
	return report, err
}

// sessionSQL removes the time limit for the statements of a rebuild, and limits them to one
// process.
const sessionSQL = `
SET statement_timeout = 0;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
SET max_parallel_maintenance_workers = 0`

// work runs the remaining phases.
func (r *rebuild) work(ctx context.Context) (Report, error) {
	indexed := r.run.Phase != PhaseCopying && r.run.Phase != PhaseIndexing
	for _, step := range []struct {
		phase Phase
		do    func(context.Context) error
	}{{PhaseCopying, r.copyChunks}, {PhaseIndexing, r.index}, {PhaseCatchingUp, r.catchUp}} {
		if indexed && step.phase != PhaseCatchingUp {
			continue
		}
		if err := r.enterPhase(ctx, step.phase); err != nil {
			return Report{}, err
		}
		if err := step.do(ctx); err != nil {
			return Report{}, err
		}
	}
	if err := r.enterPhase(ctx, PhaseVerifying); err != nil {
		return Report{}, err
	}
	report, err := r.verify(ctx)
	if err != nil {
		return Report{}, err
	}
	if !report.OK && !r.options.AcceptDrift {
		r.run.Drift = len(report.Drift) // the run waits for a rebuild that accepts the drift
		return report, r.save(ctx, r.conn)
	}
	if err := r.enterPhase(ctx, PhaseSwapping); err != nil {
		return Report{}, err
	}
	if report.Pause, err = r.swap(ctx); err != nil {
		return Report{}, err
	}
	report.OK, report.Events = true, r.run.Position
	r.report()
	return report, nil
}

// retryable reports whether a transaction failed because of concurrent ones.
func retryable(err error) bool { return postgres.Classify(err) == postgres.Retryable }

const (
	tryLockSQL = `SELECT pg_try_advisory_lock($1, $2)`
	unlockSQL  = `SELECT pg_advisory_unlock($1, $2)`
)

// lock takes the session's lock on rebuilds of the read model. The lock ends with the
// session, so that nobody waits for a rebuild that died.
func (m model) lock(ctx context.Context, conn *pgx.Conn) (release func(), err error) {
	var mine bool
	if err := conn.QueryRow(ctx, tryLockSQL, lockClass, m.lockKey()).Scan(&mine); err != nil {
		return nil, fmt.Errorf("lock rebuilds: %w", err)
	}
	if !mine {
		return nil, ErrRebuilding
	}
	cleanup := context.WithoutCancel(ctx)
	return func() {
		// If the connection is gone, so is the lock.
		_, _ = conn.Exec(cleanup, unlockSQL+`; RESET ALL`, pgx.QueryExecModeSimpleProtocol, lockClass, m.lockKey())
	}, nil
}

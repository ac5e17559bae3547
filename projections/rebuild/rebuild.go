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
	// ErrRestart says that a half-done rebuild is of no use any more: the tables,
	// or the program's version of them, have changed since. Options.Restart throws
	// it away.
	ErrRestart = errors.New("the half-done rebuild cannot go on; start again with --restart")
	// ErrNewerTable says that the table is of a version that this program does not
	// know.
	ErrNewerTable = errors.New("the read model was made by a newer program")
	// ErrBlocked says that somebody kept the old tables in use all the time that
	// the swap was tried.
	ErrBlocked = errors.New("a long transaction keeps the old table in use")

	// errShadow is a mistake of ours: what was made is not put in place.
	errShadow = errors.New("what was made is not what the events come to")
)

// Options of Replace. The zero value is fit for use.
type Options struct {
	// AcceptDrift replaces a read model even where it differs from the events.
	AcceptDrift bool
	// Restart throws a half-done rebuild away instead of resuming it.
	Restart bool
	// Progress gets how far the rebuild is, one call at a time; nil: not called.
	Progress func(Step)

	// ChunkEvents is how many events are replayed in one transaction, about; what is
	// kept in memory is the rows of these. 0: 30,000.
	ChunkEvents int64
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
	Phase       Phase    `json:"phase"`
	Done        int64    `json:"events"`
	Total       int64    `json:"total"`        // events
	Rate        float64  `json:"rate"`         // events a second
	SecondsLeft *float64 `json:"seconds_left"` // of the copying, at that rate; nil: unknown
	Chunk       int      `json:"chunk"`        // chunks that are done
	Chunks      int      `json:"chunks"`
}

// Replace makes a read model anew from the events, beside the old one, and puts it
// in its place while the service runs. Writers (or, where a group keeps the read
// model, the group) wait only for the last few events and the swap; readers for
// the swap. Where the old tables differ from the events they are kept and the
// report says where, unless AcceptDrift is set; the new ones then wait for a
// rebuild that accepts it.
//
// A rebuild that was interrupted in any way goes on where it stopped when it is
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

// sessionSQL lets the statements of a rebuild take their time, and no more of the
// machine than one process.
const sessionSQL = `SET statement_timeout = 0; SET jit = off; SET max_parallel_workers_per_gather = 0; SET max_parallel_maintenance_workers = 0`

// work goes through the phases from where the run is.
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
		r.run.Drift = len(report.Drift) // the run waits for one that accepts it
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

// retryable says whether a transaction of ours failed because of others at work.
func retryable(err error) bool { return postgres.Classify(err) == postgres.Retryable }

const (
	tryLockSQL = `SELECT pg_try_advisory_lock($1, $2)`
	unlockSQL  = `SELECT pg_advisory_unlock($1, $2)`
)

// lock takes the session's lock on rebuilds of the read model. It goes with the
// session, so that nobody waits for one that died.
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
		// Where the connection is gone, so is the lock.
		_, _ = conn.Exec(cleanup, unlockSQL+`; RESET ALL`, pgx.QueryExecModeSimpleProtocol, lockClass, m.lockKey())
	}, nil
}

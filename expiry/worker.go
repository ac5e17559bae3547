package expiry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/postgres"
	"daftar/internal/queue"
	"daftar/internal/worker"
	"daftar/ledger"
)

const (
	// batch is how many timers are claimed at once: as many events as the
	// ledger's committer writes in one transaction.
	batch = 512
	// atOnce is how many commands one worker runs at a time; the committer writes
	// waiting commands together.
	atOnce = 64
	// defaultLease is how long a server may work on the timers that it claimed. It
	// stops by itself when the lease ends.
	defaultLease = 10 * time.Second
	// pollEvery is the longest wait until a new timer is noticed that is due before the
	// one that the worker waits for.
	pollEvery = time.Second
	// sweepEvery is the longest wait until a timer is noticed that was due when it was
	// written, because its event was read late.
	sweepEvery = 1500 * time.Millisecond
	// finishLimit bounds the storing of outcomes, also when the worker stops.
	// After it the leases lapse.
	finishLimit = time.Second
	// stopWindow is for how long the worker looks for timers of an application whose
	// checkouts were stopped: some are written later, or are locked at the time. The
	// first search goes back further, for checkouts that were stopped while no server
	// ran.
	stopWindow      = 10 * time.Minute
	firstStopWindow = 100 * 365 * 24 * time.Hour
	// countLimit bounds the count of due timers.
	countLimit = 100_000
	// countEvery is how often due timers are counted while there is a backlog.
	countEvery = time.Second
)

// Config is what a Worker needs.
type Config struct {
	// Pool has the timers; a worker uses one connection of it at a time.
	Pool  *pgxpool.Pool
	Polls *worker.Polls // nil: the worker polls alone
	// Ledger carries out the commands and is the clock.
	Ledger *ledger.Ledger
	Log    zerolog.Logger
	// Registerer gets the metrics; nil: they are not exposed.
	Registerer prometheus.Registerer
}

// Worker expires the intents whose timers are due. Run it once per server.
type Worker struct {
	pool     *pgxpool.Pool
	polls    *worker.Polls
	ledger   *ledger.Ledger
	log      zerolog.Logger
	metrics  metrics
	lease    time.Duration
	batch    int
	claimSQL string

	// floor is where the next claim begins: timers that were due before it have been
	// claimed. An index keeps the entries of dead rows until vacuum removes them, which
	// a long transaction can prevent; a claim from the beginning would read all of
	// them, every time. A sweep finds the rows that return below the floor (leases that
	// lapsed, timers of events that were read late).
	floor   time.Time
	sweptAt time.Time // local; zero: a sweep is due
	// stopWindow is how far back stopped checkouts are looked for.
	stopWindow time.Duration

	next      time.Time // when the next timer is due, by the last round; zero: there is none
	countedAt time.Time // local

	due   worker.Signal // a poll has found something to do
	sweep atomic.Bool   // some of it may be below the floor
	found found         // used by polls
}

// New creates a Worker and registers its metrics. It panics if they are registered
// already.
func New(c Config) *Worker {
	return &Worker{
		pool: c.Pool, polls: cmp.Or(c.Polls, worker.NewPolls(c.Pool, pollEvery)),
		ledger: c.Ledger, log: c.Log, metrics: newMetrics(c.Registerer), due: worker.NewSignal(),
		lease: defaultLease, batch: batch, claimSQL: claimSQL, stopWindow: firstStopWindow,
	}
}

// Run expires intents until ctx ends, and then returns within two seconds. It interrupts
// commands that are under way, because an Expire may be sent twice.
func (w *Worker) Run(ctx context.Context) {
	var polling sync.WaitGroup
	defer polling.Wait()
	polling.Go(func() { w.polls.Watch(ctx, w.askForDue, func(error) { w.due.Set() }) })
	queue.Loop{
		Poll: worker.SafetyPoll, Wake: w.due, Next: w.untilNext,
		Failing: "due intents cannot be expired", Log: w.log,
		// A promotion, or a burst of creates that fills the committer, is over within seconds.
		Retry: worker.Backoff{First: 250 * time.Millisecond, Longest: 5 * time.Second},
	}.Run(ctx, w.round)
}

// round claims a batch of due timers and handles it. It reports whether there may be more. The
// error is why some of the intents are not closed; worked is true where others are.
func (w *Worker) round(ctx context.Context) (worked bool, err error) {
	now := w.ledger.Now()
	until := now.Add(w.lease)
	leased, cancel := context.WithTimeout(ctx, w.lease)
	defer cancel()
	due, err := w.claim(leased, now, until)
	if err != nil {
		return false, err
	}
	if len(due) < w.batch {
		w.metrics.due.Set(float64(len(due)))
	}
	if len(due) == 0 {
		return false, nil
	}
	closed, err := w.expire(ctx, leased, due, now, until)
	if err != nil || len(due) < w.batch {
		return err != nil && closed > 0, err
	}
	return true, w.measure(ctx, now)
}

// claim leases the timers that are due, moves the floor, and finds when the next timer is due.
// Usually none is due, and a round sends no other statement.
func (w *Worker) claim(ctx context.Context, now, until time.Time) (due []timer, err error) {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreLimit)
	defer cancel()
	from := w.floor
	if w.sweep.Swap(false) || time.Since(w.sweptAt) >= w.sweepPause() {
		from, w.sweptAt = time.Time{}, time.Now()
		if err := w.stopCheckouts(ctx, now); err != nil {
			return nil, err
		}
	}
	var statements pgx.Batch
	statements.Queue(w.claimSQL, now, until, from).Query(func(rows pgx.Rows) (err error) {
		due, err = pgx.CollectRows(rows, pgx.RowToStructByPos[timer])
		return err
	})
	w.findNext(&statements, now)
	if err := w.pool.SendBatch(ctx, &statements).Close(); err != nil {
		// The rows may be leased now; the next sweep finds them.
		return nil, fmt.Errorf("claim due timers: %w", err)
	}
	w.floor = now
	if len(due) == w.batch {
		w.floor = slices.MaxFunc(due, func(a, b timer) int { return a.DueAt.Compare(b.DueAt) }).DueAt
	}
	return due, nil
}

// stopCheckouts makes the timers of stopped checkouts due.
func (w *Worker) stopCheckouts(ctx context.Context, now time.Time) error {
	some, err := postgres.Find(ctx, w.pool, "find stopped checkouts", nil, pgx.RowTo[bool],
		anyStoppedSQL, w.stopWindow)
	if err == nil && some {
		_, err = w.pool.Exec(ctx, stopSQL, w.stopWindow, now)
	}
	if err != nil {
		return fmt.Errorf("stop checkouts: %w", err)
	}
	w.stopWindow = stopWindow
	return nil
}

// sweepPause is the least time between two sweeps.
func (w *Worker) sweepPause() time.Duration { return min(w.lease/2, sweepEvery) }

// measure counts the timers that are still due.
func (w *Worker) measure(ctx context.Context, now time.Time) error {
	if time.Since(w.countedAt) < countEvery {
		return nil
	}
	w.countedAt = time.Now()
	ctx, cancel := context.WithTimeout(ctx, queue.StoreLimit)
	defer cancel()
	n, err := postgres.Find(ctx, w.pool, "count due timers", nil, pgx.RowTo[int], countSQL, now, countLimit)
	if err != nil {
		return err
	}
	w.metrics.due.Set(float64(n))
	return nil
}

// expire handles claimed timers and ends their lease. It returns how many intents
// are closed, and why others were released.
func (w *Worker) expire(ctx, leased context.Context, due []timer, now, until time.Time) (int, error) {
	results := w.expireDue(leased, due, now)
	var closed []domain.IntentID
	var back []timer
	var cause error
	for _, l := range results {
		w.metrics.looks.WithLabelValues(string(l.outcome)).Inc()
		switch l.outcome {
		case outcomeExpired, outcomeClosed:
			closed = append(closed, l.Intent)
			continue
		case outcomeReleased:
			w.sweptAt = time.Time{} // it stays due, below the floor
			if l.err != nil {
				cause = l.err
			}
		case outcomeOpen, outcomeEarly, outcomeFailed:
		}
		back = append(back, l.timer)
	}
	failpoint.Here("expiry_before_conclude")
	// Outcomes are stored even when the worker stops.
	finishing, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishLimit)
	defer cancel()
	if err := w.finish(finishing, closed, back, now, until); err != nil {
		return len(closed), err
	}
	if cause != nil {
		return len(closed), fmt.Errorf("%d of %d due intents are left: %w", len(due)-len(closed), len(due), cause)
	}
	return len(closed), nil
}

// untilNext is how long it takes until the next timer is due.
func (w *Worker) untilNext() time.Duration {
	if w.next.IsZero() {
		return worker.SafetyPoll
	}
	// PostgreSQL keeps microseconds: after one more the timer is due for certain.
	return max(w.next.Sub(w.ledger.Now())+time.Microsecond, 0)
}

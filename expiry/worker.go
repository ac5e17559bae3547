package expiry

import (
	"context"
	"fmt"
	"slices"
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
	// atOnce is how many commands one worker has on their way; they are what the
	// committer finds waiting and writes together.
	atOnce = 64
	// defaultLease is how long a server may be at work on what it claimed. It
	// stops by itself when that is over.
	defaultLease = 10 * time.Second
	// pollEvery is how soon a timer is noticed that comes due before the one that
	// the worker waits for.
	pollEvery = time.Second
	// sweepEvery is how soon a timer is noticed that was due when it was written:
	// its event was read late.
	sweepEvery = 1500 * time.Millisecond
	// finishLimit bounds the storing of outcomes, also when the worker stops.
	// Beyond it the leases lapse.
	finishLimit = time.Second
	// stopWindow is for how long the timers of an application whose checkouts were
	// stopped are looked for: some are written later, or are locked at the time. The
	// first look is for all that were stopped while no server ran.
	stopWindow      = 10 * time.Minute
	firstStopWindow = 100 * 365 * 24 * time.Hour
	// countLimit is how far due timers are counted.
	countLimit = 100_000
	// countEvery is how often, while there is a backlog.
	countEvery = time.Second
)

// Config is what a Worker needs.
type Config struct {
	// Pool reaches the timers; a worker uses one connection of it at a time.
	Pool *pgxpool.Pool
	// Ledger carries out the commands and is the clock.
	Ledger *ledger.Ledger
	Log    zerolog.Logger
	// Registerer takes the metrics; nil keeps them to itself.
	Registerer prometheus.Registerer
}

// Worker expires what is due. Run it once per server.
type Worker struct {
	pool     *pgxpool.Pool
	ledger   *ledger.Ledger
	log      zerolog.Logger
	metrics  metrics
	lease    time.Duration
	batch    int
	claimSQL string

	// floor is where the next claim begins: what came due before it has been
	// claimed. Entries of an index stay behind when their rows die, and while some
	// long transaction keeps vacuum away, a claim from the beginning would walk
	// over all of them, every time. Rows that come back below the floor (leases
	// that lapsed, timers of events that were read late) are found by a sweep.
	floor   time.Time
	sweptAt time.Time // local; zero: a sweep is due
	// stopWindow is how far back stopped checkouts are looked for.
	stopWindow time.Duration

	next      time.Time // when the next timer is due, as of the last round; zero: there is none
	countedAt time.Time // local
}

// New makes a Worker and registers its metrics. It panics if they are registered
// already.
func New(c Config) *Worker {
	return &Worker{
		pool: c.Pool, ledger: c.Ledger, log: c.Log, metrics: newMetrics(c.Registerer),
		lease: defaultLease, batch: batch, claimSQL: claimSQL, stopWindow: firstStopWindow,
	}
}

// Run expires intents until ctx ends, and then returns within two seconds, when
// nothing is under way any more: an Expire may be sent twice, so it is cut off.
func (w *Worker) Run(ctx context.Context) {
	queue.Loop{
		Poll: pollEvery, Next: w.untilNext, Failing: "due intents cannot be expired", Log: w.log,
		// A promotion, or a burst of creates that fills the committer, is over within seconds.
		Retry: worker.Backoff{First: 250 * time.Millisecond, Longest: 5 * time.Second},
	}.Run(ctx, w.round)
}

// round claims a batch of due timers and handles it. It reports whether there may be more. The error
// says why some of the intents are not closed; where others are, it comes with true.
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

// claim leases what is due and moves the floor. With it comes when the next timer is due.
// As a rule none is due, and that is all that a round asks.
func (w *Worker) claim(ctx context.Context, now, until time.Time) (due []timer, err error) {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreLimit)
	defer cancel()
	from := w.floor
	if time.Since(w.sweptAt) >= min(w.lease/2, sweepEvery) {
		from, w.sweptAt = time.Time{}, time.Now()
		if err := w.stopCheckouts(ctx, now); err != nil {
			return nil, err
		}
	}
	var both pgx.Batch
	both.Queue(w.claimSQL, now, until, from).Query(func(rows pgx.Rows) (err error) {
		due, err = pgx.CollectRows(rows, pgx.RowToStructByPos[timer])
		return err
	})
	w.findNext(&both, now)
	if err := w.pool.SendBatch(ctx, &both).Close(); err != nil {
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

// measure counts what is left of a backlog.
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
// are closed, and why the others are left for later.
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
		return pollEvery
	}
	// PostgreSQL keeps microseconds; one more and the timer is due for certain.
	return max(w.next.Sub(w.ledger.Now())+time.Microsecond, 0)
}

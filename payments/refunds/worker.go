package refunds

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/worker"
	"daftar/payments"
	"daftar/payments/acquirer"
)

const (
	// pollEvery is how soon a refund is noticed.
	pollEvery = time.Second
	// lease is how long a server may be at work on one refund: longer than the longest
	// question to an acquirer, and the writing down of the answer.
	lease = time.Minute
	// recordAfter is when another server records what went back: the one that was asked to
	// has had its time.
	recordAfter = 10 * time.Second
	// storeLimit bounds the reading and writing of rows.
	storeLimit = 5 * time.Second
	// writeTries is how often an answer is written down; the pauses between double.
	writeTries   = 6
	longestPause = 30 * time.Second
	// longestWait bounds how long a refund that could not be carried out waits for its next turn.
	longestWait = 5 * time.Minute
	// writeGrace is how long the writing down may take when the server is stopping, after
	// worker.StopGrace.
	writeGrace = 2 * time.Second
)

// StopsWithin is how long Run takes at most when its context ends, whatever an acquirer does.
const StopsWithin = worker.StopGrace + writeGrace

// Ask has an acquirer give money of an attempt back, once. Its errors are those of
// acquirer.Refund, and payments.ErrNoAccount.
type Ask func(ctx context.Context, i domain.Intent, of domain.AttemptID, amount domain.Money) (acquirer.Refunded, error)

// Worker asks acquirers for the refunds that people have asked for.
type Worker struct {
	desk  *Desk
	ask   Ask
	log   zerolog.Logger
	grace time.Duration
	count *prometheus.GaugeVec
}

// NewWorker makes a Worker. Run it once per server. A nil Registerer exports no metrics.
func NewWorker(d *Desk, ask Ask, log zerolog.Logger, to prometheus.Registerer) *Worker {
	return &Worker{desk: d, ask: ask, log: log, grace: worker.StopGrace, count: promauto.With(to).NewGaugeVec(prometheus.GaugeOpts{
		Name: "daftar_refunds",
		Help: "Refunds of all servers that have not ended: under_way, or unknown until a person settles them.",
	}, []string{"state"})}
}

// Run works until ctx ends, and then returns within StopsWithin: a question to an acquirer that
// takes longer is cut off, and its refund is unknown.
func (w *Worker) Run(ctx context.Context) {
	backoff := worker.Backoff{First: pollEvery, Longest: longestPause}
	for pause := time.Duration(0); worker.Sleep(ctx, pause); {
		worked, err := w.step(ctx)
		switch {
		case worked:
			pause = 0
			if err != nil { // of this refund alone, which waits for its next turn: others go on
				w.log.Warn().Err(err).Msg("a refund is not carried out")
			}
		case err != nil && ctx.Err() == nil:
			pause = backoff.Next()
			w.log.Warn().Err(err).Int("failures", backoff.Failures()).Msg("refunds are not carried out")
			continue
		default:
			pause = worker.ToTick(pollEvery)
		}
		backoff.Reset()
	}
}

// What was put back waits until busy_until; of those whose turn has come the first is taken, so
// that one that fails again and again keeps nobody waiting.
const (
	claimSQL = `
UPDATE refunds SET state = CASE state WHEN 'requested' THEN 'asking' ELSE state END, busy_until = $2
WHERE uuid = (
    SELECT r.uuid FROM refunds r CROSS JOIN LATERAL (
        SELECT coalesce(r.busy_until, CASE r.state WHEN 'recording' THEN r.requested_at + $3::interval ELSE r.requested_at END) AS at
    ) due
    WHERE r.ended_at IS NULL AND r.state IN ('requested', 'recording') AND due.at <= $1
    ORDER BY due.at LIMIT 1 FOR UPDATE OF r SKIP LOCKED
) RETURNING `
	// A refund waits as long again as it has waited. What was asked meanwhile is not asked again.
	putBackSQL = `
UPDATE refunds SET state = 'requested', busy_until = $2::timestamptz + least(greatest($2::timestamptz - requested_at, $3::interval), $4::interval)
WHERE uuid = $1 AND state = 'asking'`
	abandonedSQL = `UPDATE refunds SET state = 'unknown', trouble = $2, busy_until = NULL WHERE state = 'asking' AND ended_at IS NULL AND busy_until <= $1`
	countSQL     = `SELECT count(*) FILTER (WHERE state <> 'unknown'), count(*) FILTER (WHERE state = 'unknown') FROM refunds WHERE ended_at IS NULL`
)

// step carries out the refund whose turn came first, and reports whether there was one. The error
// is that refund's then, and otherwise the database's.
func (w *Worker) step(ctx context.Context) (worked bool, err error) {
	looking, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	var underWay, unknown float64
	if err := w.desk.pool.QueryRow(looking, countSQL).Scan(&underWay, &unknown); err != nil {
		return false, fmt.Errorf("count refunds: %w", err)
	}
	w.count.WithLabelValues("under_way").Set(underWay)
	w.count.WithLabelValues("unknown").Set(unknown)
	if underWay == 0 { // as a rule: one look at an index with nothing in it
		return false, nil
	}
	now := w.desk.ledger.Now()
	if _, err := w.desk.pool.Exec(looking, abandonedSQL, now, ServerEnded); err != nil {
		return false, fmt.Errorf("find abandoned refunds: %w", err)
	}
	r, err := postgres.Find(looking, w.desk.pool, "claim refund", nil, columns.Scan, claimSQL+columns.List(""), now, now.Add(lease), recordAfter)
	if err != nil || r.ID == (domain.RefundID{}) {
		return false, err
	}
	// What has begun is brought to its end although the server is stopping.
	working, cancel := worker.Finish(ctx, lease, w.grace+writeGrace)
	defer cancel()
	if err := w.carryOut(ctx, working, r); err != nil {
		return true, fmt.Errorf("refund %s: %w", r.ID, err)
	}
	return true, nil
}

// carryOut asks until ctx has ended for a while, and writes down while working lasts.
func (w *Worker) carryOut(ctx, working context.Context, r Refund) error {
	log := w.log.With().Stringer("refund", r.ID).Str("attempt", string(r.Attempt)).Str("acquirer", r.Acquirer).Logger()
	if r.State == Asking {
		i, err := w.desk.ledger.Load(working, r.Intent)
		if err != nil { // nobody was asked
			return errors.Join(err, w.putBack(working, r))
		}
		asking, cancel := worker.Finish(ctx, lease, w.grace)
		defer cancel()
		// What went back is for the ledger also where somebody has ended the refund by now.
		r, err = w.write(working, w.askFor(asking, i, r, log), log)
		if err != nil && (r.State != Recording || !errors.Is(err, errEnded)) {
			return err
		}
	}
	if r.State != Recording {
		return nil
	}
	after, err := w.desk.record(working, r)
	if after.State == Unknown {
		log.Error().Err(err).Msg("the acquirer gave money back that the ledger cannot record: settle it (daftar refunds)")
		return nil
	}
	return err
}

// putBack lets another step ask for the refund, later.
func (w *Worker) putBack(ctx context.Context, r Refund) error {
	if err := postgres.One(w.desk.pool.Exec(ctx, putBackSQL, r.ID, w.desk.ledger.Now(), pollEvery,
		longestWait)); err != nil {
		return fmt.Errorf("put refund back: %w", err)
	}
	return nil
}

// askFor asks the acquirer, and returns what the refund becomes by its answer.
func (w *Worker) askFor(ctx context.Context, i domain.Intent, r Refund, log zerolog.Logger) Refund {
	refunded, err := w.ask(ctx, i, r.Attempt, r.Amount)
	switch {
	case err == nil && refunded.Money != r.Amount:
		r.State, r.Trouble, r.ProviderReference = Unknown, OtherAmount, refunded.ProviderReference
	case err == nil:
		r.State, r.Evidence, r.ProviderReference = Recording, domain.EvidenceAcquirer, refunded.ProviderReference
	case errors.Is(err, payments.ErrNoAccount):
		r.State, r.Trouble = Failed, NoAccount
	case errors.Is(err, acquirer.ErrNotSent):
		r.State, r.Trouble = Failed, NotSent
	case errors.Is(err, acquirer.ErrAccount):
		r.State, r.Trouble = Failed, AccountNo
	case ctx.Err() != nil:
		r.State, r.Trouble = Unknown, ServerEnded
	default:
		r.State, r.Trouble = Unknown, NoAnswer
	}
	log.Info().Err(err).Str("state", string(r.State)).Str("trouble", string(r.Trouble)).Msg("acquirer was asked for a refund")
	return r
}

// write writes down what was learnt. Without it the refund would be unknown, so it is tried
// for a while.
func (w *Worker) write(ctx context.Context, r Refund, log zerolog.Logger) (Refund, error) {
	backoff := worker.Backoff{First: 100 * time.Millisecond, Longest: storeLimit}
	for {
		written, err := w.desk.set(ctx, r)
		if err == nil {
			return written, nil
		}
		if errors.Is(err, errEnded) || backoff.Failures() == writeTries || !worker.Sleep(ctx, backoff.Next()) {
			log.Error().Err(err).Str("state", string(r.State)).Msg("what the acquirer said of a refund is not written down")
			return r, err
		}
	}
}

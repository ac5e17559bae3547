package refunds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/queue"
	"daftar/internal/worker"
	"daftar/payments"
	"daftar/payments/acquirer"
)

const (
	// pollEvery is how soon a refund is noticed.
	pollEvery = time.Second
	// lease is how long a server may work on one refund: longer than the longest call to an
	// acquirer and the recording of its answer.
	lease = time.Minute
	// recordAfter is after how long another server tells the ledger of a refund's end. Until
	// then the server that learned of it does.
	recordAfter = 10 * time.Second
	// atOnce is how many refunds a server carries out at a time, so that an acquirer that does not
	// answer delays few; atOncePerApplication, how many of one application all servers do.
	atOnce               = 16
	atOncePerApplication = 4
	// writeTries is how often writing an answer to the row is tried; each pause is twice as long.
	writeTries = 6
)

// retry has the pauses between attempts to carry out a refund.
var retry = worker.Backoff{First: pollEvery, Longest: 5 * time.Minute}

// RefundFunc asks an acquirer once to give money of an attempt back. Its errors are those of
// acquirer.Refund, and payments.ErrNoAccount.
type RefundFunc func(
	ctx context.Context, i domain.Intent, of domain.AttemptID, amount domain.Money,
) (acquirer.Refunded, error)

// Worker asks acquirers for the refunds that were requested.
type Worker struct {
	operations *Operations
	polls      *worker.Polls
	refund     RefundFunc
	log        zerolog.Logger
	grace      time.Duration
	count      *prometheus.GaugeVec
}

// NewWorker makes a Worker. Run it once per server. Without Polls it polls alone; a nil Registerer exports
// no metrics.
func NewWorker(
	d *Operations, refund RefundFunc, polls *worker.Polls, log zerolog.Logger, to prometheus.Registerer,
) *Worker {
	count := promauto.With(to).NewGaugeVec(prometheus.GaugeOpts{
		Name: "daftar_refunds",
		Help: "Refunds of all servers that have not ended: under_way, or unknown until a person settles them.",
	}, []string{"state"})
	return &Worker{
		operations: d, refund: refund, log: log, grace: queue.StopGrace, count: count,
		polls: cmp.Or(polls, worker.NewPolls(d.pool, pollEvery)),
	}
}

// Run works until ctx ends, and then returns within queue.StopsWithin: a call to an acquirer
// that takes longer is canceled, and its refund is unknown.
func (w *Worker) Run(ctx context.Context) {
	loop := queue.Loop{
		Poll: worker.SafetyPoll, Wake: w.operations.requested, Failing: "refunds are not carried out", Log: w.log,
	}
	var working sync.WaitGroup
	defer working.Wait()
	working.Go(func() { w.polls.Watch(ctx, w.askForWaiting, func(error) { loop.Wake.Set() }) })
	slots := make(chan struct{}, atOnce)
	loop.Run(ctx, func(ctx context.Context) (bool, error) {
		slots <- struct{}{} // a slot is free again when its call ends, at the latest a grace after ctx
		carryOut, err := w.claim(ctx)
		if carryOut == nil {
			<-slots
			return false, err
		}
		working.Go(func() {
			defer func() { <-slots }()
			if err := carryOut(); err != nil {
				w.log.Warn().Err(err).Msg(loop.Failing)
			}
		})
		return true, nil
	})
}

// waiting selects the refunds that a server carries out, or tells the ledger of. One in state Asking is not
// among them: when its claim lapses it is unknown, because a second call could give the money back
// twice.
var waiting = queue.Table{
	Name: "refunds", Key: "uuid", Lease: "busy_until",
	Due: `coalesce(busy_until, CASE WHEN state = 'requested' THEN requested_at
                            ELSE coalesce(ended_at, requested_at) + $3::interval END)`,
	Where: `(ended_at IS NULL OR unrecorded = 'failure')
      AND (state IN ('recording', 'failed')
           OR state = 'requested'
              AND application_uuid NOT IN (
                  SELECT application_uuid
                  FROM refunds
                  WHERE ended_at IS NULL
                    AND state = 'asking'
                  GROUP BY application_uuid
                  HAVING count(*) >= ` + strconv.Itoa(atOncePerApplication) + `))`,
	Set: `, state = CASE state WHEN 'requested' THEN 'asking' ELSE state END`,
}

var (
	claimSQL   = waiting.Claim(1, columns.List(""))
	putBackSQL = waiting.PutBack(`, state = 'requested'`)
)

const (
	abandonedSQL = `
UPDATE refunds
SET state = 'unknown', trouble = $2, busy_until = NULL, updated_at = $1
WHERE state = 'asking'
  AND ended_at IS NULL
  AND busy_until <= $1`
	countSQL = `
SELECT count(*) FILTER (WHERE state <> 'unknown'), count(*) FILTER (WHERE state = 'unknown')
FROM refunds
WHERE ended_at IS NULL
   OR unrecorded = 'failure'`
)

// askForWaiting counts the refunds that have not ended, and starts a step where some are to be carried out.
func (w *Worker) askForWaiting(b *pgx.Batch) {
	b.Queue(countSQL).QueryRow(func(row pgx.Row) error {
		var underWay, unknown float64
		if err := row.Scan(&underWay, &unknown); err != nil {
			return err
		}
		w.count.WithLabelValues("under_way").Set(underWay)
		w.count.WithLabelValues("unknown").Set(unknown)
		if underWay > 0 { // usually there is none: then this is one read of an empty index
			w.operations.requested.Set()
		}
		return nil
	})
}

// claim takes the refund that was due first, and returns what carries it out; nil if there is none.
func (w *Worker) claim(ctx context.Context) (carryOut func() error, err error) {
	looking, cancel := context.WithTimeout(ctx, queue.StoreLimit)
	defer cancel()
	now := w.operations.ledger.Now()
	until := now.Add(lease)
	if _, err := w.operations.pool.Exec(looking, abandonedSQL, now, ServerEnded); err != nil {
		return nil, fmt.Errorf("find abandoned refunds: %w", err)
	}
	r, err := postgres.Find(looking, w.operations.pool, "claim refund", nil, columns.Scan,
		claimSQL, now, until, recordAfter)
	if err != nil || r.ID == (domain.RefundID{}) {
		return nil, err
	}
	return func() error {
		working, cancel := queue.Finish(ctx, lease, w.grace+queue.WriteGrace)
		defer cancel()
		if err := w.carryOut(ctx, working, r, until); err != nil {
			return fmt.Errorf("refund %s: %w", r.ID, err)
		}
		return nil
	}, nil
}

// carryOut asks the acquirer until a grace period after ctx has ended, and writes to the database
// until working ends. The refund is claimed until the given time.
func (w *Worker) carryOut(ctx, working context.Context, r Refund, until time.Time) error {
	log := w.log.With().Stringer("refund", r.ID).Str("attempt", string(r.Attempt)).
		Str("acquirer", r.Acquirer).Logger()
	if r.State == Asking {
		i, err := w.operations.ledger.Load(working, r.Intent)
		if err != nil { // the acquirer was not asked
			return errors.Join(err, w.putBack(working, r, until))
		}
		asking, cancel := queue.Finish(ctx, lease, w.grace)
		defer cancel()
		// Money that went back is recorded in the ledger even if a person has ended the refund meanwhile.
		r, err = w.write(working, w.callAcquirer(asking, i, r, log), log)
		if err != nil && (r.State != Recording || !errors.Is(err, errEnded)) {
			return err
		}
	}
	switch r.State {
	case Recording:
	case Failed:
		return w.operations.recordFailure(working, r)
	default:
		return nil
	}
	after, err := w.operations.record(working, r)
	if after.State == Unknown {
		log.Error().Err(err).
			Msg("the acquirer gave money back that the ledger cannot record: settle it (daftar refunds)")
		return nil
	}
	return err
}

// putBack releases the claim, so that a later step asks for the refund.
func (w *Worker) putBack(ctx context.Context, r Refund, until time.Time) error {
	now := w.operations.ledger.Now()
	// Failures are not counted, but each pause has doubled the refund's age.
	failures := bits.Len64(uint64(max(now.Sub(r.RequestedAt), 0) / retry.First))
	err := postgres.One(w.operations.pool.Exec(ctx, putBackSQL, r.ID, until, now.Add(retry.Pause(failures))))
	if err != nil {
		return fmt.Errorf("put refund back: %w", err)
	}
	return nil
}

// callAcquirer asks the acquirer, and returns the refund with the state that follows from the answer.
func (w *Worker) callAcquirer(ctx context.Context, i domain.Intent, r Refund, log zerolog.Logger) Refund {
	refunded, err := w.refund(ctx, i, r.Attempt, r.Amount)
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
		r.State, r.Trouble = Failed, AccountRefused
	case errors.Is(err, acquirer.ErrRefused):
		r.State, r.Trouble = Failed, Refused
	case ctx.Err() != nil:
		r.State, r.Trouble = Unknown, ServerEnded
	default:
		r.State, r.Trouble = Unknown, NoAnswer
	}
	log.Info().Err(err).Str("state", string(r.State)).Str("trouble", string(r.Trouble)).
		Msg("acquirer was asked for a refund")
	return r
}

// write stores the answer in the row. A lost answer would make the refund unknown, so write
// retries for a while.
func (w *Worker) write(ctx context.Context, r Refund, log zerolog.Logger) (Refund, error) {
	backoff := worker.Backoff{First: 100 * time.Millisecond, Longest: queue.StoreLimit}
	written, err := w.operations.set(ctx, r)
	for err != nil && !errors.Is(err, errEnded) && backoff.Failures() < writeTries &&
		worker.Sleep(ctx, backoff.Next()) {
		written, err = w.operations.set(ctx, r)
	}
	if err != nil {
		log.Error().Err(err).Str("state", string(r.State)).
			Msg("what the acquirer said of a refund is not written down")
	}
	return written, err
}

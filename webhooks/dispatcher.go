package webhooks

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/failpoint"
	"daftar/internal/queue"
	"daftar/internal/worker"
)

const (
	// pollEvery is the time between polls for due deliveries: retries, and those whose
	// notification was lost.
	pollEvery = time.Second
	// storeLimit bounds one round with the database.
	storeLimit = 8 * time.Second
	// maxSending limits the tries that one server has under way, and maxOfOrganization those
	// of one organisation: endpoints that are slow on purpose cannot take all places.
	maxSending        = 1024
	maxOfOrganization = 64
	// graceLimit is how long tries under way may continue when the server stops. It is shorter than
	// queue.StopGrace: a try may be made twice, and there may be a thousand that hang.
	graceLimit = time.Second
	// suspendFor is how long no webhooks are sent for an application whose secret cannot be opened.
	suspendFor = 30 * time.Second
)

// Config of a Dispatcher.
type Config struct {
	Pool     *pgxpool.Pool
	Polls    *worker.Polls // nil: the Dispatcher polls alone
	Accounts *accounts.Accounts
	Log      zerolog.Logger
	// Registerer takes the metrics; nil keeps them to itself.
	Registerer prometheus.Registerer
	// AllowPrivate is Guard's.
	AllowPrivate bool
	// Version is shown to the endpoints, in User-Agent.
	Version string
	// OnStop is called in the transaction that disables an endpoint; nil: nobody is told.
	OnStop func(context.Context, pgx.Tx, Stop) error
	// Now is the database's clock, without the offset of a sandbox: receivers
	// compare the time of a signature with their own. Nil is the machine's.
	Now func() time.Time
}

// Dispatcher sends what is due. Any number of them may run on one database.
type Dispatcher struct {
	pool     *pgxpool.Pool
	polls    *worker.Polls
	accounts *accounts.Accounts
	log      zerolog.Logger
	now      func() time.Time
	chance   func() float64 // from [0, 1)
	sender   sender
	onStop   func(context.Context, pgx.Tx, Stop) error
	metrics  *metrics
	me       uuid.UUID
	woken    worker.Signal
	pending  worker.Signal // a poll has found deliveries that are not made yet
}

// New makes a Dispatcher; Run runs it.
func New(c Config) *Dispatcher {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Version == "" {
		c.Version = "unknown"
	}
	guard := Guard{AllowPrivate: c.AllowPrivate}
	return &Dispatcher{
		pool: c.Pool, polls: cmp.Or(c.Polls, worker.NewPolls(c.Pool, pollEvery)),
		accounts: c.Accounts, log: c.Log, now: c.Now, chance: rand.Float64, metrics: newMetrics(c.Registerer),
		sender: sender{
			guard: guard, client: guard.client(connectLimit), agent: "Daftar-Webhooks/" + c.Version,
			limit: totalLimit, now: c.Now,
		},
		onStop: c.OnStop, me: uuid.New(), woken: worker.NewSignal(), pending: worker.NewSignal(),
	}
}

// Each transaction that makes deliveries due also notifies this channel, so its commit
// notifies the dispatchers of all servers. A lost notification delays deliveries by at
// most pollEvery.
const (
	channel   = "daftar_webhooks"
	notifySQL = `SELECT pg_notify('` + channel + `', '')`
)

// Wake makes the Dispatcher look for due deliveries now. It never blocks. Transactions that
// record deliveries notify every Dispatcher through the database, so few callers need it.
func (d *Dispatcher) Wake() { d.woken.Set() }

// round is one exchange with the database: it stores outcomes, releases endpoints and
// claims deliveries.
type round struct {
	marks   []outcome // to store
	trouble bool      // some of them change their endpoint's health
	release []domain.ApplicationID
	claim   *claimRequest
	hold    bool

	marked  []outcome // are stored
	claimed []claimed
	signers map[domain.ApplicationID]signer // of the claimed
	err     error
}

// work is the state of Run. Only its goroutine touches it.
type work struct {
	*Dispatcher
	sending  context.Context // of the tries
	tries    sync.WaitGroup
	finished chan outcome
	rounds   chan *round

	queues    map[domain.ApplicationID]*endpointQueue
	present   *worker.Coalescer[domain.ApplicationID, destination]
	known     map[DeliveryID]bool // in a queue, under way, or not stored yet
	suspended map[domain.ApplicationID]time.Time
	release   []domain.ApplicationID // endpoints to release that have no queue
	outcomes  []outcome
	inFlight  int
	of        map[accounts.OrganizationID]int // tries under way
	syncing   bool                            // a round is under way
	wanted    bool                            // the next round claims
	hold      bool                            // the next round holds deliveries of disabled endpoints
	loop      queue.Loop                      // only its backoff: tries end while a round is under way
}

// Run sends until ctx ends. It returns when no try is under way any more and the
// endpoints are released, within graceLimit if the database answers.
func (d *Dispatcher) Run(ctx context.Context) {
	if d.sender.guard.AllowPrivate {
		d.log.Warn().Msg("WEBHOOKS MAY GO TO PRIVATE ADDRESSES AND OVER PLAIN HTTP " +
			"(DAFTAR_WEBHOOK_ALLOW_PRIVATE): never on a server that others can reach")
	}
	sending, abandon := queue.Finish(ctx, math.MaxInt64, graceLimit)
	defer abandon()
	defer d.sender.client.CloseIdleConnections()
	w := &work{
		Dispatcher: d, sending: sending, finished: make(chan outcome, 64), rounds: make(chan *round, 1),
		queues: map[domain.ApplicationID]*endpointQueue{}, known: map[DeliveryID]bool{},
		suspended: map[domain.ApplicationID]time.Time{}, of: map[accounts.OrganizationID]int{},
		present: worker.NewCoalescer(2, maxSending, storeLimit, d.destinations),
		wanted:  true, hold: true,
		loop: queue.Loop{Failing: "deliveries cannot be read or marked", Log: d.log},
	}
	defer w.present.Close()
	var others sync.WaitGroup
	defer others.Wait()
	others.Go(func() {
		queue.Loop{Poll: countEvery, Failing: "deliveries are not counted", Log: d.log}.Repeat(ctx, d.measure)
	})
	others.Go(func() {
		worker.Listener{
			Connection: d.pool.Config().ConnConfig,
			Channel:    channel,
			Notified:   func(string) { d.Wake() },
			Retry:      pollEvery,
			Log:        d.log,
		}.Run(ctx)
	})

	others.Go(func() { d.polls.Watch(ctx, d.askForPending, func(error) { d.pending.Set() }) })
	tick := time.NewTicker(worker.SafetyPoll)
	defer tick.Stop()
	var retry <-chan time.Time
	for {
		if retry == nil {
			w.startRound(ctx)
		}
		select {
		case <-ctx.Done():
			w.stop()
			return
		case <-d.woken:
			w.wanted = true
		case <-tick.C:
			w.wanted, w.hold = true, true
		case <-d.pending:
			w.wanted, w.hold = true, true
		case <-retry:
			retry = nil
		case o := <-w.finished:
			w.finish(o)
		case r := <-w.rounds:
			if w.applyResults(r) {
				continue
			}
			retry = time.After(w.loop.Failed(r.err))
		}
	}
}

// anyPendingSQL reads one entry of an index. What is pending may be due, or has to be held.
const anyPendingSQL = `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE state = 'pending')`

func (d *Dispatcher) askForPending(b *pgx.Batch) {
	b.Queue(anyPendingSQL).QueryRow(func(row pgx.Row) error {
		var some bool
		err := row.Scan(&some)
		if some {
			d.pending.Set()
		}
		return err
	})
}

// syncStore does a round. It continues when ctx has ended, because outcomes must be stored.
func (d *Dispatcher) syncStore(ctx context.Context, r *round,
	queues map[domain.ApplicationID]endpointQueue,
) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeLimit)
	defer cancel()
	batch := &pgx.Batch{}
	switch {
	case len(r.marks) == 0:
	case r.trouble:
		if err := d.markWithHealth(ctx, r.marks); err != nil {
			return err
		}
		r.marked, r.marks = r.marks, nil // not again if the rest fails
	default:
		batch.Queue(markSQL, markArguments(r.marks)...)
	}
	var toHold []domain.ApplicationID
	if r.hold {
		batch.Queue(toHoldSQL).Query(func(rows pgx.Rows) (err error) {
			toHold, err = pgx.CollectRows(rows, pgx.RowTo[domain.ApplicationID])
			return err
		})
	}
	if len(r.release) > 0 {
		batch.Queue(releaseSQL, d.me, r.release)
	}
	if r.claim != nil {
		r.claim.queue(batch, &r.claimed)
	}
	if batch.Len() > 0 {
		if err := d.pool.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("mark and claim: %w", err)
		}
	}
	if len(r.marks) > 0 {
		r.marked, r.marks = r.marks, nil
	}
	d.openSecrets(ctx, r, queues)
	// Not with the rest: two servers that mark and hold the same rows could wait for each
	// other. What is left is held with the next poll.
	for _, id := range toHold {
		if _, err := d.pool.Exec(ctx, holdSQL, id); err != nil {
			d.log.Warn().Err(err).Stringer("application", id).Msg("deliveries cannot be held")
		}
	}
	return nil
}

// openSecrets opens the secrets of claimed deliveries, unless their queue has the signer.
func (d *Dispatcher) openSecrets(ctx context.Context, r *round,
	queues map[domain.ApplicationID]endpointQueue,
) {
	r.signers = map[domain.ApplicationID]signer{}
	for _, c := range r.claimed {
		if _, opened := r.signers[c.Application]; opened {
			continue
		}
		if q := queues[c.Application]; q.signs(c.Sealed) {
			r.signers[c.Application] = q.by
			continue
		}
		by, err := signerOf(ctx, d.accounts, c.Application, c.Sealed)
		if err != nil {
			d.log.Error().Err(err).Stringer("application", c.Application).Msg("webhooks cannot be signed")
		}
		r.signers[c.Application] = by
	}
}

// attempt makes one try and reports it, whatever happens.
func (w *work) attempt(c claimed, by signer) {
	o := outcome{claimed: c, Began: w.now()}
	defer func() {
		if cause := recover(); cause != nil {
			w.log.Error().Str("panic", fmt.Sprint(cause)).Bytes("stack", debug.Stack()).Msg("panic in a webhook")
			o.result = result{Error: errorBroken}
		}
		o.Ended = w.now()
		if !o.Signed.IsZero() {
			o.Began = o.Signed
		}
		if !o.none && o.state() == StatePending {
			o.Next = wait(o.Step+1, o.Asked, w.chance())
		}
		w.finished <- o
	}()
	if c.Attempts == 0 && c.Event != TypeTest {
		w.metrics.latency.Observe(max(o.Began.Sub(c.OccurredAt), 0).Seconds())
	}
	var err error
	ctx, end := w.withTrace(w.sending, c)
	defer func() { end(err) }()
	if by, err = w.confirm(ctx, c, by); err == nil {
		failpoint.Here("webhooks_before_send")
		o.result, err = w.sender.send(ctx, c.URL, by, c.message)
	}
	o.none = err != nil // it stays due
	failpoint.Here("webhooks_before_mark")
}

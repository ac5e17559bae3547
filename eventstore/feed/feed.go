package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/internal/worker"
)

// Handler handles events in the order of their positions. It writes through tx,
// which commits together with the group's offset, so that its writes are stored
// exactly once.
//
// It does not keep tx, which refuses Begin, Commit and Rollback. It changes no event's
// bytes, copies what it keeps of them, and remembers nothing from one call to the
// next: the next events may go to another server. It makes no HTTP requests and
// appends nothing to the ledger, whose committer could wait for ever for a row that
// tx has locked. It returns soon after ctx has ended, when tx is gone.
//
// An error or a panic undoes what the call wrote. The handler gets the same events again,
// then fewer of them, to find the one that fails; then the group's Policy
// decides about that one. An error that says nothing about the events is wrapped
// by Transient.
type Handler func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error

// Transient marks a Handler's error as transient: a system other than the database, to which
// the group passes events, is out of reach. No event is blamed; the
// batch is rolled back and retried until it succeeds. nil stays nil.
func Transient(err error) error {
	if err == nil {
		return nil
	}
	return &transientError{err}
}

type transientError struct{ error }

func (t *transientError) Unwrap() error { return t.error }

// Policy is what happens to an event that keeps failing.
type Policy int

const (
	// Park sets the event aside with the reason, and the group continues. Release
	// gives it to the group again.
	Park Policy = iota
	// Halt stops the group before the event. It is tried again each
	// Config.HaltRetry, and by each server that starts.
	Halt
)

// Group is a consumer of the log with its own offset. A new one starts
// with the first event.
type Group struct {
	Name      string // stable: the offset is kept under it
	Handle    Handler
	OnFailure Policy
	// Only says of which types of events Handle is given; nil: of all. The offset passes over the others.
	Only func(stored string) bool
	// Urgent reports whether the group is woken at once for an event that this server has committed;
	// nil: for each. Others it gets with the next urgent one, or with the next tick of Config.Poll. It is
	// called from any goroutine.
	Urgent func(eventstore.Recorded) bool
	// Share is how much of its time the group may work while requests come in, in percent; 0: half. It
	// works in slices of some 4 ms then, and catches up when there are fewer.
	Share int
	// Staleness is the least time between two polls while the log grows; 0: as short as Config.Gap. An
	// urgent event that comes while the log does not grow is handled without a wait.
	Staleness time.Duration
}

// Config of a Feed. Zero durations and sizes mean the defaults.
type Config struct {
	// Pool is used by the Feed alone, with at least two connections more than there are
	// groups. Its sessions should set synchronous_commit to off: a crash loses offsets
	// and handlers' writes together, so nothing is skipped, and a
	// poll costs no fsync. Limits on statements and on idle transactions bound how
	// long a session whose server has vanished blocks a group; the latter
	// also bounds a Handler's pauses. The Feed opens one more connection like
	// these, to LISTEN.
	Pool   *pgxpool.Pool
	Polls  *worker.Polls // reads the offsets at its ticks; nil: the Feed does alone, each Poll
	Groups []Group
	Log    zerolog.Logger
	// Registerer takes the metrics; nil: they are not exposed.
	Registerer prometheus.Registerer

	Batch int // events that a Handler gets at most; 0: 1000
	// Poll is the time between two ticks, at which groups get the events that woke none; 0: 1 s.
	Poll time.Duration
	// Gap is the least time between two polls of a group, unless there is a backlog. It is
	// four times as long under load. 0: 10 ms.
	Gap       time.Duration
	HaltRetry time.Duration // between tries of a halted group; 0: 1 min
}

const (
	defaultBatch     = 1000
	defaultPoll      = time.Second
	defaultGap       = 10 * time.Millisecond
	defaultHaltRetry = time.Minute
	// spareConns are connections for notifications and for reading the lag.
	spareConns = 2
)

// ErrConfig is returned by New for a Config that cannot work.
var ErrConfig = errors.New("feed: bad configuration")

// ErrAhead is returned by Run if a group's offset is past the end of the
// log: the log was restored from an older backup than the offsets, and the group
// would skip new events silently.
var ErrAhead = errors.New("feed: a group is ahead of the log")

// Feed delivers the log to groups of handlers. Wake and Committed may be called from any
// goroutine, Run once.
type Feed struct {
	config   Config
	groups   []*group
	metrics  *metrics
	recent   *recent
	instance string        // part of this feed's notifications, so that it ignores them
	pending  worker.Signal // there are commits of which other servers were not notified yet
	heard    worker.Signal // another server has committed, or a group may be about to advance
	started  atomic.Bool

	mu   sync.Mutex
	seen map[string]offset
}

// New checks the configuration and prepares a Feed; it does not use the
// database. The error wraps ErrConfig. It panics if the metrics are registered
// already.
func New(c Config) (*Feed, error) {
	c.setDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	m := newMetrics(c.Registerer)
	f := &Feed{
		config:   c,
		metrics:  m,
		recent:   &recent{},
		instance: uuid.NewString(),
		pending:  worker.NewSignal(),
		heard:    worker.NewSignal(),
		seen:     make(map[string]offset, len(c.Groups)),
	}
	for _, g := range c.Groups {
		f.groups = append(f.groups, newGroup(g, c, m, f.recent))
	}
	return f, nil
}

func (c *Config) setDefaults() {
	c.Batch = cmp.Or(c.Batch, defaultBatch)
	c.Poll = cmp.Or(c.Poll, defaultPoll)
	c.Gap = cmp.Or(c.Gap, defaultGap)
	c.HaltRetry = cmp.Or(c.HaltRetry, defaultHaltRetry)
	c.Polls = cmp.Or(c.Polls, worker.NewPolls(c.Pool, c.Poll))
}

func (c *Config) check() error {
	if c.Pool == nil || len(c.Groups) == 0 {
		return fmt.Errorf("%w: a pool and at least one group are needed", ErrConfig)
	}
	if c.Batch < 0 || c.Poll < 0 || c.Gap < 0 || c.HaltRetry < 0 {
		return fmt.Errorf("%w: negative size or duration", ErrConfig)
	}
	if have, want := int(c.Pool.Config().MaxConns), len(c.Groups)+spareConns; have < want {
		return fmt.Errorf("%w: the pool has %d connections, %d groups need %d",
			ErrConfig, have, len(c.Groups), want)
	}
	names := map[string]bool{}
	for _, g := range c.Groups {
		if g.Name == "" || names[g.Name] || g.Handle == nil || (g.OnFailure != Park && g.OnFailure != Halt) {
			return fmt.Errorf("%w: group %q needs a name of its own, a handler and a policy", ErrConfig, g.Name)
		}
		if g.Share < 0 || g.Share > 100 || g.Staleness < 0 {
			return fmt.Errorf("%w: group %q has a share of %d percent and a staleness of %v",
				ErrConfig, g.Name, g.Share, g.Staleness)
		}
		names[g.Name] = true
	}
	return nil
}

// Run delivers events until ctx ends, and returns nil then, within two seconds.
// It waits for a database that is out of reach. The error is ErrAhead, or another one that
// keeps every group from starting.
func (f *Feed) Run(ctx context.Context) error {
	if f.started.Swap(true) {
		return fmt.Errorf("%w: Run was called twice", ErrConfig)
	}
	if err := f.prepare(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var others sync.WaitGroup
	defer others.Wait()
	defer cancel()
	listener := worker.Listener{
		Connection: f.config.Pool.Config().ConnConfig, Channel: Channel, Notified: f.notified,
		Retry: min(f.config.Poll, defaultPoll), Log: f.config.Log,
	}
	for _, work := range []func(context.Context){listener.Run, f.notifyOthers, f.watch} {
		others.Go(func() { work(ctx) })
	}
	others.Go(func() { f.config.Polls.Watch(ctx, f.ask, f.notWatched) })
	return f.route(ctx)
}

// many events are taken before the next tick, so that they do not come all in one moment.
const many = 2 * minSlice

// Committed passes on the events that this server has just committed, so that its groups
// take them from memory, and wakes the groups for which one of them is urgent. The events' bytes must
// not be changed afterwards. Without events it only says that something was committed, like Wake.
func (f *Feed) Committed(events []eventstore.Recorded) {
	if len(events) == 0 {
		f.Wake()
		return
	}
	f.recent.keep(events)
	for _, g := range f.groups {
		urgent := slices.ContainsFunc(events, g.isUrgent)
		if urgent || g.behind() >= many {
			g.wake.Set()
		}
		if urgent {
			f.pending.Set()
		}
	}
}

// Wake wakes all groups of this server, makes Run notify the other servers, and never blocks.
func (f *Feed) Wake() {
	for _, g := range f.groups {
		g.wake.Set()
	}
	f.pending.Set()
}

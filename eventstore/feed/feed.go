package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
// which commits together with the group's offset, so that what it wrote is there
// exactly once.
//
// It does not keep tx, which refuses Begin, Commit and Rollback. It changes no event's
// bytes, copies what it keeps of them, and remembers nothing from one call to the
// next: the next events may go to another server. It makes no HTTP requests and
// appends nothing to the ledger, whose committer could wait for ever for a row that
// tx holds. It returns soon after ctx has ended, when tx is gone.
//
// An error or a panic undoes what the call wrote. The same events come again,
// then fewer of them, to find the one that fails; then the group's Policy
// decides about that one. An error that says nothing about the events is wrapped
// by Transient.
type Handler func(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error

// Transient marks a Handler's error as transient: something besides the database that
// the group hands events to is out of reach. No event is blamed, the
// batch is rolled back and comes again until it succeeds. nil stays nil.
func Transient(err error) error {
	if err == nil {
		return nil
	}
	return &transientError{err}
}

type transientError struct{ error }

func (t *transientError) Unwrap() error { return t.error }

// Policy says what becomes of an event that keeps failing.
type Policy int

const (
	// Park sets the event aside with the reason, and the group goes on. Release
	// gives it to the group again.
	Park Policy = iota
	// Halt stops the group before the event. It is tried again each
	// Config.HaltRetry, and by each server that starts.
	Halt
)

// Group is a consumer of the log with an offset of its own. A new one starts
// with the first event.
type Group struct {
	Name      string // stable: the offset is kept under it
	Handle    Handler
	OnFailure Policy
	// Share is how much of its time the group may be at work while the log grows,
	// in percent; 0: all of it. An expensive group that can wait yields to the
	// requests whose events it follows, and catches up when there are fewer.
	Share int
	// Staleness is how long an event may wait for the group while the log grows; 0: as
	// short as Config.Gap. Looks are that far apart then and bring more events each.
	// An event that comes while the log rests waits for nothing.
	Staleness time.Duration
	// Awaited says after a batch whether somebody waits for what it caused; nil: yes. As long
	// as nobody does, looks are as far apart as under load.
	Awaited func() bool
}

// Config of a Feed. Zero durations and sizes mean the defaults.
type Config struct {
	// Pool is the Feed's own, with at least two connections more than there are
	// groups. Its sessions should set synchronous_commit to off: offsets and what
	// handlers write are lost together in a crash, so nothing is skipped, and a
	// poll costs no fsync. Limits on statements and on idle transactions bound how
	// long a session whose server has vanished keeps a group to itself; the latter
	// also bounds a Handler's pauses. The Feed opens one more connection like
	// these, to LISTEN.
	Pool   *pgxpool.Pool
	Groups []Group
	Log    zerolog.Logger
	// Registerer takes the metrics; nil: they are not exposed.
	Registerer prometheus.Registerer

	Batch     int           // events that a Handler gets at most; 0: 1000
	Poll      time.Duration // between looks at all groups' offsets, which find what woke nobody; 0: 1 s
	Gap       time.Duration // between two looks of a group at least, unless there is a backlog, and four times as long under load; 0: 10 ms
	HaltRetry time.Duration // between tries of a halted group; 0: 1 min
}

const (
	defaultBatch     = 1000
	defaultPoll      = time.Second
	defaultGap       = 10 * time.Millisecond
	defaultHaltRetry = time.Minute
	// spareConns are for notifying and measuring.
	spareConns = 2
)

// ErrConfig is returned by New for a Config that cannot work.
var ErrConfig = errors.New("feed: bad configuration")

// ErrAhead is returned by Run where a group's offset lies behind the end of the
// log: the log was restored from an older backup than the offsets, and the group
// would skip new events silently.
var ErrAhead = errors.New("feed: a group is ahead of the log")

// Feed hands the log to groups of handlers. Wake and Committed may be called from
// anywhere, Run once.
type Feed struct {
	config   Config
	groups   []*group
	metrics  *metrics
	recent   *recent
	instance string        // in our own notifications, which are ignored
	pending  worker.Signal // there are commits that other servers do not know of
	heard    worker.Signal // another server has committed
	started  atomic.Bool
}

// New checks the configuration and prepares a Feed; it does not touch the
// database. The error wraps ErrConfig. It panics if the metrics are registered
// already.
func New(c Config) (*Feed, error) {
	c.setDefaults()
	if err := c.check(); err != nil {
		return nil, err
	}
	m := newMetrics(c.Registerer)
	f := &Feed{
		config: c, metrics: m, recent: &recent{}, instance: uuid.NewString(), pending: worker.NewSignal(),
		heard: worker.NewSignal(),
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
}

func (c *Config) check() error {
	if c.Pool == nil || len(c.Groups) == 0 {
		return fmt.Errorf("%w: a pool and at least one group are needed", ErrConfig)
	}
	if c.Batch < 0 || c.Poll < 0 || c.Gap < 0 || c.HaltRetry < 0 {
		return fmt.Errorf("%w: negative size or duration", ErrConfig)
	}
	if have, want := int(c.Pool.Config().MaxConns), len(c.Groups)+spareConns; have < want {
		return fmt.Errorf("%w: the pool has %d connections, %d groups need %d", ErrConfig, have,
			len(c.Groups), want)
	}
	names := map[string]bool{}
	for _, g := range c.Groups {
		if g.Name == "" || names[g.Name] || g.Handle == nil || (g.OnFailure != Park && g.OnFailure != Halt) {
			return fmt.Errorf("%w: group %q needs a name of its own, a handler and a policy", ErrConfig, g.Name)
		}
		if g.Share < 0 || g.Share > 100 || g.Staleness < 0 {
			return fmt.Errorf("%w: group %q has a share of %d percent and a staleness of %v", ErrConfig, g.Name,
				g.Share, g.Staleness)
		}
		names[g.Name] = true
	}
	return nil
}

// Run hands out events until ctx ends, and returns nil then, within two seconds.
// A database that is out of reach is waited for. Errors: ErrAhead, or what else
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
	return f.route(ctx)
}

// Committed says which events this server has just committed, for the groups
// here to take them from memory, and wakes them like Wake. Nobody may change the
// events' bytes afterwards.
func (f *Feed) Committed(events []eventstore.Recorded) {
	f.recent.keep(events)
	f.Wake()
}

// Wake says that events were committed on this server. It wakes the groups here, has
// other servers notified, and never blocks.
func (f *Feed) Wake() {
	for _, g := range f.groups {
		g.wake.Set()
	}
	f.pending.Set()
}

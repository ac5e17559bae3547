package feed

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/rs/zerolog"

	"daftar/eventstore"
	"daftar/internal/worker"
)

const (
	firstBackoff = 50 * time.Millisecond
	maxBackoff   = time.Second
)

// group is a running consumer. The subscriber's goroutine and the handler's use it
// in turn.
type group struct {
	Group
	config  Config
	log     zerolog.Logger
	metrics *metrics
	wake    worker.Signal   // this server has committed events that are urgent, or a tick finds others
	overdue worker.Signal   // there are events to read, and no server reads them
	ctx     context.Context // Run's: a BackoffManager gets none
	recent  *recent
	session *session // of the present poll

	mu              sync.Mutex
	current         delivery
	failure         error          // why the present batch was rolled back
	backoff         worker.Backoff // before the next poll, after a failure
	reached         int64          // last position that this server acknowledged
	committedAtPoll int            // events that this server had committed when the last poll began
	received        int            // of those, since the poll before
	slice           int            // how many events take about sliceTime
	limit           int            // events of the present poll at most
	polledAt        time.Time      // when the last poll began
	withSavepoints  bool           // the next batch is handled within savepoints
}

// delivery is the batch that is under way, in the order of the events.
type delivery struct {
	events   []eventstore.Recorded
	released bool   // it consists of parked events
	full     bool   // there may be more events after it
	done     int64  // the offset to acknowledge
	halted   string // why the group stops after done, if it does
}

func (d delivery) last() int64 { return d.events[len(d.events)-1].Position }

func newGroup(g Group, c Config, m *metrics, r *recent) *group {
	m.initialize(g.Name)
	g.Share = cmp.Or(g.Share, defaultShare)
	return &group{
		Group:   g,
		config:  c,
		metrics: m,
		recent:  r,
		slice:   c.Batch,
		log:     c.Log.With().Str("group", g.Name).Logger(),
		wake:    worker.NewSignal(),
		overdue: worker.NewSignal(),
		backoff: worker.Backoff{First: firstBackoff, Longest: maxBackoff},
	}
}

// message makes a message that represents the events in Watermill.
func (g *group) message(events []eventstore.Recorded) *message.Message {
	first, last := events[0].Position, events[len(events)-1].Position
	return message.NewMessage(fmt.Sprintf("%s/%d-%d", g.Name, first, last), nil)
}

// bind makes the group stop waiting when ctx ends. Its first poll begins now.
func (g *group) bind(ctx context.Context) { g.ctx, g.polledAt = ctx, time.Now() }

// setSession notes the session of a poll.
func (g *group) setSession(s *session) { g.session = s }

func (g *group) begin(d delivery) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.current, g.failure = d, nil
}

// beginPoll returns how many events the next batch has at most, and for which offsets the server has it in
// memory. While requests come in, the batch is a slice.
func (g *group) beginPoll() (limit int, from, to int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	committed := g.recent.count()
	g.committedAtPoll, g.received = committed, committed-g.committedAtPoll
	g.limit = g.config.Batch
	if g.received > 0 {
		g.limit = g.slice
	}
	from, to = g.recent.serves(g.reached, g.limit)
	return g.limit, from, to
}

func (g *group) delivery() delivery {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.current
}

// finish notes how far the present batch got.
func (g *group) finish(done int64, halted string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.current.done, g.current.halted = done, halted
	if !g.current.released {
		g.reached = done
	}
}

// setFailure notes why the present batch is rolled back.
func (g *group) setFailure(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failure = err
}

// usesSavepoints reports whether a batch is handled within savepoints, see transactional.
func (g *group) usesSavepoints() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.withSavepoints
}

// HandleError implements Watermill's BackoffManager. It is called between two
// polls and waits itself: Watermill would sleep for the time it returns, and neither a
// wake-up nor the end of the feed would interrupt that.
func (g *group) HandleError(_ watermill.LoggerAdapter, noMsg bool, err error) time.Duration {
	if g.ctx.Err() != nil {
		return 0
	}
	g.mu.Lock()
	d, cause, inSavepoints, received := g.current, g.failure, g.withSavepoints, g.received
	g.current, g.failure = delivery{}, nil
	g.withSavepoints = cause != nil || err != nil
	g.mu.Unlock()
	switch {
	case cause != nil && !inSavepoints && !isTransient(cause): // the same again, within savepoints
		g.polledAt = time.Now()
	case cause != nil:
		g.backOff(cause)
	case err != nil:
		g.backOff(err)
	case !noMsg && d.halted == "" && d.full:
		g.backoff.Reset()
		g.measure(len(d.events))
		g.yield()
		g.polledAt = time.Now()
	default:
		g.backoff.Reset()
		g.measure(len(d.events))
		g.await(g.interval(max(len(d.events), received)))
	}
	return 0
}

// interval is the least time from the last poll, before which so many events were received, to
// the next. If events had come and the poll did not find them, another server has taken them:
// this one stands by and polls no more often. If none had come, the log did not grow, and the
// next event is handled without a wait.
func (g *group) interval(received int) time.Duration {
	switch {
	case received == 0:
		return g.config.Gap
	case received > busyBatch:
		return max(g.config.Gap*busyGaps, g.Staleness, g.minInterval())
	}
	return max(g.config.Gap, g.Staleness)
}

// While requests come in, a poll brings as many events as take about sliceTime to handle, and at least
// minSlice: a poll costs some round trips, however many it brings.
const (
	sliceTime = 4 * time.Millisecond
	minSlice  = 256
)

// measure learns from the last poll, which brought so many events, how many a slice has.
func (g *group) measure(events int) {
	if events >= min(minSlice, g.config.Batch) {
		fit := int(sliceTime * time.Duration(events) / max(time.Since(g.polledAt), 1))
		g.slice = min(max(fit, minSlice), g.config.Batch)
	}
}

// minInterval is the least time between two polls that the group's share allows:
// the time spent since the last one, and a pause in proportion.
func (g *group) minInterval() time.Duration {
	return min(min(time.Since(g.polledAt), maxInterval)*100/time.Duration(g.Share), maxInterval)
}

// isUrgent reports whether the group is woken for an event.
func (g *group) isUrgent(e eventstore.Recorded) bool {
	return (g.Only == nil || g.Only(e.Type)) && (g.Urgent == nil || g.Urgent(e))
}

// behind is how many events this server has committed since the last poll began.
func (g *group) behind() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.recent.count() - g.committedAtPoll
}

// yield pauses within a backlog if the log has grown meanwhile: without appends
// there are no requests to yield to.
func (g *group) yield() {
	if g.behind() > 0 {
		pause := g.minInterval() - time.Since(g.polledAt)
		g.log.Debug().Dur("pause", pause).Msg("feed: group yields to the requests whose events it follows")
		worker.Sleep(g.ctx, pause)
	}
}

// defaultShare is that of a group that names none, in percent: it pauses for as long as it works.
const defaultShare = 50

// maxInterval bounds the pause after a batch that took very long.
const maxInterval = 2 * time.Second

// backOff waits after a batch that was rolled back as a whole.
func (g *group) backOff(cause error) {
	pause := g.backoff.Next()
	g.metrics.rolledBack.WithLabelValues(g.Name).Inc()
	g.log.Warn().Err(cause).Dur("pause", pause).Msg("feed: batch rolled back, it comes again")
	worker.Sleep(g.ctx, pause)
	g.polledAt = time.Now()
}

// After a batch of more than busyBatch events the gap to the next poll is busyGaps times as
// long, so that polling does not take CPU from requests: a poll costs some round trips,
// however many events it brings.
const (
	busyBatch = 10
	busyGaps  = 4
)

// await returns when there may be events to read. Polls are at least gap apart,
// so that under load events come in batches and not one by one.
func (g *group) await(gap time.Duration) {
	defer func() { g.polledAt = time.Now() }()
	worker.Sleep(g.ctx, gap-time.Since(g.polledAt))
	select {
	case <-g.wake:
	case <-g.overdue:
	case <-g.ctx.Done():
	}
}

package feed

import (
	"context"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/rs/zerolog"

	"daftar/internal/worker"
)

const (
	firstBackoff = 50 * time.Millisecond
	maxBackoff   = time.Second
)

// group is a running consumer. The subscriber's goroutine and the handler's use it
// in turn.
type group struct {
	name    string
	handle  Handler
	policy  Policy
	share   int // percent of its time, while the log grows; 0: all
	config  Config
	log     zerolog.Logger
	metrics *metrics
	wake    worker.Signal   // there may be something new
	ctx     context.Context // Run's: a BackoffManager is given none
	recent  *recent
	cached  cachedBatch // what the present poll takes from memory

	mu         sync.Mutex
	current    delivery
	failure    error          // why the present batch was rolled back
	backoff    worker.Backoff // before the next poll, after a failure
	reached    int64          // last position that was acknowledged
	ownsOffset bool           // the offset is at reached, as far as this server knows
	repeated   bool           // an acknowledged batch came back: it was not committed
	polledAt   time.Time      // when the last poll began
}

// delivery is the batch that is under way.
type delivery struct {
	first, last int64
	released    bool   // it consists of parked events
	full        bool   // there may be more behind it
	done        int64  // the offset to acknowledge
	halted      string // why the group stops behind done, if it does
}

// cachedBatch is a batch from memory; empty where the poll reads from the log.
type cachedBatch struct {
	frames []byte
	last   int64
	more   bool
}

func newGroup(g Group, c Config, m *metrics, r *recent) *group {
	m.watch(g.Name)
	return &group{
		name: g.Name, handle: g.Handle, policy: g.OnFailure, share: g.Share, config: c, metrics: m, recent: r,
		log: c.Log.With().Str("group", g.Name).Logger(), wake: worker.NewSignal(),
		backoff: worker.Backoff{First: firstBackoff, Longest: maxBackoff},
	}
}

// bind makes the group stop waiting when ctx ends. Its first poll begins now.
func (g *group) bind(ctx context.Context) { g.ctx, g.polledAt = ctx, time.Now() }

func (g *group) begin(d delivery) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.current, g.failure = d, nil
	g.repeated = !d.released && d.first <= g.reached
}

// chooseSource decides where the next batch comes from. What follows the offset is
// usually in memory if this server wrote it and moved the offset last; the query
// checks that the offset has not moved since.
func (g *group) chooseSource() (after int64, inMemory bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cached = cachedBatch{}
	if g.ownsOffset {
		g.cached.frames, g.cached.last, g.cached.more = g.recent.after(g.reached, g.config.Batch)
	}
	return g.reached, g.cached.frames != nil
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

func (g *group) abandon(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failure = err
}

// HandleError implements Watermill's BackoffManager. It is called between two
// polls and waits itself: Watermill would sleep for what it returns, and neither a
// wake-up nor the end of the feed would interrupt that.
func (g *group) HandleError(_ watermill.LoggerAdapter, noMsg bool, err error) time.Duration {
	g.mu.Lock()
	d, cause, repeated := g.current, g.failure, g.repeated
	g.failure, g.repeated = nil, false
	if noMsg || err != nil {
		g.current = delivery{}
	}
	moved := noMsg && err == nil && g.cached.frames != nil
	if !noMsg || moved {
		g.ownsOffset = !noMsg && err == nil && cause == nil && d.halted == "" && !d.released
	}
	g.mu.Unlock()
	if g.ctx.Err() != nil || moved { // the next poll reads from the log
		return 0
	}
	if cause == nil {
		cause = err
	}
	if cause != nil || repeated {
		g.backOff(cause)
		return 0
	}
	g.backoff.Reset()
	if !noMsg && d.halted == "" && d.full {
		g.yield()
		g.polledAt = time.Now()
		return 0
	}
	gap := g.config.Gap
	if !noMsg && d.last-d.first >= busyBatch {
		gap = max(gap*busyGaps, g.minInterval())
	}
	g.await(gap)
	return 0
}

// minInterval is the least time between two polls that the group's share allows:
// the time spent since the last one, and a pause in proportion.
func (g *group) minInterval() time.Duration {
	if g.share == 0 {
		return 0
	}
	return min(min(time.Since(g.polledAt), maxInterval)*100/time.Duration(g.share), maxInterval)
}

const yieldMessage = "feed: group yields to the requests whose events it follows"

// yield pauses within a backlog if the log has grown meanwhile: without appends
// there are no requests to yield to. The wake-up that is consumed is not lost, as
// the next poll follows in any case.
func (g *group) yield() {
	select {
	case <-g.wake:
		if g.share > 0 {
			pause := g.minInterval() - time.Since(g.polledAt)
			g.log.Debug().Dur("pause", pause).Msg(yieldMessage)
			worker.Sleep(g.ctx, pause)
		}
	default:
	}
}

// maxInterval bounds the pause after a batch that took very long.
const maxInterval = 2 * time.Second

// backOff waits after a batch that was rolled back as a whole.
func (g *group) backOff(cause error) {
	pause := g.backoff.Next()
	g.metrics.rolledBack.WithLabelValues(g.name).Inc()
	g.log.Warn().Err(cause).Dur("pause", pause).Msg("feed: batch rolled back, it comes again")
	worker.Sleep(g.ctx, pause)
	g.polledAt = time.Now()
}

// After a batch of busyBatch events a group polls less often, by busyGaps, so that
// polling does not take CPU from requests: a poll costs some round trips, whatever
// it returns.
const (
	busyBatch = 10
	busyGaps  = 4
)

// await returns when there may be something to read. Polls are at least gap apart,
// so that under load events come in batches and not one by one.
func (g *group) await(gap time.Duration) {
	defer func() { g.polledAt = time.Now() }()
	worker.Sleep(g.ctx, gap-time.Since(g.polledAt))
	g.wake.Wait(g.ctx, g.config.Poll)
}

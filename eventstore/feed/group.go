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

// group is a consumer at work. The subscriber's goroutine and the handler's take
// turns on it.
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
	handed  handed // what the present look takes from memory

	mu      sync.Mutex
	current delivery
	trouble error          // why the present batch was given up
	backoff worker.Backoff // before the next look, after trouble
	reached int64          // last position that was acknowledged
	ours    bool           // the offset is at reached, as far as this server knows
	again   bool           // an acknowledged batch came back: it was not committed
	looked  time.Time      // when the subscriber last went to look
}

// delivery is the batch that is under way.
type delivery struct {
	first, last int64
	released    bool   // it consists of events that were set aside before
	full        bool   // there may be more behind it
	done        int64  // the offset that it is worth
	halted      string // why the group stops behind done, if it does
}

// handed is a batch from memory; empty where the look reads from the log.
type handed struct {
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

// endWith makes the group stop waiting when ctx ends. Its first look begins now.
func (g *group) endWith(ctx context.Context) { g.ctx, g.looked = ctx, time.Now() }

func (g *group) begin(d delivery) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.current, g.trouble = d, nil
	g.again = !d.released && d.first <= g.reached
}

// look decides where the next batch comes from. What follows the offset is in
// memory as a rule, if this server wrote it and was the one that moved the offset;
// whether it still is where it was left, the database tells.
func (g *group) look() (after int64, inMemory bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.handed = handed{}
	if g.ours {
		g.handed.frames, g.handed.last, g.handed.more = g.recent.after(g.reached, g.config.Batch)
	}
	return g.reached, g.handed.frames != nil
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

func (g *group) giveUp(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.trouble = err
}

// HandleError implements Watermill's BackoffManager. It is called between two
// looks and does the waiting itself, because what it returns would be slept
// without hearing a wake-up or the end of the feed.
func (g *group) HandleError(_ watermill.LoggerAdapter, noMsg bool, err error) time.Duration {
	g.mu.Lock()
	d, trouble, again := g.current, g.trouble, g.again
	g.trouble, g.again = nil, false
	if noMsg || err != nil {
		g.current = delivery{}
	}
	mistaken := noMsg && err == nil && g.handed.frames != nil
	if !noMsg || mistaken {
		g.ours = !noMsg && err == nil && trouble == nil && d.halted == "" && !d.released
	}
	g.mu.Unlock()
	if g.ctx.Err() != nil || mistaken { // the next look reads from the log
		return 0
	}
	if trouble == nil {
		trouble = err
	}
	if trouble != nil || again {
		g.recover(trouble)
		return 0
	}
	g.backoff.Reset()
	if !noMsg && d.halted == "" && d.full {
		g.giveWay()
		g.looked = time.Now()
		return 0
	}
	gap := g.config.Gap
	if !noMsg && d.last-d.first >= busyBatch {
		gap = max(gap*busyGaps, g.turn())
	}
	g.await(gap)
	return 0
}

// turn is how long a look may take up with all that follows it, by the group's
// share: the time since it began, and a rest in proportion.
func (g *group) turn() time.Duration {
	if g.share == 0 {
		return 0
	}
	return min(min(time.Since(g.looked), longestTurn)*100/time.Duration(g.share), longestTurn)
}

const yieldMessage = "feed: group yields to the requests whose events it follows"

// giveWay rests after a part of a backlog if the log has grown meanwhile. Where
// nobody appends, nobody is in a hurry. The token that is taken is not missed: the
// next look follows in any case.
func (g *group) giveWay() {
	select {
	case <-g.wake:
		if g.share > 0 {
			rest := g.turn() - time.Since(g.looked)
			g.log.Debug().Dur("pause", rest).Msg(yieldMessage)
			worker.Sleep(g.ctx, rest)
		}
	default:
	}
}

// longestTurn bounds the rest after a batch that took very long.
const longestTurn = 2 * time.Second

// recover waits a while after a batch that was rolled back as a whole.
func (g *group) recover(trouble error) {
	pause := g.backoff.Next()
	g.metrics.givenUp.WithLabelValues(g.name).Inc()
	g.log.Warn().Err(trouble).Dur("pause", pause).Msg("feed: batch rolled back, it comes again")
	worker.Sleep(g.ctx, pause)
	g.looked = time.Now()
}

// A group that has just got busyBatch events looks busyGaps times as seldom. Each
// look costs some round trips whatever it brings, and under load they would take
// the processor from the requests whose events they fetch.
const (
	busyBatch = 10
	busyGaps  = 4
)

// await returns when there may be something to read. Looks are some time apart,
// so that under load events come in batches and not one by one.
func (g *group) await(gap time.Duration) {
	defer func() { g.looked = time.Now() }()
	worker.Sleep(g.ctx, gap-time.Since(g.looked))
	g.wake.Wait(g.ctx, g.config.Poll)
}

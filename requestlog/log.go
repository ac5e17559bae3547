package requestlog

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/internal/queue"
)

const (
	// Kept is how many requests of an application are kept.
	Kept = 1000
	// MaxError bounds what is kept of a refusal, in bytes.
	MaxError = 1024

	flushEvery = time.Second
	// perFlush is how many requests of an application one flush keeps of those that
	// succeeded, and of those that were refused; unknownPerFlush of those without a valid
	// token.
	perFlush        = 100
	unknownPerFlush = 10
	// maxWaiting bounds the requests of all applications that wait for the next flush: about
	// 4 MB.
	maxWaiting = 20_000
	// trimEvery is by how many rows an application may exceed Kept before a server deletes
	// the oldest.
	trimEvery = 100
	// maxCounted bounds the applications whose rows since the last deletion are counted.
	maxCounted = 10_000
)

// Request is a request that was answered.
type Request struct {
	Application domain.ApplicationID
	Ordinal     int64     // its number in the log, once it was written
	At          time.Time // when it arrived
	Took        time.Duration
	ID          string // X-Request-Id
	Method      string
	Route       string          // its path with names of the variable parts: /payment-intents/{uuid}
	Intent      domain.IntentID // zero: the path has none, and none was created
	Query       string          // without the values that must not be kept
	Status      int
	Replayed    bool   // the answer was that of an earlier request
	Error       string // the body of a refusal, at most MaxError bytes of it
	Skipped     int    // requests before it that were not kept
}

// Config of a Log.
type Config struct {
	Pool *pgxpool.Pool
	Log  zerolog.Logger
	// Registerer gets the metrics; nil: they are not exposed.
	Registerer prometheus.Registerer
}

// Log collects requests and writes them. It is safe for concurrent use; a nil Log does nothing.
type Log struct {
	pool    *pgxpool.Pool
	log     zerolog.Logger
	counted *prometheus.CounterVec
	lost    prometheus.Counter

	mu      sync.Mutex
	waiting map[domain.ApplicationID]*batch
	count   int // of the requests in waiting

	written map[domain.ApplicationID]int // rows since the last deletion; Run's
}

// What became of requests, for the metrics.
const (
	outcomeKept    = "kept"
	outcomeSkipped = "skipped" // newer ones of the application were kept
	outcomeLost    = "lost"    // the database failed, or too many waited
)

// New makes a Log; Run writes it.
func New(c Config) *Log {
	l := &Log{
		pool: c.Pool, log: c.Log, waiting: make(map[domain.ApplicationID]*batch),
		written: make(map[domain.ApplicationID]int),
		counted: promauto.With(c.Registerer).NewCounterVec(prometheus.CounterOpts{
			Name: "daftar_request_log_requests_total",
			Help: "API requests by what became of them in the request log: kept, skipped " +
				"(one of too many of an application) or lost.",
		}, []string{"outcome"}),
	}
	for _, outcome := range []string{outcomeKept, outcomeSkipped, outcomeLost} {
		l.counted.WithLabelValues(outcome) // a rate needs the zero
	}
	l.lost = l.counted.WithLabelValues(outcomeLost)
	return l
}

// batch is what an application sent since the last flush.
type batch struct{ succeeded, refused, unknown latest }

// listFor is the list for requests with the status, and its greatest length.
func (b *batch) listFor(status int) (*latest, int) {
	switch {
	case status == statusUnauthorized:
		return &b.unknown, unknownPerFlush
	case status >= statusRefused:
		return &b.refused, perFlush
	}
	return &b.succeeded, perFlush
}

const (
	statusUnauthorized = 401
	statusRefused      = 400
)

// latest are the latest requests of one kind: when it is full, each replaces the oldest.
type latest struct {
	requests []Request
	skipped  int
}

// Note keeps a request in memory until the next flush.
func (l *Log) Note(r Request) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.waiting[r.Application]
	if b == nil {
		if l.count >= maxWaiting {
			l.lost.Inc()
			return
		}
		b = new(batch)
		l.waiting[r.Application] = b
	}
	kind, limit := b.listFor(r.Status)
	switch {
	case len(kind.requests) == limit:
		kind.requests[kind.skipped%limit] = r
		kind.skipped++
	case l.count >= maxWaiting:
		l.lost.Inc()
	default:
		kind.requests = append(kind.requests, r)
		l.count++
	}
}

// Run writes the log until ctx ends, and then once more.
func (l *Log) Run(ctx context.Context) {
	loop := queue.Loop{
		Poll: flushEvery, Failing: "requests cannot be written to the log of requests", Log: l.log,
	}
	loop.Repeat(ctx, l.Flush)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), queue.StoreLimit)
	defer cancel()
	if err := l.Flush(last); err != nil {
		l.log.Warn().Err(err).Msg("the last requests are not in the log of requests")
	}
}

// Flush writes the waiting requests, and deletes rows over Kept. Requests that cannot be written
// are dropped: the next ones matter more.
func (l *Log) Flush(ctx context.Context) error {
	rows, skipped := l.take()
	l.counted.WithLabelValues(outcomeSkipped).Add(float64(skipped))
	if len(rows) == 0 {
		return nil
	}
	if _, err := l.pool.Exec(ctx, insertSQL, newColumns.Arrays(rows)...); err != nil {
		l.lost.Add(float64(len(rows)))
		return fmt.Errorf("write requests: %w", err)
	}
	l.counted.WithLabelValues(outcomeKept).Add(float64(len(rows)))
	return l.trim(ctx, rows)
}

// take removes and returns the waiting requests, those of each application in the order of time.
func (l *Log) take() (rows []Request, skipped int) {
	l.mu.Lock()
	waiting := l.waiting
	rows = make([]Request, 0, l.count)
	l.waiting, l.count = make(map[domain.ApplicationID]*batch, len(waiting)), 0
	l.mu.Unlock()
	for _, b := range waiting {
		first := len(rows)
		rows = append(append(append(rows, b.succeeded.requests...), b.refused.requests...), b.unknown.requests...)
		of := rows[first:]
		slices.SortFunc(of, func(a, b Request) int { return a.At.Compare(b.At) })
		of[0].Skipped = b.succeeded.skipped + b.refused.skipped + b.unknown.skipped
		skipped += of[0].Skipped
	}
	return rows, skipped
}

// trim deletes the oldest rows of the applications that got many rows since the last time. The
// first time it does so for every application: this server does not know how many rows it had.
func (l *Log) trim(ctx context.Context, rows []Request) error {
	for n := 0; n < len(rows); {
		id, first := rows[n].Application, n
		for n < len(rows) && rows[n].Application == id {
			n++
		}
		if count, known := l.written[id]; known && count+n-first < trimEvery {
			l.written[id] = count + n - first
			continue
		}
		var statements pgx.Batch // one transaction for each application, so that locks are short
		statements.Queue(lockTrimSQL, trimLock, id)
		statements.Queue(trimSQL, id, Kept)
		if err := l.pool.SendBatch(ctx, &statements).Close(); err != nil {
			return fmt.Errorf("delete old requests: %w", err)
		}
		if len(l.written) >= maxCounted {
			clear(l.written)
		}
		l.written[id] = 0
	}
	return nil
}

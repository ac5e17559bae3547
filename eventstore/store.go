package eventstore

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// Limits of the committer. A batch is as large as what waits, up to these.
const (
	maxBatchEvents = 512
	maxBatchBytes  = 1 << 20
	// defaultQueue is how many appends may wait before more are refused.
	defaultQueue = 4096
)

// Options of a Store. The zero value means the defaults.
type Options struct {
	// Inline is the read model to write with the events; nil for none.
	Inline *Inline
	// Queue is how many appends may wait for a batch to end; 0: 4096.
	Queue int
	// Clock is corrected by every batch; nil gives the Store a new one.
	Clock *Clock
	// OnCommit is called after each batch that wrote events. The next batch waits for it, so
	// it must return at once. It gets the recorded events in their order and must not change
	// them. It gets none if the answer of the database was lost and it is only known that
	// something was written. Nil for nothing.
	OnCommit func(committed []Recorded)
	Log      zerolog.Logger
	// Registerer takes the metrics; nil: they are not exposed.
	Registerer prometheus.Registerer
}

// Store appends events and reads them. It is safe for concurrent use.
type Store struct {
	*Reader
	writes    *pgxpool.Pool
	log       zerolog.Logger
	clock     *Clock
	onCommit  func([]Recorded)
	inline    *Inline
	sql       string
	direct    directSQL
	queueCap  int // how many appends the backlog takes
	queue     appendQueue
	highWater highWater
	refused   atomic.Pointer[refusal] // nil: the database writes, as far as is known

	mu      sync.Mutex
	backlog []*request // wait for the batch under way to end
	busy    bool       // a batch is under way, or about to be made of the backlog
	closed  bool
	done    chan struct{} // closed when no more batches follow

	metrics *metrics
	batches atomic.Int64
	events  atomic.Int64
}

// New starts a Store that appends through one pool and reads through another, so
// that readers cannot keep the committer waiting for a connection. The pools may
// be the same. Connections of the first must commit synchronously. Close ends
// the Store; the caller closes the pools.
func New(writes, reads *pgxpool.Pool, o Options) *Store {
	o.Queue = cmp.Or(o.Queue, defaultQueue)
	if o.Clock == nil {
		o.Clock = &Clock{}
	}
	if o.OnCommit == nil {
		o.OnCommit = func([]Recorded) {}
	}
	return &Store{
		Reader:   NewReader(reads),
		writes:   writes,
		log:      o.Log,
		clock:    o.Clock,
		onCommit: o.OnCommit,
		inline:   o.Inline,
		sql:      appendSQL(o.Inline),
		direct:   newDirectSQL(o.Inline),
		queueCap: o.Queue,
		done:     make(chan struct{}),
		metrics:  newMetrics(o.Registerer),
	}
}

// Clock is the database's clock as the Store last saw it.
func (s *Store) Clock() *Clock { return s.clock }

// Append writes events to the end of a stream and returns when they are on
// disk. Its errors are *Conflict and those of this package.
//
// When ctx ends first, an append that is not part of a batch yet is
// withdrawn and the error is the context's: nothing was or will be written. Append does
// not wait for one that is being written, and the error is ErrOutcomeUnknown; if it
// is being written alone, Append waits until the deadline of ctx.
func (s *Store) Append(ctx context.Context, a Append) (Appended, error) {
	done, err := s.append(ctx, a)
	if err != nil {
		s.metrics.count(err)
	}
	return done, err
}

func (s *Store) append(ctx context.Context, a Append) (Appended, error) {
	e, err := encode(a)
	if err != nil {
		return Appended{}, err
	}
	if s.inline != nil && a.Row == nil && !a.NotShown {
		return Appended{}, fmt.Errorf("%w: no row for the inline read model", ErrInvalid)
	}
	if ctx.Err() != nil {
		return Appended{}, fmt.Errorf("append: %w", ctx.Err())
	}
	r := &request{encoded: e, answer: make(chan answer, 1), gone: ctx.Done()}
	alone, err := s.enqueue(r)
	if err != nil {
		return Appended{}, err
	}
	if alone {
		s.commitAlone(ctx, r)
	}
	select {
	case got := <-r.answer:
		return got.Appended, got.err
	case <-ctx.Done():
		if r.withdraw() {
			return Appended{}, fmt.Errorf("append: %w", ctx.Err())
		}
		// The answer may have come at the same time.
		select {
		case got := <-r.answer:
			return got.Appended, got.err
		default:
			return Appended{}, fmt.Errorf("append: %w: %w", ErrOutcomeUnknown, ctx.Err())
		}
	}
}

// enqueue adds a request to the backlog, unless that is full. If no batch is under way, no other
// server appends, and nobody else is ready to append, the request is a batch by itself instead:
// alone is true.
func (s *Store) enqueue(r *request) (alone bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return false, ErrClosed
	case len(s.backlog) >= s.queueCap:
		return false, ErrOverloaded
	case s.busy:
		s.backlog = append(s.backlog, r)
		return false, nil
	}
	s.busy = true
	// Requests that arrived together share a batch: those that are ready to append do so now.
	s.mu.Unlock()
	runtime.Gosched()
	s.mu.Lock()
	if len(s.backlog) == 0 && !s.queue.contended.Load() {
		return true, nil
	}
	s.backlog = slices.Insert(s.backlog, 0, r)
	go s.commitBacklog()
	return false, nil
}

// commitNext is called after a batch: a goroutine commits what was appended meanwhile.
func (s *Store) commitNext() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.backlog) > 0 {
		go s.commitBacklog()
		return
	}
	s.setIdle()
}

// setIdle notes that no batch is under way. s.mu is held.
func (s *Store) setIdle() {
	s.busy = false
	if s.closed {
		close(s.done)
	}
}

// Close refuses further appends and commits those that wait. If ctx ends first, it returns
// the context's error.
func (s *Store) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		if !s.busy {
			close(s.done)
		}
	}
	s.mu.Unlock()
	select {
	case <-s.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close event store: %w", ctx.Err())
	}
}

// Stats are counts since the Store was made.
type Stats struct {
	Batches int64 // committed
	Events  int64 // in them
	Waiting int   // appends that wait for the batch under way
}

// Stats are the present counts.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Stats{Batches: s.batches.Load(), Events: s.events.Load(), Waiting: len(s.backlog)}
}

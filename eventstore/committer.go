package eventstore

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/google/uuid"
)

// request is an append that waits for the committer's answer.
type request struct {
	encoded
	answer chan answer
	gone   <-chan struct{} // closed when the caller no longer waits for the answer
	state  atomic.Int32
	// reached is the version that the stream is known to have once the request was
	// answered. Only the committer reads and writes it.
	reached int
}

type answer struct {
	Appended
	err error
}

// A request is waiting until either the committer takes it or its caller
// withdraws it. Exactly one of the two happens.
const (
	waiting int32 = iota
	taken
	withdrawn
)

func (r *request) take() bool     { return r.state.CompareAndSwap(waiting, taken) }
func (r *request) withdraw() bool { return r.state.CompareAndSwap(waiting, withdrawn) }

func (r *request) fail(err error) { r.answer <- answer{err: err} }

func (r *request) succeed(a Appended) { r.answer <- answer{Appended: a} }

// abandoned reports whether the caller has stopped waiting.
func (r *request) abandoned() bool {
	select {
	case <-r.gone:
		return true
	default:
		return false
	}
}

// commitAlone commits a request that found no other, on its caller's goroutine, so that a
// lone append waits for no other goroutine. The caller's cancellation does not end the write;
// its deadline does.
func (s *Store) commitAlone(caller context.Context, r *request) {
	r.take()
	ctx, cancel := context.WithoutCancel(caller), context.CancelFunc(func() {})
	if deadline, has := caller.Deadline(); has {
		ctx, cancel = context.WithDeadline(ctx, deadline)
	}
	defer cancel()
	open, err := s.commitOnce(ctx, nil, []*request{r})
	if len(open) == 0 {
		s.commitNext()
		return
	}
	// What follows may take longer than the caller's deadline.
	go func() { //nolint:gosec // it must not end with the caller
		s.commitAfter(context.Background(), open, err)
		s.commitNext()
	}()
}

// commitBacklog makes batches of the waiting appends and commits them one after the
// other until none waits.
func (s *Store) commitBacklog() {
	var backlog []*request
	for {
		backlog = s.drain(backlog)
		if len(backlog) == 0 {
			return
		}
		var b batch
		first := s.acquireTurn(context.Background())
		if first != nil {
			backlog = s.drain(backlog)
		}
		b, backlog = nextBatch(backlog)
		if len(b.requests) == 0 {
			first.release(context.Background())
			continue
		}
		s.commit(context.Background(), first, b.requests)
		backlog = append(b.answerFollowers(), backlog...)
	}
}

// drain adds waiting appends to the backlog, up to the size of a batch. If there are none, no
// batch is under way any more.
func (s *Store) drain(backlog []*request) []*request {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(s.backlog), max(maxBatchEvents-len(backlog), 0))
	backlog = append(backlog, s.backlog[:n]...)
	s.backlog = slices.Delete(s.backlog, 0, n)
	if len(backlog) == 0 {
		s.setIdle()
	}
	return backlog
}

// batch is what one transaction writes: at most one append per stream. Further
// appends to the same stream wait until the outcome of the batch is known.
type batch struct {
	requests  []*request
	followers []*request
	leaders   map[uuid.UUID]*request
}

// nextBatch takes requests from the head of the backlog while they fit. It skips
// those that were withdrawn.
func nextBatch(backlog []*request) (batch, []*request) {
	b := batch{leaders: make(map[uuid.UUID]*request, len(backlog))}
	events, bytes := 0, 0
	for n, r := range backlog {
		if len(b.requests) > 0 && (events+len(r.Events) > maxBatchEvents || bytes+r.bytes > maxBatchBytes) {
			return b, backlog[n:]
		}
		if r.NotShown && len(b.requests) > 0 {
			return b, backlog[n:]
		}
		if _, busy := b.leaders[r.Stream]; busy {
			b.followers = append(b.followers, r)
			continue
		}
		if !r.take() {
			continue
		}
		b.leaders[r.Stream] = r
		b.requests = append(b.requests, r)
		events += len(r.Events)
		bytes += r.bytes
		if r.NotShown {
			return b, backlog[n+1:]
		}
	}
	return b, nil
}

// answerFollowers rejects the followers whose stream is now past the version that they
// expected, and returns the others for the next batch. Versions only grow, so a stream that
// is past a version stays past it.
func (b batch) answerFollowers() []*request {
	var next []*request
	for _, f := range b.followers {
		current := b.leaders[f.Stream].reached
		if current > f.Expected {
			if !f.take() {
				continue
			}
			f.fail(&Conflict{Stream: f.Stream, Expected: f.Expected, Actual: current})
			continue
		}
		next = append(next, f)
	}
	return next
}

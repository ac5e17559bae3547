package worker

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"
)

// ErrClosed is returned by a Coalescer that was closed.
var ErrClosed = errors.New("closed")

// Query answers several questions at once: it returns a function with the answer to each
// of them. It must not keep the slice.
type Query[Q, A any] func(ctx context.Context, questions []Q) (func(Q) A, error)

// Coalescer makes one query of the questions that wait at the same time. Under load a
// round trip serves many callers; while fewer queries than the limit run, a caller asks
// at once, on its own goroutine, unless others are ready to ask with it. It is safe for concurrent use.
type Coalescer[Q, A any] struct {
	query        Query[Q, A]
	limit        time.Duration
	atOnce, size int

	mu      sync.Mutex
	waiting []question[Q, A]
	asking  int // queries under way
	closed  bool
	ended   sync.Cond // of the queries under way, for Close
}

type question[Q, A any] struct {
	asked  Q
	answer chan answer[A]
}

type answer[A any] struct {
	given A
	err   error
}

// NewCoalescer makes a Coalescer that runs at most atOnce queries at a time. Each has at
// most size questions and may take as long as limit.
func NewCoalescer[Q, A any](atOnce, size int, limit time.Duration, query Query[Q, A]) *Coalescer[Q, A] {
	c := &Coalescer[Q, A]{query: query, limit: limit, atOnce: atOnce, size: size}
	c.ended.L = &c.mu
	return c
}

// Close waits for the queries under way; questions that wait for another query get
// ErrClosed at once. It may be called more than once.
func (c *Coalescer[Q, A]) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, q := range c.waiting {
		q.answer <- answer[A]{err: ErrClosed}
	}
	c.waiting = nil
	for c.asking > 0 {
		c.ended.Wait()
	}
}

// Waiting is how many questions wait for a query.
func (c *Coalescer[Q, A]) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.waiting)
}

// Ask returns the answer to a question. Errors: the query's, ErrClosed, or that of
// ctx.
func (c *Coalescer[Q, A]) Ask(ctx context.Context, asked Q) (A, error) {
	var none A
	c.mu.Lock()
	switch {
	case c.closed:
		c.mu.Unlock()
		return none, ErrClosed
	case ctx.Err() != nil:
		c.mu.Unlock()
		return none, ctx.Err()
	case c.asking < c.atOnce:
		c.asking++
		if c.letOthersAsk(); len(c.waiting) == 0 {
			c.mu.Unlock()
			return c.askAlone(ctx, asked)
		}
		go c.askTogether()
	}
	q := question[Q, A]{asked: asked, answer: make(chan answer[A], 1)}
	c.waiting = append(c.waiting, q)
	c.mu.Unlock()
	select {
	case a := <-q.answer:
		return a.given, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// letOthersAsk lets goroutines run that are ready to, before a query: the requests that arrived at
// the same time ask before any of them is answered, and share a query. c.mu is held, and released
// meanwhile. Where nobody else is ready, it takes 80 ns.
func (c *Coalescer[Q, A]) letOthersAsk() {
	c.mu.Unlock()
	runtime.Gosched()
	c.mu.Lock()
}

// askAlone makes a query of one question. A caller that leaves does not end the query,
// because that would cost its connection; the caller's deadline does.
func (c *Coalescer[Q, A]) askAlone(caller context.Context, asked Q) (given A, err error) {
	defer c.endQuery()
	until := time.Now().Add(c.limit)
	if deadline, has := caller.Deadline(); has && deadline.Before(until) {
		until = deadline
	}
	ctx, cancel := context.WithDeadline(context.WithoutCancel(caller), until)
	defer cancel()
	find, err := c.query(ctx, []Q{asked})
	if err != nil {
		return given, err
	}
	return find(asked), nil
}

// endQuery lets the questions that wait use the slot of a query that has ended.
func (c *Coalescer[Q, A]) endQuery() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > 0 {
		go c.askTogether()
		return
	}
	c.releaseSlot()
}

// releaseSlot allows another query. c.mu is held.
func (c *Coalescer[Q, A]) releaseSlot() {
	c.asking--
	c.ended.Broadcast()
}

// askTogether makes queries of the questions that wait, until none waits.
func (c *Coalescer[Q, A]) askTogether() {
	asked, together := make([]Q, 0, c.size), make([]question[Q, A], 0, c.size)
	for {
		c.mu.Lock()
		c.letOthersAsk()
		if len(c.waiting) == 0 {
			c.releaseSlot()
			c.mu.Unlock()
			return
		}
		together = append(together[:0], c.waiting[:min(len(c.waiting), c.size)]...)
		// Delete moves the rest to the front, which leaves capacity after it, and clears what
		// it moved, so that the callers' channels do not stay in memory.
		c.waiting = slices.Delete(c.waiting, 0, len(together))
		c.mu.Unlock()
		asked = asked[:0]
		for _, q := range together {
			asked = append(asked, q.asked)
		}
		c.answer(together, asked)
	}
}

func (c *Coalescer[Q, A]) answer(together []question[Q, A], asked []Q) {
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	find, err := c.query(ctx, asked)
	for _, q := range together {
		a := answer[A]{err: err}
		if err == nil {
			a.given = find(q.asked)
		}
		q.answer <- a
	}
}

package worker

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrClosed says that a Coalescer takes no more questions.
var ErrClosed = errors.New("closed")

// Query answers several questions at once: the function that it returns gives the
// answer to each of them. It must not keep the slice.
type Query[Q, A any] func(ctx context.Context, questions []Q) (func(Q) A, error)

// Coalescer makes one query of the questions that wait at the same time. Under
// load a round trip serves many callers; a caller who finds room for a query asks it
// at once, on its own goroutine. It is safe for concurrent use.
type Coalescer[Q, A any] struct {
	query        Query[Q, A]
	limit        time.Duration
	atOnce, size int

	mu      sync.Mutex
	waiting []question[Q, A]
	asking  int // queries under way
	closed  bool
	over    sync.Cond // of asking, for Close

	channels sync.Pool // of answers that were received: nobody sends on them any more
}

type question[Q, A any] struct {
	asked  Q
	answer chan answer[A]
}

type answer[A any] struct {
	given A
	err   error
}

// NewCoalescer has so many queries under way at a time. Each has at most size
// questions and may take as long as limit.
func NewCoalescer[Q, A any](atOnce, size int, limit time.Duration, query Query[Q, A]) *Coalescer[Q, A] {
	c := &Coalescer[Q, A]{query: query, limit: limit, atOnce: atOnce, size: size}
	c.over.L = &c.mu
	return c
}

// Close waits for the queries under way; who waits for another gets ErrClosed at
// once. It may be called more than once.
func (c *Coalescer[Q, A]) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, q := range c.waiting {
		q.answer <- answer[A]{err: ErrClosed}
	}
	c.waiting = nil
	for c.asking > 0 {
		c.over.Wait()
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
		c.mu.Unlock()
		return c.askAlone(ctx, asked)
	}
	q := question[Q, A]{asked: asked}
	var used bool
	if q.answer, used = c.channels.Get().(chan answer[A]); !used {
		q.answer = make(chan answer[A], 1)
	}
	c.waiting = append(c.waiting, q)
	c.mu.Unlock()
	select {
	case a := <-q.answer:
		c.channels.Put(q.answer)
		return a.given, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// askAlone asks for nobody else. A caller that leaves does not end the query: that
// would cost its connection. One whose time is up does.
func (c *Coalescer[Q, A]) askAlone(caller context.Context, asked Q) (given A, err error) {
	defer c.goOn()
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

// goOn gives the room of a query that has ended to the questions that wait.
func (c *Coalescer[Q, A]) goOn() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) > 0 {
		go c.askTogether()
		return
	}
	c.leave()
}

// leave gives the room back. c.mu is held.
func (c *Coalescer[Q, A]) leave() {
	c.asking--
	c.over.Broadcast()
}

// askTogether asks the questions that wait until none does.
func (c *Coalescer[Q, A]) askTogether() {
	asked, together := make([]Q, 0, c.size), make([]question[Q, A], 0, c.size)
	for {
		c.mu.Lock()
		if len(c.waiting) == 0 {
			c.leave()
			c.mu.Unlock()
			return
		}
		together = append(together[:0], c.waiting[:min(len(c.waiting), c.size)]...)
		// The rest moves to the front, so that there is room behind it; what was there goes, or
		// the callers' channels would stay in memory.
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

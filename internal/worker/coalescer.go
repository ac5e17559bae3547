package worker

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrClosed says that a Coalescer takes no more questions.
var ErrClosed = errors.New("closed")

// Query answers several questions at once: the function that it returns gives the
// answer to each of them. It must not keep the slice.
type Query[Q, A any] func(ctx context.Context, questions []Q) (func(Q) A, error)

// Coalescer makes one query of the questions that wait at the same time. Under
// load a round trip serves many callers, and a lone caller waits for nobody. It is
// safe for concurrent use.
type Coalescer[Q, A any] struct {
	query   Query[Q, A]
	limit   time.Duration
	waiting chan question[Q, A]
	closing chan struct{}
	closed  sync.Once
	done    sync.WaitGroup
}

type question[Q, A any] struct {
	asked  Q
	answer chan answer[A]
}

type answer[A any] struct {
	given A
	err   error
}

// NewCoalescer starts as many goroutines as queries may be under way at a time.
// Each query has at most size questions and may take as long as limit.
func NewCoalescer[Q, A any](atOnce, size int, limit time.Duration, query Query[Q, A]) *Coalescer[Q, A] {
	c := &Coalescer[Q, A]{query: query, limit: limit, waiting: make(chan question[Q, A], size), closing: make(chan struct{})}
	for range atOnce {
		c.done.Go(func() { c.run(size) })
	}
	return c
}

// Close waits for the queries under way, whose callers get ErrClosed at once, and
// ends the goroutines. It may be called more than once.
func (c *Coalescer[Q, A]) Close() {
	c.closed.Do(func() { close(c.closing) })
	c.done.Wait()
}

// Waiting is how many questions wait for a query.
func (c *Coalescer[Q, A]) Waiting() int { return len(c.waiting) }

// Ask returns the answer to a question. Errors: the query's, ErrClosed, or that of
// ctx.
func (c *Coalescer[Q, A]) Ask(ctx context.Context, asked Q) (A, error) {
	q := question[Q, A]{asked: asked, answer: make(chan answer[A], 1)}
	var none A
	select {
	case c.waiting <- q:
	case <-ctx.Done():
		return none, ctx.Err()
	case <-c.closing:
		return none, ErrClosed
	}
	select {
	case a := <-q.answer:
		return a.given, a.err
	case <-ctx.Done():
		return none, ctx.Err()
	case <-c.closing:
		return none, ErrClosed
	}
}

// run answers questions until Close.
func (c *Coalescer[Q, A]) run(size int) {
	together, asked := make([]question[Q, A], 0, size), make([]Q, 0, size)
	for !c.isClosing() {
		select {
		case <-c.closing:
		case first := <-c.waiting:
			together, asked = c.gather(append(together[:0], first)), asked[:0]
			for _, q := range together {
				asked = append(asked, q.asked)
			}
			c.answer(together, asked)
			clear(together) // or the callers' channels would stay in memory
		}
	}
}

// isClosing keeps questions that wait from delaying Close.
func (c *Coalescer[Q, A]) isClosing() bool {
	select {
	case <-c.closing:
		return true
	default:
		return false
	}
}

// gather adds the questions that wait at this moment, as far as there is room.
func (c *Coalescer[Q, A]) gather(together []question[Q, A]) []question[Q, A] {
	for len(together) < cap(together) {
		select {
		case q := <-c.waiting:
			together = append(together, q)
		default:
			return together
		}
	}
	return together
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

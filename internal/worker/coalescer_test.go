package worker_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"daftar/internal/worker"
)

// double answers each number with its double, when it is released.
type double struct {
	sizes   []int // of the queries; one is asked at a time
	release chan error
}

func (d *double) query(ctx context.Context, numbers []int) (func(int) int, error) {
	d.sizes = append(d.sizes, len(numbers))
	select {
	case err := <-d.release:
		return func(n int) int { return 2 * n }, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type answered struct {
	asked, got int
	err        error
}

// ask asks for the numbers up to n, each in its own goroutine.
func ask(ctx context.Context, c *worker.Coalescer[int, int], n int) <-chan answered {
	answers := make(chan answered, n)
	for asked := range n {
		go func() {
			got, err := c.Ask(ctx, asked)
			answers <- answered{asked, got, err}
		}()
	}
	synctest.Wait()
	return answers
}

func TestQuestionsShareQueries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &double{release: make(chan error)}
		c := worker.NewCoalescer(1, 4, time.Minute, d.query)
		defer c.Close()
		first := ask(t.Context(), c, 1)
		others := ask(t.Context(), c, 6) // of which a query has four
		if n := c.Waiting(); n != 6 {
			t.Errorf("%d questions wait, want 6", n)
		}
		for range 3 {
			d.release <- nil
			synctest.Wait()
		}
		if a := <-first; a.err != nil || a.got != 0 {
			t.Errorf("the first: %+v", a)
		}
		for range 6 {
			if a := <-others; a.err != nil || a.got != 2*a.asked {
				t.Errorf("%+v, want the double", a)
			}
		}
		if len(d.sizes) != 3 || d.sizes[0] != 1 || d.sizes[1] != 4 || d.sizes[2] != 2 {
			t.Errorf("queries of %v questions, want 1, 4 and 2", d.sizes)
		}
	})
}

// Questions of goroutines that are ready to run at the same time go together from the first query on.
func TestReadyCallersShareTheFirstQuery(t *testing.T) { //nolint:paralleltest // it is the only one that runs
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	synctest.Test(t, func(t *testing.T) {
		d := &double{release: make(chan error)}
		c := worker.NewCoalescer(1, 20, time.Minute, d.query)
		defer c.Close()
		answers := ask(t.Context(), c, 10)
		d.release <- nil
		for range 10 {
			if a := <-answers; a.err != nil || a.got != 2*a.asked {
				t.Errorf("%+v, want the double", a)
			}
		}
		if len(d.sizes) != 1 {
			t.Errorf("queries of %v questions, want one query", d.sizes)
		}
	})
}

// All callers that share a query get its error, and no others.
func TestQueryFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &double{release: make(chan error)}
		c := worker.NewCoalescer(1, 4, time.Minute, d.query)
		defer c.Close()
		first, others := ask(t.Context(), c, 1), ask(t.Context(), c, 3)
		broken := errors.New("broken")
		d.release <- nil
		d.release <- broken
		if a := <-first; a.err != nil {
			t.Errorf("the query before: %v", a.err)
		}
		for range 3 {
			if a := <-others; !errors.Is(a.err, broken) {
				t.Errorf("one of those that share the query: %v", a.err)
			}
		}
		last := ask(t.Context(), c, 1) // takes as long as a query may
		if a := <-last; !errors.Is(a.err, context.DeadlineExceeded) {
			t.Errorf("a query without an end: %v", a.err)
		}
	})
}

// A caller that leaves gets its error at once; those that share its query are answered.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &double{release: make(chan error)}
		c := worker.NewCoalescer(1, 4, time.Minute, d.query)
		defer c.Close()
		first := ask(t.Context(), c, 1)
		ctx, cancel := context.WithCancel(t.Context())
		leaving, staying := ask(ctx, c, 2), ask(t.Context(), c, 2)
		outside := ask(ctx, c, 1) // the next query has no room for its question
		cancel()
		for _, left := range []<-chan answered{leaving, leaving, outside} {
			if a := <-left; !errors.Is(a.err, context.Canceled) {
				t.Errorf("a caller that left: %v", a.err)
			}
		}
		d.release <- nil
		d.release <- nil
		for _, stayed := range []<-chan answered{first, staying, staying} {
			if a := <-stayed; a.err != nil || a.got != 2*a.asked {
				t.Errorf("a caller that stayed: %+v", a)
			}
		}
	})
}

// After Close no caller waits for a query that has not begun: neither those whose question
// waits, nor those that come later. It returns when the query under way has ended.
func TestCloseEndsAllWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &double{release: make(chan error)}
		c := worker.NewCoalescer(1, 2, time.Minute, d.query)
		underWay, answers := ask(t.Context(), c, 1), ask(t.Context(), c, 4)
		// The first Close takes the time of a query; the second has nothing to do.
		for _, want := range []time.Duration{time.Minute, 0} {
			if took := elapsed(c.Close); took != want {
				t.Errorf("closed after %v, want %v", took, want)
			}
		}
		if a := <-underWay; !errors.Is(a.err, context.DeadlineExceeded) {
			t.Errorf("a question under way: %+v", a)
		}
		for range 4 {
			if a := <-answers; !errors.Is(a.err, worker.ErrClosed) {
				t.Errorf("a question that waited: %+v", a)
			}
		}
		if _, err := c.Ask(t.Context(), 1); !errors.Is(err, worker.ErrClosed) {
			t.Errorf("a question after the end: %v", err)
		}
	})
}

// While few queries run, a question is asked on its caller's goroutine. The caller's deadline
// ends the query; its cancellation does not.
func TestLoneQuestionHasItsCallersDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &double{release: make(chan error)}
		c := worker.NewCoalescer(1, 2, time.Minute, d.query)
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		took := elapsed(func() {
			if _, err := c.Ask(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("answered %v, want DeadlineExceeded", err)
			}
		})
		if took != time.Second {
			t.Errorf("asked for %v, want a second", took)
		}
		leaving, cancelLeaving := context.WithCancel(t.Context())
		left := ask(leaving, c, 1)
		cancelLeaving()
		synctest.Wait()
		d.release <- nil
		if a := <-left; a.err != nil {
			t.Errorf("a caller that left its own query: %v", a.err)
		}
	})
}

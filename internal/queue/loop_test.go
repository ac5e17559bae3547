package queue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"daftar/internal/logtest"
	"daftar/internal/queue"
	"daftar/internal/worker"
)

// errAway is the error of a step while the database is out of reach.
var errAway = errors.New("away")

// result is that of a step.
type result struct {
	worked bool
	err    error
}

// pauses returns the times from each step to the next, of a loop whose steps have these results.
func pauses(t *testing.T, l queue.Loop, results ...result) (all []time.Duration) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var began time.Time
	l.Run(ctx, func(context.Context) (bool, error) {
		if !began.IsZero() {
			all = append(all, time.Since(began))
		}
		began = time.Now()
		if len(all) == len(results) {
			stop()
			return true, nil
		}
		r := results[len(all)]
		return r.worked, r.err
	})
	return all
}

// While there is work there is no pause, also after the failure of one row; without work the loop
// waits for the tick, or until something is due.
func TestLoopWorksWhileThereIsWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log logtest.Log
		l := queue.Loop{Poll: time.Minute, Failing: "jobs wait", Log: zerolog.New(&log)}
		idle, worked := result{}, result{worked: true}
		ofRow := result{worked: true, err: fmt.Errorf("%w: job 7: broken", queue.ErrRow)}
		got := pauses(t, l, worked, worked, ofRow, ofRow, worked, idle, idle)
		for n, pause := range got[:5] {
			if pause != 0 {
				t.Errorf("step %d with work is followed by a pause of %s", n, pause)
			}
		}
		if got[5] <= 0 || got[5] > time.Minute || got[6] != time.Minute {
			t.Errorf("without work the pauses are %v, want the tick", got[5:])
		}
		n := strings.Count(log.String(), "job 7: broken")
		if n != 2 || strings.Contains(log.String(), "failures") {
			t.Errorf("logged:\n%s", log.String())
		}
		l.Next = func() time.Duration { return 3 * time.Second }
		if got = pauses(t, l, idle, idle); got[0] > 3*time.Second || got[1] > 3*time.Second {
			t.Errorf("the pauses are %v, and something is due in 3s", got)
		}
	})
}

// Pauses after failures double; work, or a step without a failure, ends that. Each is logged.
func TestLoopBacksOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log logtest.Log
		failed, progressed := result{err: errAway}, result{worked: true, err: errAway}
		l := queue.Loop{Poll: time.Hour, Failing: "jobs wait", Log: zerolog.New(&log)}
		steps := []result{
			failed, failed, failed, failed, failed, failed, failed, progressed, failed,
			{worked: true}, failed,
		}
		want := "[1s 2s 4s 8s 16s 30s 30s 1s 2s 0s 1s]"
		if got := fmt.Sprint(pauses(t, l, steps...)); got != want {
			t.Errorf("the pauses are %s, want %s", got, want)
		}
		n := strings.Count(log.String(), `"error":"away"`)
		if n != 10 || !strings.Contains(log.String(), `"failures":7,"pause":30000`) {
			t.Errorf("logged %d times:\n%s", n, log.String())
		}
		l.Retry = worker.Backoff{First: time.Millisecond, Longest: 3 * time.Millisecond}
		if got := pauses(t, l, failed, failed, failed)[2]; got != 3*time.Millisecond {
			t.Errorf("the longest pause is %s", got)
		}
	})
}

// A signal starts a step before the tick, but not before the end of a pause after a failure.
func TestLoopIsWoken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := queue.Loop{Poll: time.Hour, Wake: worker.NewSignal(), Log: zerolog.Nop()}
		l.Wake.Set()
		if got := pauses(t, l, result{}); got[0] != 0 {
			t.Errorf("woken after %s", got[0])
		}
		l.Wake.Set()
		if got := pauses(t, l, result{err: errAway}); got[0] != time.Second {
			t.Errorf("after a failure the pause is %s", got[0])
		}
	})
}

// After the signal to stop nothing is claimed, whatever the last step found. The error of a step that
// was cut off is not logged; that of a row is.
func TestLoopStops(t *testing.T) {
	t.Parallel()
	for _, last := range []result{{worked: true}, {}, {err: errAway}, {worked: true, err: queue.ErrRow}} {
		var log logtest.Log
		ctx, stop := context.WithCancel(t.Context())
		steps := 0
		queue.Loop{Poll: time.Hour, Log: zerolog.New(&log)}.Run(ctx, func(context.Context) (bool, error) {
			steps++
			stop()
			return last.worked, last.err
		})
		if ofRow := errors.Is(last.err, queue.ErrRow); steps != 1 || (log.String() != "") != ofRow {
			t.Errorf("%+v: %d steps, logged %q", last, steps, log.String())
		}
	}
}

// Repeat bounds each call.
func TestRepeatIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		queue.Loop{Poll: time.Hour, Log: zerolog.Nop()}.Repeat(ctx, func(ctx context.Context) error {
			<-ctx.Done()
			stop()
			return ctx.Err()
		})
		if took := time.Since(began); took != queue.StoreLimit {
			t.Errorf("it took %s", took)
		}
	})
}

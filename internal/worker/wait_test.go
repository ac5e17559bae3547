package worker_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"daftar/internal/worker"
)

// elapsed is how long f takes by the fake clock of synctest.
func elapsed(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}

func TestSleepLastsUntilTheTimeOrTheContextIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		took := elapsed(func() {
			if !worker.Sleep(t.Context(), time.Hour) {
				t.Error("the context has not ended")
			}
		})
		if took != time.Hour {
			t.Errorf("slept %v, want an hour", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for _, want := range []time.Duration{time.Minute, 0} { // the second time it has ended before
			took := elapsed(func() {
				if worker.Sleep(ctx, time.Hour) {
					t.Error("the context has ended")
				}
			})
			if took != want {
				t.Errorf("slept %v, want %v", took, want)
			}
		}
	})
}

func TestSignalWakesOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := worker.NewSignal()
		for range 3 { // no goroutine waits: they count as one, and none blocks
			s.Set()
		}
		for _, want := range []time.Duration{0, time.Hour} {
			took := elapsed(func() {
				if !s.Wait(t.Context(), time.Hour) {
					t.Error("the context has not ended")
				}
			})
			if took != want {
				t.Errorf("waited %v, want %v", took, want)
			}
		}
		go func() {
			worker.Sleep(t.Context(), time.Second)
			s.Set()
		}()
		if took := elapsed(func() { s.Wait(t.Context(), time.Hour) }); took != time.Second {
			t.Errorf("waited %v, want a second", took)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if s.Wait(ended, time.Hour) {
			t.Error("the context has ended")
		}
	})
}

func TestBackoffDoublesUpToTheLongest(t *testing.T) {
	t.Parallel()
	b := worker.Backoff{First: time.Second, Longest: 5 * time.Second}
	for range 2 {
		for n, want := range []string{"1s", "2s", "4s", "5s", "5s"} {
			if got := b.Next().String(); got != want {
				t.Errorf("pause %d is %s, want %s", n+1, got, want)
			}
		}
		if b.Failures() != 5 {
			t.Errorf("%d failures, want 5", b.Failures())
		}
		b.Reset()
	}
	for range 200 {
		if got := b.Next(); got < time.Second || got > 5*time.Second {
			t.Fatalf("after %d failures the pause is %v", b.Failures(), got)
		}
	}
}

// Pollers that started at different moments wake together from the first tick on.
func TestTicksAreCommon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, late := range []time.Duration{0, time.Millisecond, 700 * time.Millisecond, 3 * time.Second} {
			worker.Sleep(t.Context(), late)
			pause := worker.ToTick(time.Second)
			if pause <= 0 || pause > time.Second {
				t.Errorf("a tick in %v, want one within a second", pause)
			}
			worker.Sleep(t.Context(), pause)
			if again := worker.ToTick(time.Second); again != time.Second {
				t.Errorf("after a tick the next one comes in %v", again)
			}
		}
	})
}

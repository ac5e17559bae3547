package throttle_test

import (
	"testing"
	"time"

	"daftar/internal/throttle"
)

func TestEachKeyHasItsOwnBucket(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	k := throttle.New[string](0.5, 3, 100, func() time.Time { return now })
	for range 3 {
		if !k.Allow("a") {
			t.Fatal("refused within the burst")
		}
	}
	for range 3 { // a refusal costs nothing
		if asked, wait := k.Wait("a"), k.Take("a").Wait; wait != 2*time.Second || asked != wait {
			t.Errorf("Take waits %v and Wait %v; want 2s", wait, asked)
		}
	}
	for range 5 { // Wait takes nothing
		if wait := k.Wait("b"); wait != 0 {
			t.Errorf("another key would wait %v", wait)
		}
	}
	if !k.Allow("b") {
		t.Error("another key is refused")
	}
	now = now.Add(2 * time.Second)
	if !k.Allow("a") || k.Allow("a") {
		t.Error("after two seconds it is not exactly one more")
	}
}

func TestTakeReturnsWhatIsLeft(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	k := throttle.New[string](0.5, 3, 100, func() time.Time { return now })
	for n, want := range []throttle.Result{
		{Left: 2, Next: 2 * time.Second}, {Left: 1, Next: 2 * time.Second}, {Left: 0, Next: 2 * time.Second},
		{Wait: 2 * time.Second, Next: 2 * time.Second}, {Wait: 2 * time.Second, Next: 2 * time.Second},
	} {
		if got := k.Take("a"); got != want {
			t.Errorf("asked %d times: %+v, want %+v", n+1, got, want)
		}
	}
	now = now.Add(3 * time.Second) // one token and a half
	if got, want := k.Take("a"), (throttle.Result{Left: 0, Next: time.Second}); got != want {
		t.Errorf("after three seconds: %+v, want %+v", got, want)
	}
	now = now.Add(time.Hour)
	if got, want := k.Take("a"), (throttle.Result{Left: 2, Next: 2 * time.Second}); got != want {
		t.Errorf("after an hour: %+v, want %+v", got, want)
	}
	var none *throttle.Keyed[string]
	if got := none.Take("a"); got != (throttle.Result{}) || none.Wait("a") != 0 {
		t.Errorf("without a limit: %+v", got)
	}
}

func TestTheBucketsAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	k := throttle.New[int](0.001, 1, 100, func() time.Time { return now })
	busy := 0 // a key that is used all the time
	k.Allow(busy)
	for n := range 10_000 {
		k.Allow(n + 1)
		if k.Allow(busy) {
			t.Fatalf("the bucket of a busy key was forgotten after %d others", n+1)
		}
		if kept := k.Len(); kept > 100 {
			t.Fatalf("%d buckets are kept", kept)
		}
	}
	if !k.Allow(1) {
		t.Error("the bucket of a key that was unused for long is still kept")
	}
}

func TestNoRateIsNoLimit(t *testing.T) {
	t.Parallel()
	k := throttle.New[string](0, 1, 10, time.Now)
	for range 100 {
		if !k.Allow("a") {
			t.Fatal("refused")
		}
	}
}

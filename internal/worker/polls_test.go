package worker_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres/pgtest"
	"daftar/internal/worker"
)

// watcher watches polls until it ends.
type watcher struct {
	answers chan time.Time // the beginnings of the transactions that answered
	failed  chan error
	end     func()
}

func watch(t *testing.T, p *worker.Polls, sql string) *watcher {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	w := &watcher{answers: make(chan time.Time, 1000), failed: make(chan error, 1000)}
	done := make(chan struct{})
	w.end = func() { cancel(); <-done }
	ask := func(b *pgx.Batch) {
		b.Queue(sql).QueryRow(func(row pgx.Row) error {
			var at time.Time
			err := row.Scan(&at)
			if err == nil {
				w.answers <- at
			}
			return err
		})
	}
	go func() {
		defer close(done)
		p.Watch(ctx, ask, func(err error) { w.failed <- err })
	}()
	t.Cleanup(w.end)
	return w
}

const nowSQL = `SELECT now()`

// All who watch are answered in one transaction, so in one round trip. Who asks for all may leave.
func TestPollsShareARoundTrip(t *testing.T) {
	t.Parallel()
	p := worker.NewPolls(pgtest.Database(t).Pool(t), 10*time.Millisecond)
	one := watch(t, p, nowSQL)
	<-one.answers // it asks for all
	two, three := watch(t, p, nowSQL), watch(t, p, nowSQL)
	again := func(a, b *watcher) {
		t.Helper()
		first, second := <-a.answers, <-b.answers
		for !first.Equal(second) { // one of them had begun earlier
			if first.Before(second) {
				first = <-a.answers
			} else {
				second = <-b.answers
			}
		}
	}
	again(one, two)
	again(two, three)
	one.end()
	for range len(one.answers) {
		<-one.answers
	}
	again(two, three)
	again(two, three)
	if n := len(one.answers); n > 1 { // of the round trip that was under way
		t.Errorf("%d answers after the end", n)
	}
	for _, w := range []*watcher{one, two, three} {
		if n := len(w.failed); n > 0 {
			t.Errorf("%d failures: %v", n, <-w.failed)
		}
	}
}

// A question that cannot be answered is told so, at every tick, and keeps no other from its answer.
func TestPollThatFailsKeepsNoOther(t *testing.T) {
	t.Parallel()
	p := worker.NewPolls(pgtest.Database(t).Pool(t), 10*time.Millisecond)
	good, bad := watch(t, p, nowSQL), watch(t, p, `SELECT gone FROM nowhere`)
	for range 3 {
		<-bad.failed
		<-good.answers
	}
	if len(good.failed) > 0 || len(bad.answers) > 0 {
		t.Errorf("%d failures of the good one, %d answers to the bad one", len(good.failed), len(bad.answers))
	}
}

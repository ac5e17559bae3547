package worker_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/internal/logtest"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/worker"
)

// warnings counts the warnings in a log.
func warnings(l *logtest.Log) int { return strings.Count(l.String(), `"level":"warn"`) }

// listen runs a Listener until the test ends, on a channel whose name needs quotes.
func listen(t *testing.T, url string, log *logtest.Log) <-chan string {
	t.Helper()
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan string, 100)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		worker.Listener{
			Connection: config.ConnConfig, Channel: "The Works", Retry: time.Millisecond,
			Log: zerolog.New(log), Notified: func(payload string) { received <- payload },
		}.Run(ctx)
	}()
	t.Cleanup(func() { stop(); <-done })
	return received
}

func want(t *testing.T, received <-chan string, payload string) {
	t.Helper()
	select {
	case got := <-received:
		if got != payload {
			t.Errorf("notified of %q, want %q", got, payload)
		}
	case <-time.After(time.Minute):
		t.Fatalf("not notified of %q", payload)
	}
}

// Each connection is reported, and so is what is notified on it. A broken one is
// replaced; an outage is one warning.
func TestListenerReplacesItsConnection(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.Pool(t)
	notify := func(payload string) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), `SELECT pg_notify('The Works', $1)`, payload); err != nil {
			t.Fatal(err)
		}
	}
	proxy := pgtest.Proxy(t, db.ServiceURL())
	var log logtest.Log
	received := listen(t, proxy.URL(), &log)
	want(t, received, "")
	notify("one")
	want(t, received, "one")
	proxy.Refuse()
	pgtest.WaitFor(t, "a second attempt to fail", func() bool {
		return strings.Count(log.String(), "connect: ") > 1
	})
	notify("lost")
	proxy.Pass()
	want(t, received, "")
	notify("two")
	want(t, received, "two")
	// One for the lost connection, and none for the attempts after it.
	if n := warnings(&log); n != 1 {
		t.Errorf("%d warnings, want 1:\n%s", n, log.String())
	}
}

// A Listener that cannot listen from the start warns once, too.
func TestListenerWithoutDatabase(t *testing.T) {
	t.Parallel()
	var log logtest.Log
	listen(t, "postgres://nobody@127.0.0.1:1/nothing", &log)
	pgtest.WaitFor(t, "three attempts", func() bool { return strings.Count(log.String(), "connect: ") > 2 })
	if n := warnings(&log); n != 1 {
		t.Errorf("%d warnings, want 1:\n%s", n, log.String())
	}
}

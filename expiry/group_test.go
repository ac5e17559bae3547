package expiry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/expiry"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestGroupHandlesEventsTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	open, attempted := w.createUnseen(window), w.createUnseen(2*window)
	w.start(attempted.ID)
	paid := w.createUnseen(window)
	w.execute(paid.ID, domain.RecordPayment{Attempt: w.start(paid.ID), Amount: paid.Amount})
	expired := w.createUnseen(window)
	s := w.serve(w.db.ServiceURL(), window)
	w.executeAt(s, expired.ID, domain.Expire{})
	w.executeAt(s, attempted.ID, domain.FailAttempt{Attempt: w.firstAttempt(attempted.ID), Reason: "declined"})

	want := []row{{Intent: open.ID, DueAt: open.ExpiresAt}, {Intent: attempted.ID, DueAt: attempted.ExpiresAt}}
	slices.SortFunc(want, func(a, b row) int { return slices.Compare(a.Intent[:], b.Intent[:]) })
	all := w.events(0, 1000)
	check := func(what string) {
		t.Helper()
		if got := w.timers(); !cmp.Equal(got, want) {
			t.Errorf("%s:\n%s", what, cmp.Diff(want, got))
		}
	}
	w.deliver(all)
	check("in one batch")
	w.deliver(all)
	check("again")
	for n := range all {
		w.deliver(all[n : n+1])
	}
	check("one by one")
	w.exec(`DELETE FROM expiry_timers`)
	for batch := range slices.Chunk(all, 2) {
		w.deliver(batch)
		w.deliver(batch)
	}
	check("from the start, in pairs, each twice")

	// A timer that was postponed stays postponed.
	want[0].DueAt, want[0].Looks = want[0].DueAt.Add(time.Hour), 1
	w.exec(`UPDATE expiry_timers SET due_at = $2, looks = 1 WHERE intent_uuid = $1`, want[0].Intent,
		want[0].DueAt)
	w.deliver(all)
	check("after being postponed")
}

func TestGroupStopsAtAnUnknownEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.createUnseen(window)
	for _, strange := range []eventstore.Recorded{
		{
			Position: 2, Stream: uuid.New(), Version: 1, Type: "intent.frozen", SchemaVersion: 1,
			Payload: []byte(`{}`),
		},
		{
			Position: 2, Stream: uuid.New(), Version: 1, Type: domain.TypeCreated, SchemaVersion: 99,
			Payload: []byte(`{}`),
		},
	} {
		tx, err := w.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		err = expiry.Group().Handle(t.Context(), tx, append(w.events(0, 10), strange))
		if !errors.Is(err, domain.ErrUnknownEvent) || !strings.Contains(err.Error(), "position 2") {
			t.Errorf("%s: %v", strange.Type, err)
		}
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if left := w.timers(); len(left) != 0 {
		t.Errorf("timers of a refused batch: %v", left)
	}
}

// The feed, the group and the worker together, with intents that become due one
// after the other.
func TestExpiryThroughTheFeed(t *testing.T) {
	t.Parallel()
	throughTheFeed(t, 100)
}

// throughTheFeed returns how long after their expiry intents were canceled, in
// seconds, the shortest first.
func throughTheFeed(t *testing.T, n int) []float64 {
	t.Helper()
	w := newWorld(t)
	pool := pgtest.Open(t, w.db.ServiceURL(), postgres.Options{
		SetServiceRole: true, RuntimeParams: map[string]string{"synchronous_commit": "off"},
	})
	log, err := feed.New(feed.Config{Pool: pool, Groups: []feed.Group{expiry.Group()}, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- log.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("feed: %v", err)
		}
	})
	first := w.createUnseen(window)
	for k := range n - 1 {
		w.createUnseen(window + time.Duration(k)*5*time.Millisecond)
	}
	log.Wake()
	pgtest.WaitFor(t, "the timers", func() bool { return w.count(`SELECT count(*) FROM expiry_timers`) == n })
	s := w.serve(w.db.ServiceURL(), first.ExpiresAt.Sub(w.Now())-100*time.Millisecond)
	w.run(s)
	pgtest.WaitFor(t, "the intents", func() bool { return w.canceled() == n })
	log.Wake()
	pgtest.WaitFor(t, "the timers to go", func() bool { return len(w.timers()) == 0 })
	lags, err := query[float64](w, `
SELECT extract(epoch FROM updated_at - expires_at)::float8
FROM intents
WHERE status = 'canceled'
ORDER BY 1`)
	if err != nil || len(lags) != n {
		t.Fatalf("%d lags, %v", len(lags), err)
	}
	if lags[0] < 0 {
		t.Errorf("an intent was canceled %v s before its expiry", -lags[0])
	}
	return lags
}

package projections_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"pgregory.net/rapid"

	"daftar/domain"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
)

// For any sequence of events around Tripoli's midnight, and whether the events come in batches,
// repeatedly, or in a transaction that is lost, the days add up to the intents.
func TestTurnoverEqualsTheIntents(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	first := d.shop(t, uuid.Nil)
	shops := []shop{first, d.shop(t, first.organization), d.shop(t, uuid.Nil)}
	rapid.Check(t, func(r *rapid.T) {
		for range rapid.IntRange(1, 4).Draw(r, "intents") {
			d.recordAny(t, r, rapid.SampledFrom(shops).Draw(r, "shop"))
		}
		for {
			events := d.events(t, d.position, rapid.IntRange(1, 9).Draw(r, "batch"))
			if len(events) == 0 {
				break
			}
			for range rapid.IntRange(0, 1).Draw(r, "lost") {
				if err := d.deliver(t, events, true); err != nil {
					r.Fatalf("keep turnover: %v", err)
				}
			}
			for range rapid.IntRange(1, 2).Draw(r, "deliveries") {
				if err := d.deliver(t, events, false); err != nil {
					r.Fatalf("keep turnover: %v", err)
				}
			}
		}
		for _, organization := range []uuid.UUID{first.organization, shops[2].organization} {
			got, err := d.payments.Turnover(t.Context(), live(organization), nil, firstDay, lastDay)
			if err != nil {
				r.Fatal(err)
			}
			want := d.expected(func(i domain.Intent) bool {
				return (i.Application == shops[2].id) == (organization == shops[2].organization)
			})
			if diff := cmp.Diff(want, got); diff != "" {
				r.Fatalf("turnover (-intents +found):\n%s", diff)
			}
		}
	})
	got, err := d.payments.Turnover(t.Context(), live(first.organization), []domain.ApplicationID{first.id},
		firstDay, lastDay)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.expected(func(i domain.Intent) bool {
		return i.Application == first.id
	}), got); diff != "" {
		t.Errorf("turnover of one application (-intents +found):\n%s", diff)
	}
	d.checkModels(t)
}

// recordAny writes the events of an intent that is created in the quarter of an hour before
// midnight and may expire after six minutes.
func (d *world) recordAny(t *testing.T, r *rapid.T, s shop) {
	c := d.order(s)
	at := midnight.Add(-time.Duration(rapid.IntRange(0, 900).Draw(r, "before midnight")) * time.Second)
	expires := at.Add(6 * time.Minute)
	c.ExpiresAt = &expires
	ids := []domain.AttemptID{"a", "b", "c"}
	now := at
	var steps []step
	for range rapid.IntRange(0, 8).Draw(r, "steps") {
		now = now.Add(time.Duration(rapid.IntRange(0, 240).Draw(r, "seconds")) * time.Second)
		id := rapid.SampledFrom(ids).Draw(r, "attempt")
		steps = append(steps, rapid.SampledFrom([]step{
			attempt(now, id), failed(now, id), paid(now, id, c), paid(now, id, c), expired(now),
			refunded(now, id, rapid.Byte().Draw(r, "refund"), rapid.Int64Range(1, c.Amount.Minor).Draw(r, "back")),
		}).Draw(r, "step"))
	}
	d.record(t, s, c, at, steps...)
}

// The feed itself, over a connection that breaks around the commit, with small
// batches: each event counts once.
func TestTurnoverOverABrokenConnection(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	for k := range 30 {
		at := midnight.Add(time.Duration(k) * time.Hour)
		d.late(t, s, at)
		d.twice(t, s, at)
	}
	proxy := pgtest.Proxy(t, d.db.ServiceURL())
	pool := pgtest.Open(t, proxy.URL(), postgres.Options{SetServiceRole: true, MaxConns: 4})
	f, err := feed.New(feed.Config{Pool: pool, Log: zerolog.Nop(), Batch: 7,
		Groups: []feed.Group{projections.DashboardGroup(), projections.BooksGroup()}})
	if err != nil {
		t.Fatal(err)
	}
	commit := func(n int) func(pgtest.Message) bool { return pgtest.Nth(n, pgtest.IsCommit) }
	lost := proxy.LoseReply(commit(3)) // before the group begins, which may finish at once
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	<-lost
	<-proxy.LoseRequest(commit(3))
	head := value[int64](t, d.pool, `SELECT max(position) FROM events`)
	pgtest.WaitFor(t, "the groups to reach the head", func() bool {
		return value[int64](t, d.pool, `SELECT min(position) FROM consumer_offsets`) == head
	})
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	got, err := d.payments.Turnover(t.Context(), live(s.organization), nil, firstDay, lastDay)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.expected(func(domain.Intent) bool { return true }), got); diff != "" {
		t.Errorf("turnover (-intents +found):\n%s", diff)
	}
	d.checkModels(t)
}

func TestDaysAreTripolis(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		at  time.Time
		day string
	}{
		{midnight, "2026-11-21"},
		{midnight.Add(-time.Microsecond), "2026-11-20"},
		{midnight.Add(2 * time.Hour), "2026-11-21"},
		{time.Date(2013, 7, 1, 22, 0, 0, 0, time.UTC), "2013-07-02"},    // summer time, UTC+2
		{time.Date(2012, 12, 31, 22, 30, 0, 0, time.UTC), "2012-12-31"}, // UTC+1 before
	} {
		day := domain.DayOf(row.at)
		if day.String() != row.day {
			t.Errorf("%s is on %s, want %s", row.at, day, row.day)
		}
		if parsed, err := domain.ParseDay(row.day); err != nil || parsed != day {
			t.Errorf("parse %s: %v, %v", row.day, parsed, err)
		}
		start := day.Start()
		if domain.DayOf(start) != day || domain.DayOf(start.Add(-time.Microsecond)) != day.Add(-1) ||
			start.After(row.at) {
			t.Errorf("%s does not begin at %s", day, start)
		}
	}
	for _, text := range []string{"", "2026-02-30", "20.11.2026"} {
		if _, err := domain.ParseDay(text); err == nil {
			t.Errorf("%q is taken for a day", text)
		}
	}
}

package feed

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// A group is woken by the read of the offsets if its offset does not change although there are
// events for it, and not while its offset advances on any server: the server with the events in
// memory is not disturbed.
func TestWhoStandsStillIsWoken(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	super := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	execute := func(statement string) {
		t.Helper()
		if _, err := super.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	execute(`
		INSERT INTO events
		SELECT n, gen_random_uuid(), 1, 'test.happened', 1, '{}', '{}', now()
		FROM generate_series(1, 9) n`)
	execute(`
		INSERT INTO consumer_offsets
		VALUES ('g', 3, now()), ('stale', 3, now()), ('another', 1, now())`)
	unused := func(context.Context, pgx.Tx, []eventstore.Recorded) error { return nil }
	f, err := New(Config{Pool: db.Pool(t), Groups: []Group{
		{Name: "g", Handle: unused}, {Name: "stale", Handle: unused, Staleness: time.Hour},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		what, statement string
		moving          bool
		woken           []string
	}{
		{"seen for the first time", `SELECT`, false, []string{"g"}},
		{"it does not advance", `SELECT`, false, []string{"g"}},
		{"it moves", `UPDATE consumer_offsets SET position = 5 WHERE consumer_group = 'g'`, true, nil},
		{"it does not advance again", `SELECT`, false, []string{"g"}},
		{"it halts", `
			UPDATE consumer_offsets
			SET halted_reason = 'x', retry_at = now() + interval '1 day'
			WHERE consumer_group = 'g'`, false, nil},
		{"it may try again", `UPDATE consumer_offsets SET retry_at = now() WHERE consumer_group = 'g'`, false,
			[]string{"g"}},
		{"it has reached the head", `
			UPDATE consumer_offsets
			SET position = 9, halted_reason = NULL, retry_at = NULL
			WHERE consumer_group = 'g'`, false, nil},
		{
			"an event is released", `
				INSERT INTO parked_events
				VALUES ('g', 2, 'x', 3, now(), now()), ('g', 4, 'x', 3, now(), NULL)`, false, []string{"g"},
		},
	} {
		execute(step.statement)
		var woken []string
		all, err := postgres.List(t.Context(), f.config.Pool, "read", pgx.RowToStructByPos[watched], watchSQL)
		if err != nil {
			t.Fatal(err)
		}
		f.wakeOverdue(all)
		moving := len(f.heard) > 0
		if moving {
			<-f.heard
		}
		for _, g := range f.groups {
			select {
			case <-g.overdue:
				woken = append(woken, g.Name)
			default:
			}
		}
		if !slices.Equal(woken, step.woken) || moving != step.moving {
			t.Errorf("%s: woken %v, moving %v; want %v, %v", step.what, woken, moving, step.woken, step.moving)
		}
	}
}

// Where the answer to a commit was lost, nobody knows whether its events are urgent: every group looks, and
// other servers are told.
func TestCommitOfUnknownEventsWakesAll(t *testing.T) {
	t.Parallel()
	unused := func(context.Context, pgx.Tx, []eventstore.Recorded) error { return nil }
	f, err := New(Config{
		Pool: pgtest.Database(t).Pool(t), Groups: []Group{{Name: "g", Urgent: Nothing, Handle: unused}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		committed []eventstore.Recorded
		woken     int
	}{{recorded(1, 1), 0}, {nil, 1}} {
		f.Committed(step.committed)
		if woken, told := len(f.groups[0].wake), len(f.pending); woken != step.woken || told != step.woken {
			t.Errorf("%d events: %d groups woken, %d notifications", len(step.committed), woken, told)
		}
	}
}

// What all groups of this server have handled is not kept in memory.
func TestWhatAllHaveHandledIsForgotten(t *testing.T) {
	t.Parallel()
	f := &Feed{groups: []*group{{Group: Group{Name: "g"}}, {Group: Group{Name: "h"}}}}
	at := func(name string, position int64) watched {
		return watched{Lag: Lag{Group: name, Position: position}}
	}
	var m recent
	m.keep(recorded(1, 1))
	m.keep(recorded(1, 2, 3))
	m.keep(recorded(1, 4))
	for _, step := range []struct {
		read  []watched
		first int64
	}{
		{nil, 1},
		{[]watched{at("g", 4)}, 1}, // h has not begun
		{[]watched{at("g", 4), at("h", 2), at("another", 0)}, 2},
		{[]watched{at("g", 4), at("h", 3)}, 4},
	} {
		m.forget(f.handled(step.read))
		if m.chunks[0].first() != step.first {
			t.Errorf("after %v: from %d on, want %d", step.read, m.chunks[0].first(), step.first)
		}
	}
	if m.bytes != (chunk)(recorded(1, 4)).size() {
		t.Errorf("%d bytes are counted for one event", m.bytes)
	}
}

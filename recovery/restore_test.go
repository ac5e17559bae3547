package recovery_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/projections"
	"daftar/projections/rebuild"
	"daftar/recovery"
)

// Lost events are written back to the byte, once, with the rows that the API serves, and the log
// continues after them.
func TestRestore(t *testing.T) {
	t.Parallel()
	whole := newBook(t)
	whole.create(t, "a", "b", "c", "d", "e")
	all := whole.all(t)
	b := newBook(t)
	k := newKey(t)
	e := recovery.Evidence{Kept: k.kept(t, all.events, 2, 5), Keys: []string{k.public}, Copy: all}
	for _, want := range []recovery.Restored{
		{Written: &span{1, 5}, Events: 5, Proven: 5, Processing: []uuid.UUID{}},
		{Events: 5, Proven: 5, Processing: []uuid.UUID{}},
	} {
		got, err := recovery.Restore(t.Context(), b.pool, e, false)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	b.create(t, "f")
	restored := b.all(t)
	for n, want := range all.events {
		if !restored.events[n].Equal(want) {
			t.Errorf("%+v, want %+v", restored.events[n], want)
		}
	}
	if len(restored.events) != 6 || restored.events[5].Position != 6 {
		t.Errorf("after them are %+v", restored.events[5:])
	}
	for _, m := range projections.Models() {
		if m.Name != "intents" {
			continue // the group's, which does not run here
		}
		r, err := rebuild.Verify(t.Context(), b.pool, m, func(int64, int64) {})
		if err != nil || len(r.Drift) > 0 || r.Events != 6 {
			t.Errorf("rows: %+v, %v", r, err)
		}
	}
}

// Accounts at providers are restored, too; they have no rows. What cannot be read of them is restored as it
// is.
func TestRestoreOfOtherStreams(t *testing.T) {
	t.Parallel()
	whole := newBook(t)
	whole.create(t, "a")
	account := uuid.New()
	whole.append(t, account, 0, "settlement.recorded", "fee.scheduled")
	whole.create(t, "b")
	whole.append(t, account, 2, "settlement.of_the_future")
	all := whole.all(t)
	b := bookOf(t, all.events[:2])
	e := recovery.Evidence{Copy: all}
	found, err := recovery.Find(t.Context(), b.pool, e)
	if err != nil || len(found.Lost) != 3 {
		t.Fatalf("%+v, %v", found, err)
	}
	for n, want := range []recovery.Lost{
		{Intent: account, Version: 2, Type: "fee.scheduled", Currency: "LYD"},
		{Intent: all.events[3].Stream, Version: 1, Type: domain.TypeCreated, Currency: "LYD",
			Reference: "7k3qx0m2td", MerchantReference: "b", Amount: new(int64(5000))},
		{Intent: account, Version: 3, Type: "settlement.of_the_future", Currency: "LYD"},
	} {
		want.Position, want.At = &all.events[n+2].Position, found.Lost[n].At
		if diff := cmp.Diff(want, found.Lost[n]); diff != "" {
			t.Errorf("lost (-want +got):\n%s", diff)
		}
	}
	got, err := recovery.Restore(t.Context(), b.pool, e, true)
	want := recovery.Restored{Written: &span{3, 5}, Events: 5, Processing: []uuid.UUID{}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for n, e := range b.all(t).events {
		if !e.Equal(all.events[n]) {
			t.Errorf("%+v, want %+v", e, all.events[n])
		}
	}
	var rows int
	if err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM intents`).Scan(&rows); err != nil || rows != 1 {
		t.Errorf("%d rows, %v; want that of the restored intent", rows, err)
	}
}

// append appends events of an account at a provider.
func (b *book) append(t *testing.T, stream uuid.UUID, version int, types ...string) {
	t.Helper()
	store := eventstore.New(b.pool, b.pool, eventstore.Options{Inline: projections.Inline()})
	a := eventstore.Append{Stream: stream, Expected: version, NotShown: true}
	for _, name := range types {
		a.Events = append(a.Events, eventstore.Event{
			Type: name, SchemaVersion: 1, Payload: []byte(`{"currency":"LYD"}`),
		})
	}
	if _, err := store.Append(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Nothing is written where the log cannot be restored to the byte, or no checkpoint proves it.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	whole := newBook(t)
	whole.create(t, "a", "b", "c", "d", "e")
	all := whole.all(t)
	shorter := bookOf(t, all.events[:3])
	diverged := bookOf(t, all.events[:3])
	diverged.create(t, "x")
	k := newKey(t)
	changed := slices.Clone(all.events)
	changed[4].Payload = bytes.Replace(changed[4].Payload, []byte("5000"), []byte("5001"), 1)
	skipping := slices.Clone(all.events)
	skipping[3].Version = 2
	for _, c := range []struct {
		name     string
		log      *book
		kept     []int
		events   []eventstore.Recorded
		unproven bool
		want     error
	}{
		{"no checkpoint", shorter, nil, all.events, false, recovery.ErrUnproven},
		{"the checkpoint covers less", shorter, []int{4}, all.events, false, recovery.ErrUnproven},
		{"an event is changed", shorter, []int{5}, changed, false, recovery.ErrNotSigned},
		{"an event is changed, unproven", shorter, []int{5}, changed, true, recovery.ErrNotSigned},
		{"a version does not follow in its intent", shorter, nil, skipping, true, eventstore.ErrNotNext},
		{"positions were used again", diverged, []int{5}, all.events, true, recovery.ErrDiverged},
		{"the next event is gone", shorter, nil, all.events[4:], true, recovery.ErrNoCopy},
		{"all events are gone", shorter, []int{5}, nil, true, recovery.ErrNoCopy},
		{"an event of an unknown type", shorter, nil, unknown(all.events), true,
			domain.ErrUnknownEvent},
	} {
		before := c.log.all(t)
		e := recovery.Evidence{
			Kept: k.kept(t, all.events, c.kept...), Keys: []string{k.public}, Copy: slicedCopy{c.events, 5},
		}
		if _, err := recovery.Restore(t.Context(), c.log.pool, e, c.unproven); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if after := c.log.all(t); len(after.events) != len(before.events) {
			t.Errorf("%s: %d events were written", c.name, len(after.events)-len(before.events))
		}
	}
	// Unproven events that the caller allows: as many as the copy has.
	e := recovery.Evidence{
		Kept: k.kept(t, all.events, 5), Keys: []string{k.public}, Copy: slicedCopy{all.events[:4], 4},
	}
	got, err := recovery.Restore(t.Context(), shorter.pool, e, true)
	want := recovery.Restored{
		Written: &span{4, 4}, Events: 4, Missing: &span{5, 5}, Processing: []uuid.UUID{},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// unknown are the same events, the last with an unknown type.
func unknown(events []eventstore.Recorded) []eventstore.Recorded {
	events = slices.Clone(events)
	events[4].Type = "intent.forgotten"
	return events
}

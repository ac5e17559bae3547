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

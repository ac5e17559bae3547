package projections_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/projections/rebuild"
)

// settle records a settlement of the organisation's account at a provider, with n shares.
func (d *world) settle(t testing.TB, organization uuid.UUID, n int) books.Key {
	t.Helper()
	k := books.Key{Organization: organization, Mode: domain.ModeLive, Acquirer: "sandbox"}
	stream, err := d.store.ReadStream(t.Context(), k.StreamID())
	if err != nil {
		t.Fatal(err)
	}
	a, err := books.Replay(k, stream)
	if err != nil {
		t.Fatal(err)
	}
	s := books.NewSettlement{ID: uuid.New(), ValueDate: domain.DayOf(midnight), Net: int64(n)}
	for k := range n {
		s.Shares = append(s.Shares, books.Share{
			Intent: s.ID, Attempt: domain.AttemptID(fmt.Sprint("a", k)), Amount: 1,
		})
	}
	s.Taken = bookstest.TakenOn(s.ValueDate, s.Shares...)
	events, err := books.Decide(&a, books.RecordStatement{Settlements: []books.NewSettlement{s}}, midnight)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := books.Encode(events[0])
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.store.Append(t.Context(), eventstore.Append{
		Stream: k.StreamID(), Expected: len(stream), Events: []eventstore.Event{eventstore.Event(stored)},
		NotShown: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The models of intents are right in a log with streams of other things, whichever the chunk.
func TestModelsPassOverOtherStreams(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	var accounts []books.Key
	for n := range 6 {
		at := midnight.Add(time.Duration(n) * time.Hour)
		d.late(t, s, at)
		accounts = append(accounts, d.settle(t, uuid.New(), 3), d.settle(t, s.organization, 2))
		d.twice(t, s, at)
	}
	d.feed(t)
	owner := d.db.OwnerPool(t)
	before, rows := contents(t, owner), rowsOf(t, owner)
	head := int64(len(d.events(t, 0, 1000)))
	if len(before) != 12 || d.position != head {
		t.Fatalf("%d intents up to position %d of %d", len(before), d.position, head)
	}
	d.checkModels(t)
	for _, m := range readModels() {
		report, err := m.Verify(t.Context(), owner, quiet)
		if err != nil || !report.OK || report.Events != head {
			t.Errorf("verify %s: %+v, %v", m.Name, report, err)
		}
		for _, chunk := range []int64{0, 1} {
			report, err := m.Rebuild(t.Context(), owner, rebuild.Options{ChunkEvents: chunk})
			if err != nil || !report.OK || report.Events != head {
				t.Errorf("rebuild %s in chunks of %d: %+v, %v", m.Name, chunk, report, err)
			}
		}
	}
	if diff := cmp.Diff(before, contents(t, owner)) + cmp.Diff(rows, rowsOf(t, owner)); diff != "" {
		t.Errorf("rebuilt (-before +after):\n%s", diff)
	}
	d.checkModels(t)

	// A row of such a stream is none that the events come to.
	for name, sql := range map[string]string{
		"intents":  `UPDATE intents SET uuid = $1 WHERE uuid = (SELECT min(uuid::text)::uuid FROM intents)`,
		"payments": `UPDATE payments SET intent_uuid = $1 WHERE late AND version = 5 AND created_at = $2`,
	} {
		args := []any{accounts[0].StreamID()}
		if name == "payments" {
			args = append(args, midnight)
		}
		exec(t, d.superuser(t), sql, args...)
		verified, err := model(t, name).Verify(t.Context(), owner, quiet)
		if err != nil || len(verified.Drift) != 2 {
			t.Errorf("verify %s: %+v, %v; want a row too many and one too few", name, verified, err)
		}
		refused, err := model(t, name).Rebuild(t.Context(), owner, rebuild.Options{})
		if diff := cmp.Diff(verified.Drift, refused.Drift); err != nil || diff != "" {
			t.Errorf("rebuild %s: %v, drift (-verify +rebuild):\n%s", name, err, diff)
		}
		accepted, err := model(t, name).Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
		if err != nil || !accepted.OK {
			t.Errorf("rebuild %s that accepts drift: %+v, %v", name, accepted, err)
		}
	}
}

// A rebuild catches up with accounts that began, and went on, while it copied.
func TestRebuildCatchesUpWithOtherStreams(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	old := d.settle(t, s.organization, 2)
	d.late(t, s, midnight)
	d.feed(t)
	owner := d.db.OwnerPool(t)
	for n, name := range []string{"intents", "payments", "turnover"} {
		before := d.position
		var young books.Key
		written := map[rebuild.Phase]bool{}
		progress := func(step rebuild.Step) {
			if step.Phase != rebuild.PhaseIndexing || written[step.Phase] {
				return
			}
			written[step.Phase] = true
			d.settle(t, s.organization, 1)
			young = d.settle(t, uuid.New(), 1)
			d.twice(t, s, midnight.Add(time.Duration(n)*time.Hour))
			d.settle(t, young.Organization, 1)
			d.feed(t)
		}
		report, err := model(t, name).Rebuild(t.Context(), owner, rebuild.Options{Progress: progress})
		if err != nil || !report.OK || report.Events != d.position || len(written) != 1 {
			t.Errorf("rebuild %s: %+v, %v; the log ends at %d", name, report, err, d.position)
		}
		changed, err := d.store.ChangedStreams(t.Context(), before, d.position)
		if err != nil || len(changed) != 3 || !slices.Contains(changed, old.StreamID()) ||
			!slices.Contains(changed, young.StreamID()) {
			t.Errorf("changed streams: %v, %v", changed, err)
		}
		d.checkModels(t)
	}
}

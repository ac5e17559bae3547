package projections_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections"
)

func TestAGlanceAtAnOrganisation(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s, stranger := d.shop(t, uuid.Nil), d.shop(t, uuid.Nil)
	second := d.shop(t, s.organization)
	late, twice := d.late(t, s, midnight), d.twice(t, second, midnight)
	for _, of := range []shop{s, second, stranger} {
		d.record(t, of, d.order(of), midnight)
	}
	d.feed(t)

	for limit, want := range map[int]int{1: 1, 2: 2, 9: 2} {
		open, err := d.payments.Open(t.Context(), live(s.organization), limit)
		if err != nil {
			t.Fatal(err)
		}
		undecided, err := d.payments.Undecided(t.Context(), live(s.organization), limit)
		if err != nil {
			t.Fatal(err)
		}
		if open != want || undecided != want {
			t.Errorf("up to %d: %d open and %d to decide, want %d", limit, open, undecided, want)
		}
	}
	if err := d.decide(t, s.organization, late.ID, late.Version, "given back"); err != nil {
		t.Fatal(err)
	}
	if n, err := d.payments.Undecided(t.Context(), live(s.organization), 9); err != nil || n != 1 {
		t.Errorf("%d to decide, %v, want 1", n, err)
	}
	found, ok, err := d.payments.Find(t.Context(), live(s.organization), twice.ID)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if diff := cmp.Diff(projections.IntentOf(twice), found.Intent); diff != "" || found.Duplicates != 1 {
		t.Errorf("found with %d duplicates (-want +got):\n%s", found.Duplicates, diff)
	}
	if _, ok, err := d.payments.Find(t.Context(), live(stranger.organization), twice.ID); err != nil || ok {
		t.Errorf("another organisation finds it: %v, %v", ok, err)
	}
}

func TestLatePaymentsAreListedAlone(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s, _ := d.stock(t)
	want := d.wanted(func(i domain.Intent) bool { return i.Late })
	if len(want) == 0 {
		t.Fatal("nobody paid late")
	}
	got := d.list(t, s.organization, projections.Filter{Late: true}, "", projections.MaxPage)
	if diff := cmp.Diff(want, idsOf(got.Payments)); diff != "" {
		t.Errorf("late payments (-want +got):\n%s", diff)
	}
	canceled := d.list(t, s.organization, projections.Filter{Late: true, Status: domain.StatusCanceled}, "", 9)
	if len(canceled.Payments) != 0 {
		t.Errorf("late and canceled: %d", len(canceled.Payments))
	}
}

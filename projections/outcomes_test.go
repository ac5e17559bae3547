package projections_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections"
)

// The log has the results of attempts: an attempt that was paid after it had failed is paid, and
// only the requested days and applications count.
func TestOutcomesOfAttempts(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	mine, others := d.shop(t, uuid.Nil), d.shop(t, uuid.Nil)
	d.late(t, mine, midnight)                    // a failed, and was paid
	d.twice(t, mine, midnight.Add(time.Hour))    // a failed, b was paid, a was paid too
	d.late(t, mine, midnight.Add(-48*time.Hour)) // of another day
	d.late(t, others, midnight)
	c := d.order(mine)
	d.record(t, mine, c, midnight.Add(2*time.Hour), attempt(midnight.Add(2*time.Hour), "x"),
		failed(midnight.Add(2*time.Hour), "x"))
	c = d.order(mine)
	d.record(t, mine, c, midnight.Add(3*time.Hour), attempt(midnight.Add(3*time.Hour), "y"))
	d.feed(t)
	day := domain.DayOf(midnight.Add(time.Hour))
	for _, of := range [][]domain.ApplicationID{nil, {mine.id}} {
		got, err := d.payments.Outcomes(t.Context(), live(mine.organization), of, day, day)
		if err != nil || len(got.Methods) != 1 || got.Scanned != 4 || got.Bounded {
			t.Fatalf("%+v, %v", got, err)
		}
		m := got.Methods[0]
		if m.Method == "" || m.Acquirer == "" || m.Paid != 3 || m.Failed != 1 || m.Open != 1 ||
			len(m.Reasons) != 1 {
			t.Errorf("%+v", m)
		}
	}
	of := []domain.ApplicationID{others.id}
	got, err := d.payments.Outcomes(t.Context(), live(mine.organization), of, day, day)
	if err != nil || len(got.Methods) != 0 || got.Scanned != 0 {
		t.Errorf("of another organisation's application: %+v, %v", got, err)
	}
	got, err = d.payments.Outcomes(t.Context(), live(mine.organization), nil, day.Add(10), day.Add(20))
	if err != nil || len(got.Methods) != 0 {
		t.Errorf("of days on which nothing happened: %+v, %v", got, err)
	}
}

// An exported payment has the attempt that paid it, else the last one.
func TestExportKnowsWhatPaid(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	late, twice := d.late(t, s, midnight), d.twice(t, s, midnight.Add(time.Hour))
	at := midnight.Add(2 * time.Hour)
	tried := d.record(t, s, d.order(s), at, attempt(at, "x"), failed(at, "x"), attempt(at, "y"))
	untried := d.record(t, s, d.order(s), at.Add(time.Hour))
	d.feed(t)
	got := map[domain.IntentID]domain.Attempt{}
	for p, err := range d.payments.Export(t.Context(), live(s.organization), projections.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		got[p.ID] = p.By
	}
	want := map[domain.IntentID]domain.Attempt{untried.ID: {}}
	for id, i := range map[domain.IntentID]domain.Intent{late.ID: late, twice.ID: twice, tried.ID: tried} {
		want[id] = i.Attempts[len(i.Attempts)-1]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +exported):\n%s", diff)
	}
}

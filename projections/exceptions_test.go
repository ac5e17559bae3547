package projections_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/payments/decisions"
	"daftar/projections"
	"daftar/projections/rebuild"
)

var decidedAt = midnight.AddDate(0, 1, 0)

func (d *world) decide(
	t *testing.T, organization uuid.UUID, intent domain.IntentID, version int, note string,
) error {
	t.Helper()
	return d.decideSo(t, organization, intent, version,
		decisions.Decision{At: decidedAt, By: "user:7", Kind: decisions.Other, Note: note})
}

func (d *world) decideSo(
	t *testing.T, organization uuid.UUID, intent domain.IntentID, version int, decision decisions.Decision,
) error {
	t.Helper()
	return pgx.BeginFunc(t.Context(), d.pool, func(tx pgx.Tx) error {
		return decisions.Decide(t.Context(), tx, organization, intent, version, decision)
	})
}

func TestDecisions(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	late, twice := d.late(t, s, midnight), d.twice(t, s, midnight)
	c := d.order(s)
	d.record(t, s, c, midnight, attempt(midnight, "a"), paid(midnight, "a", c))
	d.feed(t)
	exception := func(i domain.Intent, kind projections.Kind, at time.Time) decisions.Exception {
		return decisions.Exception{
			Intent: i.ID, Version: i.Version, Application: s.id, Kind: kind, Attempt: "a", Amount: i.Amount, Since: at,
			Reference: i.Reference, MerchantReference: i.MerchantReference,
		}
	}
	ofTwice, ofLate := exception(twice, projections.KindDuplicate, midnight.Add(time.Hour)),
		exception(late, projections.KindLate, midnight.Add(73*time.Hour))
	check := func(limit, total int, want ...decisions.Exception) {
		t.Helper()
		got, n, err := d.decisions.ToDecide(t.Context(), live(s.organization), limit)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || n != total {
			t.Errorf("to decide, %d in all, want %d (-want +got):\n%s", n, total, diff)
		}
	}
	check(10, 2, ofTwice, ofLate)
	check(1, 2, ofTwice)

	for _, note := range []string{"", " \n", strings.Repeat("ق", decisions.MaxNote+1), "\x00", "\xff"} {
		err := d.decide(t, s.organization, twice.ID, twice.Version, note)
		if !errors.Is(err, decisions.ErrNote) {
			t.Errorf("note %q: %v, want ErrNote", note, err)
		}
	}
	for _, version := range []int{0, twice.Version - 1, twice.Version + 1} {
		err := d.decide(t, s.organization, twice.ID, version, "x")
		if !errors.Is(err, decisions.ErrNothingToDecide) {
			t.Errorf("version %d: %v, want ErrNothingToDecide", version, err)
		}
	}
	if err := d.decide(t, s.organization, twice.ID, twice.Version, "أعيد المبلغ"); err != nil {
		t.Fatal(err)
	}
	err := d.decide(t, s.organization, twice.ID, twice.Version, "again")
	if !errors.Is(err, decisions.ErrDecided) {
		t.Errorf("a second decision: %v, want ErrDecided", err)
	}
	check(10, 1, ofLate)
	ofTwice.Decision = &decisions.Decision{At: decidedAt, By: "user:7", Kind: decisions.Other,
		Note: "أعيد المبلغ"}
	history := func() {
		t.Helper()
		got, err := d.decisions.Exceptions(t.Context(), live(s.organization), twice.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]decisions.Exception{ofTwice}, got); diff != "" {
			t.Errorf("exceptions (-want +got):\n%s", diff)
		}
	}
	history()
	// People's decisions outlive the rows that are derived.
	superuser := d.superuser(t)
	exec(t, superuser, `DELETE FROM payment_exceptions`)
	check(10, 0)
	report, err := model(t, "payments").Rebuild(t.Context(), d.db.OwnerPool(t),
		rebuild.Options{AcceptDrift: true})
	if err != nil || !report.OK || len(report.Drift) != 2 {
		t.Errorf("rebuild: %+v, %v", report, err)
	}
	check(10, 1, ofLate)
	history()
}

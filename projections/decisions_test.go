package projections_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/payments/decisions"
	"daftar/projections"
)

// All errors of a decision are reported at once.
func TestWhatADecisionMustHave(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	late := d.late(t, s, midnight)
	d.feed(t)
	all := []error{decisions.ErrKind, decisions.ErrReference, decisions.ErrNote, decisions.ErrInformed}
	right := decisions.Decision{
		At: decidedAt, By: "finance@shop.example", Kind: decisions.Refunded,
		Reference: strings.Repeat("ح", decisions.MaxReference),
		Note:      strings.Repeat("ق", decisions.MaxNote), Informed: strings.Repeat("ز", decisions.MaxInformed),
	}
	for what, row := range map[string]struct {
		change func(d *decisions.Decision)
		want   []error
	}{
		"nothing": {func(d *decisions.Decision) {
			*d = decisions.Decision{At: decidedAt, By: "x"}
		}, []error{decisions.ErrKind, decisions.ErrNote}},
		"an unknown kind":      {func(d *decisions.Decision) { d.Kind = "kept" }, all[:1]},
		"a long reference":     {func(d *decisions.Decision) { d.Reference += "1" }, all[1:2]},
		"a reference in lines": {func(d *decisions.Decision) { d.Reference = "1\n2" }, all[1:2]},
		"a long note":          {func(d *decisions.Decision) { d.Note += "1" }, all[2:3]},
		"too many informed":    {func(d *decisions.Decision) { d.Informed += "1" }, all[3:]},
		"a tab in informed":    {func(d *decisions.Decision) { d.Informed = "a\tb" }, all[3:]},
		"everything wrong": {func(d *decisions.Decision) {
			*d = decisions.Decision{At: decidedAt, By: "x", Reference: "\x00", Note: " ", Informed: "\xff"}
		}, all},
	} {
		wrong := right
		row.change(&wrong)
		err := d.decideSo(t, s.organization, late.ID, late.Version, wrong)
		var got []error
		for _, one := range all {
			if errors.Is(err, one) {
				got = append(got, one)
			}
		}
		if diff := cmp.Diff(row.want, got, cmpopts.EquateErrors()); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
		}
	}
	if err := d.decideSo(t, s.organization, late.ID, late.Version, right); err != nil {
		t.Fatal(err)
	}
	kept, err := d.decisions.Exceptions(t.Context(), live(s.organization), late.ID)
	if err != nil || len(kept) != 1 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if diff := cmp.Diff(&right, kept[0].Decision); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

// Decisions that servers of the previous release write have a kind, and no reference.
func TestDecisionsOfTheReleaseBefore(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	late := d.late(t, s, midnight)
	d.feed(t)
	exec(t, d.pool, `
		INSERT INTO payment_decisions (intent_uuid, version, decided_at, decided_by, note)
		VALUES ($1, $2, $3, 'owner', 'x')`, late.ID, late.Version, decidedAt)
	all, _, err := d.decisions.Decided(t.Context(), live(s.organization),
		decisions.Filter{Kind: decisions.Other}, "", 9)
	if err != nil || len(all) != 1 || *all[0].Decision != (decisions.Decision{At: decidedAt, By: "owner",
		Kind: decisions.Other, Note: "x"}) {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestDecidedIsFilteredAndReadInParts(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s, stranger := d.shop(t, uuid.Nil), d.shop(t, uuid.Nil)
	second := d.shop(t, s.organization)
	kinds := decisions.Kinds
	day := domain.DayOf(decidedAt)
	var notes []string // the latest first
	for n := range 6 {
		of := s
		if n%2 > 0 {
			of = second
		}
		late := d.late(t, of, midnight)
		d.feed(t)
		decision := decisions.Decision{At: decidedAt.AddDate(0, 0, n/2), By: "x",
			Kind: kinds[n%len(kinds)], Note: string(rune('a' + n))} // two at a time
		if err := d.decideSo(t, s.organization, late.ID, late.Version, decision); err != nil {
			t.Fatal(err)
		}
		notes = append([]string{decision.Note}, notes...)
	}
	theirs := d.late(t, stranger, midnight)
	d.feed(t)
	if err := d.decide(t, stranger.organization, theirs.ID, theirs.Version, "theirs"); err != nil {
		t.Fatal(err)
	}
	read := func(f decisions.Filter, limit int) (got []string) {
		t.Helper()
		at := ""
		for {
			part, older, err := d.decisions.Decided(t.Context(), live(s.organization), f, at, limit)
			if err != nil || len(part) > limit {
				t.Fatalf("%d of %d, %v", len(part), limit, err)
			}
			for _, x := range part {
				got = append(got, x.Decision.Note)
			}
			if at = older; at == "" {
				return got
			}
		}
	}
	whole := read(decisions.Filter{}, 9)
	inPairs := cmpopts.SortSlices(func(a, b string) bool {
		return a < b
	}) // decisions of one time have no defined order here
	if diff := cmp.Diff(notes, whole, inPairs); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	for limit := 1; limit < 6; limit++ {
		if diff := cmp.Diff(whole, read(decisions.Filter{}, limit)); diff != "" {
			t.Errorf("in parts of %d (-want +got):\n%s", limit, diff)
		}
	}
	for what, row := range map[string]struct {
		f    decisions.Filter
		want []string
	}{
		"refunded":      {decisions.Filter{Kind: decisions.Refunded}, []string{"d", "a"}},
		"from a day on": {decisions.Filter{From: day.Add(1)}, []string{"f", "e", "d", "c"}},
		"up to a day":   {decisions.Filter{To: day}, []string{"b", "a"}},
		"one day":       {decisions.Filter{From: day.Add(1), To: day.Add(1)}, []string{"d", "c"}},
		"both":          {decisions.Filter{Kind: decisions.Other, From: day.Add(2)}, []string{"f"}},
		"nothing":       {decisions.Filter{From: day.Add(3)}, nil},
	} {
		if diff := cmp.Diff(row.want, read(row.f, 2), inPairs, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	for _, at := range []string{"x", "1_2", "1_2_3", "1_" + theirs.ID.String() + "_x",
		"9223372036854775807_" + theirs.ID.String() + "_1"} {
		_, _, err := d.decisions.Decided(t.Context(), live(s.organization), decisions.Filter{}, at, 9)
		if !errors.Is(err, projections.ErrCursor) {
			t.Errorf("at %s: %v, want ErrCursor", at, err)
		}
	}
	var exported []string
	for x, err := range d.decisions.ExportDecided(t.Context(), live(s.organization), decisions.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		exported = append(exported, x.Decision.Note)
	}
	if diff := cmp.Diff(whole, exported); diff != "" {
		t.Errorf("exported (-want +got):\n%s", diff)
	}
}

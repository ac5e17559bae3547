package outcomes_test

import (
	"errors"
	"fmt"
	"testing"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments/outcomes"
)

func dinars(n int64) domain.Money { return domain.Money{Minor: n * 1000, Currency: domain.LYD} }

// The amount decides whether a second person is needed.
func TestTheRuleHasAnAmount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.SetRule(t.Context(), w.owner, w.org, new(int64(100_000))); err != nil {
		t.Fatal(err)
	}
	for minor, want := range map[int64]outcomes.State{100_000: outcomes.Recording, 100_001: outcomes.Proposed} {
		if s := w.settle(w.finance, w.unknownPayment(minor), outcomes.Paid); s != want {
			t.Errorf("%d is %s, want %s", minor, s, want)
		}
	}
	records, err := w.accounts.Trail(t.Context(), operator, w.org,
		accounts.TrailFilter{Action: outcomes.ActionRule})
	if err != nil || len(records) != 1 || records[0].Detail["above_before"] != "-" ||
		records[0].Detail["above_now"] != "100.000 LYD" {
		t.Errorf("the trail has %+v, %v", records, err)
	}
}

func TestWhoSetsTheRule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.SetRule(t.Context(), w.finance, w.org, nil); !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("finance: %v", err)
	}
	if err := w.SetRule(t.Context(), w.owner, w.org, new(int64(-1))); err == nil {
		t.Error("less than nothing is an amount")
	}
	w.exec(`DELETE FROM memberships WHERE user_uuid = $1`, w.finance.User)
	if err := w.SetRule(t.Context(), w.owner, w.org, new(int64)); !errors.Is(err, outcomes.ErrAlone) {
		t.Errorf("an owner alone: %v", err)
	}
	w.person("developer", accounts.RoleDeveloper)
	if err := w.SetRule(t.Context(), w.owner, w.org, new(int64)); !errors.Is(err, outcomes.ErrAlone) {
		t.Errorf("an owner and a developer: %v", err)
	}
}

// A member who makes the rule weaker settles nothing alone until another one has set it.
func TestARuleIsNotLoosenedByOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	other := w.person("other", accounts.RoleOwner)
	never, small, large, always := (*int64)(nil), new(int64(1000)), new(int64(9_000_000)), new(int64)
	type set struct {
		by    accounts.Actor
		above *int64
	}
	for n, c := range []struct {
		rules                []set
		ownerTwo, financeTwo bool // whether each needs a second person for 100 dinars
	}{
		{nil, false, false},
		{[]set{{w.owner, always}}, true, true},
		{[]set{{w.owner, always}, {w.owner, never}}, true, false},
		{[]set{{w.owner, always}, {w.owner, never}, {w.owner, never}}, true, false},
		{[]set{{w.owner, always}, {w.owner, never}, {other, never}}, false, false},
		{[]set{{w.owner, always}, {w.owner, never}, {w.owner, large}}, true, false},
		{[]set{{w.owner, small}, {w.owner, large}}, true, false},
		{[]set{{w.owner, small}, {w.owner, large}, {other, large}}, false, false},
		{[]set{{w.owner, small}, {other, large}}, false, false},
		{[]set{{w.owner, never}, {w.owner, large}}, false, false},
		{[]set{{w.owner, always}, {w.owner, never}, {w.owner, always}, {other, never}}, false, false},
	} {
		w.exec(`UPDATE organizations SET four_eyes_above = NULL, four_eyes_loosened_by = NULL`)
		for _, s := range c.rules {
			if err := w.SetRule(t.Context(), s.by, w.org, s.above); err != nil {
				t.Fatal(err)
			}
		}
		r, err := w.Rule(t.Context(), w.org)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(r.NeedsTwo(w.owner.User, dinars(100)), r.NeedsTwo(w.finance.User, dinars(100)))
		if want := fmt.Sprint(c.ownerTwo, c.financeTwo); got != want {
			t.Errorf("%d: the owner and finance need two: %s, want %s", n, got, want)
		}
	}
}

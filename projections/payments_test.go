package projections_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/payments/decisions"
	"daftar/projections"
)

func (d *world) list(
	t *testing.T, of uuid.UUID, f projections.Filter, from string, limit int,
) projections.Page {
	t.Helper()
	page, err := d.payments.List(t.Context(), live(of), f, projections.NewestFirst, from, limit)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

func idsOf(payments []projections.Payment) []domain.IntentID {
	var ids []domain.IntentID
	for _, p := range payments {
		ids = append(ids, p.ID)
	}
	return ids
}

// wanted are the ids of the world's intents that fulfil a condition, newest first.
func (d *world) wanted(takes func(domain.Intent) bool) []domain.IntentID {
	var all []domain.Intent
	for _, i := range d.intents {
		if takes(i) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(a, b domain.Intent) int {
		if order := b.CreatedAt.Compare(a.CreatedAt); order != 0 {
			return order
		}
		return slices.Compare(b.ID[:], a.ID[:])
	})
	var ids []domain.IntentID
	for _, i := range all {
		ids = append(ids, i.ID)
	}
	return ids
}

// stock fills two applications with intents of every kind, several at the same time.
func (d *world) stock(t *testing.T) (first, second shop) {
	t.Helper()
	first = d.shop(t, uuid.Nil)
	second = d.shop(t, first.organization)
	for k := range 12 {
		at := midnight.Add(time.Duration(k/2) * 10 * time.Minute).Add(-30 * time.Minute)
		s := []shop{first, second}[k%2]
		c := d.order(s)
		switch k % 6 {
		case 0:
			d.late(t, s, at)
		case 1:
			d.twice(t, s, at)
		case 2:
			d.record(t, s, c, at)
		case 3:
			d.record(t, s, c, at, attempt(at, "a"))
		case 4:
			d.record(t, s, c, at, expired(at.Add(25*time.Hour)))
		case 5:
			d.record(t, s, c, at, attempt(at, "a"), failed(at, "a"), attempt(at, "b"), paid(at, "b", c))
		}
	}
	d.feed(t)
	return first, second
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	first, second := d.stock(t)
	day, least, most := domain.DayOf(midnight), int64(1004), int64(1007)
	yesterday := day.Add(-1)
	for _, row := range []struct {
		what   string
		filter projections.Filter
		takes  func(domain.Intent) bool
	}{
		{"all", projections.Filter{}, func(domain.Intent) bool { return true }},
		{"an application", projections.Filter{Application: &second.id}, func(i domain.Intent) bool {
			return i.Application == second.id
		}},
		{"unpaid", projections.Filter{Status: domain.StatusRequiresPaymentMethod}, func(i domain.Intent) bool {
			return i.Status == domain.StatusRequiresPaymentMethod
		}},
		{"processing", projections.Filter{Status: domain.StatusProcessing}, func(i domain.Intent) bool {
			return i.Status == domain.StatusProcessing
		}},
		{"succeeded", projections.Filter{Status: domain.StatusSucceeded}, func(i domain.Intent) bool {
			return i.Status == domain.StatusSucceeded
		}},
		{"canceled", projections.Filter{Status: domain.StatusCanceled}, func(i domain.Intent) bool {
			return i.Status == domain.StatusCanceled
		}},
		{"no status", projections.Filter{Status: "lost"}, func(domain.Intent) bool { return false }},
		{"from today", projections.Filter{From: day}, func(i domain.Intent) bool {
			return !i.CreatedAt.Before(midnight)
		}},
		{"to yesterday", projections.Filter{To: yesterday}, func(i domain.Intent) bool {
			return i.CreatedAt.Before(midnight)
		}},
		{"yesterday alone", projections.Filter{From: yesterday, To: yesterday}, func(i domain.Intent) bool {
			return i.CreatedAt.Before(midnight)
		}},
		{"tomorrow", projections.Filter{From: day.Add(1)}, func(domain.Intent) bool { return false }},
		{"from an amount", projections.Filter{MinAmount: &least}, func(i domain.Intent) bool {
			return i.Amount.Minor >= least
		}},
		{"to an amount", projections.Filter{MaxAmount: &most}, func(i domain.Intent) bool {
			return i.Amount.Minor <= most
		}},
		{
			"everything at once",
			projections.Filter{Application: &first.id, Status: domain.StatusSucceeded, From: yesterday, To: day,
				MinAmount: &least, MaxAmount: &most},
			func(i domain.Intent) bool {
				return i.Application == first.id && i.Status == domain.StatusSucceeded && i.Amount.Minor >= least &&
					i.Amount.Minor <= most
			},
		},
	} {
		want := d.wanted(row.takes)
		var walked []domain.IntentID
		from := ""
		for range 20 {
			page := d.list(t, first.organization, row.filter, from, 3)
			if len(page.Payments) > 3 || page.Partial {
				t.Errorf("%s: a page of %d, partial %v", row.what, len(page.Payments), page.Partial)
			}
			walked = append(walked, idsOf(page.Payments)...)
			if from = page.Older; from == "" {
				break
			}
		}
		if diff := cmp.Diff(want, walked); diff != "" {
			t.Errorf("%s (-want +listed):\n%s", row.what, diff)
		}
		exported := d.export(t, first.organization, projections.Query{Filter: row.filter})
		if diff := cmp.Diff(want, exported); diff != "" {
			t.Errorf("%s (-want +exported):\n%s", row.what, diff)
		}
	}
}

// A payment in a list is the intent as in the API, with the values that the group knows.
func TestListShowsTheWholeIntent(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	i := d.late(t, s, midnight)
	twice := d.twice(t, s, midnight.Add(time.Hour))
	d.feed(t)
	page := d.list(t, s.organization, projections.Filter{}, "", 10)
	if len(page.Payments) != 2 {
		t.Fatalf("%d payments, want 2", len(page.Payments))
	}
	p := page.Payments[0]
	if p.ID != twice.ID || p.Duplicates != 1 || p.Late || p.CanceledAt != nil || p.SucceededAt == nil {
		t.Errorf("paid twice: %+v", p)
	}
	got := page.Payments[1]
	if diff := cmp.Diff(projections.IntentOf(i), got.Intent); diff != "" {
		t.Errorf("intent (-recorded +listed):\n%s", diff)
	}
	canceled := midnight.Add(25 * time.Hour)
	if !got.Late || got.Duplicates != 0 || !got.CanceledAt.Equal(canceled) ||
		!got.SucceededAt.Equal(canceled.Add(48*time.Hour)) {
		t.Errorf("late payment: %+v", got)
	}
}

func TestExportEndsWithItsContext(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	first, _ := d.stock(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	for _, err := range d.payments.Export(ctx, live(first.organization), projections.Query{}) {
		n++
		if !errors.Is(err, context.Canceled) {
			t.Errorf("export: %v, want the context's error", err)
		}
	}
	if n != 1 {
		t.Errorf("%d yields, want the error alone", n)
	}
	for range d.payments.Export(t.Context(), live(first.organization), projections.Query{}) {
		n++
		break
	}
	if n != 2 {
		t.Error("the export went on after the caller had enough")
	}
}

func TestSearchKnowsEveryName(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	first, second := d.stock(t)
	customer := " أحمد-7 "
	c := d.order(second)
	c.CustomerID, c.Reference, c.MerchantReference = &customer, "7k3qx0m1td", "طلب 12/ب"
	i := d.record(t, second, c, midnight)
	plain := "7"
	c = d.order(first)
	c.CustomerID, c.MerchantReference = &plain, "same"
	older := d.record(t, first, c, midnight)
	c = d.order(second)
	c.CustomerID, c.MerchantReference = &plain, "same"
	newer := d.record(t, second, c, midnight.Add(time.Minute))
	d.feed(t)
	type match struct {
		ID domain.IntentID
		By projections.MatchedBy
	}
	for _, row := range []struct {
		text string
		want []match
	}{
		{i.ID.String(), []match{{i.ID, projections.MatchedUUID}}},
		{" " + strings.ToUpper(i.ID.String()) + "\n", []match{{i.ID, projections.MatchedUUID}}},
		{"7k3qx0m1td", []match{{i.ID, projections.MatchedReference}}},
		{"7K3QX0M1TD", []match{{i.ID, projections.MatchedReference}}},
		{" 7K3Q-X0M1 TD", []match{{i.ID, projections.MatchedReference}}},
		{"7K3QXOMLTD", []match{{i.ID, projections.MatchedReference}}},
		{"٧k٣qx٠m١td", []match{{i.ID, projections.MatchedReference}}},
		{"۷k۳qx۰m۱td", []match{{i.ID, projections.MatchedReference}}},
		{"7k3qx0m1t", nil},
		{"طلب 12/ب", []match{{i.ID, projections.MatchedMerchantReference}}},
		{"\tطلب 12/ب ", []match{{i.ID, projections.MatchedMerchantReference}}},
		{"طلب 12", nil},
		{customer, []match{{i.ID, projections.MatchedCustomer}}},
		{"أحمد-7", nil}, // the blanks are part of the name
		{"same", []match{{newer.ID, projections.MatchedMerchantReference},
			{older.ID, projections.MatchedMerchantReference}}},
		{plain, []match{{newer.ID, projections.MatchedCustomer}, {older.ID, projections.MatchedCustomer}}},
		{" ", nil},
		{"nobody", nil},
		{"\x00", nil},
		{"\xff", nil},
	} {
		found, err := d.payments.Search(t.Context(), live(first.organization),
			projections.Query{Text: row.text, Limit: 50})
		if err != nil || !found.Complete || found.Counts.All() != len(row.want) {
			t.Errorf("search %q: complete %t, %+v, %v", row.text, found.Complete, found.Counts, err)
		}
		var got []match
		for _, m := range found.Matches {
			got = append(got, match{m.ID, m.By})
			if diff := cmp.Diff(projections.IntentOf(d.intents[m.ID]), m.Intent); diff != "" {
				t.Errorf("search %q: intent (-recorded +found):\n%s", row.text, diff)
			}
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("search %q (-want +got):\n%s", row.text, diff)
		}
	}
}

// An organisation finds nothing of another's, even if it knows the ids.
func TestAnotherOrganisationFindsNothing(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	mine, _ := d.stock(t)
	theirs := d.shop(t, uuid.Nil)
	customer := "customer"
	c := d.order(mine)
	c.CustomerID = &customer
	i := d.record(t, mine, c, midnight)
	late := d.late(t, mine, midnight)
	d.feed(t)
	ctx := t.Context()
	for _, f := range []projections.Filter{{}, {Application: &mine.id}} {
		if page := d.list(t, theirs.organization, f, "", 10); len(page.Payments) != 0 || page.Older != "" {
			t.Errorf("list with %+v: %d payments", f, len(page.Payments))
		}
		for p, err := range d.payments.Export(ctx, live(theirs.organization), projections.Query{Filter: f}) {
			t.Errorf("export: %s, %v", p.ID, err)
		}
	}
	for _, text := range []string{i.ID.String(), string(i.Reference), string(i.MerchantReference), customer,
		i.Amount.Figures()} {
		found, err := d.payments.Search(ctx, live(theirs.organization), projections.Query{Text: text, Limit: 9})
		if err != nil || len(found.Matches)+found.Counts.All() != 0 {
			t.Errorf("search %q: %+v, %v", text, found, err)
		}
		if ids := d.export(t, theirs.organization, projections.Query{Text: text}); len(ids) != 0 {
			t.Errorf("export %q: %v", text, ids)
		}
		found, err = d.payments.Search(ctx, live(mine.organization), projections.Query{Text: text, Limit: 9})
		if err != nil || len(found.Matches) != 1 {
			t.Errorf("search %q by its owner: %d found, %v", text, len(found.Matches), err)
		}
	}
	for _, of := range [][]domain.ApplicationID{nil, {mine.id}} {
		got, err := d.payments.Turnover(ctx, live(theirs.organization), of, firstDay, lastDay)
		if err != nil || len(got.Days) != 0 || len(got.Totals) != 0 {
			t.Errorf("turnover: %+v, %v", got, err)
		}
	}
	open, total, err := d.decisions.ToDecide(ctx, live(theirs.organization), 10)
	if err != nil || len(open) != 0 || total != 0 {
		t.Errorf("to decide: %+v, %d, %v", open, total, err)
	}
	if all, err := d.decisions.Exceptions(ctx, live(theirs.organization), late.ID); err != nil || len(all) != 0 {
		t.Errorf("exceptions: %+v, %v", all, err)
	}
	err = d.decide(t, theirs.organization, late.ID, late.Version, "ours")
	if !errors.Is(err, decisions.ErrNothingToDecide) {
		t.Errorf("decide: %v, want ErrNothingToDecide", err)
	}
}

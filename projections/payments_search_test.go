package projections_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections"
)

// sold records an intent whose payer has a phone, and which was paid if the acquirer has a
// reference for it.
func (d *world) sold(
	t *testing.T, s shop, at time.Time, minor int64, what, payer, reference string,
) domain.Intent {
	t.Helper()
	c := d.order(s)
	c.Amount, c.Description = domain.Money{Minor: minor, Currency: domain.LYD}, what
	var steps []step
	if payer != "" {
		start := domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet", Payer: payer}
		steps = append(steps, step{start, at})
	}
	if reference != "" {
		paid := domain.RecordPayment{Attempt: "a", Amount: c.Amount, ProviderReference: reference}
		steps = append(steps, step{paid, at})
	}
	return d.record(t, s, c, at, steps...)
}

func (d *world) search(t *testing.T, organization uuid.UUID, q projections.Query) projections.Results {
	t.Helper()
	if q.Limit == 0 {
		q.Limit = projections.MaxPage
	}
	r, err := d.payments.Search(t.Context(), live(organization), q)
	if err != nil {
		t.Fatalf("search %q: %v", q.Text, err)
	}
	return r
}

// export are the payments of an export, in its order.
func (d *world) export(t *testing.T, organization uuid.UUID, q projections.Query) (ids []domain.IntentID) {
	t.Helper()
	for payment, err := range d.payments.Export(t.Context(), live(organization), q) {
		if err != nil {
			t.Fatalf("export %q: %v", q.Text, err)
		}
		ids = append(ids, payment.ID)
	}
	return ids
}

func matchesOf(r projections.Results) (ids []domain.IntentID) {
	for _, m := range r.Matches {
		ids = append(ids, m.ID)
	}
	return ids
}

// The words of a text narrow each other, whatever each of them means.
func TestSearchByWhatPeopleKnow(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	second, stranger := d.shop(t, s.organization), d.shop(t, uuid.Nil)
	minute := func(n int) time.Time { return midnight.Add(time.Duration(n) * time.Minute) }
	coffee := d.sold(t, s, minute(1), 25_500, "Order 1042: two coffees", "091•••5678", "SBX-99120034")
	tea := d.sold(t, second, minute(2), 25_500, "شايٌ أخضر بالنعناع", "092•••5679", "LP 7781 / 2")
	waiting := d.sold(t, s, minute(3), 9_000, "القهوة العربية", "", "")
	under := d.sold(t, s, minute(4), 5_678_000, "أريكة", "091•••5678", "")
	d.sold(t, stranger, minute(5), 25_500, "Order 1042: two coffees", "091•••5678", "SBX-99120034")
	d.feed(t)
	d.checkModels(t)
	for text, want := range map[string][]domain.Intent{
		"25.500":              {tea, coffee},
		"25.5 LYD":            {tea, coffee},
		"٢٥٫٥ د.ل":            {tea, coffee},
		"25.500 5678":         {coffee},
		"٥٦٧٨ ٢٥٫٥٠٠":         {coffee},
		"5678":                {under, coffee}, // of a phone, or an amount
		"5,678 5678":          {under},
		"0911235678":          {under, coffee},
		"+218911235679":       {tea},
		"•••5679":             {tea},
		"678":                 nil,
		"sbx-99120034":        {coffee},
		"SBX-99120034 25.500": {coffee},
		"lp 7781 / 2":         {tea},
		"1042":                {coffee},
		"COFFEES":             {coffee},
		"coffees order":       {coffee},
		"coffees 9":           nil,
		"قهوة":                {waiting},
		"عربيه القهوه":        {waiting},
		"شاى اخضر":            {tea},
		"نعناع \u200f25.5":    {tea},
		"اريكة":               {under},
		string(coffee.MerchantReference) + " 5678":  {coffee},
		string(coffee.MerchantReference) + " 5679":  nil,
		coffee.Reference.Capitals() + " 25.500":     {coffee},
		coffee.ID.String() + " coffees":             {coffee},
		coffee.ID.String() + " tea":                 nil,
		strings.Repeat("coffees ", 50):              {coffee},
		"' | ! & :* \\ <->":                         nil,
		string(waiting.MerchantReference) + " LYD ": {waiting},
	} {
		r := d.search(t, s.organization, projections.Query{Text: text})
		var ids []domain.IntentID
		for _, i := range want {
			ids = append(ids, i.ID)
		}
		if diff := cmp.Diff(ids, matchesOf(r)); diff != "" || !r.Complete || r.Counts.All() != len(want) {
			t.Errorf("search %q: %+v (-want +got):\n%s", text, r.Counts, diff)
		}
		if diff := cmp.Diff(ids, d.export(t, s.organization, projections.Query{Text: text})); diff != "" {
			t.Errorf("export %q (-want +got):\n%s", text, diff)
		}
	}
	narrowed := projections.Query{Text: "25.500", Filter: projections.Filter{Status: domain.StatusSucceeded,
		Application: &s.id}, Sort: projections.OldestFirst, Page: 3}
	if diff := cmp.Diff([]domain.IntentID{coffee.ID}, d.export(t, s.organization, narrowed)); diff != "" {
		t.Errorf("export of one application (-want +got):\n%s", diff)
	}
	named := projections.Query{Text: string(waiting.MerchantReference),
		Filter: projections.Filter{Status: domain.StatusSucceeded}}
	if ids := d.export(t, s.organization, named); len(ids) != 0 {
		t.Errorf("the export has %v, whose status was not asked for", ids)
	}
	r := d.search(t, s.organization,
		projections.Query{Text: "25.500", Filter: projections.Filter{Application: &second.id}})
	if diff := cmp.Diff([]domain.IntentID{tea.ID}, matchesOf(r)); diff != "" {
		t.Errorf("in one application (-want +got):\n%s", diff)
	}
}

// Results are counted by status, sorted and numbered; names come first.
func TestSearchCountsAndSorts(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s, _ := d.stock(t)
	all := d.wanted(func(domain.Intent) bool { return true })
	status := func(id domain.IntentID) domain.Status { return d.intents[id].Status }
	r := d.search(t, s.organization, projections.Query{Text: "شاي"})
	want := projections.Counts{}
	for _, id := range all {
		switch status(id) {
		case domain.StatusRequiresPaymentMethod:
			want.Waiting++
		case domain.StatusProcessing:
			want.Processing++
		case domain.StatusSucceeded:
			want.Succeeded++
		case domain.StatusCanceled:
			want.Canceled++
		}
		if d.intents[id].Late {
			want.Late++
		}
	}
	if diff := cmp.Diff(want, r.Counts); diff != "" || !r.Complete || want.Late == 0 || want.Processing == 0 {
		t.Errorf("by a word: complete %t (-want +got):\n%s", r.Complete, diff)
	}
	if diff := cmp.Diff(all, matchesOf(r)); diff != "" {
		t.Errorf("by a word (-want +got):\n%s", diff)
	}
	r = d.search(t, s.organization,
		projections.Query{Filter: projections.Filter{Status: domain.StatusSucceeded}})
	if diff := cmp.Diff(want, r.Counts); diff != "" {
		t.Errorf("without a text (-want +got):\n%s", diff)
	}
	bySize := slices.Clone(all)
	slices.SortStableFunc(bySize, func(a, b domain.IntentID) int {
		return int(d.intents[a].Amount.Minor - d.intents[b].Amount.Minor)
	})
	for text, order := range map[string]projections.Sort{"": projections.SmallestFirst,
		"شاي": projections.SmallestFirst} {
		var got []domain.IntentID
		for n := range all {
			page := d.search(t, s.organization, projections.Query{Text: text, Sort: order, Page: n, Limit: 3})
			got = append(got, matchesOf(page)...)
		}
		if diff := cmp.Diff(bySize, got); diff != "" {
			t.Errorf("%q by amount (-want +got):\n%s", text, diff)
		}
	}
	slices.Reverse(bySize)
	r = d.search(t, s.organization, projections.Query{Sort: projections.LargestFirst})
	if got := matchesOf(r); len(got) != len(bySize) || d.intents[got[0]].Amount != d.intents[bySize[0]].Amount {
		t.Errorf("the largest first: %v", got)
	}
	slices.Reverse(all)
	r = d.search(t, s.organization, projections.Query{Text: "شاي", Sort: projections.OldestFirst})
	if diff := cmp.Diff(all, matchesOf(r)); diff != "" {
		t.Errorf("the oldest first (-want +got):\n%s", diff)
	}
	var got []domain.IntentID
	for at := ""; ; {
		page, err := d.payments.List(t.Context(), live(s.organization), projections.Filter{},
			projections.OldestFirst, at, 4)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, idsOf(page.Payments)...)
		if at = page.Newer; at == "" || len(got) > len(all)+4 {
			break
		}
	}
	if got = slices.Compact(got); !cmp.Equal(all[:min(len(all), len(got))], got[:min(len(all), len(got))]) {
		t.Errorf("a list, the oldest first: %v, want %v", got, all)
	}
}

// If there are more results than MaxFound, pages are ordered by time and counts cover what was
// read.
func TestSearchOfMoreThanCanBeKnown(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	for n := range 12 {
		d.sold(t, s, midnight.Add(time.Duration(n)*time.Minute), 1000*int64(1+n%2),
			fmt.Sprintf("tea %d", n), "", "")
	}
	d.feed(t)
	d.payments.MaxFound = 8
	seen := map[domain.IntentID]bool{}
	q := projections.Query{Text: "tea", Sort: projections.SmallestFirst, Limit: 5}
	for range 9 {
		r := d.search(t, s.organization, q)
		if r.Complete || !r.Counts.AtLeast || r.Counts.All() < 8 {
			t.Errorf("complete %t, %+v", r.Complete, r.Counts)
		}
		for _, id := range matchesOf(r) {
			seen[id] = true
		}
		if q.At = r.Adjacent.Older; q.At == "" {
			break
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d payments were found, want 12", len(seen))
	}
	if ids := d.export(t, s.organization, projections.Query{Text: "tea"}); len(ids) != 12 ||
		!slices.IsSortedFunc(ids, func(a, b domain.IntentID) int {
			return d.intents[b].CreatedAt.Compare(d.intents[a].CreatedAt)
		}) {
		t.Errorf("the export has %v, want all 12, the newest first", ids)
	}
	r := d.search(t, s.organization, projections.Query{Text: "tea 1"})
	if !r.Complete || r.Counts.Waiting != 1+6 {
		t.Errorf("tea 1, or tea for a dinar: %+v", r)
	}
	r = d.search(t, s.organization,
		projections.Query{Filter: projections.Filter{From: domain.DayOf(midnight)}})
	if r.Complete || r.Counts.Waiting < 8 {
		t.Errorf("without a text: %+v", r.Counts)
	}
}

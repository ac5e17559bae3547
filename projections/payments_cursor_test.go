package projections_test

import (
	"encoding/base64"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections"
)

// Pages are stable while new intents come in: the next pages have the older intents, the previous
// pages the newer ones, none twice and none missing.
func TestCursorsStandWhileIntentsComeIn(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	first, second := d.stock(t)
	all := func(domain.Intent) bool { return true }
	before := d.wanted(all)
	one := d.list(t, first.organization, projections.Filter{}, "", 4)
	if one.Newer != "" {
		t.Errorf("the newest page has newer ones")
	}
	arrive := func(n int, after time.Duration) {
		for k := range n {
			d.record(t, second, d.order(second), midnight.Add(after+time.Duration(k)*time.Second))
		}
		d.feed(t)
	}
	arrive(3, 5*time.Hour)
	two := d.list(t, first.organization, projections.Filter{}, one.Older, 4)
	three := d.list(t, first.organization, projections.Filter{}, two.Older, 4)
	diff := cmp.Diff(before, slices.Concat(idsOf(one.Payments), idsOf(two.Payments), idsOf(three.Payments)))
	if diff != "" {
		t.Errorf("forward (-before +pages):\n%s", diff)
	}
	if three.Older != "" {
		t.Errorf("the oldest page has older ones")
	}
	back := d.list(t, first.organization, projections.Filter{}, three.Newer, 4)
	if diff := cmp.Diff(idsOf(two.Payments), idsOf(back.Payments)); diff != "" {
		t.Errorf("one page back (-went +came):\n%s", diff)
	}
	again := d.list(t, first.organization, projections.Filter{}, back.Older, 4)
	if diff := cmp.Diff(idsOf(three.Payments), idsOf(again.Payments)); diff != "" {
		t.Errorf("forward again (-first +again):\n%s", diff)
	}
	back = d.list(t, first.organization, projections.Filter{}, back.Newer, 4)
	if diff := cmp.Diff(idsOf(one.Payments), idsOf(back.Payments)); diff != "" {
		t.Errorf("two pages back (-went +came):\n%s", diff)
	}
	// Three new ones are fewer than a page: the newest page is shown in full.
	back = d.list(t, first.organization, projections.Filter{}, back.Newer, 4)
	diff = cmp.Diff(d.wanted(all)[:4], idsOf(back.Payments))
	if diff != "" || back.Newer != "" || back.Older == "" {
		t.Errorf("the newest page, newer %q, older %q (-want +got):\n%s", back.Newer, back.Older, diff)
	}
}

// An intent that changed since the group handled its events is left out where it no longer fits the
// filter, and the ones after it are still found.
func TestPagesContinueAfterAnIntentThatChanged(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	for n := range 3 {
		d.record(t, s, d.order(s), time.Now().Add(time.Duration(n)*time.Second))
	}
	d.feed(t)
	want := d.wanted(func(domain.Intent) bool { return true })
	d.change(t, want[0], domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet"})
	f := projections.Filter{Status: domain.StatusRequiresPaymentMethod}
	var got []domain.IntentID
	for from, more := "", true; more; more = from != "" {
		page := d.list(t, s.organization, f, from, 1)
		got = append(got, idsOf(page.Payments)...)
		from = page.Older
	}
	if diff := cmp.Diff(want[1:], got); diff != "" {
		t.Errorf("unpaid (-want +listed):\n%s", diff)
	}
}

func TestListRefusesWhatIsNoCursor(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	s := d.shop(t, uuid.Nil)
	text := base64.RawURLEncoding.EncodeToString
	for _, from := range []string{
		"x", "????", text([]byte("o")), text(make([]byte, 25)),
		text(append([]byte("o\xff\xff\xff\xff\xff\xff\xff\xff"), make([]byte, 16)...)) + "A",
		text(append([]byte("o\x7f\xff\xff\xff\xff\xff\xff\xff"), make([]byte, 16)...)),
	} {
		_, err := d.payments.List(t.Context(), live(s.organization), projections.Filter{},
			projections.NewestFirst, from, 5)
		if !errors.Is(err, projections.ErrCursor) {
			t.Errorf("%q: %v, want ErrCursor", from, err)
		}
	}
}

package dashboard_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/projections"
)

var whatsApp = regexp.MustCompile(`href="(https://wa\.me/[^"]+)"`)

// linked is the intent whose link a page shows.
func (w *world) linked(t *testing.T, page answer) domain.Intent {
	t.Helper()
	link := secretIn(t, page, "link")
	_, rest, found := strings.Cut(link, "/pay/")
	text, token, _ := strings.Cut(rest, "/")
	id, err := domain.ParseIntentID(text)
	if err != nil || !found {
		t.Fatalf("%q is no link to a checkout page: %v", link, err)
	}
	i, err := w.ledger.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if string(i.CheckoutToken) != token {
		t.Errorf("the link %q does not open the intent's page", link)
	}
	return i
}

func TestAPaymentLinkIsAnIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stopClock()
	c := w.developer(t)
	form := c.get(w.ours.path("links/new?lang=en")).is(t, http.StatusOK).form(t, "/links")
	form.Set("application", w.ours.apps[1].ID.String())
	form.Set("amount", "٢٥٫٥")
	form.Set("description", "قهوة مختصة، نصف كيلو")
	form.Set("expiry", "week")
	made := c.send(http.MethodPost, w.ours.path("links?lang=en"), form)
	page := c.follow(made).is(t, http.StatusOK).has(t, "The payment link is ready", "25.500",
		"قهوة مختصة، نصف كيلو", "can be paid once")

	i := w.linked(t, page)
	if i.Application != w.ours.apps[1].ID || i.Amount.Minor != 25_500 ||
		i.Description != form.Get("description") || !strings.HasPrefix(string(i.MerchantReference), "link-") {
		t.Errorf("the intent is %+v", i)
	}
	if got := i.ExpiresAt.Sub(w.now()).Round(time.Millisecond); got != 7*24*time.Hour {
		t.Errorf("it expires in %v, want a week", got)
	}
	recorded, err := eventstore.NewReader(w.pool).ReadStream(t.Context(), uuid.UUID(i.ID))
	if err != nil {
		t.Fatal(err)
	}
	origin, err := recorded[0].Origin()
	if want := "user:" + w.ours.people[accounts.RoleDeveloper].ID.String(); err != nil || origin.Actor != want {
		t.Errorf("the event is by %q, want %q: %v", origin.Actor, want, err)
	}
	trail := w.trail(t, w.ours, accounts.ActionCreatePayment)
	if len(trail) != 1 || trail[0].SubjectID != uuid.UUID(i.ID) || trail[0].Detail["amount"] != "25.500 LYD" {
		t.Errorf("the audit trail has %v", trail)
	}

	// The message for WhatsApp has the shop, the amount, the description and the address.
	found := whatsApp.FindStringSubmatch(page.body)
	if found == nil {
		t.Fatal("the page has no link to WhatsApp")
	}
	share, err := url.Parse(html.UnescapeString(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	text := share.Query().Get("text")
	for _, part := range []string{"25.500", form.Get("description"), secretIn(t, page, "link")} {
		if !strings.Contains(text, part) {
			t.Errorf("the message lacks %q:\n%s", part, text)
		}
	}

	// The same form again, by a double click or a lost answer, leads to the same link.
	again := c.send(http.MethodPost, w.ours.path("links?lang=en"), form)
	if w.linked(t, c.follow(again)).ID != i.ID {
		t.Error("a form that was sent twice made two payments")
	}
	if len(w.trail(t, w.ours, accounts.ActionCreatePayment)) != 1 {
		t.Error("it is in the audit trail twice")
	}
}

func TestLimitsOfPaymentLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	good := []string{"form", "ABCD", "application", w.ours.apps[0].ID.String(), "amount", "10", "description",
		"Dates", "expiry", "day", "reference", "invoice-7"}
	post := func(change ...string) answer {
		form := url.Values{}
		for n := 0; n < len(good); n += 2 {
			form.Set(good[n], good[n+1])
		}
		for n := 0; n < len(change); n += 2 {
			form.Set(change[n], change[n+1])
		}
		return c.send(http.MethodPost, w.ours.path("links?lang=en"), form)
	}
	for _, row := range []struct{ field, value, says string }{
		{"amount", "", "from 1.000 to 1,000,000.000"},
		{"amount", "0.999", "from 1.000 to 1,000,000.000"},
		{"amount", "1,000,000.001", "from 1.000 to 1,000,000.000"},
		{"amount", "10.5005", "from 1.000 to 1,000,000.000"},
		{"description", "\u00a0\u200b", "one line of at most 255"},
		{"description", strings.Repeat("د", 256), "one line of at most 255"},
		{"reference", strings.Repeat("r", 256), "one line of at most 255"},
		{"expiry", "year", "Choose the time."},
		{"application", "", "Choose the application."},
		{"application", w.other.apps[0].ID.String(), "Choose the application."},
	} {
		post(row.field, row.value).is(t, http.StatusUnprocessableEntity).has(t, row.says)
	}
	if len(w.trail(t, w.ours, accounts.ActionCreatePayment)) != 0 {
		t.Error("a form that was refused is in the audit trail")
	}
	first := w.linked(t, c.follow(post()))
	if first.MerchantReference != "invoice-7" {
		t.Errorf("the reference is %q", first.MerchantReference)
	}
	post("amount", "11").is(t, http.StatusUnprocessableEntity).has(t, "Another payment has this reference.")

	// Neither an application that was deactivated nor a payment that has ended has a link.
	if err := w.accounts.SetActive(t.Context(), operator, w.ours.org.ID, w.ours.apps[0].ID, false); err != nil {
		t.Fatal(err)
	}
	post("reference", "invoice-8").is(t, http.StatusUnprocessableEntity)
	_, err := w.ledger.Execute(t.Context(), first.ID, domain.Expire{Stopped: true},
		ledger.Origin{Actor: "operator:test"})
	if err != nil {
		t.Fatal(err)
	}
	c.get(w.ours.path("payments/"+first.ID.String()+"/link?lang=en")).is(t, http.StatusOK).
		has(t, "no longer open").
		lacks(t, projections.CheckoutPath(first.ID, first.CheckoutToken), "the link of a payment that has ended")
}

package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daftar/domain"
)

// typedCookie returns the cookie that an answer sets for what was typed.
func typedCookie(t *testing.T, s shown) *http.Cookie {
	t.Helper()
	set, err := http.ParseSetCookie(s.header.Get("Set-Cookie"))
	if err != nil {
		t.Fatalf("the answer sets no cookie: %v", err)
	}
	return set
}

// typedOn returns the fields of an intent's page, for a browser with this cookie.
func (w *world) typedOn(i domain.Intent, cookie *http.Cookie) (phone, birthYear string) {
	w.t.Helper()
	page := w.send(http.MethodGet, path(i), nil, func(r *http.Request) { r.AddCookie(cookie) })
	w.want(page, 200, "pay")
	for _, input := range page.document.all("input") {
		switch input.attr("name") {
		case "phone":
			phone = input.attr("value")
		case "birth_year":
			birthYear = input.attr("value")
		}
	}
	return phone, birthYear
}

// After a failure the page has what was typed, in the browser in which it was typed, for an hour and
// for this payment. The cookie tells nothing, and scripts cannot read it.
func TestWhatWasTypedIsKeptForTheBrowser(t *testing.T) {
	t.Parallel()
	w := newShop(t, "plutu")
	i, other := w.create(), w.create()
	answer := w.post(path(i)+"/attempts",
		url.Values{"method": {"sadad"}, "phone": {"091 234 5678"}, "birth_year": {"1990"}})
	cookie := typedCookie(t, w.want303(answer))
	if !cookie.HttpOnly || cookie.Path != path(i) || cookie.MaxAge != 3600 || cookie.Secure ||
		cookie.SameSite != http.SameSiteLaxMode {
		t.Errorf("the cookie is %v", cookie)
	}
	if strings.Contains(cookie.Value, "912345678") || strings.Contains(cookie.Value, "1990") {
		t.Errorf("the cookie can be read: %v", cookie)
	}
	w.button(i, "/give-up")
	if phone, year := w.typedOn(i, cookie); phone != "0912345678" || year != "1990" {
		t.Errorf("the page has %q and %q", phone, year)
	}
	changed := *cookie
	changed.Value = strings.Repeat("A", len(cookie.Value))
	for _, row := range []struct {
		what string
		i    domain.Intent
		with *http.Cookie
	}{
		{"another browser", i, &http.Cookie{Name: "other", Value: "1"}},
		{"another payment", other, cookie},
		{"a changed cookie", i, &changed},
	} {
		if phone, year := w.typedOn(row.i, row.with); phone+year != "" {
			t.Errorf("%s: the page has %q and %q", row.what, phone, year)
		}
	}
	w.later(time.Hour)
	if phone, year := w.typedOn(i, cookie); phone+year != "" {
		t.Errorf("after an hour the page has %q and %q", phone, year)
	}
}

// Once the order is paid the browser forgets the number, and a card leaves none.
func TestTheNumberIsForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	cookie := typedCookie(t, w.want303(w.post(path(i)+"/attempts", wallet("0912345678"))))
	w.want(w.submit(w.visit(path(i)), code("111111")), 200, "receipt")
	receipt := w.send(http.MethodGet, path(i), nil, func(r *http.Request) { r.AddCookie(cookie) })
	if gone := typedCookie(t, receipt); gone.MaxAge >= 0 || gone.Path != cookie.Path || gone.Value != "" {
		t.Errorf("the receipt sets %v", gone)
	}
	if set := w.visit(path(i)).header.Get("Set-Cookie"); set != "" {
		t.Errorf("without a cookie the receipt sets %q", set)
	}
	if set := w.post(path(w.create())+"/attempts", card()).header.Get("Set-Cookie"); set != "" {
		t.Errorf("a card sets %q", set)
	}
}

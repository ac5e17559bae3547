package checkout_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A GET of a form's address, and a POST with which a bank sends a payer back, are redirected to the
// page in the same language, and change nothing.
func TestAddressesOfFormsLeadToThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.atCode(i, "0912345678")
	fromBank := func(r *http.Request) {
		r.Header.Set("Origin", "https://bank.example")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
	}
	before := w.position()
	forms := []string{"/attempts", "/code", "/resend", "/give-up", "/return"}
	for _, lang := range []string{"", "?lang=en"} {
		wants := func(method, below string, status int) {
			t.Helper()
			address := path(i) + below + lang
			s := w.send(method, address, url.Values{"approved": {"1"}, "otp": {"111111"}}, fromBank)
			want := path(i) + lang
			if below == "/return" {
				want = path(i) // the attempt has a language
			}
			if got := s.header.Get("Location"); s.status != status || got != want {
				t.Errorf("%s %s: %d to %q, want %d to %q", method, address, s.status, got, status, want)
			}
		}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			for _, form := range forms {
				wants(method, form, 303)
			}
			wants(method, "/", 308)
		}
		for _, below := range []string{"", "/", "/return"} {
			wants(http.MethodPost, below, 303)
		}
	}
	wrong := "/pay/" + i.ID.String() + "/" + strings.Repeat("0", 26)
	for _, below := range append(forms, "/") {
		w.want(w.visit(wrong+below), 404, "not-found")
	}
	w.want(w.post(wrong+"/return", url.Values{"approved": {"1"}}), 404, "not-found")
	after := w.position()
	if after != before || w.acquirer.confirmed.Load() != 0 || w.acquirer.canceled.Load() != 0 {
		t.Errorf("%d events before, %d after: opening an address changed something", before, after)
	}
	w.want(w.visit(path(i)+"?lang=en-US"), 200, "otp")
}

// A signature proves a payment also where the acquirer's page posts it; a form without a signature
// proves nothing.
func TestAPostedReturnNeedsASignature(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	back, err := url.Parse(s.pressed(s.chooses(i, "cards"), "pay"))
	if err != nil {
		t.Fatal(err)
	}
	posts := func(form string) shown {
		return s.send(http.MethodPost, path(i)+"/return", url.Values{}, func(r *http.Request) {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(form)), int64(len(form))
		})
	}
	for _, form := range []string{
		"",
		"approved=1",
		strings.Replace(back.RawQuery, "amount=45", "amount=46", 1),
		strings.Repeat("a=1&", 10_000),
	} {
		if got := posts(form); got.status != http.StatusSeeOther {
			t.Errorf("%.20s: %d", form, got.status)
		}
		s.wantHistory(i.ID, "created", "attempt_started")
	}
	s.want(s.follow(posts(back.RawQuery)), 200, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

package sandbox_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"daftar/payments/acquirer"
)

// browser is a browser without cookies and JavaScript.
type browser struct{ w *world }

// shown is a page as the payer sees it.
type shown struct {
	status int
	header http.Header
	url    *url.URL
	root   *html.Node
	source string
}

// visit opens an address, or submits a form to it, and follows no redirect.
func (b browser) visit(method, address string, form url.Values) shown {
	b.w.t.Helper()
	req, err := http.NewRequestWithContext(b.w.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		b.w.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	client := http.Client{
		Transport:     b.w.server.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := client.Do(req)
	if err != nil {
		b.w.t.Fatal(err)
	}
	defer res.Body.Close()
	source, err := io.ReadAll(res.Body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(string(source)))
	if err != nil {
		b.w.t.Fatal(err)
	}
	return shown{res.StatusCode, res.Header, req.URL, root, string(source)}
}

// press submits the page's form with the button of that value, then follows the redirect.
func (b browser) press(page shown, value string) shown {
	b.w.t.Helper()
	form := page.find("form", "", "")
	button := page.find("button", "value", value)
	if form == nil || button == nil || attr(form, "method") != "post" {
		b.w.t.Fatalf("the page has no button %q in a form", value)
	}
	target, err := page.url.Parse(attr(form, "action"))
	if err != nil {
		b.w.t.Fatal(err)
	}
	pressed := b.visit(http.MethodPost, target.String(), url.Values{attr(button, "name"): {value}})
	if pressed.status != http.StatusSeeOther {
		b.w.t.Fatalf("pressing %s: status %d, want 303", value, pressed.status)
	}
	next, err := target.Parse(pressed.header.Get("Location"))
	if err != nil || next.Host != target.Host {
		b.w.t.Fatalf("pressing %s leads to %v (%v): the policy's form-action would stop it", value, next, err)
	}
	return b.visit(http.MethodGet, next.String(), nil)
}

func (s shown) find(tag, name, value string) *html.Node {
	for n := range s.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == tag && (name == "" || attr(n, name) == value) {
			return n
		}
	}
	return nil
}

// view is the page's language, direction and state.
func (s shown) view() [3]string {
	root, main := s.find("html", "", ""), s.find("main", "", "")
	if root == nil || main == nil {
		return [3]string{}
	}
	return [3]string{attr(root, "lang"), attr(root, "dir"), attr(main, "data-state")}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (w *world) beginCard(language string) (acquirer.Payment, shown) {
	w.t.Helper()
	p := w.cardPayment(language)
	redirected, ok := w.begin(p).(acquirer.Redirected)
	if !ok {
		w.t.Fatal("a card payment was not redirected")
	}
	return p, browser{w}.visit(http.MethodGet, redirected.URL, nil)
}

func TestTheBankPage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		button, view string
		state        acquirer.State
		reason       acquirer.Reason
		taken        int
		words        map[string]string
	}{
		{"pay", "paid", acquirer.StatePaid, "", 1, map[string]string{"ar": "تم الدفع", "en": "Paid"}},
		{
			"decline", "declined", acquirer.StateDeclined, acquirer.GenericDecline, 0,
			map[string]string{"ar": "لم يُسحب أي مبلغ", "en": "No money was taken"},
		},
		{
			"leave", "left", acquirer.StateDeclined, acquirer.Abandoned, 0,
			map[string]string{"ar": "لم يُسحب أي مبلغ", "en": "No money was taken"},
		},
	} {
		for language, dir := range map[string]string{"ar": "rtl", "en": "ltr"} {
			t.Run(tc.button+" "+language, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				p, page := w.beginCard(language)
				if diff := cmp.Diff([3]string{language, dir, "choose"}, page.view()); page.status != 200 || diff != "" {
					t.Fatalf("status %d, view (-want +got):\n%s", page.status, diff)
				}
				if page.find("meta", "http-equiv", "refresh") != nil {
					t.Error("an undecided page sends the payer away")
				}
				labels := map[string]string{"ar": "1,234.500\u00a0د.ل", "en": "1,234.500\u00a0LYD"}
				label := labels[language]
				if !strings.Contains(html.UnescapeString(page.source), label) {
					t.Errorf("the page does not show %s", label)
				}
				w.wantState(p, acquirer.StatePending, "")

				after := browser{w}.press(page, tc.button)
				if diff := cmp.Diff([3]string{language, dir, tc.view}, after.view()); diff != "" {
					t.Errorf("after %s (-want +got):\n%s", tc.button, diff)
				}
				if !strings.Contains(after.source, tc.words[language]) {
					t.Errorf("the page does not say %q", tc.words[language])
				}
				after.wantWayBack(t, p.ReturnURL)
				w.wantState(p, tc.state, tc.reason)
				w.wantTaken(tc.taken)
				w.wantNotifications(1)
			})
		}
	}
}

// wantWayBack checks the link and the refresh, and that the address is unchanged.
func (s shown) wantWayBack(t *testing.T, returnURL string) {
	t.Helper()
	link, refresh := s.find("a", "id", "back"), s.find("meta", "http-equiv", "refresh")
	if link == nil || attr(link, "href") != returnURL {
		t.Errorf("no link back to %s", returnURL)
	}
	if refresh == nil || attr(refresh, "content") != "2;url="+returnURL {
		t.Errorf("no refresh back to %s", returnURL)
	}
	if s.find("form", "", "") != nil {
		t.Error("a decided payment still has buttons")
	}
}

func TestABankPageIsDecidedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, page := w.beginCard("ar")
	browser{w}.press(page, "pay")
	for _, button := range []string{"pay", "decline", "leave"} { // on the old page, after the back button
		if after := (browser{w}).press(page, button); after.view()[2] != "paid" {
			t.Errorf("%s after pay: %v", button, after.view())
		}
	}
	w.wantState(p, acquirer.StatePaid, "")
	w.wantTaken(1)
	w.wantNotifications(1)
}

func TestABankPageLapses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, page := w.beginCard("en")
	w.clock.Advance(10*time.Minute - time.Nanosecond)
	w.wantState(p, acquirer.StatePending, "")
	w.clock.Advance(time.Nanosecond)
	w.wantState(p, acquirer.StateDeclined, acquirer.Abandoned)
	if after := (browser{w}).press(page, "pay"); after.view()[2] != "left" {
		t.Errorf("pay on a page that has lapsed: %v", after.view())
	}
	w.wantTaken(0)
}

func TestTheBankPageSpeaksBothLanguages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, page := w.beginCard("")
	if page.view()[0] != "ar" {
		t.Errorf("default language %q", page.view()[0])
	}
	for _, want := range []string{"en", "ar"} {
		link := page.find("a", "hreflang", want)
		if link == nil || attr(link, "lang") != want {
			t.Fatalf("no link to the page in %s", want)
		}
		address, err := page.url.Parse(attr(link, "href"))
		if err != nil {
			t.Fatal(err)
		}
		if page = (browser{w}).visit(http.MethodGet, address.String(), nil); page.view()[0] != want {
			t.Fatalf("the link to %s leads to %v", want, page.view())
		}
	}
}

func TestTheBankPageIsLockedDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.cardPayment("ar")
	p.Description = `<script>alert(1)</script>`
	address := w.begin(p).(acquirer.Redirected).URL
	page := browser{w}.visit(http.MethodGet, address, nil)
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; " +
			"frame-ancestors 'none'; base-uri 'none'",
		"Cache-Control":          "no-store",
		"Referrer-Policy":        "no-referrer",
		"X-Content-Type-Options": "nosniff",
		"X-Robots-Tag":           "noindex",
		"Content-Type":           "text/html; charset=utf-8",
		"Set-Cookie":             "",
	} {
		if got := page.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for n := range page.root.Descendants() {
		if n.Data == "script" || n.Data == "style" || attr(n, "style") != "" {
			t.Errorf("the page has an inline <%s>", n.Data)
		}
	}
	href := attr(page.find("link", "rel", "stylesheet"), "href")
	style := browser{w}.visit(http.MethodGet, w.server.URL+href, nil)
	if style.status != 200 || !strings.HasPrefix(style.header.Get("Content-Type"), "text/css") {
		t.Errorf("style sheet: %d %s", style.status, style.header.Get("Content-Type"))
	}
}

func TestAPressOnNoButtonChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, page := w.beginCard("en")
	for _, form := range []url.Values{{}, {"action": {"refund"}}} {
		after := browser{w}.visit(http.MethodPost, page.url.String(), form)
		if after.status != http.StatusBadRequest ||
			!strings.Contains(after.source, "Press one of the three buttons") {
			t.Errorf("%v: status %d", form, after.status)
		}
	}
	w.wantState(p, acquirer.StatePending, "")
}

func TestOnlyCardsHaveABankPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	wallet := w.beginWallet("0912345678")
	for _, id := range []string{string(wallet.Attempt), "zzzzzzzzzzzz"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			page := browser{w}.visit(method, w.server.URL+"/bank/"+id+"?lang=en", url.Values{"action": {"pay"}})
			if page.status != http.StatusNotFound || page.view() != [3]string{"en", "ltr", "not-found"} {
				t.Errorf("%s /bank/%s: %d %v", method, id, page.status, page.view())
			}
		}
	}
	w.wantTaken(0)

	card, _ := w.beginCard("ar")
	if c, err := w.adapter.Confirm(t.Context(), ref(card.Attempt), right); err == nil {
		t.Errorf("a card payment was confirmed by a code: %v", c)
	}
	w.wantState(card, acquirer.StatePending, "")
}

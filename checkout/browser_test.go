package checkout_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daftar/domain"
	"daftar/projections"
)

// shown is an answer of the checkout.
type shown struct {
	status   int
	header   http.Header
	body     string
	document document // of pages
}

// state is the data-state of a page.
func (s shown) state() string {
	if s.document.Node == nil {
		return "" // a redirect
	}
	for _, m := range s.document.all("main") {
		return m.attr("data-state")
	}
	return ""
}

func (s shown) text() string { return s.document.text() }

// send makes one request and follows no redirect.
func (w *world) send(method, path string, form url.Values, change ...func(*http.Request)) shown {
	w.t.Helper()
	req, err := http.NewRequest(method, w.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		w.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range change {
		c(req)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	s := shown{status: res.StatusCode, header: res.Header, body: string(body)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") && method != http.MethodHead {
		s.document = parse(w.t, s.body)
	}
	return s
}

func path(i domain.Intent) string { return projections.CheckoutPath(i.ID, i.CheckoutToken) }

// visit opens a page.
func (w *world) visit(address string) shown {
	w.t.Helper()
	return w.send(http.MethodGet, address, nil)
}

// action is the address of the form with the payer's input.
func (s shown) action(t *testing.T) string {
	t.Helper()
	for _, form := range s.document.all("form") {
		for _, path := range []string{"/attempts", "/code"} {
			if strings.HasSuffix(strings.Split(form.attr("action"), "?")[0], path) {
				return form.attr("action")
			}
		}
	}
	t.Fatal("the page has no form to fill in")
	return ""
}

// submit sends the page's form, filled in, as a browser on the same site does,
// and follows the answer. A redirect to a bank is not followed: it visits the payment page
// again, like a payer who comes back at once.
func (w *world) submit(page shown, fields url.Values) shown {
	w.t.Helper()
	action := page.action(w.t)
	answer := w.post(action, fields)
	if answer.status == http.StatusSeeOther && !strings.HasPrefix(answer.header.Get("Location"), "/") {
		return w.visit(strings.Replace(action, "/attempts", "", 1))
	}
	return w.follow(answer)
}

// follow follows a redirect.
func (w *world) follow(answer shown) shown {
	w.t.Helper()
	if answer.status != http.StatusSeeOther {
		return answer
	}
	return w.visit(answer.header.Get("Location"))
}

// post sends a form and does not follow the answer.
func (w *world) post(action string, fields url.Values) shown {
	w.t.Helper()
	return w.send(http.MethodPost, action, fields, func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Origin", w.url)
	})
}

func wallet(phone string) url.Values { return url.Values{"method": {"wallet"}, "phone": {phone}} }

func card() url.Values { return url.Values{"method": {"card"}} }

func code(c string) url.Values { return url.Values{"otp": {c}} }

// want checks status and state.
func (w *world) want(s shown, status int, state string) shown {
	w.t.Helper()
	if s.status != status || s.state() != state {
		w.t.Fatalf("the answer is %d with state %q, want %d %q", s.status, s.state(), status, state)
	}
	return s
}

// until loads the page again and again, as the page does by itself, until it shows
// the state.
func (w *world) until(i domain.Intent, state string) shown {
	w.t.Helper()
	var last shown
	w.eventually("the page shows "+state, func() bool {
		last = w.visit(path(i))
		return last.state() == state
	})
	if last.state() != state {
		w.t.Fatalf("the page shows %q", last.state())
	}
	return last
}

// atCode brings a wallet payment to the code page.
func (w *world) atCode(i domain.Intent, phone string) shown {
	w.t.Helper()
	return w.want(w.submit(w.want(w.visit(path(i)), 200, "pay"), wallet(phone)), 200, "otp")
}

// atBank brings a card payment to the page that leads to the bank.
func (w *world) atBank(i domain.Intent) shown {
	w.t.Helper()
	return w.want(w.submit(w.want(w.visit(path(i)), 200, "pay"), card()), 200, "processing")
}

// press presses a button on the bank's page.
func (w *world) press(waiting shown, button string) {
	w.t.Helper()
	address := ""
	for _, a := range waiting.document.all("a") {
		if strings.HasPrefix(a.attr("href"), w.bankURL) {
			address = a.attr("href")
		}
	}
	if address == "" {
		w.t.Fatal("the page does not lead to the bank")
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	res, err := client.PostForm(address, url.Values{"action": {button}})
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusSeeOther {
		w.t.Fatalf("the bank answers %s with %d", button, res.StatusCode)
	}
}

func contains(t *testing.T, s shown, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(s.text(), word) {
			t.Errorf("the page has no %q:\n%s", word, s.text())
		}
	}
}

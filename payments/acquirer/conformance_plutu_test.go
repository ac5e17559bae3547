package acquirer_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/plutu"
	plutufake "daftar/payments/acquirer/plutu/fake"
)

// Keys that no account of Plutu has.
const (
	plutuKey    = "made-up-api-key-7f3a"
	plutuToken  = "made-up-access-token-91c2"
	plutuSecret = "made-up-signing-key-1"
)

// plutuDriver causes behaviours at Plutu's fake.
type plutuDriver struct{ w *world }

func plutuProvider(t *testing.T) provider {
	t.Helper()
	p, err := plutu.New(plutu.Config{URL: "http://plutu.example"})
	if err != nil {
		t.Fatal(err)
	}
	return provider{"plutu", p.Capabilities(), func(w *world) {
		f := plutufake.New(plutufake.Config{
			APIKey: plutuKey, AccessToken: plutuToken, SecretKey: plutuSecret, Clock: w.theirs, HangFor: time.Millisecond,
		})
		w.server = acquirertest.NewServer(w.t, "/v1/", f)
		w.t.Cleanup(f.Close)
		w.driver = plutuDriver{w}
	}}
}

func (d plutuDriver) open(url string, stranger bool) acquirer.Acquirer {
	settings := fmt.Sprintf(`{"api_key":%q,"access_token":%q,"secret_key":%q}`, plutuKey, plutuToken, plutuSecret)
	if stranger {
		settings = `{"api_key":"another-key","access_token":"another-token","secret_key":"another-secret"}`
	}
	p, err := plutu.New(plutu.Config{URL: url, Timeout: time.Minute})
	if err != nil {
		d.w.t.Fatal(err)
	}
	d.w.t.Cleanup(p.Close)
	return opened(d.w.t, p, settings)
}

func opened(t *testing.T, p acquirer.Provider, settings string) acquirer.Acquirer {
	t.Helper()
	a, err := p.Open([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (plutuDriver) secrets() []string { return []string{plutuKey, plutuToken, plutuSecret} }

func (d plutuDriver) fault(f fake.Fault) { controlFault(d.w, f) }

// controlFault asks the control that the fakes of package fake have in common.
func controlFault(w *world, f fake.Fault) {
	w.t.Helper()
	w.server.Control("/control/faults", fmt.Sprintf(`{"call":"*","faults":[%q]}`, f), nil)
}

func (d plutuDriver) books(p acquirer.Payment) fake.Payment { return d.w.server.Books(p.Reference) }

func (plutuDriver) phone(as payer) string {
	switch as {
	case declines:
		return "0910000006"
	case paysEarly:
		return "0910000024"
	case pays, mistypes, paysTwice, paysLate, paysOther:
	}
	return ordinaryPhone
}

// pay presses a button of the page. A payer who declines there leaves: the button for it
// decides nothing. What is paid early the number has paid already.
func (d plutuDriver) pay(s *session, as payer) *acquirer.Message {
	d.w.t.Helper()
	switch as {
	case paysEarly:
		return nil
	case paysOther:
		return d.underpay(s)
	case pays, declines, mistypes, paysTwice, paysLate:
	}
	button := "pay"
	if as == declines {
		button = "leave"
	}
	client := http.Client{
		Transport:     d.w.server.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	page := s.begun.(acquirer.Redirected).URL
	res, err := client.PostForm(page, url.Values{"action": {button}})
	if err != nil {
		d.w.t.Fatal(err)
	}
	defer res.Body.Close()
	back, err := res.Location()
	if err != nil {
		d.w.t.Fatalf("payment page: %d, %v", res.StatusCode, err)
	}
	return d.returned(back.RawQuery)
}

// returned is what the payer's browser brings; that of T-Lync proves nothing.
func (d plutuDriver) returned(query string) *acquirer.Message {
	if !d.w.c.SignedReturn {
		return nil
	}
	return &acquirer.Message{Returned: true, Query: query, Header: http.Header{}}
}

// underpay has a signed message state another amount than was asked for.
func (d plutuDriver) underpay(s *session) *acquirer.Message {
	d.w.t.Helper()
	var answer struct {
		Query string `json:"query"`
	}
	d.w.server.Control("/control/messages", fmt.Sprintf(`{"reference":%q,"kind":"underpaid"}`, s.p.Reference), &answer)
	return d.returned(answer.Query)
}

func (plutuDriver) repoint(m acquirer.Message, s *session, other string) acquirer.Message {
	m.Query = strings.ReplaceAll(m.Query, s.p.Reference, other)
	m.Body = []byte(strings.ReplaceAll(string(m.Body), s.p.Reference, other))
	return m
}

// answerOther does nothing: no answer of Plutu names a reference.
func (plutuDriver) answerOther(*session, string) {}

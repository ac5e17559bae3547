package plutu_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/conformance"
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
type plutuDriver struct{ w *conformance.World }

// Every method keeps the port's promises, whatever the acquirer does.
func TestConformance(t *testing.T) {
	t.Parallel()
	p, err := plutu.New(plutu.Config{URL: "http://plutu.example"})
	if err != nil {
		t.Fatal(err)
	}
	conformance.Run(t, conformance.Adapter{
		Capabilities: p.Capabilities(),
		Control: []string{
			"GET ledger", "GET codes", "POST faults", "POST errors", "POST spelling", "POST messages",
		},
		Start: func(w *conformance.World) {
			f := plutufake.New(plutufake.Config{
				APIKey: plutuKey, AccessToken: plutuToken, SecretKey: plutuSecret, Clock: w.Theirs,
				HangFor: time.Millisecond,
			})
			w.Server = acquirertest.NewServer(w.T, "/v1/", f)
			w.T.Cleanup(f.Close)
			w.Driver = plutuDriver{w}
		},
	})
}

func (d plutuDriver) Open(url string, stranger bool) acquirer.Acquirer {
	settings := fmt.Sprintf(`{"api_key":%q,"access_token":%q,"secret_key":%q}`,
		plutuKey, plutuToken, plutuSecret)
	if stranger {
		settings = `{"api_key":"another-key","access_token":"another-token","secret_key":"another-secret"}`
	}
	p, err := plutu.New(plutu.Config{URL: url, Timeout: time.Minute})
	if err != nil {
		d.w.T.Fatal(err)
	}
	d.w.T.Cleanup(p.Close)
	return conformance.Opened(d.w.T, p, settings)
}

func (plutuDriver) Secrets() []string { return []string{plutuKey, plutuToken, plutuSecret} }

func (d plutuDriver) Fault(f fake.Fault) { conformance.ControlFault(d.w, f) }

func (d plutuDriver) Books(p acquirer.Payment) fake.Payment { return d.w.Server.Books(p.Reference) }

func (plutuDriver) Phone(as conformance.Payer) string {
	switch as {
	case conformance.Declines:
		return "0910000006"
	case conformance.PaysEarly:
		return "0910000024"
	case conformance.Pays, conformance.Mistypes, conformance.PaysTwice, conformance.PaysLate,
		conformance.PaysOther:
	}
	return conformance.OrdinaryPhone
}

// Pay presses a button of the page. To decline, the payer leaves the page, because its decline
// button decides nothing. Where a payer pays early, the number has paid already.
func (d plutuDriver) Pay(s *conformance.Session, as conformance.Payer) *acquirer.Message {
	d.w.T.Helper()
	switch as {
	case conformance.PaysEarly:
		return nil
	case conformance.PaysOther:
		return d.underpay(s)
	case conformance.Pays, conformance.Declines, conformance.Mistypes, conformance.PaysTwice,
		conformance.PaysLate:
	}
	button := "pay"
	if as == conformance.Declines {
		button = "leave"
	}
	client := http.Client{
		Transport:     d.w.Server.Client().Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	page := s.Begun.(acquirer.Redirected).URL
	res, err := client.PostForm(page, url.Values{"action": {button}})
	if err != nil {
		d.w.T.Fatal(err)
	}
	defer res.Body.Close()
	back, err := res.Location()
	if err != nil {
		d.w.T.Fatalf("payment page: %d, %v", res.StatusCode, err)
	}
	return d.returned(back.RawQuery)
}

// returned is the message that the payer's browser brings; nil of T-Lync, whose query proves
// nothing.
func (d plutuDriver) returned(query string) *acquirer.Message {
	if !d.w.Capability.SignedReturn {
		return nil
	}
	return &acquirer.Message{Returned: true, Query: query, Header: http.Header{}}
}

// underpay sends a signed message with another amount than was asked for.
func (d plutuDriver) underpay(s *conformance.Session) *acquirer.Message {
	d.w.T.Helper()
	var answer struct {
		Query string `json:"query"`
	}
	body := fmt.Sprintf(`{"reference":%q,"kind":"underpaid"}`, s.Payment.Reference)
	d.w.Server.Control("/control/messages", body, &answer)
	return d.returned(answer.Query)
}

func (plutuDriver) Repoint(m acquirer.Message, s *conformance.Session, other string) acquirer.Message {
	m.Query = strings.ReplaceAll(m.Query, s.Payment.Reference, other)
	m.Body = []byte(strings.ReplaceAll(string(m.Body), s.Payment.Reference, other))
	return m
}

// AnswerOther does nothing: no answer of Plutu has a reference.
func (plutuDriver) AnswerOther(*conformance.Session, string) {}

package sandbox_test

import (
	"bytes"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/conformance"
	"daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/acquirer/sandbox/bank"
)

const sandboxSecret = "the sandbox's secret"

// sandboxDriver causes behaviours at the sandbox's bank.
type sandboxDriver struct{ w *conformance.World }

// Every method keeps the port's promises, whatever the acquirer does.
func TestConformance(t *testing.T) {
	t.Parallel()
	known, err := sandbox.New(sandbox.Config{URL: "http://bank.example", Secret: sandboxSecret})
	if err != nil {
		t.Fatal(err)
	}
	conformance.Run(t, conformance.Adapter{
		Capabilities: known.Capabilities(),
		Control: []string{
			"GET payments", "GET ledger", "GET refunds", "POST payments/0123456789abcdefghjkmnpqrs/settle",
		},
		Start: func(w *conformance.World) {
			b, err := bank.New(bank.Config{
				Secret:      sandboxSecret,
				PublicURL:   "http://bank.example",
				Logger:      zerolog.Nop(),
				Clock:       w.Theirs,
				HoldLimit:   time.Millisecond,
				NotifyAfter: []time.Duration{0},
			})
			if err != nil {
				w.T.Fatal(err)
			}
			w.Server = acquirertest.NewServer(w.T, "/v1/", b.Handler())
			w.T.Cleanup(func() {
				if err := b.Close(); err != nil {
					w.T.Error(err)
				}
			})
			w.Driver = sandboxDriver{w}
		},
	})
}

func (d sandboxDriver) Open(url string, stranger bool) acquirer.Acquirer {
	secret := sandboxSecret
	if stranger {
		secret = "another secret"
	}
	a, err := sandbox.New(sandbox.Config{URL: url, Secret: secret, Timeout: time.Minute, Now: d.w.Clock.Now})
	if err != nil {
		d.w.T.Fatal(err)
	}
	d.w.T.Cleanup(a.Close)
	return a
}

func (sandboxDriver) Secrets() []string { return []string{sandboxSecret} }

// Fault uses the server, because the bank's control has no faults.
func (d sandboxDriver) Fault(f fake.Fault) { d.w.Server.Fault(f) }

func (d sandboxDriver) Books(p acquirer.Payment) fake.Payment {
	type entry struct {
		Intent string `json:"intent"`
		Amount int64  `json:"amount"`
	}
	var taken, refunded []entry
	d.w.Server.Control("/control/ledger", "", &taken)
	d.w.Server.Control("/control/refunds", "", &refunded)
	var books fake.Payment
	for _, e := range taken {
		if e.Intent == p.Intent.String() {
			books.Taken++
			books.Amount = e.Amount
		}
	}
	for _, e := range refunded {
		if e.Intent == p.Intent.String() {
			books.Refunded += e.Amount
		}
	}
	return books
}

func (sandboxDriver) Phone(as conformance.Payer) string {
	if as == conformance.Declines {
		return "0920000004"
	}
	return conformance.OrdinaryPhone
}

// Pay presses a button of the bank page. A late or early payment is settled by control.
func (d sandboxDriver) Pay(s *conformance.Session, as conformance.Payer) *acquirer.Message {
	d.w.T.Helper()
	if as == conformance.PaysLate || as == conformance.PaysEarly {
		d.w.Server.Control("/control/payments/"+s.Payment.Reference+"/settle", `{"outcome":"paid"}`, nil)
		return nil
	}
	page, err := url.Parse(s.Begun.(acquirer.Redirected).URL)
	if err != nil {
		d.w.T.Fatal(err)
	}
	button := map[conformance.Payer]string{conformance.Pays: "pay", conformance.Declines: "decline"}[as]
	res, err := d.w.Server.Client().PostForm(d.w.Server.URL+page.Path, url.Values{"action": {button}})
	if err != nil {
		d.w.T.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		d.w.T.Fatalf("bank page: %d", res.StatusCode)
	}
	return nil
}

func (sandboxDriver) Repoint(m acquirer.Message, s *conformance.Session, other string) acquirer.Message {
	m.Body = bytes.ReplaceAll(m.Body, []byte(s.Payment.Reference), []byte(other))
	return m
}

func (d sandboxDriver) AnswerOther(s *conformance.Session, other string) {
	d.w.Server.Alter(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(s.Payment.Reference), []byte(other))
	})
}

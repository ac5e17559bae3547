package acquirer_test

import (
	"bytes"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/acquirer/sandbox/bank"
)

const sandboxSecret = "the sandbox's secret"

// sandboxDriver causes behaviours at the sandbox's bank.
type sandboxDriver struct{ w *world }

func sandboxProvider(t *testing.T) provider {
	known, err := sandbox.New(sandbox.Config{URL: "http://bank.example", Secret: sandboxSecret})
	if err != nil {
		t.Fatal(err)
	}
	return provider{"sandbox", known.Capabilities(), func(w *world) {
		b, err := bank.New(bank.Config{
			Secret: sandboxSecret, PublicURL: "http://bank.example", Logger: zerolog.Nop(), Clock: w.theirs,
			HoldLimit: time.Millisecond, NotifyAfter: []time.Duration{0},
		})
		if err != nil {
			w.t.Fatal(err)
		}
		w.server = acquirertest.NewServer(w.t, "/v1/", b.Handler())
		w.t.Cleanup(func() {
			if err := b.Close(); err != nil {
				w.t.Error(err)
			}
		})
		w.driver = sandboxDriver{w}
	}}
}

func (d sandboxDriver) open(url string, stranger bool) acquirer.Acquirer {
	secret := sandboxSecret
	if stranger {
		secret = "another secret"
	}
	a, err := sandbox.New(sandbox.Config{URL: url, Secret: secret, Timeout: time.Minute, Now: d.w.clock.Now})
	if err != nil {
		d.w.t.Fatal(err)
	}
	d.w.t.Cleanup(a.Close)
	return a
}

func (sandboxDriver) secrets() []string { return []string{sandboxSecret} }

// fault is the server's: the bank's control has none.
func (d sandboxDriver) fault(f fake.Fault) { d.w.server.Fault(f) }

func (d sandboxDriver) books(p acquirer.Payment) fake.Payment {
	var entries []struct {
		Intent string `json:"intent"`
		Amount int64  `json:"amount"`
	}
	d.w.server.Control("/control/ledger", "", &entries)
	var books fake.Payment
	for _, e := range entries {
		if e.Intent == p.Intent.String() {
			books.Taken++
			books.Amount = e.Amount
		}
	}
	return books
}

func (sandboxDriver) phone(as payer) string {
	if as == declines {
		return "0920000004"
	}
	return ordinaryPhone
}

// pay presses a button of the bank page. What comes late or early is settled by control.
func (d sandboxDriver) pay(s *session, as payer) *acquirer.Message {
	d.w.t.Helper()
	if as == paysLate || as == paysEarly {
		d.w.server.Control("/control/payments/"+s.p.Reference+"/settle", `{"outcome":"paid"}`, nil)
		return nil
	}
	page, err := url.Parse(s.begun.(acquirer.Redirected).URL)
	if err != nil {
		d.w.t.Fatal(err)
	}
	button := map[payer]string{pays: "pay", declines: "decline"}[as]
	res, err := d.w.server.Client().PostForm(d.w.server.URL+page.Path, url.Values{"action": {button}})
	if err != nil {
		d.w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		d.w.t.Fatalf("bank page: %d", res.StatusCode)
	}
	return nil
}

func (sandboxDriver) repoint(m acquirer.Message, s *session, other string) acquirer.Message {
	m.Body = bytes.ReplaceAll(m.Body, []byte(s.p.Reference), []byte(other))
	return m
}

func (d sandboxDriver) answerOther(s *session, other string) {
	d.w.server.Alter(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(s.p.Reference), []byte(other))
	})
}

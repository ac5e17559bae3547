package lypay_test

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/conformance"
	"daftar/payments/acquirer/fake"
	"daftar/payments/acquirer/lypay"
	lypayfake "daftar/payments/acquirer/lypay/fake"
)

// Made up, as is the account: bank 099 is not assigned.
const (
	lypayToken = "a-token-for-tests"
	lypayKey   = "a key for tests"
	lypayIBAN  = "LY68099001000000000012345"
)

// lypayDriver causes behaviours at LYPay's fake.
type lypayDriver struct{ w *conformance.World }

// Every method keeps the port's promises, whatever the acquirer does.
func TestConformance(t *testing.T) {
	t.Parallel()
	conformance.Run(t, conformance.Adapter{
		Capabilities: (*lypay.Provider)(nil).Capabilities(),
		Control: []string{
			"GET ledger", "GET dialect", "POST faults", "POST dialect", "POST scan", "POST webhook",
			"POST transfers/LYP000000000000001",
		},
		Start: func(w *conformance.World) {
			f := lypayfake.New(lypayfake.Config{
				Token: lypayToken, WebhookKey: lypayKey, WebhookURL: w.Inbox.URL, Now: w.Theirs,
				HangFor: time.Millisecond,
			})
			f.SetDialect(lypayfake.Dialect{Answers: "list"}) // otherwise a second payment is not seen
			w.Server = acquirertest.NewServer(w.T, "/api/", f)
			w.T.Cleanup(f.Close)
			w.Driver = lypayDriver{w}
		},
	})
}

func (d lypayDriver) Open(url string, stranger bool) acquirer.Acquirer {
	token, key := lypayToken, lypayKey
	if stranger {
		token, key = "another-token", "another key"
	}
	p, err := lypay.New(lypay.Config{URL: url, Timeout: time.Minute, Now: d.w.Clock.Now})
	if err != nil {
		d.w.T.Fatal(err)
	}
	d.w.T.Cleanup(p.Close)
	const form = `{"token":%q,"webhook_key":%q,"iban":%q,"merchant_name":"TEST SHOP"}`
	return conformance.Opened(d.w.T, p, fmt.Sprintf(form, token, key, lypayIBAN))
}

func (lypayDriver) Secrets() []string { return []string{lypayToken, lypayKey, lypayIBAN} }

func (d lypayDriver) Fault(f fake.Fault) { conformance.ControlFault(d.w, f) }

func (d lypayDriver) Books(p acquirer.Payment) fake.Payment { return d.w.Server.Books(p.Reference) }

func (lypayDriver) Phone(conformance.Payer) string { return "" }

// lypayPayers are those of the fake's documentation; any other pays.
var lypayPayers = map[conformance.Payer]string{
	conformance.Declines:  "0920000004",
	conformance.PaysTwice: "0920000008",
	conformance.PaysEarly: "0920000013",
}

// Pay scans the code with the payer's app. After a wrong code the app does nothing.
func (d lypayDriver) Pay(s *conformance.Session, as conformance.Payer) *acquirer.Message {
	d.w.T.Helper()
	code, want := "111111", http.StatusOK
	if as == conformance.Mistypes {
		code, want = "222222", http.StatusUnprocessableEntity
	}
	payload := s.Begun.(acquirer.Presented).Payload
	body := fmt.Sprintf(`{"payload":%q,"payer":%q,"code":%q}`, payload, lypayPayers[as], code)
	res, err := d.w.Server.Client().Post(d.w.Server.URL+"/control/scan", "application/json",
		strings.NewReader(body))
	if err != nil {
		d.w.T.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != want {
		d.w.T.Fatalf("scan: %d, want %d", res.StatusCode, want)
	}
	if as == conformance.Declines { // the fake notifies of this only on request
		var scanned struct {
			Transfers []lypayfake.Made `json:"transfers"`
		}
		if err := json.UnmarshalRead(res.Body, &scanned); err != nil {
			d.w.T.Fatal(err)
		}
		path := "/control/transfers/" + scanned.Transfers[0].PaymentReference
		d.w.Server.Control(path, `{"notices":["status"]}`, nil)
	}
	return nil
}

// Repoint changes the transfer: a credit notice has no reference.
func (lypayDriver) Repoint(m acquirer.Message, _ *conformance.Session, _ string) acquirer.Message {
	m.Body = regexp.MustCompile(`LYP[0-9]{15}`).ReplaceAll(m.Body, []byte("LYP000000000000999"))
	return m
}

// AnswerOther adds the label, which the fake leaves out, to every credit.
func (d lypayDriver) AnswerOther(_ *conformance.Session, other string) {
	d.w.Server.Alter(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(`"paymentReference"`),
			[]byte(`"internalMerchantReference":"`+other+`","paymentReference"`))
	})
}

package acquirer_test

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
type lypayDriver struct{ w *world }

func lypayProvider(*testing.T) provider {
	return provider{"lypay", (*lypay.Provider)(nil).Capabilities(), func(w *world) {
		f := lypayfake.New(lypayfake.Config{
			Token: lypayToken, WebhookKey: lypayKey, WebhookURL: w.inbox.URL, Now: w.theirs, HangFor: time.Millisecond,
		})
		f.SetDialect(lypayfake.Dialect{Answers: "list"}) // else a second payment is not seen
		w.server = acquirertest.NewServer(w.t, "/api/", f)
		w.t.Cleanup(f.Close)
		w.driver = lypayDriver{w}
	}}
}

func (d lypayDriver) open(url string, stranger bool) acquirer.Acquirer {
	token, key := lypayToken, lypayKey
	if stranger {
		token, key = "another-token", "another key"
	}
	p, err := lypay.New(lypay.Config{URL: url, Timeout: time.Minute, Now: d.w.clock.Now})
	if err != nil {
		d.w.t.Fatal(err)
	}
	d.w.t.Cleanup(p.Close)
	return opened(d.w.t, p, fmt.Sprintf(`{"token":%q,"webhook_key":%q,"iban":%q,"merchant_name":"TEST SHOP"}`, token, key, lypayIBAN))
}

func (lypayDriver) secrets() []string { return []string{lypayToken, lypayKey, lypayIBAN} }

func (d lypayDriver) fault(f fake.Fault) { controlFault(d.w, f) }

func (d lypayDriver) books(p acquirer.Payment) fake.Payment { return d.w.server.Books(p.Reference) }

func (lypayDriver) phone(payer) string { return "" }

// lypayPayers are those of the fake's documentation; any other pays.
var lypayPayers = map[payer]string{declines: "0920000004", paysTwice: "0920000008", paysEarly: "0920000013"}

// pay scans the code with the payer's app. An app that was given a wrong code does nothing.
func (d lypayDriver) pay(s *session, as payer) *acquirer.Message {
	d.w.t.Helper()
	code := "111111"
	if as == mistypes {
		code = "222222"
	}
	payload := s.begun.(acquirer.Presented).Payload
	body := fmt.Sprintf(`{"payload":%q,"payer":%q,"code":%q}`, payload, lypayPayers[as], code)
	res, err := d.w.server.Client().Post(d.w.server.URL+"/control/scan", "application/json", strings.NewReader(body))
	if err != nil {
		d.w.t.Fatal(err)
	}
	defer res.Body.Close()
	if want := map[bool]int{true: http.StatusUnprocessableEntity, false: http.StatusOK}[as == mistypes]; res.StatusCode != want {
		d.w.t.Fatalf("scan: %d, want %d", res.StatusCode, want)
	}
	if as == declines { // of which the fake tells only when it is asked to
		var said struct {
			Transfers []lypayfake.Made `json:"transfers"`
		}
		if err := json.UnmarshalRead(res.Body, &said); err != nil {
			d.w.t.Fatal(err)
		}
		d.w.server.Control("/control/transfers/"+said.Transfers[0].PaymentReference, `{"notices":["status"]}`, nil)
	}
	return nil
}

// repoint changes the transfer: a credit notice has no reference.
func (lypayDriver) repoint(m acquirer.Message, _ *session, _ string) acquirer.Message {
	m.Body = regexp.MustCompile(`LYP[0-9]{15}`).ReplaceAll(m.Body, []byte("LYP000000000000999"))
	return m
}

// answerOther writes the label into every credit, which the fake leaves out.
func (d lypayDriver) answerOther(_ *session, other string) {
	d.w.server.Alter(func(body []byte) []byte {
		return bytes.ReplaceAll(body, []byte(`"paymentReference"`), []byte(`"internalMerchantReference":"`+other+`","paymentReference"`))
	})
}

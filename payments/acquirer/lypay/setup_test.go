package lypay_test

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/lypay"
	"daftar/payments/acquirer/lypay/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Made up, as are the accounts: bank 099 is not assigned.
const (
	token      = "a-token-for-tests"
	webhookKey = "a key for tests"
	iban       = "LY68099001000000000012345"
	settings   = `{"token":"` + token + `","webhook_key":"` + webhookKey + `",` +
		`"iban":"` + iban + `","merchant_name":"TEST SHOP"}`
)

// world is LYPay on loopback, a merchant's account there, and the merchant's inbox.
type world struct {
	*acquirertest.Server

	t       *testing.T
	clock   *acquirertest.Clock
	fake    *fake.Fake
	account acquirer.Acquirer
	inbox   *acquirertest.Inbox
}

func newWorld(t *testing.T, dialect ...fake.Dialect) *world {
	t.Helper()
	w := &world{t: t, clock: acquirertest.NewClock(), inbox: acquirertest.NewInbox(t)}
	w.fake = fake.New(fake.Config{
		Token: token, WebhookKey: webhookKey, WebhookURL: w.inbox.URL, Now: w.clock.Now, HangFor: time.Millisecond,
	})
	for _, d := range dialect {
		w.fake.SetDialect(d)
	}
	w.Server = acquirertest.NewServer(t, "/api/", w.fake)
	t.Cleanup(w.fake.Close)
	w.account = open(t, w.URL, w.clock, settings)
	return w
}

func open(t *testing.T, url string, c *acquirertest.Clock, settings string) acquirer.Acquirer {
	t.Helper()
	p, err := lypay.New(lypay.Config{URL: url, Now: c.Now, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	a, err := p.Open([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func newPayment() acquirer.Payment {
	return acquirertest.NewPayment((*lypay.Provider)(nil).Capabilities()[0], 12_345, "")
}

// begin begins a payment and returns its code and its Ref.
func (w *world) begin() (payload string, r acquirer.Ref) {
	w.t.Helper()
	p := newPayment()
	begun, err := w.account.Begin(w.t.Context(), p)
	shown, ok := begun.(acquirer.Presented)
	if err != nil || !ok {
		w.t.Fatalf("Begin = %v, %v", begun, err)
	}
	p.At = w.clock.Now()
	return shown.Payload, acquirertest.RefOf(p, shown.Memo)
}

// scan pays a code.
func (w *world) scan(payload string, s fake.Scan) []fake.Made {
	w.t.Helper()
	s.Payload = payload
	made, err := w.fake.Scan(s)
	if err != nil {
		w.t.Fatal(err)
	}
	return made
}

// pay begins a payment and scans its code.
func (w *world) pay(s fake.Scan) (acquirer.Ref, []fake.Made) {
	w.t.Helper()
	payload, r := w.begin()
	return r, w.scan(payload, s)
}

func (w *world) inquire(r acquirer.Ref) acquirer.Report {
	w.t.Helper()
	report, err := w.account.Inquire(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	if report.Reference != r.Reference {
		w.t.Errorf("report is about another payment")
	}
	return report
}

func (w *world) wantState(r acquirer.Ref, want acquirer.State) acquirer.Report {
	w.t.Helper()
	report := w.inquire(r)
	if report.State != want {
		w.t.Errorf("the payment is %s, want %s", report.State, want)
	}
	if report.State == acquirer.StatePending && report.Money != r.Money {
		w.t.Errorf("a pending payment has the amount %v", report.Money)
	}
	return report
}

// wantPaid checks that the exact amount was paid by the transfer.
func (w *world) wantPaid(r acquirer.Ref, by fake.Made) acquirer.Report {
	w.t.Helper()
	report := w.wantState(r, acquirer.StatePaid)
	if report.Money != r.Money || report.ProviderReference != by.PaymentReference {
		w.t.Errorf("paid %v by %s, want %v by %s",
			report.Money, report.ProviderReference, r.Money, by.PaymentReference)
	}
	return report
}

// paid begins a payment, pays it and returns its Ref for Refund.
func (w *world) paid() acquirer.Ref {
	w.t.Helper()
	r, made := w.pay(fake.Scan{})
	report := w.wantPaid(r, made[0])
	r.Memo, r.ProviderReference = report.Memo, report.ProviderReference
	return r
}

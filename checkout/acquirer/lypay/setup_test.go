package lypay_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"daftar/checkout/acquirer"
	common "daftar/checkout/acquirer/fake"
	"daftar/checkout/acquirer/lypay"
	"daftar/checkout/acquirer/lypay/fake"
	"daftar/domain"

	"github.com/google/uuid"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Made up, as are the accounts: bank 099 is not assigned.
const (
	token      = "a-token-for-tests"
	webhookKey = "a key for tests"
	iban       = "LY68099001000000000012345"
	settings   = `{"token":"` + token + `","webhook_key":"` + webhookKey + `","iban":"` + iban + `","merchant_name":"TEST SHOP"}`
)

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is LYPay on loopback, a merchant's account there, and the merchant's inbox.
type world struct {
	t       *testing.T
	clock   *clock
	fake    *fake.Fake
	server  *httptest.Server
	account acquirer.Acquirer

	mu       sync.Mutex
	received []acquirer.Message
}

func newWorld(t *testing.T, dialect ...fake.Dialect) *world {
	t.Helper()
	w := &world{t: t, clock: &clock{now: time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)}}
	inbox := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read webhook: %v", err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.received = append(w.received, acquirer.Message{Header: r.Header.Clone(), Body: body})
	}))
	w.fake = fake.New(fake.Config{
		Token: token, WebhookKey: webhookKey, WebhookURL: inbox.URL, Now: w.clock.Now, HangFor: time.Millisecond,
	})
	for _, d := range dialect {
		w.fake.SetDialect(d)
	}
	w.server = httptest.NewServer(w.fake)
	w.account = open(t, w.server.URL, w.clock, settings)
	t.Cleanup(func() {
		w.server.Close()
		w.fake.Close()
		inbox.Close()
	})
	return w
}

func open(t *testing.T, url string, c *clock, settings string) acquirer.Acquirer {
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
	id := domain.NewAttemptID(uuid.New())
	return acquirer.Payment{
		Attempt: id, Reference: string(id[:25]), Intent: domain.IntentID(uuid.New()), Method: acquirer.LYPay,
		Money: domain.Money{Minor: 12_345, Currency: domain.LYD}, Description: "طلب رقم 1042",
	}
}

// begin makes a code, and what the payment is asked about by.
func (w *world) begin() (payload string, r acquirer.Ref) {
	w.t.Helper()
	p := newPayment()
	begun, err := w.account.Begin(w.t.Context(), p)
	shown, ok := begun.(acquirer.Presented)
	if err != nil || !ok {
		w.t.Fatalf("Begin = %v, %v", begun, err)
	}
	return shown.Payload, acquirer.Ref{
		Attempt: p.Attempt, Reference: p.Reference, Method: p.Method, Money: p.Money, BegunAt: w.clock.Now(), Memo: shown.Memo,
	}
}

// scan pays a code; its payload is that of the payment unless it has one.
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
		w.t.Errorf("paid %v by %s, want %v by %s", report.Money, report.ProviderReference, r.Money, by.PaymentReference)
	}
	return report
}

// paid begins a payment, pays it and returns what Refund wants to know.
func (w *world) paid() acquirer.Ref {
	w.t.Helper()
	r, made := w.pay(fake.Scan{})
	report := w.wantPaid(r, made[0])
	r.Memo, r.ProviderReference = report.Memo, report.ProviderReference
	return r
}

func (w *world) books(r acquirer.Ref) common.Payment {
	w.t.Helper()
	var said struct {
		Payments []common.Payment `json:"payments"`
	}
	w.control(http.MethodGet, "/control/ledger", "", http.StatusOK, &said)
	for _, p := range said.Payments {
		if p.Reference == r.Reference {
			return p
		}
	}
	return common.Payment{}
}

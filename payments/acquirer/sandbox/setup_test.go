package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/acquirer/sandbox/bank"
)

const secret = "a secret between the two"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pushed is one notification as it arrived.
type pushed struct {
	header http.Header
	body   []byte
}

// inbox is the merchant's side of notifications. It answers with the statuses
// given, then with 204.
type inbox struct {
	*httptest.Server
	mu       sync.Mutex
	statuses []int
	received []pushed
}

func newInbox(t *testing.T, statuses ...int) *inbox {
	t.Helper()
	in := &inbox{statuses: statuses}
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read notification: %v", err)
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		in.received = append(in.received, pushed{r.Header.Clone(), body})
		status := http.StatusNoContent
		if len(in.statuses) > 0 {
			status, in.statuses = in.statuses[0], in.statuses[1:]
		}
		w.WriteHeader(status)
	}))
	t.Cleanup(in.Close)
	return in
}

// world is a bank on loopback, the adapter to it, and an inbox.
type world struct {
	t       *testing.T
	clock   *acquirertest.Clock
	bank    *bank.Bank
	server  *httptest.Server
	adapter *sandbox.Sandbox
	inbox   *inbox
	active  atomic.Int32 // requests that the bank is serving
}

// newWorld starts a bank that ends held requests at once, unless change changes that.
func newWorld(t *testing.T, change ...func(*bank.Config)) *world {
	t.Helper()
	w := &world{t: t, clock: acquirertest.NewClock(), inbox: newInbox(t)}
	var handler http.Handler
	w.server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.active.Add(1)
		defer w.active.Add(-1)
		handler.ServeHTTP(rw, r)
	}))
	config := bank.Config{
		Secret: secret, PublicURL: w.server.URL, Logger: zerolog.Nop(), Clock: w.clock.Now,
		HoldLimit: time.Millisecond, NotifyAfter: []time.Duration{0, time.Millisecond, time.Millisecond},
	}
	for _, c := range change {
		c(&config)
	}
	b, err := bank.New(config)
	if err != nil {
		t.Fatal(err)
	}
	handler, w.bank = b.Handler(), b
	w.adapter = newAdapter(t, sandbox.Config{URL: w.server.URL, Secret: secret, Now: w.clock.Now})
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("close bank: %v", err)
		}
		w.server.Close()
	})
	return w
}

func newAdapter(t *testing.T, c sandbox.Config) *sandbox.Sandbox {
	t.Helper()
	a, err := sandbox.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func newAttempt() domain.AttemptID { return domain.NewAttemptID(uuid.New()) }

func (w *world) walletPayment(phone string) acquirer.Payment {
	return acquirer.Payment{
		Attempt:     newAttempt(),
		Intent:      domain.IntentID(uuid.New()),
		Money:       domain.Money{Minor: 1_234_500, Currency: domain.LYD},
		Method:      sandbox.Wallet,
		Inputs:      map[acquirer.Field]string{acquirer.Phone: phone},
		Description: "طلب رقم 1042",
		Language:    "ar",
		ReturnURL:   "https://pay.example/checkout/1?t=2&u=3",
		NotifyURL:   w.inbox.URL + "/notify",
	}
}

func (w *world) cardPayment(language string) acquirer.Payment {
	p := w.walletPayment("")
	p.Method, p.Language = sandbox.Card, language
	return p
}

func (w *world) begin(p acquirer.Payment) acquirer.Begun {
	w.t.Helper()
	begun, err := w.adapter.Begin(w.t.Context(), p)
	if err != nil {
		w.t.Fatal(err)
	}
	return begun
}

// beginWallet opens a payment and returns its attempt.
func (w *world) beginWallet(phone string) acquirer.Payment {
	w.t.Helper()
	p := w.walletPayment(phone)
	if _, ok := w.begin(p).(acquirer.CodeSent); !ok {
		w.t.Fatalf("no code was sent to %s", phone)
	}
	return p
}

func (w *world) confirm(p acquirer.Payment, code acquirer.Code) acquirer.Confirmed {
	w.t.Helper()
	confirmed, err := w.adapter.Confirm(w.t.Context(), ref(p.Attempt), code)
	if err != nil {
		w.t.Fatal(err)
	}
	return confirmed
}

func (w *world) inquire(p acquirer.Payment) acquirer.Report {
	w.t.Helper()
	report, err := w.adapter.Inquire(w.t.Context(), ref(p.Attempt))
	if err != nil {
		w.t.Fatal(err)
	}
	if report.State != acquirer.StateNotFound && report.Money != p.Money {
		w.t.Errorf("inquiry has %v, want %v", report.Money, p.Money)
	}
	return report
}

func (w *world) wantState(p acquirer.Payment, state acquirer.State, reason acquirer.Reason) {
	w.t.Helper()
	if r := w.inquire(p); r.State != state || r.Reason != reason {
		w.t.Errorf("inquiry = %s %q, want %s %q", r.State, r.Reason, state, reason)
	}
}

// notifications waits until the bank has nothing more to send.
func (w *world) notifications() []pushed {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	if err := w.bank.WaitNotified(ctx); err != nil {
		w.t.Fatal(err)
	}
	w.inbox.mu.Lock()
	defer w.inbox.mu.Unlock()
	return w.inbox.received
}

func (w *world) wantNotifications(n int) {
	w.t.Helper()
	if got := len(w.notifications()); got != n {
		w.t.Errorf("%d notifications arrived, want %d", got, n)
	}
}

// untilTaken waits until the bank has taken the money of n payments.
func (w *world) untilTaken(n int) {
	w.t.Helper()
	pgtest.WaitFor(w.t, "money", func() bool { return len(w.ledger()) >= n })
	w.wantTaken(n)
}

type ledgerEntry struct {
	Intent   string    `json:"intent"`
	Amount   int64     `json:"amount"`
	Currency string    `json:"currency"`
	TakenAt  time.Time `json:"taken_at"`
}

func (w *world) ledger() []ledgerEntry {
	w.t.Helper()
	var entries []ledgerEntry
	status, body := w.call(http.MethodGet, "/control/ledger", "")
	if status != http.StatusOK {
		w.t.Fatalf("ledger: %d %s", status, body)
	}
	if err := json.Unmarshal(body, &entries, json.RejectUnknownMembers(true)); err != nil {
		w.t.Fatal(err)
	}
	return entries
}

// wantTaken checks how often money was taken, by all payments together.
func (w *world) wantTaken(times int) {
	w.t.Helper()
	if got := len(w.ledger()); got != times {
		w.t.Errorf("money was taken %d times, want %d", got, times)
	}
}

func (w *world) settle(p acquirer.Payment, outcome string, want int) {
	w.t.Helper()
	path := "/control/payments/" + string(p.Attempt) + "/settle"
	status, body := w.call(http.MethodPost, path, fmt.Sprintf(`{"outcome":%q}`, outcome))
	if status != want {
		w.t.Errorf("settle as %s: %d %s, want %d", outcome, status, body, want)
	}
}

// ref returns the Ref of an attempt's payment.
func ref(id domain.AttemptID) acquirer.Ref { return acquirer.Ref{Attempt: id, Reference: string(id)} }

package plutu_test

import (
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/plutu"
	"daftar/payments/acquirer/plutu/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Keys that no account of Plutu has.
const (
	apiKey      = "made-up-api-key-7f3a"
	accessToken = "made-up-access-token-91c2"
	secretKey   = "made-up-signing-key-1"
)

var allSettings = fmt.Sprintf(`{"api_key":%q,"access_token":%q,"secret_key":%q}`,
	apiKey, accessToken, secretKey)

// world is a Plutu on loopback, an account with it, and an inbox for what it posts.
type world struct {
	*acquirertest.Server

	t       *testing.T
	account acquirer.Acquirer
	inbox   *acquirertest.Inbox
}

func newWorld(t *testing.T, change ...func(*fake.Config)) *world {
	t.Helper()
	config := fake.Config{
		APIKey: apiKey, AccessToken: accessToken, SecretKey: secretKey,
		Clock: acquirertest.NewClock().Now, HangFor: time.Millisecond,
	}
	for _, c := range change {
		c(&config)
	}
	w := &world{t: t, inbox: acquirertest.NewInbox(t)}
	f := fake.New(config)
	w.Server = acquirertest.NewServer(t, "/v1/", f)
	t.Cleanup(f.Close)
	w.account = openAccount(t, w.URL, allSettings)
	return w
}

func openAccount(t *testing.T, url, settings string) acquirer.Acquirer {
	t.Helper()
	p := newProvider(t, url)
	a, err := p.Open([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func newProvider(t *testing.T, url string) *plutu.Provider {
	t.Helper()
	p, err := plutu.New(plutu.Config{URL: url, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// payment returns one that the method carries. tail is the end of the phone number.
func (w *world) payment(m acquirer.Method, tail string) acquirer.Payment {
	w.t.Helper()
	c, ok := acquirer.CapabilityOf(w.account, m)
	if !ok {
		w.t.Fatalf("no method %s", m)
	}
	p := acquirertest.NewPayment(c, 12_500, "091"+tail)
	p.NotifyURL = w.inbox.URL
	return p
}

// sendCode begins a payment that needs a code.
func (w *world) sendCode(m acquirer.Method, tail string) acquirer.Ref {
	w.t.Helper()
	p := w.payment(m, tail)
	begun, err := w.account.Begin(w.t.Context(), p)
	sent, ok := begun.(acquirer.CodeSent)
	if err != nil || !ok {
		w.t.Fatalf("Begin = %+v, %v, want a code", begun, err)
	}
	return acquirertest.RefOf(p, sent.Memo)
}

// right are the codes that pay.
var right = map[acquirer.Method]acquirer.Code{plutu.Adfali: "1111", plutu.Sadad: "111111"}

func (w *world) confirm(r acquirer.Ref, code acquirer.Code) (acquirer.Confirmed, error) {
	w.t.Helper()
	return w.account.Confirm(w.t.Context(), r, code)
}

// wantTaken checks the fake's books.
func (w *world) wantTaken(reference string, times int, amount int64) {
	w.t.Helper()
	if p := w.Books(reference); p.Taken != times || times > 0 && p.Amount != amount {
		w.t.Errorf("taken %d times %d, want %d times %d", p.Taken, p.Amount, times, amount)
	}
}

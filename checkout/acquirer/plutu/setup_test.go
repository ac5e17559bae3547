package plutu_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/checkout/acquirer"
	books "daftar/checkout/acquirer/fake"
	"daftar/checkout/acquirer/plutu"
	"daftar/checkout/acquirer/plutu/fake"
	"daftar/domain"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Keys that no account of Plutu has.
const (
	apiKey      = "made-up-api-key-7f3a"
	accessToken = "made-up-access-token-91c2"
	secretKey   = "made-up-signing-key-1"
)

var allSettings = fmt.Sprintf(`{"api_key":%q,"access_token":%q,"secret_key":%q}`, apiKey, accessToken, secretKey)

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

// world is a Plutu on loopback, an account with it, and an inbox for what it posts.
type world struct {
	t       *testing.T
	clock   *clock
	server  *httptest.Server
	account acquirer.Acquirer
	inbox   *httptest.Server
	posted  chan acquirer.Message
}

func newWorld(t *testing.T, change ...func(*fake.Config)) *world {
	t.Helper()
	w := &world{t: t, clock: &clock{now: time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)}, posted: make(chan acquirer.Message, 16)}
	config := fake.Config{
		APIKey: apiKey, AccessToken: accessToken, SecretKey: secretKey,
		Clock: w.clock.Now, HangFor: time.Millisecond,
	}
	for _, c := range change {
		c(&config)
	}
	f := fake.New(config)
	w.server = httptest.NewServer(f.Handler())
	w.inbox = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read message: %v", err)
		}
		w.posted <- acquirer.Message{Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body}
	}))
	w.account = openAccount(t, w.server.URL, allSettings)
	t.Cleanup(func() {
		f.Close()
		w.server.Close()
		w.inbox.Close()
	})
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

// payment is one that the method carries. tail is the end of the phone number.
func (w *world) payment(m acquirer.Method, tail string) acquirer.Payment {
	id := domain.NewAttemptID(uuid.New())
	return acquirer.Payment{
		Attempt: id, Reference: string(id), Intent: domain.IntentID(uuid.New()),
		Money: domain.Money{Minor: 12_500, Currency: domain.LYD}, Method: m,
		Inputs:      map[acquirer.Field]string{acquirer.Phone: "091" + tail, acquirer.BirthYear: "1990"},
		Description: "طلب رقم 1042", TimeLeft: time.Hour, Language: "ar", At: w.clock.Now(),
		ReturnURL: "https://pay.example/checkout/1/back", NotifyURL: w.inbox.URL + "/notify",
	}
}

func refOf(p acquirer.Payment, memo string) acquirer.Ref {
	return acquirer.Ref{
		Attempt: p.Attempt, Reference: p.Reference, Method: p.Method, Money: p.Money, BegunAt: p.At, Memo: memo,
	}
}

// sendCode begins a payment that wants a code.
func (w *world) sendCode(m acquirer.Method, tail string) acquirer.Ref {
	w.t.Helper()
	p := w.payment(m, tail)
	begun, err := w.account.Begin(w.t.Context(), p)
	sent, ok := begun.(acquirer.CodeSent)
	if err != nil || !ok {
		w.t.Fatalf("Begin = %+v, %v, want a code", begun, err)
	}
	return refOf(p, sent.Memo)
}

// right are the codes that pay.
var right = map[acquirer.Method]string{acquirer.Adfali: "1111", acquirer.Sadad: "111111"}

func (w *world) confirm(r acquirer.Ref, code string) (acquirer.Confirmed, error) {
	w.t.Helper()
	return w.account.Confirm(w.t.Context(), r, code)
}

// post asks control, and reads its answer if into is not nil.
func (w *world) post(path, body string, into any) {
	w.t.Helper()
	res, err := w.server.Client().Post(w.server.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusMultipleChoices {
		w.t.Fatalf("%s %s: status %d", path, body, res.StatusCode)
	}
	if into == nil {
		return
	}
	if err := json.UnmarshalRead(res.Body, into); err != nil {
		w.t.Fatal(err)
	}
}

// wantTaken checks the books of the money.
func (w *world) wantTaken(reference string, times int, amount int64) {
	w.t.Helper()
	res, err := w.server.Client().Get(w.server.URL + "/control/ledger")
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	var ledger struct {
		Payments []books.Payment `json:"payments"`
	}
	if err := json.UnmarshalRead(res.Body, &ledger); err != nil {
		w.t.Fatal(err)
	}
	for _, p := range ledger.Payments {
		if p.Reference == reference && (p.Taken != times || times > 0 && p.Amount != amount) {
			w.t.Errorf("taken %d times %d, want %d times %d", p.Taken, p.Amount, times, amount)
		}
		if p.Reference == reference {
			return
		}
	}
	if times > 0 {
		w.t.Errorf("nothing was taken, want %d times", times)
	}
}

// message waits for what Plutu posts.
func (w *world) message() acquirer.Message {
	w.t.Helper()
	select {
	case m := <-w.posted:
		return m
	case <-time.After(time.Minute):
		w.t.Fatal("nothing was posted")
	}
	return acquirer.Message{}
}

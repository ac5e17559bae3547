package moamalat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/moamalat"
	"daftar/payments/acquirer/moamalat/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The merchant of the tests. The numbers and keys are made up.
const (
	merchantID      = "80000000123"
	terminalID      = "80000456"
	secureKey       = "5a5a6b6b5a5a6b6b5a5a6b6b5a5a6b6b"
	notificationKey = "0102030405060708090a0b0c0d0e0f10"
)

const settings = `{"merchant_id":"` + merchantID + `","terminal_id":"` + terminalID + `",` +
	`"secure_key":"` + secureKey + `","notification_key":"` + notificationKey + `"}`

// world is a gateway on loopback, an account with it, and the merchant's inbox.
type world struct {
	*acquirertest.Server

	t       *testing.T
	clock   *acquirertest.Clock
	account acquirer.Acquirer
	inbox   *acquirertest.Inbox
}

func newWorld(t *testing.T, change ...func(*fake.Config)) *world {
	t.Helper()
	w := &world{t: t, clock: acquirertest.NewClock(), inbox: acquirertest.NewInbox(t)}
	config := fake.Config{
		Merchants: []fake.Merchant{{
			MerchantID: merchantID, TerminalID: terminalID, SecureKey: secureKey, NotificationKey: notificationKey,
			NotifyURL: w.inbox.URL,
		}},
		Clock: w.clock.Now, RefuseRepeats: true, HangFor: time.Millisecond,
	}
	for _, c := range change {
		c(&config)
	}
	gateway := fake.New(config)
	w.Server = acquirertest.NewServer(t, "/cube/", gateway)
	t.Cleanup(gateway.Close)
	w.account = newAccount(t, moamalat.Config{URL: w.URL, Now: w.clock.Now})
	return w
}

func newAccount(t *testing.T, c moamalat.Config) acquirer.Acquirer {
	t.Helper()
	c.Timeout = time.Minute
	p, err := moamalat.New(c)
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

func (w *world) payment() acquirer.Payment {
	w.t.Helper()
	c, _ := acquirer.CapabilityOf(w.account, moamalat.Method)
	p := acquirertest.NewPayment(c, 1_234_501, "")
	p.At = w.clock.Now()
	return p
}

func refOf(p acquirer.Payment) acquirer.Ref { return acquirertest.RefOf(p, "") }

func (w *world) begin(p acquirer.Payment) acquirer.Embedded {
	w.t.Helper()
	begun, err := w.account.Begin(w.t.Context(), p)
	if err != nil {
		w.t.Fatal(err)
	}
	embedded, ok := begun.(acquirer.Embedded)
	if !ok {
		w.t.Fatalf("Begin = %T, want Embedded", begun)
	}
	return embedded
}

// formAnswer is the answer to the form in the frame.
type formAnswer struct {
	Show, Callback string
	Data           map[string]any
}

// press uses the form with the configuration of Begin, as the payer's browser would. The
// result is zero where the gateway ends the connection.
func (w *world) press(e acquirer.Embedded, action, card, code string) formAnswer {
	w.t.Helper()
	body := strings.TrimSuffix(e.Configuration, "}") +
		fmt.Sprintf(`,"action":%q,"card":%q,"code":%q}`, action, card, code)
	res, err := w.Client().Post(w.URL+"/form", "application/json", strings.NewReader(body))
	if err != nil {
		return formAnswer{}
	}
	defer res.Body.Close()
	var answer formAnswer
	if err := json.UnmarshalRead(res.Body, &answer, json.MatchCaseInsensitiveNames(true)); err != nil {
		w.t.Fatal(err)
	}
	return answer
}

// Cards of the fake.
const (
	ordinary     = "0000000000000000"
	neverAnswers = "0000000000000001"
	takesNothing = "0000000000000002"
	shownLater   = "0000000000000003"
	noFunds      = "0000000000000004"
	noisy        = "0000000000000005"
	twice        = "0000000000000006"
	right        = "111111"
)

// paid pays a payment with an ordinary card.
func (w *world) paid() acquirer.Payment {
	w.t.Helper()
	p := w.payment()
	if answer := w.press(w.begin(p), "pay", ordinary, right); answer.Callback != "complete" {
		w.t.Fatalf("form answered %+v", answer)
	}
	return p
}

func (w *world) inquire(p acquirer.Payment) acquirer.Report {
	w.t.Helper()
	report, err := w.account.Inquire(w.t.Context(), refOf(p))
	if err != nil {
		w.t.Fatal(err)
	}
	if report.Reference != p.Reference {
		w.t.Errorf("inquiry is about %q, want %q", report.Reference, p.Reference)
	}
	return report
}

func (w *world) wantState(p acquirer.Payment, want acquirer.State) acquirer.Report {
	w.t.Helper()
	report := w.inquire(p)
	if report.State != want || report.Reason != "" {
		w.t.Errorf("inquiry = %s %q, want %s", report.State, report.Reason, want)
	}
	if want != acquirer.StateNotFound && report.Money != p.Money {
		w.t.Errorf("inquiry speaks of %v, want %v", report.Money, p.Money)
	}
	return report
}

// control sends a control request to the fake.
func (w *world) control(path, body string) { w.Control("/control/"+path, body, nil) }

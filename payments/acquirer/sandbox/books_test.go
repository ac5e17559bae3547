package sandbox_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox/bank"
)

type controlPayment struct {
	ID       string `json:"id"`
	Intent   string `json:"intent"`
	Method   string `json:"method"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	State    string `json:"state"`
}

// payments returns the list of control, whose entries have exactly these fields.
func (w *world) payments(query string) []controlPayment {
	w.t.Helper()
	var listed []controlPayment
	status, body := w.call(http.MethodGet, "/control/payments"+query, "")
	err := json.Unmarshal(body, &listed, json.RejectUnknownMembers(true))
	if status != http.StatusOK || err != nil {
		w.t.Fatalf("control: %d %s: %v", status, body, err)
	}
	return listed
}

func TestControlListsPayments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, body := w.call(http.MethodGet, "/control/payments", ""); string(body) != "[]\n" {
		t.Errorf("control of an empty bank: %s", body)
	}
	declined, paid := w.beginWallet("0912345678"), w.cardPayment("en")
	paid.Intent = declined.Intent
	w.begin(paid)
	other := w.beginWallet("0920000003")
	w.confirm(declined, decline)
	w.settle(paid, "paid", 200)

	want := []controlPayment{
		{string(declined.Attempt), declined.Intent.String(), "wallet", 1_234_500, "LYD", "declined"},
		{string(paid.Attempt), declined.Intent.String(), "card", 1_234_500, "LYD", "paid"},
	}
	for _, intent := range []string{declined.Intent.String(), strings.ToUpper(declined.Intent.String())} {
		if diff := cmp.Diff(want, w.payments("?intent="+intent)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want = append(want, controlPayment{
		string(other.Attempt), other.Intent.String(), "wallet", 1_234_500, "LYD", "pending",
	})
	if diff := cmp.Diff(want, w.payments("")); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
}

func TestTheLedgerListsWhatWasTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, body := w.call(http.MethodGet, "/control/ledger", ""); string(body) != "[]\n" {
		t.Errorf("ledger of an empty bank: %s", body)
	}
	var want []ledgerEntry
	for i, phone := range []string{"0912345678", "0920000002", "0920000005", "0920000004"} {
		p := w.walletPayment(phone)
		p.Money.Minor += int64(i)
		w.begin(p)
		w.clock.Advance(time.Second)
		_, _ = w.adapter.Confirm(t.Context(), ref(p.Attempt), right) // number 2 is silent
		if phone == "0912345678" || phone == "0920000005" {
			want = append(want, ledgerEntry{p.Intent.String(), p.Money.Minor, "LYD", w.clock.Now()})
		}
	}
	if diff := cmp.Diff(want, w.ledger()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConcurrentConfirmsTakeMoneyOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.walletPayment("0912345678")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := w.adapter.Begin(t.Context(), p); err != nil {
				t.Errorf("begin: %v", err)
			}
			confirmed, err := w.adapter.Confirm(t.Context(), ref(p.Attempt), right)
			if _, paid := confirmed.(acquirer.Paid); err != nil || !paid {
				t.Errorf("confirm: %v, %v", confirmed, err)
			}
		})
	}
	all.Wait()
	w.wantTaken(1)
	w.wantNotifications(1)
	if got := len(w.payments("")); got != 1 {
		t.Errorf("%d payments, want 1", got)
	}
}

func withJournal(path string) func(*bank.Config) {
	return func(c *bank.Config) { c.Journal = path }
}

func TestARestartForgetsNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bank.jsonl")
	w := newWorld(t, withJournal(path))
	paid, declined := w.beginWallet("0912345678"), w.beginWallet("0920000004")
	trying := w.beginWallet("0912345678")
	silent, held := w.beginWallet("0920000001"), w.beginWallet("0920000003")
	late := w.beginWallet("0920000006")
	resent, canceled := w.beginWallet("0912345678"), w.beginWallet("0912345678")
	w.clock.Advance(time.Minute)
	w.wantResent(resent)
	w.wantCanceled(canceled, acquirer.StateDeclined, acquirer.Abandoned)
	card, _ := w.beginCard("en")
	w.confirm(paid, right)
	w.confirm(declined, right)
	w.confirm(late, right)
	for range 4 {
		w.confirm(trying, "222222")
	}
	w.wantUnknown(silent)
	w.wantUnknown(held)
	before, ledger := w.inquire(paid), w.ledger()
	if err := w.bank.Close(); err != nil {
		t.Fatal(err)
	}

	again := newWorld(t, withJournal(path), func(c *bank.Config) { c.Clock = w.clock.Now })
	again.wantState(late, acquirer.StateDeclined, acquirer.InsufficientFunds)
	if diff := cmp.Diff(before, again.inquire(paid)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(ledger, again.ledger()); diff != "" || len(ledger) != 2 {
		t.Errorf("%d in the ledger (-before +after):\n%s", len(ledger), diff)
	}
	again.wantState(declined, acquirer.StateDeclined, acquirer.InsufficientFunds)
	again.wantState(held, acquirer.StatePending, "")
	again.wantState(canceled, acquirer.StateDeclined, acquirer.Abandoned)
	again.wantState(silent, acquirer.StatePending, "")
	w.clock.Advance(3 * time.Second)
	again.wantState(silent, acquirer.StatePaid, "")
	again.wantState(card, acquirer.StatePending, "")
	page := browser{again}.visit(http.MethodGet, again.server.URL+"/bank/"+string(card.Attempt), nil)
	if page.view() != [3]string{"en", "ltr", "choose"} {
		t.Errorf("bank page after a restart: %v", page.view())
	}
	locked := acquirer.Confirmed(acquirer.Declined{Reason: acquirer.CodeLocked})
	if diff := cmp.Diff(locked, again.confirm(trying, "222222")); diff != "" {
		t.Errorf("the fifth wrong code after a restart (-want +got):\n%s", diff)
	}
	w.clock.Advance(5*time.Minute - 4*time.Second) // after the first code's time, within the second's
	again.wantState(resent, acquirer.StatePending, "")
	w.clock.Advance(time.Second)
	again.wantState(resent, acquirer.StateDeclined, acquirer.CodeExpired)
	if err := again.bank.Close(); err != nil {
		t.Fatal(err)
	}

	last := newWorld(t, withJournal(path), func(c *bank.Config) {
		c.Clock, c.LateAfter = w.clock.Now, time.Nanosecond
	})
	last.untilTaken(3)
	last.wantState(late, acquirer.StatePaid, "")
}

func TestTheJournalHasNoSecrets(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bank.jsonl")
	var log bytes.Buffer
	w := newWorld(t, withJournal(path), func(c *bank.Config) {
		c.Logger = zerolog.New(zerolog.SyncWriter(&log))
	})
	w.inbox.statuses = []int{500}
	p := w.beginWallet("0912345678")
	w.confirm(p, "987654")
	w.confirm(p, right)
	w.wantNotifications(2)
	special := w.beginWallet("0920000004")
	w.confirm(special, decline)
	w.notifications()
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
	}
	journal, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if log.Len() == 0 {
		t.Error("a notification that was not delivered is not in the log")
	}
	_, page := w.call(http.MethodGet, "/control/payments", "")
	everything := string(journal) + log.String() + string(page)
	for _, hidden := range []string{"0912345678", "912345678", "0920000004", "987654", right, decline, secret} {
		if strings.Contains(everything, hidden) {
			t.Errorf("%q is written somewhere:\n%s", hidden, everything)
		}
	}
	if !strings.Contains(string(journal), "091•••5678") {
		t.Error("the journal has no masked number: does it have the payment?")
	}
}

func TestATornLastLineIsCutOff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bank.jsonl")
	w := newWorld(t, withJournal(path))
	p := w.beginWallet("0912345678")
	if err := w.bank.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	torn := append(bytes.Clone(whole),
		`{"at":"2026-11-20T20:00:00Z","op":"paid","id":"`+string(p.Attempt)+`"}`...)
	if err := os.WriteFile(path, torn, 0o600); err != nil {
		t.Fatal(err)
	}

	again := newWorld(t, withJournal(path))
	again.wantTaken(0)
	again.wantState(p, acquirer.StatePending, "")
	again.confirm(p, right)
	if err := again.bank.Close(); err != nil {
		t.Fatal(err)
	}
	newWorld(t, withJournal(path)).wantTaken(1) // the line after the cut can be read
}

func TestADamagedJournalIsRefused(t *testing.T) {
	t.Parallel()
	const opened = `{"at":"2026-11-20T20:00:00Z","op":"opened","id":"0123456789abcdefghjkmnpqrs",` +
		`"opening":{"intent":"6ba7b810-9dad-51d1-80b4-00c04fd430c8","method":"wallet","amount":5000,` +
		`"currency":"LYD","behaviour":"ordinary","language":"ar","reference":"SB1"}}`
	const paid = `{"at":"2026-11-20T20:00:01Z","op":"paid","id":"0123456789abcdefghjkmnpqrs",` +
		`"shown_at":"2026-11-20T20:00:01Z"}`
	resent := strings.Replace(paid, `"paid"`, `"code_resent"`, 1)
	const back = `{"at":"2026-11-20T20:00:02Z","op":"refunded","id":"0123456789abcdefghjkmnpqrs",` +
		`"amount":2500,"reference":"SR1"}`
	for name, tc := range map[string]struct {
		lines []string
		want  string
	}{
		"whole":                {[]string{opened, paid}, ""},
		"no JSON":              {[]string{opened, "{", paid}, "line 2"},
		"paid twice":           {[]string{opened, paid, paid}, "line 3"},
		"opened twice":         {[]string{opened, opened}, "line 2"},
		"paid, never opened":   {[]string{paid}, "line 1"},
		"a code sent again":    {[]string{opened, resent, paid}, ""},
		"sent again when paid": {[]string{opened, paid, resent}, "line 3"},
		"an unknown change":    {[]string{opened, strings.Replace(paid, `"paid"`, `"reversed"`, 1)}, "line 2"},
		"given back":           {[]string{opened, paid, back, back}, ""},
		"more than was taken":  {[]string{opened, paid, back, back, back}, "line 5"},
		"given, never taken":   {[]string{opened, back}, "line 2"},
		"given, never opened":  {[]string{back}, "line 1"},
		"less than nothing":    {[]string{opened, paid, strings.Replace(back, "2500", "-1", 1)}, "line 3"},
		"opened with nothing":  {[]string{`{"op":"opened","id":"0123456789abcdefghjkmnpqrs"}`}, "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "bank.jsonl")
			if err := os.WriteFile(path, []byte(strings.Join(tc.lines, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			b, err := bank.New(bank.Config{
				Secret: secret, PublicURL: "http://127.0.0.1:1", Journal: path, Logger: zerolog.Nop(),
			})
			if tc.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("New: %v, want %s named", err, tc.want)
			}
		})
	}
}

// The closed file simulates a full disk: every write fails.
func TestNothingHappensWithoutTheJournal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withJournal(filepath.Join(t.TempDir(), "bank.jsonl")))
	p := w.beginWallet("0912345678")
	card, page := w.beginCard("ar")
	if err := w.bank.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w.wantUnknown(p)
	}
	w.settle(p, "paid", 500)
	pressed := browser{w}.visit(http.MethodPost, page.url.String(), url.Values{"action": {"pay"}})
	if pressed.status != http.StatusInternalServerError {
		t.Errorf("the bank page: status %d, want 500", pressed.status)
	}
	if begun, err := w.adapter.Begin(t.Context(), w.walletPayment("0912345678")); err == nil {
		t.Errorf("Begin = %v, want an error", begun)
	}
	if report, err := w.adapter.Cancel(t.Context(), ref(p.Attempt)); err == nil {
		t.Errorf("Cancel = %v, want an error", report)
	}
	sent, err := w.adapter.Resend(t.Context(), ref(p.Attempt))
	if err == nil || errors.Is(err, acquirer.ErrNoCodeWanted) {
		t.Errorf("Resend = %v, %v, want that nothing is known", sent, err)
	}
	w.wantTaken(0)
	w.wantState(p, acquirer.StatePending, "")
	w.wantState(card, acquirer.StatePending, "")
	w.wantNotifications(0)
}

package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
	"daftar/payments/acquirer/sandbox/bank"
)

type refundEntry struct {
	Intent     string    `json:"intent"`
	Payment    string    `json:"payment"`
	Reference  string    `json:"reference"`
	Amount     int64     `json:"amount"`
	Currency   string    `json:"currency"`
	RefundedAt time.Time `json:"refunded_at"`
}

// refunds returns the list of control, whose entries have exactly these fields.
func (w *world) refunds() []refundEntry {
	w.t.Helper()
	var entries []refundEntry
	status, body := w.call(http.MethodGet, "/control/refunds", "")
	err := json.Unmarshal(body, &entries, json.RejectUnknownMembers(true))
	if status != http.StatusOK || err != nil {
		w.t.Fatalf("refunds: %d %s: %v", status, body, err)
	}
	return entries
}

// wantRefunded checks how much went back, by all refunds together.
func (w *world) wantRefunded(want int64) {
	w.t.Helper()
	var sum int64
	for _, e := range w.refunds() {
		sum += e.Amount
	}
	if sum != want {
		w.t.Errorf("%d went back, want %d", sum, want)
	}
}

func lyd(minor int64) domain.Money { return domain.Money{Minor: minor, Currency: domain.LYD} }

// pay opens a wallet payment of 1234.500 LYD and pays it.
func (w *world) pay(phone string) acquirer.Payment {
	w.t.Helper()
	p := w.beginWallet(phone)
	if _, paid := w.confirm(p, right).(acquirer.Paid); !paid {
		w.t.Fatalf("%s does not pay", phone)
	}
	return p
}

func (w *world) refund(p acquirer.Payment, minor int64) (acquirer.Refunded, error) {
	return w.adapter.Refund(w.t.Context(), ref(p.Attempt), lyd(minor))
}

// wantRefused checks that the bank certainly does not give the amount back.
func (w *world) wantRefused(p acquirer.Payment, minor int64) {
	w.t.Helper()
	back, err := w.refund(p, minor)
	if !errors.Is(err, acquirer.ErrRefused) || errors.Is(err, acquirer.ErrNotSent) {
		w.t.Errorf("Refund of %d = %+v, %v, want ErrRefused", minor, back, err)
	}
}

// wantNothingKnown checks that the outcome of a refund is unknown.
func wantNothingKnown(t *testing.T, what string, back acquirer.Refunded, err error) {
	t.Helper()
	if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrRefused) ||
		errors.Is(err, acquirer.ErrAccount) {
		t.Errorf("%s: Refund = %+v, %v, want an unknown outcome", what, back, err)
	}
}

func TestMoneyGoesBackInParts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, body := w.call(http.MethodGet, "/control/refunds", ""); string(body) != "[]\n" {
		t.Errorf("refunds of an empty bank: %s", body)
	}
	wallet := w.pay("0912345678")
	card, _ := w.beginCard("en")
	w.settle(card, "paid", 200)
	ledger := w.ledger()
	var want []refundEntry
	numbers := map[string]bool{w.inquire(wallet).ProviderReference: true}
	for _, part := range []struct {
		of    acquirer.Payment
		minor int64
	}{{wallet, 1_000_000}, {card, 1_234_500}, {wallet, 234_499}, {wallet, 1}} {
		w.clock.Advance(time.Second)
		back, err := w.refund(part.of, part.minor)
		if err != nil || back.Money != lyd(part.minor) || numbers[back.ProviderReference] {
			t.Fatalf("Refund of %d = %+v, %v", part.minor, back, err)
		}
		numbers[back.ProviderReference] = true
		want = append(want, refundEntry{
			part.of.Intent.String(), string(part.of.Attempt), back.ProviderReference, part.minor, "LYD",
			w.clock.Now(),
		})
	}
	for _, p := range []acquirer.Payment{wallet, card} {
		w.wantRefused(p, 1)
		w.wantState(p, acquirer.StatePaid, "")
	}
	if diff := cmp.Diff(want, w.refunds()); diff != "" {
		t.Errorf("refunds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(ledger, w.ledger()); diff != "" {
		t.Errorf("the ledger of what was taken (-before +after):\n%s", diff)
	}
	w.wantNotifications(2)
}

func TestNoMoreThanWasTakenGoesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.pay("0912345678")
	w.wantRefused(p, 1_234_501)
	w.wantRefused(p, 1<<62)
	w.wantRefunded(0)
	var given, refused atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			switch back, err := w.refund(p, 100_000); {
			case err == nil && back.Money == lyd(100_000):
				given.Add(1)
			case errors.Is(err, acquirer.ErrRefused):
				refused.Add(1)
			default:
				t.Errorf("Refund = %+v, %v", back, err)
			}
		})
	}
	all.Wait()
	if given.Load() != 12 || refused.Load() != 8 {
		t.Errorf("%d given and %d refused, want 12 and 8", given.Load(), refused.Load())
	}
	w.wantRefunded(1_200_000)
	numbers := map[string]bool{}
	for _, e := range w.refunds() {
		numbers[e.Reference] = true
	}
	if len(numbers) != 12 {
		t.Errorf("12 refunds have %d numbers", len(numbers))
	}
}

func TestWhatIsNotPaidGivesNothingBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	open, declined := w.beginWallet("0912345678"), w.beginWallet("0920000004")
	w.confirm(declined, right)
	silent := w.beginWallet("0920000001") // its money was taken, and an inquiry says pending
	w.wantUnknown(silent)
	card, _ := w.beginCard("ar")
	for _, p := range []acquirer.Payment{open, declined, silent, card} {
		w.wantRefused(p, 1_000)
	}
	back, err := w.refund(acquirer.Payment{Attempt: newAttempt()}, 1_000)
	wantNothingKnown(t, "a payment that the bank does not know", back, err)
	w.wantRefunded(0)
	w.clock.Advance(3 * time.Second)
	if _, err := w.refund(silent, 1_000); err != nil {
		t.Errorf("when the inquiry says paid: %v", err)
	}
}

func TestRefundsThatAreNotSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.pay("0912345678")
	for name, amount := range map[string]domain.Money{
		"nothing": lyd(0), "less than nothing": lyd(-1), "another currency": {Minor: 1, Currency: "USD"},
	} {
		back, err := w.adapter.Refund(t.Context(), ref(p.Attempt), amount)
		if !errors.Is(err, acquirer.ErrNotSent) {
			t.Errorf("%s: Refund = %+v, %v, want ErrNotSent", name, back, err)
		}
	}
	stranger := newAdapter(t, sandbox.Config{URL: w.server.URL, Secret: "another"})
	if back, err := stranger.Refund(t.Context(), ref(p.Attempt), p.Money); !errors.Is(err, acquirer.ErrAccount) {
		t.Errorf("another secret: Refund = %+v, %v, want ErrAccount", back, err)
	}
	w.wantRefunded(0)
}

func TestNumber7RefusesRefunds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, phone := range []string{"0920000007", "0960001237"} {
		p := w.pay(phone)
		w.wantRefused(p, 1)
		w.wantRefused(p, 1_234_500)
		w.wantState(p, acquirer.StatePaid, "")
	}
	w.wantRefunded(0)
}

func TestNumber8AnswersLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *bank.Config) { c.AnswerAfter = time.Millisecond })
	if back, err := w.refund(w.pay("0920000008"), 1_000); err != nil || back.Money != lyd(1_000) {
		t.Errorf("Refund = %+v, %v", back, err)
	}
	w.wantRefunded(1_000)
}

// While an answer is waited for, the money is back already and the bank serves others. A client
// that goes away, and a bank that closes, end the wait.
func TestWaitingForTheAnswerToARefund(t *testing.T) {
	t.Parallel()
	for _, phone := range []string{"0920000008", "0960004569"} {
		for _, closes := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, bank closes: %t", phone, closes), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, func(c *bank.Config) { c.AnswerAfter, c.HoldLimit = time.Hour, time.Hour })
				p := w.pay(phone)
				ctx, leave := context.WithCancel(t.Context())
				defer leave()
				var asking sync.WaitGroup
				asking.Go(func() {
					back, err := w.adapter.Refund(ctx, ref(p.Attempt), lyd(1_000))
					wantNothingKnown(t, phone, back, err)
				})
				pgtest.WaitFor(t, "the refund", func() bool { return len(w.refunds()) == 1 })
				w.wantState(p, acquirer.StatePaid, "")
				if closes {
					if err := w.bank.Close(); err != nil {
						t.Error(err)
					}
				} else {
					leave()
				}
				asking.Wait()
				pgtest.WaitFor(t, "the bank to end the request", func() bool { return w.active.Load() == 0 })
				w.wantRefunded(1_000)
			})
		}
	}
}

// The bank does not know a repeated refund: what is asked for twice goes back twice.
func TestNumber9GivesBackWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.pay("0920000009")
	for range 2 {
		back, err := w.refund(p, 500_000)
		wantNothingKnown(t, "number 9", back, err)
	}
	w.wantRefused(p, 500_000) // a refusal is answered
	w.wantRefunded(1_000_000)
}

func TestARestartForgetsNoRefund(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bank.jsonl")
	w := newWorld(t, withJournal(path))
	p, silent := w.pay("0912345678"), w.pay("0920000009")
	for _, minor := range []int64{1_000_000, 200_000} {
		if _, err := w.refund(p, minor); err != nil {
			t.Error(err)
		}
	}
	back, err := w.refund(silent, 1_234_500)
	wantNothingKnown(t, "number 9", back, err)
	before := w.refunds()
	if err := w.bank.Close(); err != nil {
		t.Fatal(err)
	}
	back, err = w.refund(p, 1) // the journal cannot be written to
	wantNothingKnown(t, "a full disk", back, err)
	w.wantRefunded(2_434_500)

	again := newWorld(t, withJournal(path))
	if diff := cmp.Diff(before, again.refunds()); diff != "" || len(before) != 3 {
		t.Errorf("%d refunds (-before +after):\n%s", len(before), diff)
	}
	again.wantRefused(p, 34_501)
	again.wantRefused(silent, 1)
	if _, err := again.refund(p, 34_500); err != nil {
		t.Error(err)
	}
}

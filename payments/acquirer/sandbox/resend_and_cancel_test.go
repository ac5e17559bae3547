package sandbox_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// wantResent asks for a new code, and checks its receiver and its lifetime.
func (w *world) wantResent(p acquirer.Payment) {
	w.t.Helper()
	sent, err := w.adapter.Resend(w.t.Context(), ref(p.Attempt))
	phone := p.Inputs[acquirer.Phone]
	want := acquirer.CodeSent{SentTo: phone[:3] + "•••" + phone[6:], Digits: 6, ValidFor: 5 * time.Minute}
	if diff := cmp.Diff(want, sent); err != nil || diff != "" {
		w.t.Errorf("Resend: %v (-want +got):\n%s", err, diff)
	}
}

// wantNoCode checks that the bank refuses a new code.
func (w *world) wantNoCode(p acquirer.Payment) {
	w.t.Helper()
	sent, err := w.adapter.Resend(w.t.Context(), ref(p.Attempt))
	if !errors.Is(err, acquirer.ErrNoCodeWanted) || errors.Is(err, acquirer.ErrNotSent) {
		w.t.Errorf("Resend = %+v, %v, want that no code is wanted", sent, err)
	}
}

// wantCanceled cancels twice, and checks the report both times and against an inquiry.
func (w *world) wantCanceled(p acquirer.Payment, state acquirer.State, reason acquirer.Reason) {
	w.t.Helper()
	for range 2 {
		report, err := w.adapter.Cancel(w.t.Context(), ref(p.Attempt))
		if err != nil {
			w.t.Fatal(err)
		}
		if report.State != state || report.Reason != reason {
			w.t.Errorf("Cancel = %s %q, want %s %q", report.State, report.Reason, state, reason)
		}
		if diff := cmp.Diff(w.inquire(p), report); diff != "" {
			w.t.Errorf("(-inquiry +Cancel):\n%s", diff)
		}
	}
}

func TestANewCodeRestartsTheTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	for range 3 {
		w.clock.Advance(5*time.Minute - time.Nanosecond)
		w.wantResent(p)
	}
	w.clock.Advance(5*time.Minute - time.Nanosecond)
	w.wantState(p, acquirer.StatePending, "")
	again := w.begin(p).(acquirer.CodeSent)
	if again.ValidFor >= time.Second {
		t.Errorf("Begin again: valid for %v, want the rest of the new code's time", again.ValidFor)
	}
	w.clock.Advance(time.Nanosecond)
	w.wantState(p, acquirer.StateDeclined, acquirer.CodeExpired)
	w.wantNoCode(p)
	w.wantState(p, acquirer.StateDeclined, acquirer.CodeExpired)
	w.wantTaken(0)
	w.wantNotifications(0)
}

func TestANewCodePays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	w.clock.Advance(4 * time.Minute)
	w.wantResent(p)
	w.clock.Advance(4 * time.Minute)
	if _, paid := w.confirm(p, right).(acquirer.Paid); !paid {
		t.Error("the code that was sent again did not pay")
	}
	w.wantTaken(1)
	w.wantNotifications(1)
}

// With five guesses for each new code there would be no limit.
func TestANewCodeKeepsTheCountOfWrongCodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	for range 4 {
		w.confirm(p, "222222")
		w.wantResent(p)
	}
	locked := acquirer.Confirmed(acquirer.Declined{Reason: acquirer.CodeLocked})
	if diff := cmp.Diff(locked, w.confirm(p, "222222")); diff != "" {
		t.Errorf("the fifth wrong code (-want +got):\n%s", diff)
	}
	w.wantNoCode(p)
	w.wantTaken(0)
}

func TestNoCodeIsSentWhereNoneIsWanted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, declined := w.beginWallet("0912345678"), w.beginWallet("0912345678")
	canceled := w.beginWallet("0912345678")
	taken, hung, held := w.beginWallet("0920000001"), w.beginWallet("0920000002"), w.beginWallet("0920000003")
	w.wantResent(held) // until its code is typed
	w.confirm(paid, right)
	w.confirm(declined, decline)
	for _, p := range []acquirer.Payment{held, taken, hung} {
		w.wantUnknown(p)
	}
	w.wantCanceled(canceled, acquirer.StateDeclined, acquirer.Abandoned)
	card, _ := w.beginCard("ar")
	for _, p := range []acquirer.Payment{paid, declined, held, taken, hung, canceled, card} {
		w.wantNoCode(p)
	}
	unknown, err := w.adapter.Resend(t.Context(), ref(newAttempt()))
	if err == nil || errors.Is(err, acquirer.ErrNoCodeWanted) {
		t.Errorf("Resend for a payment that the bank does not know = %v, %v, want another error", unknown, err)
	}
	w.wantState(card, acquirer.StatePending, "")
	w.wantState(held, acquirer.StatePending, "")
}

func TestAPaymentIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.beginWallet("0912345678")
	w.confirm(p, "222222")
	w.wantCanceled(p, acquirer.StateDeclined, acquirer.Abandoned)
	abandoned := acquirer.Confirmed(acquirer.Declined{Reason: acquirer.Abandoned})
	if diff := cmp.Diff(abandoned, w.confirm(p, right)); diff != "" {
		t.Errorf("the right code afterwards (-want +got):\n%s", diff)
	}
	w.wantTaken(0)
	w.wantNotifications(1)
	sent := w.notifications()[0]
	notice, err := w.adapter.ParseNotification(acquirer.Message{Header: sent.header, Body: sent.body})
	if err != nil || notice.Reference != string(p.Attempt) {
		t.Errorf("the notification is about %v, %v", notice, err)
	}
	if !strings.Contains(string(sent.body), `"state":"declined"`) {
		t.Errorf("the notification is %s", sent.body)
	}

	w.settle(p, "paid", 200) // a late payment can follow a cancellation too
	w.wantCanceled(p, acquirer.StatePaid, "")
	w.wantTaken(1)
	w.wantNotifications(2)
}

func TestABankPageIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, page := w.beginCard("en")
	w.wantCanceled(p, acquirer.StateDeclined, acquirer.Abandoned)
	if after := (browser{w}).press(page, "pay"); after.view()[2] != "left" {
		t.Errorf("pay on a page that was given up: %v", after.view())
	}
	w.wantState(p, acquirer.StateDeclined, acquirer.Abandoned)
	w.wantTaken(0)
	w.wantNotifications(1)
}

// A decided payment stays as it is, and is not notified a second time.
func TestADecidedPaymentIsNotGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, declined := w.beginWallet("0912345678"), w.beginWallet("0920000004")
	lapsed := w.beginWallet("0912345678")
	w.confirm(paid, right)
	w.confirm(declined, right)
	w.clock.Advance(5 * time.Minute)
	w.wantCanceled(paid, acquirer.StatePaid, "")
	w.wantCanceled(declined, acquirer.StateDeclined, acquirer.InsufficientFunds)
	w.wantCanceled(lapsed, acquirer.StateDeclined, acquirer.CodeExpired)
	w.wantTaken(1)
	w.wantNotifications(2)
	nowhere := acquirer.Payment{Attempt: newAttempt()}
	w.wantCanceled(nowhere, acquirer.StateNotFound, "")
}

// Where the money may have been taken, the payment stays pending: a payer who reads that it was
// given up would pay again.
func TestAPaymentBeingDecidedIsNotGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	taken, hung := w.beginWallet("0920000001"), w.beginWallet("0920000002")
	slow, held := w.beginWallet("0920000003"), w.beginWallet("0920000003")
	for _, p := range []acquirer.Payment{taken, hung, held} {
		w.wantUnknown(p)
	}
	w.wantCanceled(taken, acquirer.StatePending, "")
	w.wantCanceled(hung, acquirer.StateDeclined, acquirer.TimedOut)
	w.wantCanceled(held, acquirer.StatePending, "")
	w.wantCanceled(slow, acquirer.StatePending, "")
	w.clock.Advance(3 * time.Second)
	w.wantCanceled(taken, acquirer.StatePaid, "")
	w.wantTaken(1)
	w.wantNotifications(0)
}

func TestAConcurrentCodeAndCancellationAgree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	outcomes := map[acquirer.State]int{}
	for range 50 {
		p := w.beginWallet("0912345678")
		var both sync.WaitGroup
		var confirmed acquirer.Confirmed
		var report acquirer.Report
		both.Go(func() { confirmed = w.confirmConcurrently(p.Attempt) })
		both.Go(func() {
			var err error
			if report, err = w.adapter.Cancel(t.Context(), ref(p.Attempt)); err != nil {
				t.Errorf("cancel: %v", err)
			}
		})
		both.Wait()
		_, paid := confirmed.(acquirer.Paid)
		if paid != (report.State == acquirer.StatePaid) {
			t.Errorf("confirmed %v, canceled %v", confirmed, report)
		}
		w.wantState(p, report.State, report.Reason)
		outcomes[report.State]++
	}
	w.wantTaken(outcomes[acquirer.StatePaid])
	w.wantNotifications(50)
}

// confirmConcurrently types the right code. It may be called on any goroutine.
func (w *world) confirmConcurrently(id domain.AttemptID) acquirer.Confirmed {
	confirmed, err := w.adapter.Confirm(w.t.Context(), ref(id), right)
	if err != nil {
		w.t.Errorf("confirm: %v", err)
	}
	return confirmed
}

package checkout_test

import (
	"testing"
	"time"

	"daftar/domain"
)

func TestNumber1IsPaidByInquiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000001"), code("111111")), 200, "processing")
	w.until(i, "receipt") // the bank reports pending for three seconds
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	w.wantStage(w.lastAttempt(i.ID), "closed")
}

func TestNumber2IsDeclinedByInquiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.submit(w.atCode(i, "0920000002"), code("111111"))
	if s := page.state(); s != "processing" && s != "pay" {
		t.Errorf("the page shows %s while the outcome is unknown", s)
	}
	contains(t, w.until(i, "pay"), "لم تكتمل عملية الدفع في الوقت المتاح.")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
}

// pendingAtTheBank is an intent whose payment the bank has not decided.
func (w *world) pendingAtTheBank() (domain.Intent, domain.AttemptID) {
	w.t.Helper()
	i := w.create()
	w.exec(`DELETE FROM checkout_usage`) // some tests need more of these than a number may have in an hour
	w.want(w.submit(w.atCode(i, "0920000003"), code("111111")), 200, "processing")
	return i, w.lastAttempt(i.ID)
}

func TestNumber3StaysProcessingUntilItIsSettled(t *testing.T) {
	t.Parallel()
	for outcome, state := range map[string]string{"paid": "receipt", "declined": "pay"} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i, attempt := w.pendingAtTheBank()
			asked := w.acquirer.inquired.Load()
			w.due(attempt)
			w.eventually("it is asked about", func() bool { return w.acquirer.inquired.Load() > asked })
			w.later(20 * time.Hour)
			contains(t, w.want(w.visit(path(i)), 200, "processing"), "لا تدفع مرة أخرى")
			if got := w.load(i.ID).Status; got != domain.StatusProcessing {
				t.Errorf("status %s", got)
			}
			w.settle(attempt, outcome)
			w.until(i, state)
			w.wantStage(attempt, "closed")
		})
	}
}

func TestNumber4CanBePaidLate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000004"), code("111111")), 200, "pay")
	w.later(25 * time.Hour)
	w.want(w.visit(path(i)), 200, "expired")
	if _, err := w.ledger.Current(t.Context(), i.ID, 0); err != nil {
		t.Fatal(err)
	}
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "expired")
	w.settle(w.lastAttempt(i.ID), "paid")
	receipt := w.until(i, "receipt")
	contains(t, receipt, "بعد انتهاء")
	if got := receipt.document.refresh(); got != "" {
		t.Errorf("a payer who paid late is sent to the shop before reading the notice: %q", got)
	}
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "expired", "late_succeeded")
}

func TestNumber5IsPaidOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000005"), code("111111")), 200, "receipt")
	if err := w.bank.WaitNotified(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.eventually("the true notifications were followed", func() bool {
		return w.row(w.lastAttempt(i.ID)).AskAt == nil
	})
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

func TestASecondPaymentIsNotForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000004"), code("111111")), 200, "pay")
	first := w.lastAttempt(i.ID)
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
	w.settle(first, "paid")
	w.eventually("the second payment is in the ledger", func() bool { return len(w.history(i.ID)) == 6 })
	w.wantHistory(i.ID, "created",
		"attempt_started", "attempt_failed",
		"attempt_started", "succeeded",
		"duplicate_payment")
	w.want(w.visit(path(i)), 200, "receipt")
}

// A payment comes in for a failed attempt, while the payer has received the code of the next
// one. That code must not be used any more.
func TestNoCodeIsUsedForAPaidIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000004"), code("111111")), 200, "pay")
	first := w.lastAttempt(i.ID)
	page := w.atCode(i, "0912345678")
	confirmed := w.acquirer.confirmed.Load()
	w.settle(first, "paid")
	w.until(i, "receipt")
	w.want(w.submit(page, code("111111")), 200, "receipt")
	if got := w.acquirer.confirmed.Load(); got != confirmed {
		t.Error("a code was passed to the acquirer although the intent is paid")
	}
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "attempt_started", "succeeded")
}

// If the payer leaves the code page, the attempt ends when the code expires.
func TestACodeThatIsNeverTypedEndsTheAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.atCode(i, "0912345678")
	w.later(5*time.Minute + 3*time.Second)
	w.eventually("the attempt has failed", func() bool { return len(w.history(i.ID)) == 3 })
	contains(t, w.want(w.visit(path(i)+"?lang=en"), 200, "pay"), "The code expired before it was entered.")
}

func TestInquiriesFollowTheSchedule(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.createUntil(45_750, w.ledger.Now().Add(time.Hour))
	w.want(w.submit(w.atCode(i, "0920000003"), code("111111")), 200, "processing")
	attempt := w.lastAttempt(i.ID)
	w.halt()
	w.exec(`
		UPDATE checkout_attempts
		SET stage_since = stage_since - interval '40 minutes', ask_at = stage_since`)
	w.start(0)
	// The schedule's next inquiry, two hours after it became unknown, would be too late: the intent
	// expires before.
	w.eventually("it is asked about at the expiry", func() bool {
		at := w.row(attempt).AskAt
		return at != nil && at.Equal(i.ExpiresAt)
	})
}

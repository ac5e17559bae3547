package checkout_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// justAfter is a moment after the expiry, counted from when an intent was created.
const justAfter = domain.DefaultExpiry + 5*time.Second

// openAtTheExpiry is an intent whose payment is still open at the bank when the time is over.
func (w *world) openAtTheExpiry() (domain.Intent, domain.AttemptID) {
	w.t.Helper()
	i, id := w.pendingAtTheBank()
	w.later(justAfter)
	page := w.want(w.visit(path(i)), 200, "processing")
	contains(w.t, page, "انتهت مهلة الدفع", "لا تدفع مرة أخرى")
	if d := page.document.all("main")[0].attr("data-detail"); d != "time-over" {
		w.t.Errorf("the page's detail is %q", d)
	}
	w.wantStage(id, "ending")
	return i, id
}

// Only the bank's answer ends an attempt that was open at the expiry: a payment after that
// is late.
func TestWhatIsOpenAtTheExpiryComesLate(t *testing.T) {
	t.Parallel()
	ended := []string{"created", "attempt_started", "attempt_failed", "expired"}
	for outcome, want := range map[string]struct {
		state  string
		events []string
	}{
		"paid":     {"receipt", append(ended[:4:4], "late_succeeded")},
		"declined": {"expired", ended},
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i, id := w.openAtTheExpiry()
			w.settle(id, outcome)
			w.until(i, want.state)
			w.wantHistory(i.ID, want.events...)
			if got := w.load(i.ID); got.Late != (outcome == "paid") {
				t.Errorf("late: %v", got.Late)
			}
			w.wantStage(id, "closed")
		})
	}
}

// A payment that the bank took before the expiry is in time, although its answer comes after that.
func TestWhatWasTakenBeforeTheExpiryIsInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	silent := func(context.Context, acquirer.Ref) (acquirer.Report, error) {
		return acquirer.Report{}, context.DeadlineExceeded
	}
	i := w.create()
	w.acquirer.inquire.Store(&silent)
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "processing")
	w.later(justAfter)
	w.want(w.visit(path(i)), 200, "processing")
	w.acquirer.inquire.Store(nil)
	w.due(w.lastAttempt(i.ID))
	w.until(i, "receipt")
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	if w.load(i.ID).Late {
		t.Error("the payment counts as late")
	}
}

// An attempt that the bank leaves undecided lapses ten minutes after the expiry. A payment after
// that is still recorded.
func TestAnAttemptLapsesAfterTheExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, id := w.pendingAtTheBank()
	w.later(domain.DefaultExpiry + attempt.LapsesAfter + time.Second)
	w.until(i, "expired")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "expired")
	w.wantStage(id, "closed")
	if w.row(id).AskAt == nil {
		t.Error("no inquiry is scheduled any more")
	}
	w.settle(id, "paid")
	w.until(i, "receipt")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "expired", "late_succeeded")
}

// After the expiry no code is passed to the bank and none is sent, whatever page the payer has
// open.
func TestNoCodeIsTakenAfterTheExpiry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.later(domain.DefaultExpiry - time.Minute) // so that the code outlives the intent
	page := w.atCode(i, "0920000003")
	w.later(justAfter)
	confirmed, begun := w.acquirer.confirmed.Load(), w.acquirer.begun.Load()
	w.want(w.submit(page, code("111111")), 200, "processing")
	w.want(w.button(i, "/resend"), 200, "processing")
	w.want(w.follow(w.post(path(i)+"/attempts", wallet("0923456789"))), 200, "processing")
	confirmed, begun = w.acquirer.confirmed.Load()-confirmed, w.acquirer.begun.Load()-begun
	if resent := w.acquirer.resent.Load(); confirmed+resent+begun != 0 {
		t.Errorf("after the expiry %d codes were passed on, %d sent again, %d payments begun",
			confirmed, resent, begun)
	}
	w.wantHistory(i.ID, "created", "attempt_started")
}

// The bank knows the deadline too: it takes no payment after it, and reports that.
func TestTheBankKnowsTheDeadline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.later(domain.DefaultExpiry - time.Minute)
	waiting := w.atBank(i)
	w.later(justAfter)
	w.press(waiting, "pay")
	w.until(i, "expired")
	// The bank's own message may come after the inquiry: until it is checked the page does not say
	// that no money was taken.
	w.eventually("the page says that no money was taken", func() bool {
		return strings.Contains(w.visit(path(i)).text(), "لم يُسحب أي مبلغ")
	})
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "expired")
	if attempts := w.load(i.ID).Attempts; attempts[0].Reason != domain.ReasonExpired {
		t.Errorf("it failed because of %q", attempts[0].Reason)
	}
}

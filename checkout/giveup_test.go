package checkout_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer"
)

func TestAPayerCanGiveUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, j := w.create(), w.create()
	w.atCode(i, "0912345678").document.with(t, "form", "action", path(i)+"/give-up")
	w.atBank(j).document.with(t, "form", "action", path(j)+"/give-up")
	for _, k := range []domain.Intent{i, j} {
		page := w.want(w.button(k, "/give-up"), 200, "pay")
		if got := w.load(k.ID).Attempts[0].Reason; got != string(acquirer.Abandoned) {
			t.Errorf("reason %q", got)
		}
		w.wantStage(w.lastAttempt(k.ID), "closed")
		w.want(w.button(k, "/give-up"), 200, "pay") // pressed twice
		otp := w.want(w.submit(page, wallet("0923456789")), 200, "otp")
		w.want(w.submit(otp, code("111111")), 200, "receipt")
		w.wantHistory(k.ID, "created", "attempt_started", "attempt_failed", "attempt_started", "succeeded")
	}
}

// Whatever the acquirer answers to a give-up, the page shows the state of the payment.
func TestAGiveUpThatHasNoEffect(t *testing.T) {
	t.Parallel()
	type cancel = func(context.Context, acquirer.Ref) (acquirer.Report, error)
	fails := func(err error) func(*world) cancel {
		return func(*world) cancel {
			return func(context.Context, acquirer.Ref) (acquirer.Report, error) { return acquirer.Report{}, err }
		}
	}
	passes := func(w *world) cancel { return w.acquirer.Acquirer.Cancel }
	paidFirst := func(w *world) cancel {
		return func(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
			w.settle(id.Attempt, "paid")
			return w.acquirer.Acquirer.Cancel(ctx, id)
		}
	}
	for name, tc := range map[string]struct {
		method map[string][]string
		cancel func(*world) cancel
		status int
		state  string
	}{
		"paid at the bank":      {card(), paidFirst, 200, "receipt"},
		"not given up":          {wallet("0920000003"), passes, 200, "otp"},
		"no answer":             {wallet("0912345678"), fails(errLost), 200, "otp"},
		"no answer at the bank": {card(), fails(errLost), 200, "processing"},
		"not sent":              {wallet("0912345678"), fails(acquirer.ErrNotSent), 503, "unavailable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.create()
			w.submit(w.visit(path(i)), tc.method)
			attempt := w.lastAttempt(i.ID)
			stage, asked := w.row(attempt).Stage, w.acquirer.inquired.Load()
			f := tc.cancel(w)
			w.acquirer.cancel.Store(&f)
			answer := w.post(path(i)+"/give-up", nil)
			if answer.status == http.StatusSeeOther {
				answer = w.follow(answer)
			}
			w.want(answer, tc.status, tc.state)
			if tc.state == "receipt" {
				return
			}
			if got := w.row(attempt).Stage; got != stage {
				t.Errorf("the payer was in stage %s and is in %s", stage, got)
			}
			w.wantHistory(i.ID, "created", "attempt_started")
			if tc.status == 200 {
				w.eventually("it is asked about soon", func() bool { return w.acquirer.inquired.Load() > asked })
			}
		})
	}
}

// A code that is being confirmed and a give-up exclude each other.
func TestAGiveUpDoesNotRaceACode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.atCode(i, "0912345678")
	confirming, proceed := make(chan struct{}), make(chan struct{})
	f := func(ctx context.Context, id acquirer.Ref, c acquirer.Code) (acquirer.Confirmed, error) {
		close(confirming)
		<-proceed
		return w.acquirer.Acquirer.Confirm(ctx, id, c)
	}
	w.acquirer.confirm.Store(&f)
	var typing sync.WaitGroup
	typing.Go(func() { w.post(page.action(t), code("111111")) })
	<-confirming
	w.want(w.button(i, "/give-up"), 200, "processing")
	close(proceed)
	typing.Wait()
	w.until(i, "receipt")
	if got := w.acquirer.canceled.Load(); got != 0 {
		t.Error("the acquirer was asked to cancel while it was confirming a code")
	}

	w.acquirer.confirm.Store(nil)
	j := w.create()
	page = w.atCode(j, "0912345678")
	before := w.acquirer.confirmed.Load()
	g := func(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
		w.want(w.submit(page, code("111111")), 200, "processing")
		return w.acquirer.Acquirer.Cancel(ctx, id)
	}
	w.acquirer.cancel.Store(&g)
	w.want(w.button(j, "/give-up"), 200, "pay")
	if got := w.acquirer.confirmed.Load(); got != before {
		t.Error("a code was passed to the acquirer while the payer gave up")
	}
}

package checkout_test

import (
	"net/http"
	"testing"

	"daftar/accounts"
	"daftar/domain"
)

// Once the merchant has stopped the checkouts of an application no attempt begins,
// whatever page the payer has open; an attempt under way ends as the bank decides.
func TestAStoppedCheckoutTakesNoAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	open, typing, declining := w.create(), w.create(), w.create()
	page := w.want(w.visit(path(open)), 200, "pay")
	codePage, lastTry := w.atCode(typing, "0912345678"), w.atCode(declining, "0923456789")
	a := accounts.New(w.pool, accounts.Options{})
	app := w.app
	if err := a.StopCheckouts(t.Context(), operator, app.Organization, app.ID); err != nil {
		t.Fatal(err)
	}
	stopped := w.want(w.submit(page, wallet("0912345678")), 200, "expired")
	contains(t, stopped, "أوقف المتجر الدفع لهذه الطلبية", "لم يُسحب أي مبلغ")
	english := w.want(w.visit(path(open)+"?lang=en"), 200, "expired")
	contains(t, english, "The shop no longer takes payment for this order")
	w.wantHistory(open.ID, "created")
	w.want(w.submit(codePage, code("111111")), 200, "receipt")
	w.want(w.submit(lastTry, code("000000")), 200, "expired")
	w.wantHistory(declining.ID, "created", "attempt_started", "attempt_failed")
	if s := w.post(path(declining)+"/attempts", wallet("0923456789")); s.status != http.StatusSeeOther {
		t.Errorf("another attempt: status %d", s.status)
	}
	w.wantHistory(declining.ID, "created", "attempt_started", "attempt_failed")

	// After the application is active again, intents that are not canceled yet can be paid.
	if err := a.SetActive(t.Context(), operator, app.Organization, app.ID, true); err != nil {
		t.Fatal(err)
	}
	w.want(w.visit(path(open)), 200, "pay")
	if got := w.load(typing.ID).Status; got != domain.StatusSucceeded {
		t.Errorf("the payment that was under way is %s", got)
	}
}

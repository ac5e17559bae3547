package checkout_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daftar/domain"
	"daftar/payments"
	"daftar/payments/attempt"
)

func TestAnotherAmountByLYPayIsSetAside(t *testing.T) {
	t.Parallel()
	s := newShop(t, "lypay")
	i := s.create()
	page := s.want(s.chooses(i, "lypay"), 200, "qr")
	s.elsewhere = nil // money that waits for a decision is not in the ledger
	s.command("lypay", "/control/scan",
		map[string]any{"payload": page.document.with(t, "div", "id", "qr").attr("data-payload"), "amount": 45_000})
	s.wantStage(s.lastAttempt(i.ID), "quarantined")
	s.want(s.visit(path(i)), 200, "processing")
	s.wantHistory(i.ID, "created", "attempt_started")
}

func TestPaidTwiceByLYPayIsSetAside(t *testing.T) {
	t.Parallel()
	s := newShop(t, "lypay")
	s.command("lypay", "/control/dialect", map[string]any{"answers": "list"})
	i := s.create()
	page := s.want(s.chooses(i, "lypay"), 200, "qr")
	payload := page.document.with(t, "div", "id", "qr").attr("data-payload")
	s.command("lypay", "/control/scan", map[string]any{"payload": payload})
	s.until(i, "receipt")
	s.command("lypay", "/control/scan", map[string]any{"payload": payload})
	s.wantStage(s.lastAttempt(i.ID), "quarantined")
	trouble := s.row(s.lastAttempt(i.ID)).Trouble
	if !strings.Contains(attempt.ReadTrouble(trouble).String(), "paid again: 45.750 LYD") {
		t.Errorf("trouble %q", trouble)
	}
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

// Where the acquirer offers no inquiry, a lost answer blocks a second attempt until an operator
// has settled the first.
func TestALostConfirmationWaitsForAPerson(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	page := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	s.fault("edfali/confirm", "drop_after")
	attempt := s.lastAttempt(i.ID)
	s.want(s.submit(page, code("1111")), 200, "processing")
	s.due(attempt)
	s.wantStage(attempt, "quarantined")
	s.want(s.chooseAgain(i, "adfali"), 200, "processing")
	s.want(s.follow(s.post(path(i)+"/give-up", url.Values{})), 200, "processing")
	s.wantHistory(i.ID, "created", "attempt_started")
	if settled := s.settleByHand(attempt, payments.VerdictPaid); settled.Status != domain.StatusSucceeded {
		t.Errorf("settled: %+v", settled)
	}
	s.want(s.visit(path(i)), 200, "receipt")
}

// chooseAgain sends the pay page's form although the page no longer has one.
func (s *shop) chooseAgain(i domain.Intent, method string) shown {
	s.t.Helper()
	return s.follow(s.post(path(i)+"/attempts", url.Values{"method": {method}, "phone": {"0911234567"}}))
}

func TestALostBeginningTakesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	for _, method := range []string{"adfali", "cards"} {
		i := s.create()
		call := map[string]string{"adfali": "edfali/verify", "cards": "localbankcards/confirm"}[method]
		s.fault(call, "drop_after")
		s.want(s.chooses(i, method, "phone", "0911234567"), 200, "processing")
		s.due(s.lastAttempt(i.ID))
		s.until(i, "pay")
		s.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
	}
}

func TestAnAccountThatIsRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.set("plutu", strings.Replace(accountSettings["plutu"], plutuAccessToken, "another-token", 1))
	i := s.create()
	for range payments.FaultThreshold + 1 { // a mistake of one merchant must not open the circuit
		page := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "pay")
		contains(t, page, "لا يستطيع المتجر استقبال الدفع")
		s.exec(`DELETE FROM checkout_usage`)
		i = s.create()
	}
	if strings.Contains(s.log.String(), "circuit") {
		t.Error("the acquirer was put out of order")
	}
	s.wantNoSecret("the log", s.log.String(), []string{plutuAPIKey, plutuSecretKey, "another-token"})
}

// Each application has its own address for notifications, and its account's key signs them.
func TestNotificationsAreOfOneApplication(t *testing.T) {
	t.Parallel()
	s := newShop(t, "moamalat")
	for _, address := range []string{
		"/acquirers/moamalat/notifications",
		"/acquirers/moamalat/not-a-uuid/notifications",
		"/acquirers/lypay/" + s.app.ID.String() + "/notifications",
		"/acquirers/moamalat/00000000-0000-4000-8000-000000000000/notifications",
		"/acquirers/sandbox/" + s.app.ID.String() + "/notifications",
	} {
		if got := s.send(http.MethodPost, address, url.Values{}); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", address, got.status)
		}
	}
	address := "/acquirers/moamalat/" + s.app.ID.String() + "/notifications"
	got := s.send(http.MethodPost, address, url.Values{"SecureHash": {"00"}})
	if got.status != http.StatusUnauthorized {
		t.Errorf("forged: %d", got.status)
	}
}

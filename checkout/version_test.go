package checkout_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/webhooks"
)

// version reads the current version of an intent's page.
func (w *world) version(i domain.Intent) string {
	w.t.Helper()
	s := w.visit(path(i) + "/state")
	var answer map[string]string
	err := json.Unmarshal([]byte(s.body), &answer)
	if err != nil || s.status != 200 || s.header.Get("Content-Type") != "application/json" ||
		s.header.Get("Cache-Control") != "no-store" {
		w.t.Fatalf("state answers %d %v %q: %v", s.status, s.header, s.body, err)
	}
	if len(answer) != 1 || len(answer["version"]) != 16 {
		w.t.Fatalf("state answers %s", s.body)
	}
	return answer["version"]
}

// watched returns the version of a page. The page must have the address of the current version,
// and that must be the same.
func (w *world) watched(i domain.Intent, s shown) string {
	w.t.Helper()
	main := s.document.one(w.t, "main")
	if got, want := main.attr("data-watch"), path(i)+"/state"; got != want {
		w.t.Fatalf("the page %s watches %q, want %q", s.state(), got, want)
	}
	if got, want := main.attr("data-version"), w.version(i); got != want {
		w.t.Fatalf("the page %s has version %q, the address has %q", s.state(), got, want)
	}
	return main.attr("data-version")
}

func TestTheVersionChangesWithThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	seen := map[string]string{}
	changed := func(to string, version string) {
		t.Helper()
		if before, again := seen[version]; again {
			t.Errorf("%s has the version of %s", to, before)
		}
		seen[version] = to
	}
	fresh := w.want(w.visit(path(i)), 200, "pay")
	v := w.watched(i, fresh)
	changed("pay", v)
	for what, s := range map[string]shown{
		"opened again":   w.visit(path(i)),
		"in English":     w.visit(path(i) + "?lang=en"),
		"corrected":      w.post(path(i)+"/attempts", wallet("7")),
		"nothing chosen": w.post(path(i)+"/attempts", nil),
	} {
		if got := w.watched(i, s); got != v {
			t.Errorf("%s: another version", what)
		}
	}

	page := w.want(w.submit(fresh, wallet("0912345678")), 200, "otp")
	v = w.watched(i, page)
	changed("otp", v)
	attempt := w.lastAttempt(i.ID)
	w.ageCode(attempt, 31*time.Second)
	for what, s := range map[string]shown{
		"no code":    w.post(path(i)+"/code", code("")),
		"wrong code": w.submit(page, code("222222")),
		"resent":     w.button(i, "/resend"),
	} {
		if got := w.watched(i, w.want(s, s.status, "otp")); got != v {
			t.Errorf("%s: another version; a page that is loaded again loses what was typed", what)
		}
	}

	// The acquirer does not answer, first for a moment, then for long.
	f := func(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error) {
		return nil, errLost
	}
	w.acquirer.confirm.Store(&f)
	w.acquirer.failInquire(func(context.Context) error { return errLost })
	changed("processing", w.watched(i, w.want(w.submit(page, code("111111")), 200, "processing")))
	w.exec(`
		UPDATE checkout_attempts
		SET stage_since = stage_since - interval '2 minutes'
		WHERE attempt = $1`, attempt)
	changed("unknown for long", w.watched(i, w.want(w.visit(path(i)), 200, "processing")))

	w.acquirer.confirm.Store(nil)
	w.acquirer.inquire.Store(nil)
	w.settle(attempt, "paid")
	receipt := w.until(i, "receipt")
	if receipt.document.one(t, "main").has("data-watch") {
		t.Error("a receipt watches its version")
	}
	changed("receipt", w.version(i))
}

func TestTimeChangesTheVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	before := w.watched(i, w.visit(path(i)))
	w.later(25 * time.Hour)
	w.want(w.visit(path(i)), 200, "expired")
	if w.version(i) == before {
		t.Error("the same version after the deadline")
	}
	w.wantHistory(i.ID, "created")
}

// A request of the current version does the same as one of the page.
func TestRequestOfTheVersion(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, attempt := w.pendingAtTheBank()
	w.whileIdle(attempt, `
		UPDATE checkout_attempts
		SET ask_at = ask_at + interval '1 hour', asked_at = NULL
		WHERE attempt = $1
		  AND busy_until IS NULL`)
	asked, position := w.acquirer.inquired.Load(), w.position()
	w.version(i)
	w.eventually("the acquirer is asked", func() bool { return w.acquirer.inquired.Load() > asked })
	if got := w.position(); got != position {
		t.Errorf("the request appended %d events", got-position)
	}
	w.want(w.visit("/pay/"+i.ID.String()+"/"+strings.Repeat("0", 26)+"/state"), 404, "not-found")
	if s := w.post(path(i)+"/state", nil); s.status != http.StatusMethodNotAllowed {
		t.Errorf("POST answers %d", s.status)
	}
}

// When the link of a paid order is opened again, the page says that it was paid before.
func TestAnOldReceiptSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	receipt := w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
	if got := detail(t, receipt); got != "" {
		t.Errorf("a fresh receipt has the detail %q", got)
	}
	w.later(3 * time.Minute)
	if got := detail(t, w.want(w.visit(path(i)), 200, "receipt")); got != "already-paid" {
		t.Errorf("an old receipt has the detail %q", got)
	}
}

func TestAReceiptSaysThatItWasPaidTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000004"), code("111111")), 200, "pay")
	declined := w.lastAttempt(i.ID)
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
	w.settle(declined, "paid")
	var receipt shown
	w.eventually("the receipt says twice", func() bool {
		receipt = w.want(w.visit(path(i)), 200, "receipt")
		return detail(t, receipt) == "twice"
	})
	if got := receipt.document.one(t, "main").attr("data-refresh"); got != "" {
		t.Error("a payer who has paid twice is sent to the shop before reading the notice")
	}
	saysNotified := func(s shown) bool {
		return strings.Contains(s.document.one(t, "main").text(), "أبلغنا المتجر")
	}
	if saysNotified(receipt) {
		t.Error("the page says that the shop was notified, and nothing was delivered")
	}
	// The merchant's endpoint has accepted the webhook.
	w.exec(`
		INSERT INTO webhook_deliveries (uuid, application_uuid, event, intent_uuid, sequence, occurred_at, state)
		SELECT $2, application_uuid, 'payment_intent.duplicate_payment', uuid, 1, now(), 'delivered'
		FROM intents
		WHERE uuid = $1`, i.ID, webhooks.IDOf([16]byte(i.ID), 1))
	if !saysNotified(w.want(w.visit(path(i)), 200, "receipt")) {
		t.Error("the page does not say that the shop was notified")
	}
}

// detail is the data-detail of a page.
func detail(t *testing.T, s shown) string {
	t.Helper()
	return s.document.one(t, "main").attr("data-detail")
}

// atRest waits until the bank has sent all its notifications and the attempt is
// closed, with no inquiry due or under way. A notification that comes later makes an
// inquiry due again.
func (w *world) atRest(id domain.AttemptID) {
	w.t.Helper()
	if err := w.bank.WaitNotified(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	w.eventually("the attempt is closed and not asked about", func() bool {
		r := w.row(id)
		return r.Stage == "closed" && r.AskAt == nil
	})
}

// declinedAndExpired is an intent whose only attempt was declined, a day after its
// expiry, with nothing left to come from the bank.
func (w *world) declinedAndExpired() (domain.Intent, domain.AttemptID) {
	w.t.Helper()
	i := w.create()
	w.want(w.submit(w.atCode(i, "0920000004"), code("111111")), 200, "pay")
	attempt := w.lastAttempt(i.ID)
	w.atRest(attempt)
	w.later(25 * time.Hour)
	return i, attempt
}

// A notification after the expiry may only repeat that the payment was declined. The
// page must not claim that a payment came in.
func TestARepeatedDeclineAfterTheExpiryIsNoPayment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, attempt := w.declinedAndExpired()
	w.acquirer.failInquire(func(context.Context) error { return errLost })
	const declined = `{"id":%q,"intent":%q,"amount":45750,"currency":"LYD","state":"declined","reference":"SB1"}`
	says := fmt.Sprintf(declined, attempt, i.ID)
	if got := w.notify("/acquirers/sandbox/notifications", says, bankSecret); got != http.StatusNoContent {
		t.Fatalf("notification: status %d", got)
	}
	for _, row := range []struct {
		query       string
		title, why  string
		noneOfThese []string
	}{
		{"", "نتحقق مع جهة الدفع", "وصلتنا رسالة من جهة الدفع بشأن دفعتك",
			[]string{"دفعة وصلت", "لم يُسحب أي مبلغ"}},
		{
			"?lang=en", "Checking with the payment provider",
			"a message about this payment has come from the payment provider",
			[]string{"came in", "told us of a payment", "No money was taken"},
		},
	} {
		page := w.want(w.visit(path(i)+row.query), 200, "expired")
		if got := detail(t, page); got != "checking" {
			t.Errorf("the page has the detail %q", got)
		}
		contains(t, page, row.title, row.why)
		for _, words := range row.noneOfThese {
			if strings.Contains(page.text(), words) {
				t.Errorf("the page says %q after another decline:\n%s", words, page.text())
			}
		}
	}

	w.acquirer.inquire.Store(nil)
	w.due(attempt)
	w.atRest(attempt)
	page := w.want(w.visit(path(i)), 200, "expired")
	if got := detail(t, page); got != "" {
		t.Errorf("after the inquiry the page has the detail %q", got)
	}
	contains(t, page, "لم يُسحب أي مبلغ")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
}

// While a late payment is being checked, the page does not say that no money was taken.
func TestALatePaymentIsBeingChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, attempt := w.declinedAndExpired()
	page := w.want(w.visit(path(i)), 200, "expired")
	if got := detail(t, page); got != "" {
		t.Errorf("the page has the detail %q although no payment was reported", got)
	}
	contains(t, page, "لم يُسحب أي مبلغ")
	before := w.version(i)
	w.acquirer.failInquire(func(context.Context) error { return errLost })
	w.settle(attempt, "paid")
	w.eventually("the page says that it is checked", func() bool {
		return detail(t, w.visit(path(i))) == "checking"
	})
	page = w.want(w.visit(path(i)), 200, "expired")
	if got := w.watched(i, page); got == before {
		t.Error("the same version")
	}
	if strings.Contains(page.text(), "لم يُسحب أي مبلغ") {
		t.Error("the page says that no money was taken")
	}
	f := func(ctx context.Context, id acquirer.Ref) (acquirer.Report, error) {
		r, err := w.acquirer.Acquirer.Inquire(ctx, id)
		r.Money.Minor++
		return r, err
	}
	w.acquirer.inquire.Store(&f)
	w.due(attempt)
	w.wantStage(attempt, "quarantined")
	if strings.Contains(w.want(w.visit(path(i)), 200, "expired").text(), "لم يُسحب أي مبلغ") {
		t.Error("the page says that no money was taken although an operator has to decide")
	}
	w.acquirer.inquire.Store(nil)
	w.due(attempt)
	w.until(i, "receipt")
}

// The acquirer's page opens in the payer's language, also where a worker requested
// it again.
func TestTheBanksPageHasThePayersLanguage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for query, want := range map[string]string{"?lang=en": "en", "": "ar"} {
		// The first answer is lost. The page that follows may call the acquirer
		// at once, or the worker does when it is due.
		var lost atomic.Bool
		asked := make(chan acquirer.Payment, 8)
		f := func(ctx context.Context, p acquirer.Payment) (acquirer.Begun, error) {
			begun, err := w.acquirer.Acquirer.Begin(ctx, p)
			if lost.CompareAndSwap(false, true) {
				return nil, errors.Join(errLost, err)
			}
			asked <- p
			return begun, err
		}
		w.acquirer.begin.Store(&f)
		i := w.create()
		w.want(w.submit(w.visit(path(i)+query), card()), 200, "processing")
		attempt := w.lastAttempt(i.ID)
		w.due(attempt)
		p := <-asked
		if p.Language != want || strings.Contains(p.ReturnURL, "lang=en") != (want == "en") {
			t.Errorf("the bank got the language %q and the return URL %s", p.Language, p.ReturnURL)
		}
		w.wantStage(attempt, "bank")
		w.acquirer.begin.Store(nil)
	}
}

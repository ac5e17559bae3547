package checkout_test

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
)

// codesPerWindow is how many codes a payer may enter within a minute.
const codesPerWindow = attempt.CodesPerWindow

// button presses the button of a form without fields, and follows the answer.
func (w *world) button(i domain.Intent, form string) shown {
	w.t.Helper()
	return w.follow(w.want303(w.post(path(i)+form, nil)))
}

func (w *world) want303(s shown) shown {
	w.t.Helper()
	if s.status != http.StatusSeeOther {
		w.t.Fatalf("the answer is %d, want 303", s.status)
	}
	return s
}

// ageCode makes the code of an attempt older by d, or younger where d is negative.
func (w *world) ageCode(id domain.AttemptID, d time.Duration) {
	w.t.Helper()
	w.exec(`
		UPDATE checkout_attempts
		SET code_sent_at = code_sent_at - $2::interval,
		    resent_at = resent_at - $2::interval,
		    codes_since = codes_since - $2::interval
		WHERE attempt = $1`, id, d)
}

func TestANewCodeIsSentOnceInAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.atCode(i, "0912345678")
	attempt := w.lastAttempt(i.ID)
	page.document.with(t, "form", "action", path(i)+"/resend")
	if wait := seconds(t, page.document.with(t, "p", "id", "resend-wait").text()); wait < 1 || wait > 30 {
		t.Errorf("a new code may be requested after %d s", wait)
	}
	w.ageCode(attempt, -time.Hour) // so that the wait does not end meanwhile on a slow machine
	again := w.want(w.button(i, "/resend"), 200, "otp")
	if got := w.acquirer.resent.Load(); got != 0 || again.document.isResent() {
		t.Errorf("a new code %d times, at once after the first", got)
	}
	w.ageCode(attempt, time.Hour+31*time.Second)
	w.exec(`
		UPDATE checkout_attempts
		SET code_until = code_until - interval '1 minute', code_digits = 1
		WHERE attempt = $1`, attempt)
	before := w.codeUntil(attempt)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { w.want303(w.post(path(i)+"/resend", nil)) })
	}
	all.Wait()
	if got := w.acquirer.resent.Load(); got != 1 {
		t.Errorf("twenty presses sent %d codes", got)
	}
	page = w.want(w.visit(path(i)+"?resent=1"), 200, "otp")
	if !page.document.isResent() {
		t.Error("the page does not say that a new code was sent")
	}
	contains(t, page, "6 أرقام")
	if got := w.codeUntil(attempt); !got.After(before) {
		t.Errorf("the new code is valid until %v, the old one was until %v", got, before)
	}
	if at := w.row(attempt).AskAt; at == nil || at.Before(w.codeUntil(attempt)) {
		t.Errorf("asked about at %v, before the new code lapses", at)
	}
	w.ageCode(attempt, 31*time.Second)
	if page = w.visit(path(i) + "?resent=1"); page.document.isResent() {
		t.Error("the page trusts a link with the parameter that a code was sent just now")
	}
	w.want(w.submit(page, code("111111")), 200, "receipt")
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

var digits = regexp.MustCompile(`\d+`)

// seconds is the number in a text.
func seconds(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(digits.FindString(text))
	if err != nil {
		t.Fatalf("no number in %q", text)
	}
	return n
}

func (d document) hasWait() bool {
	for _, p := range d.all("p") {
		if p.attr("id") == "otp-wait" {
			return true
		}
	}
	return false
}

func (d document) isResent() bool {
	for _, p := range d.all("p") {
		if p.attr("class") == "box good" {
			return true
		}
	}
	return false
}

func (w *world) codeUntil(id domain.AttemptID) time.Time {
	w.t.Helper()
	return value[time.Time](w, `SELECT code_until FROM checkout_attempts WHERE attempt = $1`, id)
}

func TestANewCodeThatWasNotSentCanBeRequestedAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.atCode(i, "0912345678")
	attempt := w.lastAttempt(i.ID)
	w.ageCode(attempt, time.Minute)
	fails := func(err error) {
		f := func(context.Context, acquirer.Ref) (acquirer.CodeSent, error) { return acquirer.CodeSent{}, err }
		w.acquirer.resend.Store(&f)
	}
	fails(acquirer.ErrNotSent)
	w.want(w.post(path(i)+"/resend", nil), 503, "unavailable")
	fails(errLost) // it may have been sent
	if w.button(i, "/resend").document.isResent() {
		t.Error("the page says that a code was sent, which is not known")
	}
	if w.button(i, "/resend"); w.acquirer.resent.Load() != 2 {
		t.Errorf("asked %d times, want twice", w.acquirer.resent.Load())
	}
	w.ageCode(attempt, time.Minute)
	asked := w.acquirer.inquired.Load()
	fails(acquirer.ErrNoCodeWanted)
	w.button(i, "/resend")
	w.eventually("the attempt is asked about", func() bool { return w.acquirer.inquired.Load() > asked })
	w.wantHistory(i.ID, "created", "attempt_started")
}

func TestAgainOnlyWhereTheAcquirerCan(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.acquirer.setCapability(func(c *capability) { c.Resend, c.Cancel = false, false })
	i, j := w.create(), w.create()
	page := w.atCode(i, "0912345678")
	w.ageCode(w.lastAttempt(i.ID), time.Minute)
	if n := len(page.document.all("form")); n != 1 {
		t.Errorf("%d forms, want only the code's", n)
	}
	if n := len(w.atBank(j).document.all("form")); n != 0 {
		t.Errorf("%d forms while the payer is at the bank", n)
	}
	for _, form := range []string{"/resend", "/give-up"} {
		w.want(w.button(i, form), 200, "otp")
		w.want(w.button(j, form), 200, "processing")
	}
	if w.acquirer.resent.Load() != 0 || w.acquirer.canceled.Load() != 0 {
		t.Error("the acquirer was asked for what it cannot do")
	}
}

func TestCodesAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.atCode(i, "0912345678")
	attempt := w.lastAttempt(i.ID)
	confirms := func(err error) {
		f := func(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error) {
			return acquirer.WrongCode{TriesLeft: 3}, err
		}
		w.acquirer.confirm.Store(&f)
	}
	confirms(acquirer.ErrNotSent)
	w.want(w.submit(page, code("222222")), 503, "unavailable") // does not count as a code
	confirms(nil)
	for n := range codesPerWindow {
		w.want(w.submit(page, code("12a456")), 422, "otp") // malformed, does not count
		page = w.want(w.submit(page, code("222222")), 200, "otp")
		contains(t, page, "بقيت لك 3 محاولات.")
		if n == 0 {
			w.ageCode(attempt, -time.Hour) // the window stays open, however slow the machine
		}
	}
	before := w.acquirer.confirmed.Load()
	other := w.newServer(w.acquirer) // the limit applies over all servers
	w.serve(other.Handler())
	for range 3 {
		answer := w.want303(w.post(page.action(t), code("111111")))
		limited := w.want(w.follow(answer), 200, "otp")
		if !limited.document.hasWait() {
			t.Error("the page does not say how long to wait")
		}
	}
	if got := w.acquirer.confirmed.Load(); got != before {
		t.Errorf("%d codes too many were passed to the acquirer", got-before)
	}
	if w.visit(path(i)).document.hasWait() {
		t.Error("the page shows a wait although no code was typed just now")
	}
	w.ageCode(attempt, time.Hour+time.Minute)
	if w.visit(path(i) + "?code=many").document.hasWait() {
		t.Error("the page trusts a link with the parameter that there were too many codes")
	}
	w.acquirer.confirm.Store(nil)
	w.want(w.submit(page, code("111111")), 200, "receipt")
}

// The limit of codes is the same for many tabs at once.
func TestTheLimitOfCodesHoldsForManyTabs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.atCode(i, "0912345678")
	f := func(context.Context, acquirer.Ref, acquirer.Code) (acquirer.Confirmed, error) {
		return acquirer.WrongCode{TriesLeft: 3}, nil
	}
	w.acquirer.confirm.Store(&f)
	w.want303(w.post(page.action(t), code("222222")))
	w.ageCode(w.lastAttempt(i.ID), -time.Hour) // the window stays open, however slow the machine
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 8 {
				w.want303(w.post(page.action(t), code("222222")))
			}
		})
	}
	all.Wait()
	if got := w.acquirer.confirmed.Load(); got != codesPerWindow {
		t.Errorf("%d codes were passed to the acquirer, want %d", got, codesPerWindow)
	}
}

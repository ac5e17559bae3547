package checkout_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer"
)

func TestAWalletPaysInBothLanguages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for query, words := range map[string]struct{ dir, pay, otp, receipt string }{
		"":         {"rtl", "د.ل", "أدخل", "تم الدفع"},
		"?lang=en": {"ltr", "45.750 LYD", "Enter the code", "Paid"},
	} {
		i := w.create()
		page := w.want(w.visit(path(i)+query), 200, "pay")
		if got := page.document.one(t, "html").attr("dir"); got != words.dir {
			t.Errorf("dir %q, want %q", got, words.dir)
		}
		contains(t, page, merchant, "كتابان", "45.750", words.pay)
		page = w.want(w.submit(page, wallet("+218 91 234 5678")), 200, "otp")
		contains(t, page, words.otp, "091•••5678")
		if strings.Contains(page.body, "912345678") {
			t.Error("the code page shows the whole number")
		}
		page = w.want(w.submit(page, code("١١١١١١")), 200, "receipt")
		contains(t, page, words.receipt, i.Reference.Capitals(), "091•••5678")
		if got := page.document.refresh(); got != "8;url="+*i.ReturnURL {
			t.Errorf("refresh of the receipt %q", got)
		}
		if got := page.document.one(t, "html").attr("dir"); got != words.dir {
			t.Errorf("the language was lost on the way: dir %q", got)
		}
		w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
		w.wantStage(w.lastAttempt(i.ID), "closed")
		stayed := w.visit(path(i) + "?stay=1")
		if got := w.want(stayed, 200, "receipt").document.refresh(); got != "" {
			t.Errorf("a payer who chose to stay is sent back: %q", got)
		}
	}
}

func TestADeclinedPaymentCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	declined := w.want(w.submit(w.atCode(i, "0912345678"), code("000000")), 200, "pay")
	contains(t, declined, "لم يُسحب أي مبلغ")
	if got := w.load(i.ID).Status; got != domain.StatusRequiresPaymentMethod {
		t.Errorf("status %s after a decline", got)
	}
	page := w.want(w.submit(declined, wallet("0923456789")), 200, "otp")
	w.want(w.submit(page, code("111111")), 200, "receipt")
	w.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "attempt_started", "succeeded")
}

func TestWrongCodesLockTheAttempt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.atCode(i, "0912345678")
	for _, left := range []string{
		"بقيت لك 4 محاولات.",
		"بقيت لك 3 محاولات.",
		"بقيت لك محاولتان.",
		"بقيت لك محاولة واحدة.",
	} {
		page = w.want(w.submit(page, code("222222")), 200, "otp")
		contains(t, page, left)
	}
	if again := w.want(w.visit(path(i)), 200, "otp"); strings.Contains(again.text(), "محاولة") {
		t.Error("the page has the text about a wrong code although none was typed just now")
	}
	contains(t, w.want(w.submit(page, code("222222")), 200, "pay"), "أُدخل رمز التحقق خطأً عدة مرات")
	if got := w.load(i.ID).Attempts[0].Reason; got != "code_locked" {
		t.Errorf("reason %q", got)
	}
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
}

func TestARightCodeAfterAWrongOnePays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	page := w.want(w.submit(w.atCode(i, "0912345678"), code("222222")), 200, "otp")
	w.want(w.submit(page, code("111111")), 200, "receipt")
}

func TestACardPaysOnTheBanksPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for button, want := range map[string]string{"pay": "receipt", "decline": "pay", "leave": "pay"} {
		i := w.create()
		waiting := w.atBank(i)
		w.want(w.visit(path(i)), 200, "processing")
		w.press(waiting, button)
		w.until(i, want)
		w.wantStage(w.lastAttempt(i.ID), "closed")
	}
}

func TestAFormWithMistakesIsShownAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	action := path(i) + "/attempts?lang=en"
	for _, tc := range []struct {
		form map[string][]string
		says string
	}{
		{nil, "Choose how you want to pay."},
		{map[string][]string{"method": {"cheque"}}, "Choose how you want to pay."},
		{wallet(""), "Enter your phone number."},
		{wallet("021 234 5678"), "Enter a Libyan mobile number"},
		{map[string][]string{"method": {"wallet"}, "phone": {strings.Repeat("9", 20<<10)}},
			"Choose how you want to pay."},
	} {
		page := w.want(w.post(action, tc.form), http.StatusUnprocessableEntity, "pay")
		contains(t, page, tc.says)
	}
	page := w.post(action, wallet("021 234 5678"))
	if got := page.document.with(t, "input", "name", "phone").attr("value"); got != "021 234 5678" {
		t.Errorf("the number is gone: %q", got)
	}
	w.wantHistory(i.ID, "created")

	w.atCode(i, "0912345678")
	for typed, says := range map[string]string{
		"":       "Enter the code you received.",
		"12a456": "The code is digits only.",
	} {
		page := w.want(w.post(path(i)+"/code?lang=en", code(typed)), http.StatusUnprocessableEntity, "otp")
		contains(t, page, says)
	}
	if got := w.acquirer.confirmed.Load(); got != 0 {
		t.Errorf("%d malformed codes were passed to the acquirer", got)
	}
}

// An amount that no method supports exactly is not rounded.
func TestWithoutAMethodThePageSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	w.acquirer.setCapability(func(c *capability) { c.Decimals = 0 })
	page := w.want(w.visit(path(i)+"?lang=en"), 200, "pay")
	contains(t, page, "No payment method is available right now.")
	if len(page.document.all("form")) != 0 {
		t.Error("the page has a form")
	}
	w.want(w.post(path(i)+"/attempts", wallet("0912345678")), http.StatusUnprocessableEntity, "pay")
	w.wantHistory(i.ID, "created")
}

func TestAStaleFormShowsThePresentState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.create()
	form := w.visit(path(i))
	page := w.atCode(i, "0912345678")
	w.want(w.submit(form, wallet("0923456789")), 200, "otp") // another tab was first
	w.want(w.submit(page, code("111111")), 200, "receipt")
	w.want(w.submit(form, wallet("0923456789")), 200, "receipt")
	w.want(w.submit(page, code("111111")), 200, "receipt")
	w.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	if got := w.acquirer.confirmed.Load(); got != 1 {
		t.Errorf("a code was passed to the acquirer %d times", got)
	}
}

// named is an acquirer under another name.
type named struct {
	*faultyAcquirer
	name string
}

func (n named) Name() string { return n.name }

// Of two acquirers with a method, the first that supports the amount gets
// it; with a real one among them, the page has no notice of test mode.
func TestTheAmountDecidesTheAcquirer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	narrow := &faultyAcquirer{Acquirer: w.acquirer.Acquirer}
	narrow.setCapability(func(c *capability) { c.Decimals = 2 })
	w.serve(w.newServer(named{narrow, "narrow"}, w.acquirer).Handler())
	i := w.createFor(45_755)
	page := w.want(w.visit(path(i)+"?lang=en"), 200, "pay")
	if strings.Contains(page.text(), "Test mode") {
		t.Error("the page says that no real money moves")
	}
	if got := len(page.document.all("input")); got != 3 {
		t.Errorf("%d fields, want two methods and a number", got)
	}
	w.want(w.submit(page, wallet("0912345678")), 200, "otp")
	j := w.createFor(45_750)
	w.want(w.submit(w.visit(path(j)), wallet("0912345678")), 200, "otp")
	a, b := w.load(i.ID).Attempts[0].Acquirer, w.load(j.ID).Attempts[0].Acquirer
	if a != "sandbox" || b != "narrow" {
		t.Errorf("taken by %s and %s", a, b)
	}
}

func TestEventsHaveTheirActor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// Without notifications, so that no inquiry is faster than the request.
	pages := w.Handler()
	w.serve(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/pay/") {
			pages.ServeHTTP(rw, r)
		}
	}))
	i := w.create()
	w.want(w.submit(w.atCode(i, "0912345678"), code("111111")), 200, "receipt")
	rows, err := w.pool.Query(t.Context(), `
		SELECT concat_ws(' ', substr(type, 8), metadata::json->>'actor',
		                 metadata::json->>'correlation_id', length(metadata::json->>'request_id'))
		FROM events
		WHERE version > 1
		ORDER BY version`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	attempt := string(w.lastAttempt(i.ID))
	want := []string{"attempt_started payer " + attempt + " 36", "succeeded acquirer:sandbox " + attempt + " 36"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestACheckoutThatWouldLosePaymentsIsNotMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, c := range map[string]payments.Config{
		"no address": {SecretKey: secretKey(t), PublicURL: "/pay"},
		"two names": {
			SecretKey: secretKey(t), PublicURL: "http://127.0.0.1",
			Acquirers: []acquirer.Acquirer{w.acquirer, w.acquirer},
		},
		"no key": {PublicURL: "http://127.0.0.1"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			serverOf(c)
		}()
	}
}

// Numbers and codes are accepted in the forms that address books and messages use.
func TestNumbersAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for number, typed := range map[string]string{
		"(091) 234-5678":      "111111.",
		"+218 (0)91.234.5678": "١١١ ١١١",
		"tel:+218912345678":   "«111-111»",
		"٠٩١/٢٣٤٥٦٧٨":         "１１１１１１",
	} {
		page := w.atCode(w.create(), number)
		contains(t, page, "091•••5678")
		w.want(w.submit(page, code(typed)), 200, "receipt")
	}
	for _, number := range []string{"0x912345678", "O912345678", "091 234 567"} {
		w.want(w.submit(w.visit(path(w.create())), wallet(number)), 422, "pay")
	}
}

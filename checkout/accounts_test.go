package checkout_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments"
	"daftar/payments/attempt"
)

func TestAdfaliPaysByItsCode(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	page := s.want(s.chooses(i, "adfali", "phone", "092 123 4567"), 200, "otp")
	contains(t, page, "4 أرقام", "092•••4567")
	wrong := s.want(s.submit(page, code("9999")), 200, "otp")
	contains(t, wrong, "رمز التحقق غير صحيح")
	if strings.Contains(wrong.text(), "بقيت لك") {
		t.Error("the page says how many tries are left; the acquirer does not")
	}
	s.want(s.submit(wrong, code("1111")), 200, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

func TestSadadWantsTheYearOfBirth(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	for name, tc := range map[string]struct{ phone, year, says string }{
		"no year":         {"0911234567", "", "اكتب سنة الميلاد."},
		"no number":       {"0911234567", "190", "بأربعة أرقام"},
		"a child":         {"0911234567", "2025", "بأربعة أرقام"},
		"long ago":        {"0911234567", "1900", "بأربعة أرقام"},
		"another network": {"0921234567", "1990", "091 أو 093"},
	} {
		page := s.want(s.chooses(i, "sadad", "phone", tc.phone, "birth_year", tc.year), 422, "pay")
		contains(t, page, tc.says)
		if got := page.document.with(t, "input", "id", "birth_year").attr("value"); got != tc.year {
			t.Errorf("%s: what was typed is lost: %q", name, got)
		}
	}
	page := s.want(s.chooses(i, "sadad", "phone", "0931234567", "birth_year", "١٩٩٠"), 200, "otp")
	s.want(s.submit(page, code("111111")), 200, "receipt")
}

// The payer brings the proof; what is not one changes nothing.
func TestLocalCardsComeBackWithTheirProof(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	other, i := s.create(), s.create()
	s.chooses(other, "cards")
	waiting := s.want(s.chooses(i, "cards"), 200, "processing")
	attempt := s.lastAttempt(i.ID)
	back := path(i) + "/return?"
	for _, kind := range []string{"forged", "altered", "repointed", "doubled", "undecided"} {
		answer := s.command("plutu", "/control/messages",
			map[string]any{"reference": string(attempt), "kind": kind})
		s.want(s.follow(s.visit(back+answer["query"].(string))), 200, "processing")
	}
	s.want(s.follow(s.visit(path(i)+"/return")), 200, "processing")
	s.wantHistory(i.ID, "created", "attempt_started")

	proof := s.pressed(waiting, "pay")
	if !strings.HasPrefix(proof, back) {
		t.Fatalf("the acquirer sends the payer to %q", proof)
	}
	_, query, _ := strings.Cut(proof, "?")
	s.want(s.follow(s.visit(path(other)+"/return?"+query)), 200, "processing") // the proof of another payment
	s.wantHistory(other.ID, "created", "attempt_started")
	s.want(s.follow(s.visit(proof)), 200, "receipt")
	s.want(s.follow(s.visit(proof)), 200, "receipt") // again
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	s.wantStage(attempt, "closed")

	declined := s.create()
	s.want(s.follow(s.visit(s.pressed(s.chooses(declined, "cards"), "leave"))), 200, "pay")
	s.wantHistory(declined.ID, "created", "attempt_started", "attempt_failed")
}

// Amounts of a thousand dinars and more, as number_format of PHP writes them: the money was taken, and
// Plutu can't be asked again.
func TestPlutuWritesCommasBetweenThousands(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.createFor(1_250_000)
	s.chooses(i, "cards")
	signed := s.command("plutu", "/control/messages",
		map[string]any{"reference": string(s.lastAttempt(i.ID)), "kind": "grouped"})
	query := signed["query"].(string)
	if !strings.Contains(query, "amount=1%2C250.00") {
		t.Fatalf("the fake returns %s", query)
	}
	s.want(s.follow(s.visit(path(i)+"/return?"+query)), 200, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")

	s.command("plutu", "/control/spelling", map[string]any{"spelling": "grouped"})
	byCode := s.createFor(12_500_000)
	s.want(s.submit(s.want(s.chooses(byCode, "adfali", "phone", "0921234567"), 200, "otp"), code("1111")),
		200, "receipt")
	s.wantHistory(byCode.ID, "created", "attempt_started", "succeeded")
}

func TestTLyncPushesItsProof(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	back := s.pressed(s.want(s.chooses(i, "tlync", "phone", "0912000023"), 200, "processing"),
		"pay") // strange messages first
	s.visit(back) // brings no proof
	s.until(i, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

func TestMoamalatOpensItsForm(t *testing.T) {
	t.Parallel()
	s := newShop(t, "moamalat")
	i := s.createFor(12_345)
	page := s.want(s.chooses(i, "moamalat"), 200, "lightbox")
	var configuration map[string]any
	if err := json.Unmarshal([]byte(page.document.with(t, "script", "id", "lightbox").text()),
		&configuration); err != nil {
		t.Fatal(err)
	}
	attempt := s.lastAttempt(i.ID)
	if configuration["MID"] != moamalatMerchant.MerchantID || configuration["AmountTrxn"] != 12345.0 ||
		configuration["MerchantReference"] != string(attempt) {
		t.Errorf("configuration %v", configuration)
	}
	if script := page.document.with(t, "script", "src",
		s.fakes["moamalat"].URL+"/js/lightbox.js"); !script.has("defer") {
		t.Error("the acquirer's script is not deferred")
	}
	policy := page.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self' http://127.0.0.1:*;") ||
		!strings.Contains(policy, "frame-src http:;") ||
		!strings.Contains(policy, "form-action 'self' http://127.0.0.1:*;") {
		t.Errorf("policy %q", policy)
	}
	if got := page.header.Get("Cross-Origin-Opener-Policy") + page.header.Get("Permissions-Policy"); !strings.HasPrefix(got, "same-origin-allow-popups") || !strings.Contains(got, "payment=*,") {
		t.Errorf("the bank's window and frame are stopped: %s", got)
	}
	contains(t, page, "JavaScript") // for browsers without it

	sale := func(reference string, amount int) {
		s.command("moamalat", "/control/sale",
			map[string]any{"reference": reference, "amount": amount, "outcome": "approved"})
	}
	other := s.createFor(12_345)
	s.chooses(other, "moamalat")
	sale(string(s.lastAttempt(other.ID)), 12_345)
	s.command("moamalat", "/control/notify",
		map[string]any{"reference": string(s.lastAttempt(other.ID)), "kind": "repointed", "as": string(attempt)})
	s.want(s.visit(path(i)), 200, "lightbox") // a message under its reference proves nothing
	s.until(other, "receipt")
	sale(string(attempt), 12_345)
	s.command("moamalat", "/control/notify", map[string]any{"reference": string(attempt), "kind": "right"})
	s.until(i, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

// Who gives up a form may use another method; what the form takes after all is found.
func TestAFormThatWasGivenUpIsAskedAboutOn(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu", "moamalat")
	i := s.create()
	s.want(s.chooses(i, "moamalat"), 200, "lightbox")
	given := s.lastAttempt(i.ID)
	s.want(s.follow(s.post(path(i)+"/give-up", url.Values{})), 200, "pay")
	s.want(s.submit(s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp"), code("1111")),
		200, "receipt")
	s.command("moamalat", "/control/sale",
		map[string]any{"reference": string(given), "amount": 45_750, "outcome": "approved"})
	s.command("moamalat", "/control/notify", map[string]any{"reference": string(given), "kind": "right"})
	s.eventually("the second payment is recorded", func() bool { return len(s.history(i.ID)) == 6 })
	s.wantHistory(i.ID, "created", "attempt_started", "attempt_failed", "attempt_started", "succeeded",
		"duplicate_payment")
}

func TestLYPayShowsACode(t *testing.T) {
	t.Parallel()
	s := newShop(t, "lypay")
	i := s.createFor(12_345)
	page := s.want(s.chooses(i, "lypay"), 200, "qr")
	attempt := s.lastAttempt(i.ID)
	payload := page.document.with(t, "div", "id", "qr").attr("data-payload")
	if !strings.Contains(payload, "540612.345") || !strings.Contains(payload, string(attempt)[:25]) {
		t.Errorf("payload %q", payload)
	}
	if label := page.document.with(t, "svg", "class", "qr").attr("aria-label"); label == "" {
		t.Error("the picture has no words")
	}
	picture := s.visit(path(i) + "/qr.png")
	if _, err := png.Decode(bytes.NewReader([]byte(picture.body))); err != nil ||
		picture.header.Get("Content-Type") != "image/png" {
		t.Errorf("picture: %v, %s", err, picture.header.Get("Content-Type"))
	}
	s.command("lypay", "/control/scan", map[string]any{"payload": payload})
	s.until(i, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	s.want(s.visit(path(i)+"/qr.png"), 404, "not-found")
}

func TestAnotherAmountByLYPayIsSetAside(t *testing.T) {
	t.Parallel()
	s := newShop(t, "lypay")
	i := s.create()
	page := s.want(s.chooses(i, "lypay"), 200, "qr")
	s.elsewhere = nil // what waits for a decision is not recorded
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
	if trouble := s.row(s.lastAttempt(i.ID)).Trouble; !strings.Contains(attempt.ReadTrouble(trouble).String(),
		"paid again: 45.750 LYD") {
		t.Errorf("trouble %q", trouble)
	}
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

// Where the acquirer cannot be asked, a lost answer blocks a second attempt until a person
// has looked.
func TestALostConfirmationWaitsForAPerson(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	page := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	s.command("plutu", "/control/faults",
		map[string]any{"call": "edfali/confirm", "faults": []string{"drop_after"}})
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
		s.command("plutu", "/control/faults", map[string]any{"call": call, "faults": []string{"drop_after"}})
		s.want(s.chooses(i, method, "phone", "0911234567"), 200, "processing")
		s.due(s.lastAttempt(i.ID))
		s.until(i, "pay")
		s.wantHistory(i.ID, "created", "attempt_started", "attempt_failed")
	}
}

func TestACodeThatIsWaitedForCanBeGivenUp(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	s.want(s.follow(s.post(path(i)+"/give-up", url.Values{})), 200, "pay")
	if got := s.load(i.ID).Attempts[0].Reason; got != "abandoned" {
		t.Errorf("reason %q", got)
	}
}

func TestAccountsAreSwitchedAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu", "moamalat", "lypay")
	i := s.create()
	offered := func() string { return s.offered(i) }
	enable := func(name string, on bool) {
		if err := s.settings.EnableAcquirer(t.Context(), accounts.Operator("test"), s.app.Organization,
			s.app.ID, name, on); err != nil {
			t.Fatal(err)
		}
	}
	if got := offered(); got != "adfali sadad cards tlync moamalat lypay wallet card" {
		t.Errorf("offered: %s", got)
	}
	waiting := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	enable("plutu", false)
	s.want(s.submit(waiting, code("1111")), 200, "receipt") // what has begun goes on
	i = s.createFor(45_751)
	if got := offered(); got != "moamalat lypay wallet card" {
		t.Errorf("without Plutu: %s", got)
	}
	s.want(s.chooses(i, "adfali", "phone", "0911234567"), 422, "pay")
	enable("plutu", true)
	if got := offered(); got != "moamalat lypay wallet card" {
		t.Errorf("with a third decimal: %s", got)
	}
	s.set("plutu", strings.TrimSuffix(accountSettings["plutu"], "}")+`,"methods":["sadad","adfali"]}`)
	i = s.create()
	if got := offered(); got != "sadad adfali moamalat lypay wallet card" {
		t.Errorf("in the merchant's order: %s", got)
	}
}

func TestAnAccountThatIsRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.set("plutu", strings.Replace(accountSettings["plutu"], plutuAccessToken, "another-token", 1))
	i := s.create()
	for range payments.FaultThreshold + 1 { // one merchant's mistake puts nobody out of order
		page := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "pay")
		contains(t, page, "لا يستطيع المتجر استقبال الدفع")
		s.exec(`DELETE FROM checkout_usage`)
		i = s.create()
	}
	if strings.Contains(s.log.String(), "circuit") {
		t.Error("the acquirer was put out of order")
	}
	s.wantSecret("the log", s.log.String(), []string{plutuAPIKey, plutuSecretKey, "another-token"})
}

// Each application has an address of its own, and the key that signs is its account's.
func TestNotificationsAreOfOneApplication(t *testing.T) {
	t.Parallel()
	s := newShop(t, "moamalat")
	for _, address := range []string{
		"/acquirers/moamalat/notifications", "/acquirers/moamalat/not-a-uuid/notifications",
		"/acquirers/lypay/" + s.app.ID.String() + "/notifications",
		"/acquirers/moamalat/00000000-0000-4000-8000-000000000000/notifications",
		"/acquirers/sandbox/" + s.app.ID.String() + "/notifications",
	} {
		if got := s.send(http.MethodPost, address, url.Values{}); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", address, got.status)
		}
	}
	if got := s.send(http.MethodPost, "/acquirers/moamalat/"+s.app.ID.String()+"/notifications",
		url.Values{"SecureHash": {"00"}}); got.status != http.StatusUnauthorized {
		t.Errorf("forged: %d", got.status)
	}
}

package checkout_test

import (
	"encoding/json"
	"image/png"
	"net/url"
	"strings"
	"testing"
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

// A payer returns with the acquirer's proof; a return without a valid proof changes nothing.
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

// Plutu writes amounts from a thousand dinars on with commas, as number_format of PHP does. They must
// be accepted: the money was taken, and Plutu offers no inquiry.
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
	page := s.want(s.chooses(byCode, "adfali", "phone", "0921234567"), 200, "otp")
	s.want(s.submit(page, code("1111")), 200, "receipt")
	s.wantHistory(byCode.ID, "created", "attempt_started", "succeeded")
}

func TestTLyncPushesItsProof(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu")
	i := s.create()
	waiting := s.want(s.chooses(i, "tlync", "phone", "0912000023"), 200, "processing")
	back := s.pressed(waiting, "pay") // this number has the fake send invalid messages first
	s.visit(back)                     // has no proof
	s.until(i, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
}

func TestMoamalatOpensItsForm(t *testing.T) {
	t.Parallel()
	s := newShop(t, "moamalat")
	i := s.createFor(12_345)
	page := s.want(s.chooses(i, "moamalat"), 200, "lightbox")
	var configuration map[string]any
	text := page.document.with(t, "script", "id", "lightbox").text()
	if err := json.Unmarshal([]byte(text), &configuration); err != nil {
		t.Fatal(err)
	}
	attempt := s.lastAttempt(i.ID)
	if configuration["MID"] != moamalatMerchant.MerchantID || configuration["AmountTrxn"] != 12345.0 ||
		configuration["MerchantReference"] != string(attempt) {
		t.Errorf("configuration %v", configuration)
	}
	script := page.document.with(t, "script", "src", s.fakes["moamalat"].URL+"/js/lightbox.js")
	if !script.has("defer") {
		t.Error("the acquirer's script is not deferred")
	}
	policy := page.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self' http://127.0.0.1:*;") ||
		!strings.Contains(policy, "frame-src http:;") ||
		!strings.Contains(policy, "form-action 'self' http://127.0.0.1:*;") {
		t.Errorf("policy %q", policy)
	}
	opener, permissions := page.header.Get("Cross-Origin-Opener-Policy"), page.header.Get("Permissions-Policy")
	if !strings.HasPrefix(opener, "same-origin-allow-popups") || !strings.Contains(permissions, "payment=*,") {
		t.Errorf("the bank's window and frame are blocked: %s, %s", opener, permissions)
	}
	contains(t, page, "JavaScript") // the text for browsers without it

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

// A payer who gives up an acquirer's form may use another method; a payment by the form after that
// is still found.
func TestAFormThatWasGivenUpIsAskedAboutOn(t *testing.T) {
	t.Parallel()
	s := newShop(t, "plutu", "moamalat")
	i := s.create()
	s.want(s.chooses(i, "moamalat"), 200, "lightbox")
	given := s.lastAttempt(i.ID)
	s.want(s.follow(s.post(path(i)+"/give-up", url.Values{})), 200, "pay")
	otp := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	s.want(s.submit(otp, code("1111")), 200, "receipt")
	s.command("moamalat", "/control/sale",
		map[string]any{"reference": string(given), "amount": 45_750, "outcome": "approved"})
	s.command("moamalat", "/control/notify", map[string]any{"reference": string(given), "kind": "right"})
	s.eventually("the second payment is recorded", func() bool { return len(s.history(i.ID)) == 6 })
	s.wantHistory(i.ID, "created",
		"attempt_started", "attempt_failed",
		"attempt_started", "succeeded",
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
		t.Error("the picture has no label")
	}
	picture := s.visit(path(i) + "/qr.png")
	_, err := png.Decode(strings.NewReader(picture.body))
	if err != nil || picture.header.Get("Content-Type") != "image/png" {
		t.Errorf("picture: %v, %s", err, picture.header.Get("Content-Type"))
	}
	s.command("lypay", "/control/scan", map[string]any{"payload": payload})
	s.until(i, "receipt")
	s.wantHistory(i.ID, "created", "attempt_started", "succeeded")
	s.want(s.visit(path(i)+"/qr.png"), 404, "not-found")
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
		err := s.settings.EnableAcquirer(t.Context(), operator, s.app.Organization, s.app.ID, name, on)
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := offered(); got != "adfali sadad cards tlync moamalat lypay wallet card" {
		t.Errorf("offered: %s", got)
	}
	waiting := s.want(s.chooses(i, "adfali", "phone", "0911234567"), 200, "otp")
	enable("plutu", false)
	s.want(s.submit(waiting, code("1111")), 200, "receipt") // an attempt that has begun continues
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

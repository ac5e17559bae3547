package checkoutstories_test

import (
	"strings"
	"testing"
	"time"

	"daftar/checkout"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/tools/storybook/checkoutstories"
)

// Every state and every detail of one has a story. Otherwise it would never be reviewed.
func TestEveryStateHasAStory(t *testing.T) {
	t.Parallel()
	seen := map[[2]string]bool{}
	names := map[string]bool{}
	for _, s := range checkoutstories.All() {
		if names[s.Name] || s.When.Arabic == "" || s.When.English == "" {
			t.Errorf("story %s: the name is there twice, or nothing says when", s.Name)
		}
		names[s.Name], seen[[2]string{s.State, s.Detail}] = true, true
	}
	for _, want := range [][2]string{
		{"pay", ""}, {"pay", "failed"}, {"pay", "limited"}, {"otp", ""}, {"lightbox", ""}, {"qr", ""},
		{"processing", ""}, {"processing", "bank"}, {"processing", "unknown"},
		{"receipt", ""}, {"receipt", "late"}, {"receipt", "already-paid"}, {"receipt", "twice"},
		{"proof", ""}, {"proof", "pending"}, {"not-found", "receipt"}, {"expired", ""}, {"expired", "checking"},
		{"not-found", ""}, {"unavailable", ""},
	} {
		if !seen[want] {
			t.Errorf("no story shows %s %s", want[0], want[1])
		}
	}
}

func TestNotPaid(t *testing.T) {
	t.Parallel()
	sentences := map[acquirer.Reason][2]string{
		acquirer.GenericDecline: {
			"The payment was declined.", "Contact your bank or choose another payment method.",
		},
		acquirer.InsufficientFunds: {"The balance is too low.", "Top up or choose another payment method."},
		acquirer.CodeLocked: {
			"The code was wrong too many times, so this attempt was closed.", "Try again to get a new code.",
		},
		acquirer.CodeExpired: {
			"The code expired before it was entered.",
			"Try again to get a new code, and enter it as soon as it arrives.",
		},
		acquirer.Abandoned: {"The payment was stopped before it was complete.", "You can try again."},
		acquirer.PhoneRefused: {
			"This number is not registered with the wallet.",
			"Check the number, activate the service with your bank, or choose another payment method.",
		},
		acquirer.DetailsRefused: {
			"The number and the year of birth do not belong together, or the number is not registered.",
			"Check the number and its owner’s year of birth, or choose another payment method.",
		},
		acquirer.AmountRefused: {
			"This way of paying does not take this amount.",
			"It may be above the daily limit of your account. Ask your bank or choose another payment method.",
		},
		acquirer.TimedOut: {
			"The payment was not completed in time.", "Try again, and keep your phone at hand.",
		},
		acquirer.Unreachable: {
			"The payment provider could not be reached.",
			"Wait a minute and try again, or choose another payment method.",
		},
		acquirer.AccountRefused: {
			"The shop cannot be paid this way at the moment.", "Choose another payment method or contact the shop.",
		},
		acquirer.TooManyCodes: {
			"Too many codes were sent within an hour, so none was sent this time.",
			"Try again in an hour, use another number, or choose another payment method.",
		},
		acquirer.Expired: {
			"The time was over before the money was taken.",
			"Try again, or ask the shop for a new payment link.",
		},
		acquirer.SettledByOperator: {
			"Our staff looked into the payment and found that it did not go through.", "You can try again.",
		},
	}
	for _, reason := range acquirer.Reasons() {
		d := page(t, "pay-failed-"+strings.ReplaceAll(string(reason), "_", "-"), locale.English)
		if got := d.one(t, "h1").text(); got != "Not paid" {
			t.Errorf("%s: h1 %q", reason, got)
		}
		sentence, known := sentences[reason]
		if !known {
			t.Errorf("%s: the test has no sentence", reason)
		}
		wantText(t, d, "No money was taken. "+sentence[0]+" "+sentence[1])
		d.with(t, "form", "action", checkoutstories.PayAction+"?lang=en")
	}
}

func TestNewCode(t *testing.T) {
	t.Parallel()
	d := page(t, "otp", locale.Arabic) // 25 seconds to go
	d.with(t, "form", "action", checkoutstories.ResendAction)
	wait := d.with(t, "p", "data-holds", "resend")
	if got := wait.text(); got != "يمكنك طلب رمز جديد بعد 25 ثانية." {
		t.Errorf("the wait says %q", got)
	}
	if got := wait.one(t, "span").attr("data-count"); got != "25" {
		t.Errorf("the script counts from %q", got)
	}
	// Without the script the wait would never end.
	if d.with(t, "button", "id", "resend").has("disabled") {
		t.Error("the button does not work without a script")
	}

	d = page(t, "otp-may-resend", locale.English)
	d.with(t, "form", "action", checkoutstories.ResendAction+"?lang=en")
	d.with(t, "form", "action", checkoutstories.GiveUpAction+"?lang=en")
	wantNoText(t, d, "second")

	wantText(t, page(t, "otp-resent", locale.Arabic), "أرسلنا رمز تحقق جديدًا. الرمز السابق لم يعد صالحًا.")
	if n := len(page(t, "otp-bare", locale.Arabic).all("form")); n != 1 {
		t.Errorf("%d forms, want that of the code alone", n)
	}
}

func TestTooManyCodes(t *testing.T) {
	t.Parallel()
	d := page(t, "otp-too-many", locale.English)
	wantText(t, d, "That was too many codes in a short time.", "Try again in 43 seconds.")
	atTheField(t, d, "otp")
	if got := d.with(t, "p", "data-holds", "confirm").attr("data-done"); got != "You can enter the code now." {
		t.Errorf("at the end the page says %q", got)
	}
	for n, want := range map[int]string{
		1: "بعد ثانية واحدة.", 2: "بعد ثانيتين.", 3: "بعد 3 ثوانٍ.", 10: "بعد 10 ثوانٍ.", 11: "بعد 11 ثانية.",
		100: "بعد 100 ثانية.", 103: "بعد 103 ثوانٍ.",
	} {
		s := checkout.OTP{
			Order: checkoutstories.Order(), Action: checkoutstories.CodeAction,
			Problem: checkout.CodeTooMany, Wait: time.Duration(n) * time.Second,
		}
		wantText(t, parse(t, render(t, checkout.Page{Address: checkoutstories.Address, State: s})),
			"حاول مرة أخرى "+want)
	}
}

// A customer who has reached a limit sees when to come back, in Tripoli's time, and may use the
// other methods.
func TestLimitsSayWhenToComeBack(t *testing.T) {
	t.Parallel()
	d := page(t, "pay-limited", locale.English)
	wantText(t, d, "Too many attempts", "No money was taken.",
		"You can try again on Fri 20 Nov, 11:01 pm")
	wantNoText(t, page(t, "pay-limited-to-the-end", locale.English), "You can try again")
	wantText(t, page(t, "pay-limited-to-the-end", locale.Arabic),
		"لم يعد هذا الرابط يقبل المزيد. اطلب من المتجر رابط دفع جديدًا.")
	for name, said := range map[string]struct{ where, text string }{
		"pay-phone-limited": {
			"phone-problem", "It can get one again at 11:19 pm. Until then, use another number.",
		},
		"pay-codes-limited":  {"method-problem", "You can get one again at 11:19 pm."},
		"otp-resend-limited": {"resend-problem", "You can ask for a new one at 11:19 pm."},
	} {
		d := page(t, name, locale.English)
		if got := d.with(t, "p", "id", said.where).text(); !strings.HasSuffix(got, said.text) {
			t.Errorf("%s: the page says %q", name, got)
		}
		wantText(t, page(t, name, locale.Arabic), "بعد الساعة 11:19 مساءً")
		got := d.one(t, "main").attr("data-state")
		if got == "pay" && d.with(t, "input", "value", "card").has("disabled") {
			t.Errorf("%s: the card is not offered", name)
		}
	}
	wantNoText(t, page(t, "otp-resend-limited", locale.English), "12 seconds")
	atCode := page(t, "otp-limited", locale.English)
	wantText(t, atCode, "You can enter one again at 11:19 pm.")
	atTheField(t, atCode, "otp")
}

func TestBankPageCanBeGivenUp(t *testing.T) {
	t.Parallel()
	d := page(t, "processing-card", locale.Arabic)
	d.with(t, "form", "action", checkoutstories.GiveUpAction)
	wantText(t, d, "لم تدفع بعد؟", "فلا تدفع مرة أخرى")
	if n := len(page(t, "processing-card-only", locale.Arabic).all("form")); n != 0 {
		t.Error("an attempt that cannot be given up offers it")
	}
}

func TestSpecialReceipts(t *testing.T) {
	t.Parallel()
	wantText(t, page(t, "receipt-already-paid", locale.Arabic), "هذه الطلبية مدفوعة",
		"لا تدفع مرة أخرى.", "7K3QX0M2TD")
	d := page(t, "receipt-twice", locale.English)
	wantText(t, d, "Two payments came in for this order", "the shop has to give it back",
		"We have told the shop", "Do not pay again.")
	wantNoText(t, d, "deadline")
	d = page(t, "receipt-late-twice", locale.Arabic)
	wantText(t, d, "وعلى المتجر أن يردّه إليك", "وصل المبلغ بعد انتهاء مهلة الطلبية", "تواصل مع المتجر")
	wantNoText(t, d, "أبلغنا المتجر")
	for name, mark := range map[string]string{
		"receipt": "mark good", "receipt-late": "mark stop",
		"receipt-twice": "mark stop", "receipt-late-twice": "mark stop",
	} {
		d := page(t, name, locale.English)
		d.with(t, "div", "class", mark)
		said := d.one(t, "main").text()
		note := strings.Index(said, "Contact the shop")
		if (note >= 0) != (mark == "mark stop") || note > strings.Index(said, "1,234.500") {
			t.Errorf("%s: what happens with the money does not come first: %s", name, said)
		}
		for _, button := range page(t, name, locale.Arabic).all("button") {
			if button.attr("type") == "button" && !button.has("hidden") {
				t.Errorf("%s: a button that only a script can serve is shown without one", name)
			}
		}
	}
}

func TestMessageAfterExpiryIsBeingChecked(t *testing.T) {
	t.Parallel()
	d := page(t, "expired-checking", locale.Arabic)
	wantText(t, d, "نتحقق مع جهة الدفع", "وصلتنا رسالة من جهة الدفع", "لا تدفع مرة أخرى.",
		"يمكنك إغلاق هذه الصفحة", "7K3QX0M2TD")
	wantNoText(t, d, "لم يُسحب", "لتبدأ من جديد")
	if got := d.refresh(); got != "5" {
		t.Errorf("refresh %q, want 5", got)
	}
}

// The data of the script is on the element main.
func TestScriptFindsItsWay(t *testing.T) {
	t.Parallel()
	d := page(t, "pay-ends-soon", locale.English)
	main := d.one(t, "main")
	for key, want := range map[string]string{
		"data-watch": checkoutstories.WatchAddress, "data-version": checkoutstories.Version,
		"data-self": checkoutstories.Address + "?lang=en",
		"data-now":  "2026-11-22T12:20:30.000Z", "data-deadline": "2026-11-22T12:30:00.000Z", "data-refresh": "",
	} {
		if got := main.attr(key); got != want {
			t.Errorf("%s %q, want %q", key, got, want)
		}
	}
	left := d.with(t, "p", "class", "left")
	if !left.has("hidden") || left.attr("data-say-600") != "Ten minutes left to pay." ||
		left.attr("data-say-30") != "Thirty seconds left to pay." {
		t.Errorf("time left: %v", left.Attr)
	}
	if got := page(t, "processing-unknown", locale.Arabic).one(t, "main").attr("data-refresh"); got != "10" {
		t.Errorf("data-refresh %q, want 10", got)
	}

	// A page without a version and a time has no such data.
	bare := checkout.Page{Address: checkoutstories.Address, State: checkout.Pay{
		Order:    checkoutstories.Order(),
		Deadline: checkoutstories.Deadline, Offers: checkoutstories.Offers(), Action: checkoutstories.PayAction,
	}}
	d = parse(t, render(t, bare))
	for _, key := range []string{"data-watch", "data-version", "data-now"} {
		if d.one(t, "main").has(key) {
			t.Errorf("there is %s", key)
		}
	}
	for _, name := range []string{"not-found", "unavailable", "expired"} {
		if len(page(t, name, locale.Arabic).all("script")) != 0 {
			t.Errorf("%s loads a script that has nothing to do", name)
		}
	}
}

func TestMoveBackIsShown(t *testing.T) {
	t.Parallel()
	d := page(t, "receipt-just-paid", locale.Arabic)
	move := d.with(t, "p", "data-moves", "back")
	if got := move.text(); got != "ننقلك إلى المتجر خلال 8 ثوانٍ. ابقَ هنا" {
		t.Errorf("the page says %q", got)
	}
	got := d.with(t, "a", "id", "back")
	if got.attr("href") != checkoutstories.Order().ReturnURL || got.attr("rel") != "noreferrer" {
		t.Errorf("the way back: %v", got.Attr)
	}
	if d.one(t, "main").has("data-refresh") {
		t.Error("the script would load the receipt again")
	}
}

// A receipt links to its proof, also as a QR code, and neither reveals the payer.
func TestProofOfAReceipt(t *testing.T) {
	t.Parallel()
	d := page(t, "receipt", locale.English)
	d.with(t, "a", "href", checkoutstories.CheckURL+"?lang=en")
	d.with(t, "svg", "class", "qr")
	got := d.with(t, "p", "id", "receipt-text").text()
	if !strings.Contains(got, checkoutstories.CheckURL) || !strings.Contains(got, "7K3QX0M2TD") ||
		strings.Contains(got, "5678") || strings.Contains(got, checkoutstories.Address) {
		t.Errorf("shared is %q", got)
	}
	for _, name := range []string{"proof", "proof-pending"} {
		d := page(t, name, locale.English)
		wantText(t, d, "1,234.500 LYD", "7K3QX0M2TD", "مقهى الميدان", "20 November 2026, 22:41 (Libya’s time)")
		wantNoText(t, d, "5678", "1042", "Phone wallet", "maydan.example")
	}
	wantText(t, page(t, "proof", locale.English), "This receipt is genuine", "18230 · 18234", "18301")
	wantText(t, page(t, "proof-refunded", locale.English), "Given back of it", "200.250 LYD")
	d = page(t, "proof-pending", locale.English)
	wantText(t, d, "not yet in a signed checkpoint")
	wantNoText(t, d, "genuine")
	if got := d.refresh(); got != "5" {
		t.Errorf("refresh %q, want 5", got)
	}
	wantText(t, page(t, "proof-not-found", locale.Arabic), "لا يوجد إيصال بهذا الرابط", "مزوّرًا")
}

// Screen readers read the end of a masked number without its dots, and a merchant's words in their
// own language.
func TestPagesAreHeard(t *testing.T) {
	t.Parallel()
	for lang, ends := range map[locale.Lang]string{
		locale.Arabic: "رقم ينتهي بالأرقام 5678", locale.English: "a number that ends in 5678",
	} {
		for _, name := range []string{"otp", "receipt"} {
			d := page(t, name, lang)
			wantText(t, d, ends)
			d.with(t, "bdi", "aria-hidden", "true")
		}
	}
	spoken := 0
	for _, b := range page(t, "pay-english-merchant", locale.Arabic).all("bdi") {
		if b.attr("lang") == "en" && (b.text() == "Maydan Coffee" || b.text() == "Order 1042: coffee machine") {
			spoken++
		}
	}
	if spoken < 2 {
		t.Errorf("%d texts of the merchant are marked as English, want the name and the description", spoken)
	}
}

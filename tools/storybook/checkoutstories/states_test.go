package checkoutstories_test

import (
	"strings"
	"testing"

	"daftar/checkout"
	"daftar/internal/locale"
	"daftar/payments/acquirer/sandbox"
	"daftar/tools/storybook/checkoutstories"
)

// page is the story's page, parsed.
func page(t *testing.T, name string, lang locale.Lang) document {
	t.Helper()
	s, found := checkoutstories.Named(name)
	if !found {
		t.Fatalf("no story %s", name)
	}
	return parse(t, render(t, s.Page(lang)))
}

func wantText(t *testing.T, d document, texts ...string) {
	t.Helper()
	all := d.one(t, "main").text()
	for _, text := range texts {
		if !strings.Contains(all, text) {
			t.Errorf("the page does not say %q: %s", text, all)
		}
	}
}

func wantNoText(t *testing.T, d document, texts ...string) {
	t.Helper()
	all := d.one(t, "main").text()
	for _, text := range texts {
		if strings.Contains(all, text) {
			t.Errorf("the page says %q: %s", text, all)
		}
	}
}

func TestPayPage(t *testing.T) {
	t.Parallel()
	d := page(t, "pay", locale.Arabic)
	wantText(t, d, "1,234.500 د.ل", "ألف ومئتان وأربعة وثلاثون دينارًا وخمسمئة درهم", "ادفع 1,234.500 د.ل",
		"طلب رقم 1042: آلة قهوة", "الأحد 22 نوفمبر، 2:30 ظهرًا")
	if !d.with(t, "input", "value", "wallet").has("checked") ||
		d.with(t, "input", "value", "card").has("checked") {
		t.Error("the first method is not the one chosen")
	}
	for _, radio := range []string{"wallet", "card"} {
		n := d.with(t, "input", "value", radio)
		if n.attr("name") != "method" || n.attr("type") != "radio" || n.has("disabled") {
			t.Errorf("%s: name %q, type %q", radio, n.attr("name"), n.attr("type"))
		}
	}
	phone := d.with(t, "input", "name", "phone")
	if phone.attr("dir") != "ltr" || phone.attr("inputmode") != "tel" || phone.attr("autocomplete") != "tel" ||
		phone.has("aria-invalid") {
		t.Errorf("phone field: %v", phone.Attr)
	}
	wantText(t, page(t, "pay-english-merchant", locale.English), "1,234.500 LYD",
		"One thousand two hundred thirty-four dinars and five hundred dirhams", "Pay 1,234.500 LYD",
		"Sun 22 Nov, 2:30 pm")
}

func TestPayAfterFailure(t *testing.T) {
	t.Parallel()
	d := page(t, "pay-after-failure", locale.Arabic)
	wantText(t, d, "لم يتم الدفع", "لم يُسحب أي مبلغ. الرصيد لا يكفي. اشحن محفظتك أو اختر وسيلة أخرى.")
	if !d.with(t, "input", "value", "card").has("checked") ||
		d.with(t, "input", "name", "phone").attr("value") != "0912345678" {
		t.Error("what the customer sent is not kept")
	}
	wantNoText(t, page(t, "pay", locale.Arabic), "لم يتم الدفع")
}

func TestPayWithProblems(t *testing.T) {
	t.Parallel()
	d := page(t, "pay-phone-wrong", locale.English)
	phone := d.with(t, "input", "name", "phone")
	if phone.attr("value") != "12345" || phone.attr("aria-invalid") != "true" ||
		!strings.Contains(phone.attr("aria-describedby"), "phone-problem") {
		t.Errorf("phone field: %v", phone.Attr)
	}
	const problem = "Enter a Libyan mobile number: ten digits that begin with 09."
	if got := d.with(t, "p", "id", "phone-problem").text(); got != problem {
		t.Errorf("next to the field it says %q", got)
	}
	atTheField(t, d, "phone")

	d = page(t, "pay-two-problems", locale.English)
	summary := d.with(t, "div", "role", "alert")
	if !summary.has("autofocus") || summary.attr("tabindex") != "-1" {
		t.Error("the summary does not take the focus")
	}
	d.with(t, "a", "href", "#method-wallet")
	d.with(t, "a", "href", "#phone")
	if d.with(t, "input", "value", "wallet").has("checked") {
		t.Error("a method is chosen although the page asks for one")
	}
	if n := len(page(t, "pay", locale.English).all("ul")); n != 0 {
		t.Error("a page without problems has a summary")
	}
}

func TestOffers(t *testing.T) {
	t.Parallel()
	d := page(t, "pay-wallet-out-of-order", locale.Arabic)
	wantText(t, d, "غير متاحة الآن")
	if !d.with(t, "input", "value", "wallet").has("disabled") ||
		!d.with(t, "input", "value", "card").has("checked") {
		t.Error("the method that is out of order can be chosen, or the other one is not")
	}
	d = page(t, "pay-card-only", locale.English)
	wantNoText(t, d, "Phone wallet", "Phone number")
	if got := len(d.all("input")); got != 1 {
		t.Errorf("%d fields, want the card alone", got)
	}
	d = page(t, "pay-nothing-offered", locale.English)
	wantText(t, d, "No payment method is available right now.")
	if len(d.all("form")) != 0 {
		t.Error("there is a form although nothing can be chosen")
	}
}

func TestCodePage(t *testing.T) {
	t.Parallel()
	d := page(t, "otp", locale.Arabic)
	wantText(t, d, "أرسلنا رمز التحقق في رسالة نصية إلى 091•••5678", "6 أرقام", "غيّر الرقم أو وسيلة الدفع",
		"1,234.500 د.ل")
	wantNoText(t, d, "محاول")
	field := d.with(t, "input", "name", "otp")
	for key, want := range map[string]string{
		"autocomplete": "one-time-code", "inputmode": "numeric", "dir": "ltr", "value": "",
	} {
		if got := field.attr(key); got != want {
			t.Errorf("%s=%q, want %q", key, got, want)
		}
	}
	// A pattern of ASCII digits or a length would make the browser refuse Arabic digits and pasted
	// spaces, which the server accepts.
	if field.has("pattern") || field.has("maxlength") {
		t.Error("the browser refuses codes that the server takes")
	}

	d = page(t, "otp-wrong", locale.English)
	wantText(t, d, "The code is not right.", "You have 2 tries left.")
	if d.with(t, "input", "name", "otp").attr("aria-invalid") != "true" {
		t.Error("the field is not marked")
	}
	atTheField(t, d, "otp")
	d = parse(t, render(t, checkout.Page{State: checkout.OTP{
		Order: checkoutstories.Order(), SentTo: "0912345678", Action: checkoutstories.CodeAction,
	}}))
	wantText(t, d, "091•••5678")
	wantNoText(t, d, "0912345678", "غيّر الرقم", " أرقام")
}

// atTheField checks that a page with one field has the focus there, with the problem next to it and
// no summary.
func atTheField(t *testing.T, d document, id string) {
	t.Helper()
	field := d.with(t, "input", "id", id)
	radio := field.attr("type") == "radio" // which its group describes
	problem := strings.ReplaceAll(id, "_", "-") + "-problem"
	if !field.has("autofocus") || !radio && !strings.Contains(field.attr("aria-describedby"), problem) {
		t.Errorf("the field %v", field.Attr)
	}
	for _, box := range d.all("div") {
		if box.attr("id") == "problems" {
			t.Error("there is a summary of one line")
		}
	}
}

func TestProcessingPages(t *testing.T) {
	t.Parallel()
	d := page(t, "processing", locale.Arabic)
	wantText(t, d, "لا تدفع مرة أخرى.", "7K3QX0M2TD")
	if got := d.refresh(); got != "3" {
		t.Errorf("refresh %q, want 3", got)
	}
	d.with(t, "a", "href", checkoutstories.Address) // for whom the browser does not refresh
	if len(d.all("form")) != 0 {
		t.Error("a page that says not to pay again has a form")
	}

	d = page(t, "processing-card", locale.English)
	wantText(t, d, "do not pay again")
	bank := d.with(t, "a", "class", "btn")
	if bank.attr("href") != "https://bank.example/p/1?a=1&b=2" || bank.attr("rel") != "noreferrer" {
		t.Errorf("bank link: %v", bank.Attr)
	}
	if d.refresh() == "" {
		t.Error("the page does not look again")
	}
	d = parse(t, render(t, checkout.Page{State: checkout.Processing{
		Order: checkoutstories.Order(), BankURL: "javascript:alert(1)",
	}}))
	if got := d.with(t, "a", "class", "btn").attr("href"); strings.Contains(got, "javascript") {
		t.Errorf("bank link leads to %q", got)
	}

	d = page(t, "processing-unknown", locale.Arabic)
	wantText(t, d, "ما زلنا نتحقق من الدفع", "لا تدفع مرة أخرى.", "يمكنك إغلاق هذه الصفحة", "7K3QX0M2TD")
	if d.refresh() == "" {
		t.Error("the page does not look again")
	}
	wantNoText(t, d, "لم يُسحب")
}

func TestReceipt(t *testing.T) {
	t.Parallel()
	d := page(t, "receipt", locale.Arabic)
	wantText(t, d, "تم الدفع", "7K3QX0M2TD", "1,234.500 د.ل", "ألف ومئتان وأربعة وثلاثون دينارًا وخمسمئة درهم",
		"مقهى الميدان", "20 نوفمبر 2026، 22:41 بتوقيت ليبيا", "المحفظة الإلكترونية 091•••5678",
		"العودة إلى مقهى الميدان", "maydan.example")
	wantNoText(t, d, "7k3qx0m2td", "انتهاء المهلة", "ثوانٍ")
	if got := d.refresh(); got != "" {
		t.Errorf("the receipt leaves by itself: %q", got)
	}

	d = page(t, "receipt-late", locale.English)
	wantText(t, d, "Paid after the deadline", "Do not pay again.", "20 November 2026, 22:41 (Libya’s time)",
		"091•••5678", "7K3QX0M2TD")
	wantNoText(t, d, "0912345678")

	d = page(t, "receipt-just-paid", locale.English)
	wantText(t, d, "We take you back to the shop in 8 seconds.", "Local bank card")
	if got := d.refresh(); got != "8;url="+checkoutstories.Order().ReturnURL {
		t.Errorf("refresh %q", got)
	}
	d.with(t, "a", "href", checkoutstories.Address+"?lang=en&"+checkout.StayParameter+"=1")

	o := changed(func(o *checkout.Order) { o.ReturnURL = "" })
	d = parse(t, render(t, checkout.Page{Address: "/c", State: checkout.Receipt{
		Order: o, PaidAt: checkoutstories.PaidAt, Method: sandbox.Card, SendBack: true,
	}}))
	if d.refresh() != "" {
		t.Error("a receipt without a return URL leaves by itself")
	}
	wantNoText(t, d, "العودة إلى", "ثوانٍ")
}

func TestExpired(t *testing.T) {
	t.Parallel()
	d := page(t, "expired", locale.Arabic)
	wantText(t, d, "انتهت مهلة هذه الطلبية", "لم يُسحب أي مبلغ.", "فلا تدفع مرة أخرى",
		"العودة إلى مقهى الميدان", "7K3QX0M2TD")
	d = page(t, "expired-unsure", locale.Arabic)
	wantText(t, d, "اطلب من المتجر رابط دفع جديدًا.", "فلا تدفع مرة أخرى")
	wantNoText(t, d, "لم يُسحب", "العودة إلى")
	if len(d.all("form")) != 0 {
		t.Error("an expired page has a form")
	}
}

func TestPagesWithoutAnOrder(t *testing.T) {
	t.Parallel()
	d := page(t, "not-found", locale.English)
	wantText(t, d, "There is no payment page here")
	if len(d.one(t, "main").all("a")) != 0 {
		t.Error("the page of an unknown address leads on")
	}
	d = page(t, "unavailable", locale.Arabic)
	wantText(t, d, "حاول مرة أخرى", "فلا تدفع مرة أخرى")
	d.with(t, "a", "href", checkoutstories.Address)
}

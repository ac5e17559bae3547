package checkoutstories_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/checkout"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
	"daftar/tools/storybook/checkoutstories"
)

// The stories have the fields that the adapters need. Otherwise they would show a page that no
// customer sees.
func TestOffersAreThoseOfTheAdapters(t *testing.T) {
	t.Parallel()
	var all []acquirer.Capability
	for _, d := range registry.WithAccounts() {
		p, err := d.Open(acquirer.Addresses{d.Variables[0].Name: "http://127.0.0.1:1"})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p.Capabilities()...)
	}
	story, _ := checkoutstories.Named("pay-tlync")
	for _, offer := range slices.Concat(checkoutstories.MerchantOffers(), story.Shown.(checkout.Pay).Offers) {
		n := slices.IndexFunc(all, func(c acquirer.Capability) bool { return c.Method == offer.Method })
		if n < 0 {
			t.Errorf("no adapter has %s", offer.Method)
			continue
		}
		var needs []acquirer.Field
		for _, in := range all[n].Inputs {
			needs = append(needs, in.Field)
		}
		if !slices.Equal(offer.Needs, needs) {
			t.Errorf("%s is offered with %v, the adapter needs %v", offer.Method, offer.Needs, needs)
		}
	}
}

func TestFiveWaysToPay(t *testing.T) {
	t.Parallel()
	d := page(t, "pay-five", locale.Arabic)
	wantText(t, d, "ادفع لي", "سداد", "بطاقة مصرفية عبر بلوتو", "بطاقة مصرفية عبر معاملات", "لي باي",
		"سنة الميلاد", "لا يصل رقم بطاقتك إلينا ولا إلى المتجر.")
	for method, needs := range map[string]string{
		"adfali": "phone", "sadad": "phone birth_year", "cards": "", "moamalat": "", "lypay": "",
	} {
		radio := d.with(t, "input", "value", method)
		got := strings.TrimSpace(radio.attr("data-needs"))
		if got != needs || radio.has("checked") != (method == "adfali") {
			t.Errorf("%s needs %q, want %q; checked %t", method, got, needs, radio.has("checked"))
		}
	}
	d = page(t, "pay-five-sadad", locale.English)
	year := d.with(t, "input", "name", "birth_year")
	for key, want := range map[string]string{
		"dir": "ltr", "inputmode": "numeric", "autocomplete": "bday-year",
		"value": "1990", "aria-describedby": "birth-year-hint",
	} {
		if got := year.attr(key); got != want {
			t.Errorf("year of birth: %s=%q, want %q", key, got, want)
		}
	}
	if !d.with(t, "input", "value", "sadad").has("checked") || year.has("aria-invalid") ||
		year.has("maxlength") {
		t.Errorf("year of birth: %v", year.Attr)
	}
	wantNoText(t, page(t, "pay-tlync", locale.English), "Year of birth")
	wantText(t, page(t, "pay-sadad-refused", locale.Arabic), "رقم الهاتف وسنة الميلاد لا يتطابقان",
		"لم يُسحب أي مبلغ.")
}

func TestProblemsWithDetails(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ story, field, arabic, english string }{
		{
			"pay-other-network", "phone", "هذه الوسيلة تقبل الأرقام التي تبدأ بـ 091 أو 093 فقط.",
			"This payment method takes numbers that begin with 091 or 093 only.",
		},
		{"pay-birth-year-missing", "birth_year", "اكتب سنة الميلاد.", "Enter the year of birth."},
		{
			"pay-birth-year-wrong", "birth_year", "اكتب سنة الميلاد بأربعة أرقام، مثل 1990.",
			"Enter the year of birth in four digits, for example 1990.",
		},
		{"pay-sadad-empty", "phone", "اكتب رقم هاتفك.", "Enter your phone number."},
		{"pay-sadad-empty", "birth_year", "اكتب سنة الميلاد.", "Enter the year of birth."},
		{"pay-five-not-chosen", "method-adfali", "اختر وسيلة الدفع.", "Choose how you want to pay."},
		{
			"pay-sadad-out-of-order", "method-adfali", "الوسيلة التي اخترتها غير متاحة الآن. اختر وسيلة أخرى.",
			"The way you chose is not available right now. Choose another one.",
		},
	} {
		for lang, want := range map[locale.Lang]string{
			locale.Arabic: row.arabic, locale.English: row.english,
		} {
			d := page(t, row.story, lang)
			if row.story == "pay-sadad-empty" {
				if got := d.with(t, "a", "href", "#"+row.field).text(); got != want {
					t.Errorf("%s: the summary says %q, want %q", row.story, got, want)
				}
			} else {
				wantText(t, d, want)
				atTheField(t, d, row.field)
			}
			field := d.with(t, "input", "id", row.field)
			if field.attr("type") != "radio" && field.attr("aria-invalid") != "true" {
				t.Errorf("%s: the field is not marked: %v", row.story, field.Attr)
			}
		}
	}
}

func TestAdfalisCode(t *testing.T) {
	t.Parallel()
	d := page(t, "otp-adfali", locale.Arabic)
	wantText(t, d, "4 أرقام", "غيّر الرقم أو وسيلة الدفع")
	wantNoText(t, d, "أرسل رمزًا جديدًا")
}

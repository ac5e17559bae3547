package checkoutstories

import (
	"daftar/checkout"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/lypay"
	"daftar/payments/acquirer/moamalat"
	"daftar/payments/acquirer/plutu"
)

// MerchantOffers are the ways to pay of a merchant with its own accounts, in the order of the
// page.
func MerchantOffers() []checkout.Offer {
	return []checkout.Offer{
		{Method: plutu.Adfali, Needs: []acquirer.Field{acquirer.Phone}},
		{Method: plutu.Sadad, Needs: []acquirer.Field{acquirer.Phone, acquirer.BirthYear}},
		{Method: plutu.Cards},
		{Method: moamalat.Method},
		{Method: lypay.Method},
	}
}

var tlync = checkout.Offer{Method: plutu.TLync, Needs: []acquirer.Field{acquirer.Phone}}

// payFive is the pay page with the five ways to pay of a merchant.
func payFive(change func(*checkout.Pay)) checkout.Pay {
	return pay(func(p *checkout.Pay) {
		p.Offers = MerchantOffers()
		change(p)
	})
}

// bySadad is the pay page of a customer who chose Sadad.
func bySadad(change func(*checkout.Pay)) checkout.Pay {
	return payFive(func(p *checkout.Pay) {
		p.Chosen, p.Phone, p.BirthYear = plutu.Sadad, "0912345678", "1990"
		change(p)
	})
}

func manyMethods() []Story {
	title := text("الدفع", "Pay")
	return []Story{
		{
			Name: "pay-five", State: "pay", Title: title,
			When:  text("للمتجر خمس وسائل دفع.", "The shop has five payment methods."),
			Shown: payFive(func(*checkout.Pay) {}),
		},
		{
			Name: "pay-five-sadad", State: "pay", Title: title,
			When: text("اختار الزبون سداد، وهي تطلب رقم الهاتف وسنة الميلاد.",
				"The customer chose Sadad, which asks for a number and a year of birth."),
			Shown: bySadad(func(*checkout.Pay) {}),
		},
		{
			Name: "pay-five-long", State: "pay", Title: title,
			When: text("خمس وسائل دفع مع أطول اسم ووصف ومبلغ.",
				"Five payment methods, with the longest name, description and amount."),
			Shown: bySadad(func(p *checkout.Pay) { p.Order = longOrder() }),
		},
		{
			Name: "pay-all-methods", State: "pay", Title: title,
			When: text("كل وسيلة معروفة، وتي لينك متوقفة.", "Every method that there is; T-Lync is out of order."),
			Shown: pay(func(p *checkout.Pay) {
				down := tlync
				down.OutOfOrder = true
				p.Offers = append(append(Offers(), MerchantOffers()...), down)
			}),
		},
		{
			Name: "pay-tlync", State: "pay", Title: title,
			When:  text("تي لينك وحدها تقبل هذا المبلغ.", "Only T-Lync takes this amount."),
			Shown: pay(func(p *checkout.Pay) { p.Offers = []checkout.Offer{tlync} }),
		},
		{
			Name: "pay-sadad-refused", State: "pay", Detail: "failed", Title: text("لم يتم الدفع", "Not paid"),
			When: text("رفضت سداد الرقم وسنة الميلاد.", "Sadad refused the number and the year of birth."),
			Shown: payFive(func(p *checkout.Pay) {
				p.Failed, p.FailedBy = acquirer.DetailsRefused, plutu.Sadad
				p.Phone, p.BirthYear = "0912345678", "1990"
			}),
		},
	}
}

// correctingDetails are the pay pages whose fields were filled in wrongly.
func correctingDetails() []Story {
	wrong := func(name string, when locale.Text, shown checkout.Pay) Story {
		return Story{Name: name, State: "pay", Title: text("خطأ: الدفع", "Error: Pay"), When: when, Shown: shown}
	}
	return []Story{
		wrong("pay-other-network",
			text("الرقم من شبكة لا تقبلها الوسيلة.", "The number is of a network that the method does not take."),
			bySadad(func(p *checkout.Pay) {
				p.Phone, p.PhoneProblem = "0922345678", checkout.PhoneOtherNetwork
				p.PhonePrefixes = []string{"091", "093"}
			})),
		wrong("pay-birth-year-missing", text("لم تُكتب سنة الميلاد.", "The year of birth is missing."),
			bySadad(func(p *checkout.Pay) { p.BirthYear, p.BirthYearProblem = "", checkout.BirthYearMissing })),
		wrong("pay-birth-year-wrong", text("سنة الميلاد بلا معنى.", "The year of birth makes no sense."),
			bySadad(func(p *checkout.Pay) { p.BirthYear, p.BirthYearProblem = "90", checkout.BirthYearMalformed })),
		wrong("pay-sadad-empty",
			text("أُرسل النموذج بلا رقم ولا سنة ميلاد.",
				"The form was sent without a number and a year of birth."),
			bySadad(func(p *checkout.Pay) {
				p.Phone, p.PhoneProblem = "", checkout.PhoneMissing
				p.BirthYear, p.BirthYearProblem = "", checkout.BirthYearMissing
			})),
		wrong("pay-five-not-chosen",
			text("أُرسل النموذج بلا وسيلة دفع.", "The form was sent without a payment method."),
			payFive(func(p *checkout.Pay) { p.MethodProblem = checkout.MethodMissing })),
		wrong("pay-sadad-out-of-order",
			text("توقفت سداد بعد أن اختارها الزبون.", "Sadad went out of order after it was chosen."),
			bySadad(func(p *checkout.Pay) {
				p.Offers[1].OutOfOrder, p.MethodProblem = true, checkout.MethodOutOfOrder
			})),
	}
}

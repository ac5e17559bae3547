package checkout_test

import (
	"time"

	"daftar/checkout"
	"daftar/checkout/acquirer"
	"daftar/domain"
)

// story is a page that a customer can meet, under a name that says when.
type story struct {
	name  string
	state checkout.State
	want  string            // data-state
	title map[string]string // by language; the merchant's name may follow
}

const (
	address = "/checkout/0b7e6c1e-9a52-5d0f-8a3e-1f2e3d4c5b6a/t0k3n"
	payPath = address + "/pay"
	otpPath = address + "/otp"
)

var (
	paidAt   = time.Date(2026, 11, 20, 20, 41, 0, 0, time.UTC)
	deadline = time.Date(2026, 11, 22, 12, 30, 0, 0, time.UTC)

	order = checkout.Order{
		Merchant:    "مقهى الميدان",
		Description: "طلب رقم 1042: آلة قهوة",
		Amount:      domain.Money{Minor: 1_234_500, Currency: domain.LYD},
		Reference:   "7k3qx0m2td",
		ReturnURL:   "https://maydan.example/orders/1042?from=pay",
	}

	offers = []checkout.Offer{{Method: acquirer.Wallet}, {Method: acquirer.Card}}
)

func title(arabic, english string) map[string]string {
	return map[string]string{"ar": arabic, "en": english}
}

// with returns the order changed.
func with(change func(*checkout.Order)) checkout.Order {
	changed := order
	change(&changed)
	return changed
}

func english(o *checkout.Order) {
	o.Merchant, o.Description = "Maydan Coffee", "Order 1042: coffee machine"
}

func noReturn(o *checkout.Order) { o.ReturnURL = "" }

func appLink(o *checkout.Order) { o.ReturnURL = "lyshop://orders/1" }

func long(o *checkout.Order) {
	o.Merchant = "شركة الميدان الكبرى لاستيراد وتوزيع آلات القهوة ولوازم المقاهي والفنادق Maydan Trading & Hospitality"
	o.Description = "Order-1042/" + "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" + " آلة قهوة مع مطحنة وملحقات كاملة وضمان سنتين"
	o.Amount.Minor = 888_888_888
}

// stories are every state in the variants that matter.
func stories() []story {
	pay := title("الدفع", "Pay")
	payWrong := title("خطأ: الدفع", "Error: Pay")
	otp := title("أدخل الرمز", "Enter the code")
	otpWrong := title("خطأ: أدخل الرمز", "Error: Enter the code")
	over := title("انتهت مهلة هذا الطلب", "The time to pay this order is over")
	base := checkout.Pay{Order: order, Deadline: deadline, Offers: offers, Action: payPath}
	code := checkout.OTP{Order: order, SentTo: "091•••5678", Digits: 6, Action: otpPath, GiveUpAction: address + "/give-up"}
	wrong := code
	wrong.Problem, wrong.TriesLeft = checkout.CodeWrong, 2
	paid := checkout.Receipt{Order: order, PaidAt: paidAt, Method: acquirer.Wallet, Payer: "091•••5678"}

	payStory := func(name string, titles map[string]string, change func(*checkout.Pay)) story {
		p := base
		change(&p)
		return story{name: name, state: p, want: "pay", title: titles}
	}
	return []story{
		payStory("pay", pay, func(*checkout.Pay) {}),
		payStory("pay-english-merchant", pay, func(p *checkout.Pay) { p.Order = with(english) }),
		payStory("pay-long", pay, func(p *checkout.Pay) { p.Order = with(long) }),
		payStory("pay-after-failure", pay, func(p *checkout.Pay) {
			p.Failed, p.Chosen, p.Phone = acquirer.InsufficientFunds, acquirer.Card, "0912345678"
		}),
		payStory("pay-phone-wrong", payWrong, func(p *checkout.Pay) {
			p.Phone, p.PhoneProblem = "12345", checkout.PhoneNotMobile
		}),
		payStory("pay-two-problems", payWrong, func(p *checkout.Pay) {
			p.MethodProblem, p.PhoneProblem = checkout.MethodMissing, checkout.PhoneMissing
		}),
		payStory("pay-wallet-out-of-order", payWrong, func(p *checkout.Pay) {
			p.Offers = []checkout.Offer{{Method: acquirer.Wallet, OutOfOrder: true}, {Method: acquirer.Card}}
			p.Chosen, p.MethodProblem = acquirer.Wallet, checkout.MethodOutOfOrder
		}),
		payStory("pay-card-only", pay, func(p *checkout.Pay) { p.Offers = offers[1:] }),
		payStory("pay-nothing-offered", pay, func(p *checkout.Pay) { p.Offers = nil }),
		{name: "otp", state: code, want: "otp", title: otp},
		{name: "otp-wrong", state: wrong, want: "otp", title: otpWrong},
		{name: "processing", state: checkout.Processing{Order: order}, want: "processing",
			title: title("ننتظر تأكيد الدفع", "Waiting for the payment to be confirmed")},
		{name: "processing-card", state: checkout.Processing{Order: order, BankURL: "https://bank.example/p/1?a=1&b=2"}, want: "processing",
			title: title("أكمل الدفع في صفحة المصرف", "Finish paying on the bank’s page")},
		{name: "processing-unknown", state: checkout.Processing{Order: order, StillUnknown: true}, want: "processing",
			title: title("ما زلنا نتحقق من الدفع", "We are still checking your payment")},
		{name: "receipt", state: paid, want: "receipt", title: title("تم الدفع", "Paid")},
		{name: "receipt-just-paid", state: checkout.Receipt{Order: order, PaidAt: paidAt, Method: acquirer.Card, SendBack: true}, want: "receipt",
			title: title("تم الدفع", "Paid")},
		{name: "receipt-long", state: checkout.Receipt{Order: with(long), PaidAt: paidAt, Method: acquirer.Card}, want: "receipt",
			title: title("تم الدفع", "Paid")},
		{name: "receipt-late", state: checkout.Receipt{Order: with(appLink), PaidAt: paidAt, Method: acquirer.Wallet, Payer: "0912345678", Late: true}, want: "receipt",
			title: title("تم الدفع بعد انتهاء المهلة", "Paid after the deadline")},
		{name: "expired", state: checkout.Expired{Order: order, NoMoneyTaken: true}, want: "expired", title: over},
		{name: "expired-unsure", state: checkout.Expired{Order: with(noReturn)}, want: "expired", title: over},
		{name: "not-found", state: checkout.NotFound{}, want: "not-found",
			title: title("لا توجد صفحة دفع هنا", "There is no payment page here")},
		{name: "unavailable", state: checkout.Unavailable{}, want: "unavailable",
			title: title("تعذّر عرض الصفحة الآن", "This page cannot be shown right now")},
	}
}

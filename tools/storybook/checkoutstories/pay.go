package checkoutstories

import (
	"strings"
	"time"

	"daftar/checkout"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
)

func pay(change func(*checkout.Pay)) checkout.Pay {
	p := checkout.Pay{Order: Order(), Deadline: Deadline, Offers: Offers(), Action: PayAction}
	change(&p)
	return p
}

func choosing() []Story {
	title := text("الدفع", "Pay")
	return []Story{
		{
			Name: "pay", State: "pay", Title: title,
			When:  text("يفتح الزبون رابط الدفع.", "The customer opens the payment link."),
			Shown: pay(func(*checkout.Pay) {}),
		},
		{
			Name: "pay-test-mode", State: "pay", Title: title, testMode: true,
			When:  text("وضع التجربة: لا تُسحب أموال.", "Test mode: no money moves."),
			Shown: pay(func(*checkout.Pay) {}),
		},
		{
			Name: "pay-ends-soon", State: "pay", Title: title, now: Deadline.Add(-9*time.Minute - 30*time.Second),
			When:  text("بقيت أقل من عشر دقائق على انتهاء المهلة.", "Less than ten minutes are left to pay."),
			Shown: pay(func(*checkout.Pay) {}),
		},
		{
			Name: "pay-english-merchant", State: "pay", Title: title,
			When: text("كتب المتجر اسمه والوصف بالإنجليزية.",
				"The shop writes its name and the description in English."),
			Shown: pay(func(p *checkout.Pay) { p.Order = englishOrder() }),
		},
		{
			Name: "pay-long", State: "pay", Title: title,
			When:  text("أطول اسم ووصف ومبلغ.", "The longest name, description and amount."),
			Shown: pay(func(p *checkout.Pay) { p.Order = longOrder() }),
		},
		{
			Name: "pay-card-only", State: "pay", Title: title,
			When:  text("البطاقة وحدها تقبل هذا المبلغ.", "Only the card takes this amount."),
			Shown: pay(func(p *checkout.Pay) { p.Offers = Offers()[1:] }),
		},
		{
			Name: "pay-wallet-down", State: "pay", Title: title,
			When: text("المحفظة متوقفة الآن.", "The wallet is out of order."),
			Shown: pay(func(p *checkout.Pay) {
				p.Offers = []checkout.Offer{walletDown, {Method: sandbox.Card}}
			}),
		},
		{
			Name: "pay-all-down", State: "pay", Title: title,
			When: text("كل الوسائل متوقفة الآن.", "Everything is out of order."),
			Shown: pay(func(p *checkout.Pay) {
				p.Offers = []checkout.Offer{walletDown, {Method: sandbox.Card, OutOfOrder: true}}
			}),
		},
		{
			Name: "pay-nothing-offered", State: "pay", Title: title,
			When:  text("لا وسيلة تقبل هذا المبلغ الآن.", "Nothing takes this amount right now."),
			Shown: pay(func(p *checkout.Pay) { p.Offers = nil }),
		},
	}
}

// limited are the pages of a customer who has reached a limit.
func limited() []Story {
	many := text("محاولات كثيرة", "Too many attempts")
	wrong := text("خطأ: الدفع", "Error: Pay")
	code := text("خطأ: أدخل رمز التحقق", "Error: Enter the code")
	return []Story{
		{
			Name: "pay-limited", State: "pay", Detail: "limited", Title: many,
			When: text("جرت محاولات كثيرة، والتالية بعد حين.", "There were many attempts; the next one has to wait."),
			Shown: pay(func(p *checkout.Pay) {
				p.Failed, p.NotBefore = acquirer.Abandoned, Now.Add(20*time.Minute).Truncate(time.Minute)
			}),
		},
		{
			Name: "pay-limited-to-the-end", State: "pay", Detail: "limited", Title: many,
			When: text("جرت محاولات كثيرة، والتالية بعد انتهاء المهلة.",
				"There were many attempts; the next one would be after the end."),
			Shown: pay(func(p *checkout.Pay) {
				p.Failed, p.NotBefore = acquirer.GenericDecline, Deadline
			}),
		},
		{
			Name: "pay-phone-limited", State: "pay", Title: wrong,
			When: text("أُرسلت إلى الرقم رموز كثيرة خلال ساعة.", "The number got too many codes within an hour."),
			Shown: pay(func(p *checkout.Pay) {
				p.Chosen, p.Phone = sandbox.Wallet, "0912345678"
				p.PhoneProblem, p.LimitedUntil = checkout.PhoneLimited, limitedUntil
			}),
		},
		{
			Name: "pay-codes-limited", State: "pay", Title: wrong,
			When: text("طُلبت رموز كثيرة من هذه الشبكة أو لهذه الطلبية.",
				"Too many codes were asked for from this network, or for this order."),
			Shown: pay(func(p *checkout.Pay) {
				p.Chosen, p.Phone = sandbox.Wallet, "0912345678"
				p.MethodProblem, p.LimitedUntil = checkout.MethodLimited, limitedUntil
			}),
		},
		{
			Name: "otp-limited", State: "otp", Title: code,
			When: text("أُدخلت للرقم رموز كثيرة خلال ساعة.",
				"Too many codes were entered for the number within an hour."),
			Shown: otp(func(s *checkout.OTP) {
				s.Problem, s.LimitedUntil = checkout.CodeLimited, limitedUntil
			}),
		},
		{
			Name: "otp-resend-limited", State: "otp", Title: code,
			When: text("أُرسلت إلى الرقم رموز كثيرة خلال ساعة.", "The number got too many codes within an hour."),
			Shown: otp(func(s *checkout.OTP) {
				s.Problem, s.LimitedUntil, s.ResendAfter = checkout.ResendLimited, limitedUntil, 12*time.Second
			}),
		},
	}
}

// limitedUntil is 23:19 in Tripoli.
var limitedUntil = Now.Add(38 * time.Minute).Truncate(time.Minute)

func correcting() []Story {
	title := text("خطأ: الدفع", "Error: Pay")
	return []Story{
		{
			Name: "pay-phone-wrong", State: "pay", Title: title,
			When: text("الرقم ليس رقم هاتف محمول ليبي.", "The number is no Libyan mobile number."),
			Shown: pay(func(p *checkout.Pay) {
				p.Chosen, p.Phone, p.PhoneProblem = sandbox.Wallet, "12345", checkout.PhoneNotMobile
			}),
		},
		{
			Name: "pay-two-problems", State: "pay", Title: title,
			When: text("أُرسل النموذج فارغًا.", "The form was sent empty."),
			Shown: pay(func(p *checkout.Pay) {
				p.MethodProblem, p.PhoneProblem = checkout.MethodMissing, checkout.PhoneMissing
			}),
		},
		{
			Name: "pay-wallet-out-of-order", State: "pay", Title: title,
			When: text("توقفت المحفظة بعد أن اختارها الزبون.", "The wallet went out of order after it was chosen."),
			Shown: pay(func(p *checkout.Pay) {
				p.Offers = []checkout.Offer{walletDown, {Method: sandbox.Card}}
				p.Chosen, p.MethodProblem = sandbox.Wallet, checkout.MethodOutOfOrder
			}),
		},
	}
}

// failing are the pay pages after an attempt that took no money, one for each reason. They keep
// what the customer entered.
func failing() []Story {
	title := text("لم يتم الدفع", "Not paid")
	var all []Story
	for _, reason := range acquirer.Reasons() {
		all = append(all, Story{
			Name: "pay-failed-" + strings.ReplaceAll(string(reason), "_", "-"), State: "pay",
			Detail: "failed", Title: title,
			When: text("لم تنجح المحاولة السابقة ("+string(reason)+").",
				"The attempt before failed ("+string(reason)+")."),
			Shown: pay(func(p *checkout.Pay) {
				p.Failed, p.FailedBy, p.Phone = reason, sandbox.Wallet, "0912345678"
			}),
		})
	}
	return append(all, Story{
		Name: "pay-failed-ends-soon", State: "pay", Detail: "failed", Title: title, now: endsSoon,
		When: text("لم تنجح المحاولة السابقة، وبقيت أقل من عشر دقائق.",
			"The attempt before failed, and less than ten minutes are left."),
		Shown: pay(func(p *checkout.Pay) {
			p.Failed, p.FailedBy, p.Phone = acquirer.CodeExpired, sandbox.Wallet, "0912345678"
		}),
	}, Story{
		Name: "pay-after-failure", State: "pay", Detail: "failed", Title: title,
		When: text("لم تنجح المحاولة السابقة، وبقي ما كتبه الزبون.",
			"The attempt before failed; what the customer wrote is kept."),
		Shown: pay(func(p *checkout.Pay) {
			p.Failed, p.Chosen, p.Phone = acquirer.InsufficientFunds, sandbox.Card, "0912345678"
		}),
	})
}

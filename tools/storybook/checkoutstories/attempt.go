package checkoutstories

import (
	"time"

	"daftar/checkout"
)

func otp(change func(*checkout.OTP)) checkout.OTP {
	s := checkout.OTP{
		Order: Order(), SentTo: "091•••5678", Digits: 6, Action: CodeAction,
		ResendAction: ResendAction, GiveUpAction: GiveUpAction,
	}
	change(&s)
	return s
}

func code() []Story {
	title := text("أدخل رمز التحقق", "Enter the code")
	wrong := text("خطأ: أدخل رمز التحقق", "Error: Enter the code")
	return []Story{
		{
			Name: "otp", State: "otp", Title: title,
			When:  text("أُرسل الرمز إلى هاتف الزبون.", "The code was sent to the customer’s phone."),
			Shown: otp(func(s *checkout.OTP) { s.ResendAfter = 25 * time.Second }),
		},
		{
			Name: "otp-may-resend", State: "otp", Title: title,
			When:  text("يمكن طلب رمز جديد.", "A new code may be asked for."),
			Shown: otp(func(*checkout.OTP) {}),
		},
		{
			Name: "otp-resent", State: "otp", Title: text("أدخل رمز التحقق الجديد", "Enter the new code"),
			When: text("أُرسل رمز جديد.", "A new code was sent."),
			Shown: otp(func(s *checkout.OTP) {
				s.Resent, s.ResendAfter = true, 30*time.Second
			}),
		},
		{
			Name: "otp-missing", State: "otp", Title: wrong,
			When:  text("أُرسل النموذج بلا رمز.", "The form was sent without a code."),
			Shown: otp(func(s *checkout.OTP) { s.Problem = checkout.CodeMissing }),
		},
		{
			Name: "otp-malformed", State: "otp", Title: wrong,
			When:  text("في الرمز ما ليس رقمًا.", "The code holds something else than digits."),
			Shown: otp(func(s *checkout.OTP) { s.Problem = checkout.CodeMalformed }),
		},
		{
			Name: "otp-wrong", State: "otp", Title: wrong,
			When:  text("الرمز غير صحيح.", "The code is wrong."),
			Shown: otp(func(s *checkout.OTP) { s.Problem, s.TriesLeft = checkout.CodeWrong, 2 }),
		},
		{
			Name: "otp-last-try", State: "otp", Title: wrong,
			When:  text("الرمز غير صحيح، وبقيت محاولة واحدة.", "The code is wrong, and one try is left."),
			Shown: otp(func(s *checkout.OTP) { s.Problem, s.TriesLeft = checkout.CodeWrong, 1 }),
		},
		{
			Name: "otp-too-many", State: "otp", Title: wrong,
			When: text("رموز كثيرة في وقت قصير.", "Too many codes in a short time."),
			Shown: otp(func(s *checkout.OTP) {
				s.Problem, s.Wait = checkout.CodeTooMany, 43*time.Second
			}),
		},
		{
			Name: "otp-bare", State: "otp", Title: title,
			When: text("جهة دفع لا تعيد إرسال الرمز ولا تترك المحاولة.",
				"An acquirer that neither sends a code again nor gives up."),
			Shown: otp(func(s *checkout.OTP) {
				s.Digits, s.ResendAction, s.GiveUpAction = 0, "", ""
			}),
		},
		{
			Name: "otp-adfali", State: "otp", Title: title,
			When:  text("أربعة أرقام من ادفع لي، ولا رمز جديد.", "Four digits of Adfali, which sends no new code."),
			Shown: otp(func(s *checkout.OTP) { s.Digits, s.ResendAction = 4, "" }),
		},
	}
}

func waiting() []Story {
	const bank = "https://bank.example/p/1?a=1&b=2"
	return []Story{
		{
			Name: "processing", State: "processing",
			Title: text("ننتظر تأكيد الدفع", "Waiting for the payment to be confirmed"),
			When:  text("أُرسلت الدفعة ولم يصل الرد بعد.", "The payment was sent, and the answer is not here yet."),
			Shown: checkout.Processing{Order: Order()},
		},
		{
			Name: "processing-card", State: "processing", Detail: "bank",
			Title: text("أكمل الدفع في صفحة المصرف", "Finish paying on the bank’s page"),
			When:  text("على الزبون أن يكمل في صفحة المصرف.", "The customer goes on to the bank’s page."),
			Shown: checkout.Processing{Order: Order(), BankURL: bank, GiveUpAction: GiveUpAction},
		},
		{
			Name: "processing-card-only", State: "processing", Detail: "bank",
			Title: text("أكمل الدفع في صفحة المصرف", "Finish paying on the bank’s page"),
			When:  text("صفحة مصرف لا تُترك المحاولة فيها.", "A bank’s page whose attempt cannot be given up."),
			Shown: checkout.Processing{Order: Order(), BankURL: bank},
		},
		{
			Name: "processing-unknown", State: "processing", Detail: "unknown",
			Title: text("ما زلنا نتحقق من الدفع", "We are still checking your payment"),
			When:  text("لم تردّ جهة الدفع منذ وقت طويل.", "The acquirer has not answered for long."),
			Shown: checkout.Processing{Order: Order(), StillUnknown: true},
		},
		{
			Name: "processing-time-over", State: "processing", Detail: "time-over",
			Title: text("انتهت مهلة الدفع", "The time to pay is over"),
			When:  text("انتهت المهلة والدفع جارٍ.", "The time was over while a payment was under way."),
			Shown: checkout.Processing{Order: Order(), TimeOver: true},
		},
	}
}

package checkout

import (
	"strconv"

	"daftar/internal/locale"
)

type otpTexts struct {
	Title       string
	ResentTitle string
	Resent      string
	SentTo      string // before the masked number
	Code        string
	Digits      func(n int) string
	Button      string // before the amount
	NeverShare  string
	NotArrived  string // above what else can be done
	Resend      string // on the button
	ResendIn    string // before a number of seconds
	ResendNow   string // spoken when they are over
	OtherMethod string
	Missing     string
	Malformed   string
	Wrong       string
	TriesLeft   func(n int) string
	TooMany     string
	TooManyWait string // before a number of seconds
	TryNow      string // spoken when they are over

	Limited       func(until string) string
	ResendLimited func(until string) string
}

func otpTextsIn(say locale.Say) otpTexts {
	return otpTexts{
		Title:       say("أدخل رمز التحقق", "Enter the code"),
		ResentTitle: say("أدخل رمز التحقق الجديد", "Enter the new code"),
		Resent: say("أرسلنا رمز تحقق جديدًا. الرمز السابق لم يعد صالحًا.",
			"We sent a new code. The one before it no longer works."),
		SentTo: say("أرسلنا رمز التحقق في رسالة نصية إلى", "We sent a code by text message to"),
		Code:   say("رمز التحقق", "Code"),
		Digits: func(n int) string { return say(arabicDigits(n), strconv.Itoa(n)+" digits") },
		Button: say("أكّد دفع", "Confirm and pay"),
		NeverShare: say("لا تُعطِ هذا الرمز لأحد، حتى لو قال إنه من المتجر أو المصرف.",
			"Give this code to no one, even if they say they are the shop or the bank."),
		NotArrived:  say("لم يصلك رمز التحقق؟", "No code yet?"),
		Resend:      say("أرسل رمزًا جديدًا", "Send a new code"),
		ResendIn:    say("يمكنك طلب رمز جديد بعد", "You can ask for a new code in"),
		ResendNow:   say("يمكنك الآن طلب رمز جديد.", "You can ask for a new code now."),
		OtherMethod: say("غيّر الرقم أو وسيلة الدفع", "Change the number or the payment method"),
		Missing:     say("اكتب رمز التحقق الذي وصلك.", "Enter the code you received."),
		Malformed: say("رمز التحقق أرقام فقط. اكتبه كما وصلك.",
			"The code is digits only. Enter it as you received it."),
		Wrong: say("رمز التحقق غير صحيح. راجع الرسالة واكتبه مرة أخرى.",
			"The code is not right. Look at the message and enter it again."),
		TriesLeft: func(n int) string { return say(arabicTriesLeft(n), englishTriesLeft(n)) },
		TooMany: say("جرّبت رموزًا كثيرة في وقت قصير. انتظر قليلًا ثم أدخل الرمز.",
			"That was too many codes in a short time. Wait a little, then enter the code."),
		TooManyWait: say("حاول مرة أخرى بعد", "Try again in"),
		TryNow:      say("يمكنك الآن إدخال الرمز.", "You can enter the code now."),
		Limited: func(until string) string {
			return say("أُدخلت رموز خاطئة كثيرة خلال الساعة الماضية. يمكنك إدخال رمز بعد الساعة "+until+".",
				"Too many wrong codes were entered in the last hour. You can enter one again at "+until+".")
		},
		ResendLimited: func(until string) string {
			return say("أُرسلت رموز كثيرة خلال الساعة الماضية. يمكنك طلب رمز جديد بعد الساعة "+until+".",
				"Too many codes were sent in the last hour. You can ask for a new one at "+until+".")
		},
	}
}

// arabicDigits is the length of the code in words.
func arabicDigits(n int) string {
	if n >= 3 && n <= 10 {
		return strconv.Itoa(n) + " أرقام"
	}
	return strconv.Itoa(n) + " رقمًا"
}

// arabicTriesLeft agrees in number: one, two, three to ten, more.
func arabicTriesLeft(n int) string {
	switch {
	case n == 1:
		return "بقيت لك محاولة واحدة."
	case n == 2:
		return "بقيت لك محاولتان."
	case n <= 10:
		return "بقيت لك " + strconv.Itoa(n) + " محاولات."
	}
	return "بقيت لك " + strconv.Itoa(n) + " محاولة."
}

func englishTriesLeft(n int) string {
	if n == 1 {
		return "You have one try left."
	}
	return "You have " + strconv.Itoa(n) + " tries left."
}

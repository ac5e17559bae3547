package view

import (
	"strconv"
	"time"

	"daftar/internal/locale"
)

// signInTexts are the words of signing in.
type signInTexts struct {
	Title, Intro, Chosen                       string
	Email, Password                            string
	SignIn                                     string // the button
	WrongPassword, WrongOwnPassword            string
	TooOften, Busy, TryIn, TryAt               string // TryIn and TryAt stand before a span and a time of day
	ForgottenTitle, Forgotten                  string
	CodeTitle, CodeIntro, Code, CodeHint       string
	CodeLost, WrongCode, CodeButton, StartOver string
	ConfirmTitle, ConfirmIntro, ConfirmButton  string
	SignedInAs                                 string
	RecoveryToo                                string
	Show, Hide, Shown, Hidden                  string // of the button beside a password; Shown and Hidden are said when it was pressed
}

var arabicSignIn = signInTexts{
	Title: "تسجيل الدخول", Intro: "لوحة مؤسستك: المدفوعات والتطبيقات والأعضاء.",
	Chosen: "بقي أن تسجّل الدخول لتقبل الدعوة. سجّل الدخول بكلمة المرور التي اخترتها للتو، فإن لم تُقبل لأن لك حسابًا من قبل فادخل بكلمة مرور ذلك الحساب.",
	Email:  "البريد الإلكتروني", Password: "كلمة المرور", SignIn: "تسجيل الدخول",
	WrongPassword:    "البريد الإلكتروني أو كلمة المرور غير صحيحة.",
	WrongOwnPassword: "كلمة المرور غير صحيحة.",
	TooOften:         "محاولات كثيرة في وقت قصير، فلم نجرّب هذه المحاولة.",
	Busy:             "يسجّل الدخولَ الآن عدد كبير من الناس، فلم نتحقق من شيء بعد.", TryIn: "أعد المحاولة بعد", TryAt: "أي عند الساعة",
	ForgottenTitle: "نسيت كلمة المرور؟", Forgotten: "اطلب من مشغّل الخدمة أن يعيّن لك كلمة مرور جديدة. لا يستطيع أحد أن يقرأ كلمتك الحالية.",
	CodeTitle: "أدخل رمز التحقق", CodeIntro: "كلمة المرور صحيحة. بقيت خطوة واحدة.",
	Code: "الرمز", CodeHint: "ستة أرقام من تطبيق المصادقة في هاتفك.",
	CodeLost:  "ليس هاتفك معك؟ اكتب هنا أحد رموز الاسترداد التي حفظتها. كل رمز منها يُستعمل مرة واحدة.",
	WrongCode: "الرمز غير صحيح، أو انتهى وقته، أو سبق استعماله. انتظر الرمز التالي في التطبيق.", CodeButton: "تحقّق", StartOver: "ابدأ من جديد",
	ConfirmTitle: "أكّد أنك أنت", ConfirmIntro: "مضى وقت على دخولك. أدخل كلمة المرور من جديد قبل تغيير ما تعتمد عليه أموالك.",
	ConfirmButton: "تابع", SignedInAs: "أنت داخل باسم",
	RecoveryToo: "ستة أرقام من تطبيق المصادقة، أو رمز استرداد.",
	Show:        "إظهار", Hide: "إخفاء", Shown: "كلمة المرور ظاهرة الآن.", Hidden: "كلمة المرور مخفية.",
}

var englishSignIn = signInTexts{
	Title: "Sign in", Intro: "Your organisation’s dashboard: payments, applications and people.",
	Chosen: "Sign in to accept the invitation, with the password that you have just chosen. If that is refused because you had an account before, use that account’s own password.",
	Email:  "Email address", Password: "Password", SignIn: "Sign in",
	WrongPassword:    "The email address or the password is wrong.",
	WrongOwnPassword: "The password is wrong.",
	TooOften:         "There were too many attempts in a short time, so this one was not tried.",
	Busy:             "Too many people are signing in right now, so nothing was checked.", TryIn: "Try again in", TryAt: "that is, at",
	ForgottenTitle: "Forgotten the password?", Forgotten: "Ask the people who run the service to set a new one for you. Nobody can read the present one.",
	CodeTitle: "Enter the code", CodeIntro: "The password is right. One step is left.",
	Code: "Code", CodeHint: "Six digits from the authenticator app on your phone.",
	CodeLost:  "Without your phone? Enter one of the recovery codes that you kept. Each works once.",
	WrongCode: "The code is wrong, too old, or was used before. Wait for the next one in the app.", CodeButton: "Check", StartOver: "Start again",
	ConfirmTitle: "Confirm that it is you", ConfirmIntro: "You signed in a while ago. Enter the password again before you change what your money depends on.",
	ConfirmButton: "Continue", SignedInAs: "You are signed in as",
	RecoveryToo: "Six digits from the authenticator app, or a recovery code.",
	Show:        "Show", Hide: "Hide", Shown: "The password can be seen.", Hidden: "The password is hidden.",
}

// waitText is a time to wait as it stands after "in" and بعد: whole seconds below
// a minute, whole minutes above, rounded up.
func waitText(l locale.Lang, d time.Duration) string {
	if d < time.Minute {
		return locale.SecondsText(l, d)
	}
	n := int((d + time.Minute - 1) / time.Minute)
	figure := strconv.Itoa(n)
	if l == locale.English {
		if n == 1 {
			return "1 minute"
		}
		return figure + " minutes"
	}
	switch {
	case n == 1:
		return "دقيقة واحدة"
	case n == 2:
		return "دقيقتين"
	case n%100 >= 3 && n%100 <= 10:
		return figure + " دقائق"
	}
	return figure + " دقيقة"
}

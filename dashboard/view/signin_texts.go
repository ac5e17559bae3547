package view

import (
	"strconv"
	"time"

	"daftar/internal/locale"
)

// signInTexts are the texts of signing in.
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
	Show, Hide                                 string // on the button next to a password
	Shown, Hidden                              string // spoken after it was pressed
}

func signInTextsIn(say locale.Say) signInTexts {
	return signInTexts{
		Title: say("تسجيل الدخول", "Sign in"),
		Intro: say("لوحة مؤسستك: المدفوعات والتطبيقات والأعضاء.",
			"Your organisation’s dashboard: payments, applications and people."),
		Chosen: say("بقي أن تسجّل الدخول لتقبل الدعوة. سجّل الدخول بكلمة المرور التي اخترتها للتو، فإن لم تُقبل "+
			"لأن لك حسابًا من قبل فادخل بكلمة مرور ذلك الحساب.",
			"Sign in to accept the invitation, with the password that you have just chosen. If that is refused "+
				"because you had an account before, use that account’s own password."),
		Email:    say("البريد الإلكتروني", "Email address"),
		Password: say("كلمة المرور", "Password"), SignIn: say("تسجيل الدخول", "Sign in"),
		WrongPassword: say("البريد الإلكتروني أو كلمة المرور غير صحيحة.",
			"The email address or the password is wrong."),
		WrongOwnPassword: say("كلمة المرور غير صحيحة.", "The password is wrong."),
		TooOften: say("محاولات كثيرة في وقت قصير، فلم نجرّب هذه المحاولة.",
			"There were too many attempts in a short time, so this one was not tried."),
		Busy: say("يسجّل الدخولَ الآن عدد كبير من الناس، فلم نتحقق من شيء بعد.",
			"Too many people are signing in right now, so nothing was checked."),
		TryIn: say("أعد المحاولة بعد", "Try again in"), TryAt: say("أي عند الساعة", "that is, at"),
		ForgottenTitle: say("نسيت كلمة المرور؟", "Forgot your password?"),
		Forgotten: say("اطلب من مشغّل الخدمة أن يعيّن لك كلمة مرور جديدة. لا يستطيع أحد أن يقرأ كلمتك الحالية.",
			"Ask the people who run the service to set a new one for you. No one can read the current one."),
		CodeTitle: say("أدخل رمز التحقق", "Enter the code"),
		CodeIntro: say("كلمة المرور صحيحة. بقيت خطوة واحدة.", "The password is right. One step is left."),
		Code:      say("الرمز", "Code"),
		CodeHint: say("ستة أرقام من تطبيق المصادقة في هاتفك.",
			"Six digits from the authenticator app on your phone."),
		CodeLost: say("ليس هاتفك معك؟ اكتب هنا أحد رموز الاسترداد التي حفظتها. كل رمز منها يُستعمل مرة واحدة.",
			"Without your phone? Enter one of the recovery codes that you kept. Each works once."),
		WrongCode: say("الرمز غير صحيح، أو انتهى وقته، أو سبق استعماله. انتظر الرمز التالي في التطبيق.",
			"The code is wrong, too old, or was used before. Wait for the next one in the app."),
		CodeButton: say("تحقّق", "Check"), StartOver: say("ابدأ من جديد", "Start again"),
		ConfirmTitle: say("أكّد أنك أنت", "Confirm that it is you"),
		ConfirmIntro: say("مضى وقت على دخولك. أدخل كلمة المرور من جديد قبل تغيير ما تعتمد عليه أموالك.",
			"You signed in a while ago. Enter the password again before you change what your money depends on."),
		ConfirmButton: say("تابع", "Continue"),
		SignedInAs:    say("أنت داخل باسم", "You are signed in as"),
		RecoveryToo: say("ستة أرقام من تطبيق المصادقة، أو رمز استرداد.",
			"Six digits from the authenticator app, or a recovery code."),
		Show: say("إظهار", "Show"), Hide: say("إخفاء", "Hide"),
		Shown:  say("كلمة المرور ظاهرة الآن.", "The password can be seen."),
		Hidden: say("كلمة المرور مخفية.", "The password is hidden."),
	}
}

// waitText is a time to wait for a sentence after "in" and بعد: whole seconds below
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

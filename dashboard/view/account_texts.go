package view

import (
	"daftar/accounts/people"
	"daftar/internal/locale"
)

// accountTexts are the texts of the pages about a user's own account.
type accountTexts struct {
	Email, Organizations                          string
	Password, ChangePassword, Present, New, Again string
	PasswordHint, PasswordEnds, Differ            string
	Save                                          string
	TooShort, TooLong, Common, IsEmail, Unusable  string

	SecondFactor, FactorOn, FactorOff, Manage          string
	FactorIntro, Begin                                 string
	CodesLeft, NewCodes, NewCodesTitle, NewCodesEffect string
	Move, MoveEffect                                   string
	Disable, DisableTitle, DisableEffect               string

	Enrol, Scan, QR, ByHand, Confirm, ConfirmHint, ConfirmButton, Replaces string

	Codes, CodesOn, CodesNew, CodesOnce, CodesKeep, Print, CodesDone string

	SignIns, SignInsHint, NoSignIns, When, Address, Outcome string

	Sessions, SessionsHint, UnknownBrowser, Here, Since, LastSeen, EndSession string
}

func accountTextsIn(say locale.Say) accountTexts {
	return accountTexts{
		Email:          say("البريد الإلكتروني", "Email address"),
		Organizations:  say("مؤسساتي", "My organisations"),
		Password:       say("كلمة المرور", "Password"),
		ChangePassword: say("تغيير كلمة المرور", "Change the password"),
		Present:        say("كلمة المرور الحالية", "Current password"),
		New:            say("كلمة المرور الجديدة", "New password"),
		Again:          say("كلمة المرور الجديدة مرة أخرى", "Confirm the new password"),
		PasswordHint: say("ثمانية أحرف على الأقل، وننصح بخمسة عشر: بضع كلمات لا يربطها شيء أسهل حفظًا وأصعب "+
			"تخمينًا.",
			"At least 8 characters; we advise 15. A few words that have nothing to do with each other are easy "+
				"to keep and hard to guess."),
		PasswordEnds: say("بعد التغيير تُغلق كل جلساتك الأخرى، وتبقى هذه.",
			"Afterwards all your other sessions are ended. This one goes on."),
		Differ: say("لم تُكتب كلمة المرور الجديدة بالشكل نفسه مرتين.",
			"The new password was not typed the same twice."),
		Save: say("غيّر كلمة المرور", "Change the password"),
		TooShort: say("كلمة المرور قصيرة: ثمانية أحرف على الأقل.",
			"The password is too short: at least 8 characters."),
		TooLong: say("كلمة المرور طويلة: 128 حرفًا على الأكثر.",
			"The password is too long: at most 128 characters."),
		Common: say("هذه الكلمة من أكثر الكلمات شيوعًا، ويجرّبها المخترقون أولًا. اختر غيرها.",
			"This is one of the most common passwords, which are tried first. Choose another."),
		IsEmail: say("كلمة المرور هي بريدك نفسه. اختر غيرها.",
			"The password is your email address. Choose another."),
		Unusable: say("في كلمة المرور ما لا يُقرأ نصًا. اكتبها من جديد.",
			"Part of the password cannot be read as text. Type it again."),

		SecondFactor: say("الخطوة الثانية عند الدخول", "Second step of signing in"),
		FactorOn:     say("مفعّلة", "On"), FactorOff: say("متوقفة", "Off"),
		Manage: say("إدارة الخطوة الثانية", "Manage the second step"),
		FactorIntro: say("بعد كلمة المرور نطلب رمزًا من تطبيق مصادقة في هاتفك، فلا تكفي كلمة المرور المسروقة "+
			"وحدها للدخول.",
			"After the password we ask for a code from an authenticator app on your phone, so that a stolen "+
				"password alone does not let anybody in."),
		Begin:         say("فعّل الخطوة الثانية", "Turn on the second step"),
		CodesLeft:     say("رموز الاسترداد الباقية", "Recovery codes left"),
		NewCodes:      say("أنشئ رموزًا جديدة", "Make new codes"),
		NewCodesTitle: say("رموز استرداد جديدة", "New recovery codes"),
		NewCodesEffect: say("تحلّ عشرة رموز جديدة محل القديمة، ولا تنفع القديمة بعدها.",
			"Ten new codes take the place of the old ones, which no longer work."),
		Move: say("الانتقال إلى هاتف آخر", "Move to another phone"),
		MoveEffect: say("يبقى الهاتف القديم صالحًا إلى أن تؤكد الجديد برمز منه، ثم يحلّ محلّه. وتُستبدل رموز "+
			"الاسترداد أيضًا.",
			"The old phone works until you confirm the new one with a code from it; then the new one takes its "+
				"place. The recovery codes are replaced, too."),
		Disable:      say("أوقف الخطوة الثانية", "Turn off the second step"),
		DisableTitle: say("إيقاف الخطوة الثانية", "Turn off the second step"),
		DisableEffect: say("يصير الدخول بكلمة المرور وحدها، وتُلغى رموز الاسترداد. من يعرف كلمة مرورك يستطيع "+
			"الدخول.",
			"The password alone signs you in again, and the recovery codes stop working. Anyone who knows your "+
				"password can get in."),

		Enrol: say("اربط تطبيق المصادقة", "Connect the authenticator app"),
		Scan: say("افتح تطبيق المصادقة في هاتفك وامسح رمز QR بالكاميرا.",
			"Open the authenticator app on your phone and scan this square."),
		QR: say("رمز QR لتطبيق المصادقة", "QR code for the authenticator app"),
		ByHand: say("لا تستطيع المسح؟ اكتب هذا المفتاح في التطبيق:",
			"If you cannot scan, type this key into the app:"),
		Confirm: say("الرمز الذي يعرضه التطبيق", "The code that the app shows"),
		ConfirmHint: say("ستة أرقام. بهذا نعرف أن التطبيق يعمل قبل أن نطلبه منك.",
			"Six digits. They prove that the app works before we ask for it."),
		ConfirmButton: say("أكّد وفعّل", "Confirm and turn on"),
		Replaces: say("حين تؤكد يتوقف الهاتف القديم عن العمل هنا.",
			"As soon as you confirm, the old phone stops working here."),

		Codes:    say("رموز الاسترداد", "Recovery codes"),
		CodesOn:  say("الخطوة الثانية مفعّلة الآن.", "The second step is on."),
		CodesNew: say("رموزك القديمة لم تعد تنفع.", "Your old codes no longer work."),
		CodesOnce: say("احفظ هذه الرموز الآن: لن نعرضها مرة أخرى.",
			"Keep these codes now: they are not shown again."),
		CodesKeep: say("كل رمز يُدخلك مرة واحدة إن ضاع هاتفك. احفظها في مدير كلمات المرور أو مطبوعة في مكان "+
			"آمن، لا في الهاتف نفسه.",
			"Each signs you in once should you lose the phone. Keep them in a password manager or printed in a "+
				"safe place, not on the phone itself."),
		Print: say("اطبع", "Print"), CodesDone: say("حفظتها", "I’ve saved them"),

		Sessions: say("أين حسابك مفتوح الآن", "Where you are signed in"),
		SessionsHint: say("إن رأيت جهازًا لا تعرفه فأغلق جلسته وغيّر كلمة المرور.",
			"If you see a device that you do not know, sign out there and change the password."),
		UnknownBrowser: say("متصفح غير معروف", "Unknown browser"),
		Here:           say("هنا", "here"), Since: say("منذ", "Since"), LastSeen: say("آخر استعمال", "Last used"),
		EndSession: say("أغلق هذه الجلسة", "Sign out there"),

		SignIns: say("آخر مرات الدخول", "Last sign-ins"),
		SignInsHint: say("إن رأيت دخولًا لا تعرفه فغيّر كلمة المرور فورًا.",
			"Should one of them not be yours, change the password at once."),
		NoSignIns: say("لا شيء بعد.", "Nothing yet."), When: say("الوقت", "Time"),
		Address: say("العنوان", "Address"), Outcome: say("النتيجة", "Outcome"),
	}
}

// problem is why a password is refused.
func (t accountTexts) problem(p people.PasswordProblem) string {
	switch p {
	case people.PasswordTooShort:
		return t.TooShort
	case people.PasswordTooLong:
		return t.TooLong
	case people.PasswordCommon:
		return t.Common
	case people.PasswordIsEmail:
		return t.IsEmail
	case people.PasswordUnusable:
		return t.Unusable
	}
	panic("view: unknown password problem " + string(p))
}

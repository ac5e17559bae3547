package view

import (
	"daftar/accounts/people"
)

// accountTexts are the words of what people do with their own account.
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

var arabicAccount = accountTexts{
	Email: "البريد الإلكتروني", Organizations: "مؤسساتي",
	Password: "كلمة المرور", ChangePassword: "تغيير كلمة المرور", Present: "كلمة المرور الحالية", New: "كلمة المرور الجديدة",
	Again:        "كلمة المرور الجديدة مرة أخرى",
	PasswordHint: "ثمانية أحرف على الأقل، وننصح بخمسة عشر: بضع كلمات لا يربطها شيء أسهل حفظًا وأصعب تخمينًا.",
	PasswordEnds: "بعد التغيير تُغلق كل جلساتك الأخرى، وتبقى هذه.", Differ: "لم تُكتب كلمة المرور الجديدة بالشكل نفسه مرتين.", Save: "غيّر كلمة المرور",
	TooShort: "كلمة المرور قصيرة: ثمانية أحرف على الأقل.", TooLong: "كلمة المرور طويلة: 128 حرفًا على الأكثر.",
	Common: "هذه الكلمة من أكثر الكلمات شيوعًا، ويجرّبها المخترقون أولًا. اختر غيرها.", IsEmail: "كلمة المرور هي بريدك نفسه. اختر غيرها.",
	Unusable: "في كلمة المرور ما لا يُقرأ نصًا. اكتبها من جديد.",

	SecondFactor: "الخطوة الثانية عند الدخول", FactorOn: "مفعّلة", FactorOff: "غير مفعّلة", Manage: "إدارة الخطوة الثانية",
	FactorIntro: "بعد كلمة المرور نطلب رمزًا من تطبيق مصادقة في هاتفك، فلا تكفي كلمة المرور المسروقة وحدها للدخول.", Begin: "فعّل الخطوة الثانية",
	CodesLeft: "رموز الاسترداد الباقية", NewCodes: "أنشئ رموزًا جديدة", NewCodesTitle: "رموز استرداد جديدة",
	NewCodesEffect: "تحلّ عشرة رموز جديدة محل القديمة، ولا تنفع القديمة بعدها.",
	Move:           "الانتقال إلى هاتف آخر", MoveEffect: "يبقى الهاتف القديم صالحًا إلى أن تؤكد الجديد برمز منه، ثم يحلّ محلّه. وتُستبدل رموز الاسترداد أيضًا.",
	Disable: "أوقف الخطوة الثانية", DisableTitle: "إيقاف الخطوة الثانية",
	DisableEffect: "يصير الدخول بكلمة المرور وحدها، وتُلغى رموز الاسترداد. من يعرف كلمة مرورك يستطيع الدخول.",

	Enrol: "اربط تطبيق المصادقة", Scan: "افتح تطبيق المصادقة في هاتفك وامسح رمز QR بالكاميرا.", QR: "رمز مربّع لتطبيق المصادقة",
	ByHand: "لا تستطيع المسح؟ اكتب هذا المفتاح في التطبيق:", Confirm: "الرمز الذي يعرضه التطبيق",
	ConfirmHint: "ستة أرقام. بهذا نعرف أن التطبيق يعمل قبل أن نطلبه منك.", ConfirmButton: "أكّد وفعّل",
	Replaces: "حين تؤكد يتوقف الهاتف القديم عن العمل هنا.",

	Codes: "رموز الاسترداد", CodesOn: "الخطوة الثانية مفعّلة الآن.", CodesNew: "رموزك القديمة لم تعد تنفع.",
	CodesOnce: "احفظ هذه الرموز الآن: لن نعرضها مرة أخرى.",
	CodesKeep: "كل رمز يُدخلك مرة واحدة إن ضاع هاتفك. احفظها في مدير كلمات المرور أو مطبوعة في مكان آمن، لا في الهاتف نفسه.",
	Print:     "اطبع", CodesDone: "حفظتها",

	Sessions: "أين حسابك مفتوح الآن", SessionsHint: "إن رأيت جهازًا لا تعرفه فأغلق جلسته وغيّر كلمة المرور.", UnknownBrowser: "متصفح غير معروف",
	Here: "هنا", Since: "منذ", LastSeen: "آخر استعمال", EndSession: "أغلق هذه الجلسة",

	SignIns: "آخر مرات الدخول", SignInsHint: "إن رأيت دخولًا لا تعرفه فغيّر كلمة المرور فورًا.", NoSignIns: "لا شيء بعد.", When: "الوقت", Address: "العنوان", Outcome: "النتيجة",
}

var englishAccount = accountTexts{
	Email: "Email address", Organizations: "My organisations",
	Password: "Password", ChangePassword: "Change the password", Present: "Present password", New: "New password",
	Again:        "New password once more",
	PasswordHint: "At least 8 characters; we advise 15. A few words that have nothing to do with each other are easy to keep and hard to guess.",
	PasswordEnds: "Afterwards all your other sessions are ended. This one goes on.", Differ: "The new password was not typed the same twice.", Save: "Change the password",
	TooShort: "The password is too short: at least 8 characters.", TooLong: "The password is too long: at most 128 characters.",
	Common: "This is one of the most common passwords, which are tried first. Choose another.", IsEmail: "The password is your email address. Choose another.",
	Unusable: "Part of the password cannot be read as text. Type it again.",

	SecondFactor: "Second step of signing in", FactorOn: "On", FactorOff: "Off", Manage: "Manage the second step",
	FactorIntro: "After the password we ask for a code from an authenticator app on your phone, so that a stolen password alone does not let anybody in.", Begin: "Turn on the second step",
	CodesLeft: "Recovery codes left", NewCodes: "Make new codes", NewCodesTitle: "New recovery codes",
	NewCodesEffect: "Ten new codes take the place of the old ones, which no longer work.",
	Move:           "Move to another phone", MoveEffect: "The old phone works until you confirm the new one with a code from it; then the new one takes its place. The recovery codes are replaced, too.",
	Disable: "Turn off the second step", DisableTitle: "Turn off the second step",
	DisableEffect: "The password alone signs you in again, and the recovery codes stop working. Anyone who knows your password can get in.",

	Enrol: "Connect the authenticator app", Scan: "Open the authenticator app on your phone and scan this square.", QR: "QR code for the authenticator app",
	ByHand: "If you cannot scan, type this key into the app:", Confirm: "The code that the app shows",
	ConfirmHint: "Six digits. They prove that the app works before we ask for it.", ConfirmButton: "Confirm and turn on",
	Replaces: "As soon as you confirm, the old phone stops working here.",

	Codes: "Recovery codes", CodesOn: "The second step is on.", CodesNew: "Your old codes no longer work.",
	CodesOnce: "Keep these codes now: they are not shown again.",
	CodesKeep: "Each signs you in once should you lose the phone. Keep them in a password manager or printed in a safe place, not on the phone itself.",
	Print:     "Print", CodesDone: "I have kept them",

	Sessions: "Where you are signed in", SessionsHint: "If you see a device that you do not know, sign out there and change the password.", UnknownBrowser: "Unknown browser",
	Here: "here", Since: "Since", LastSeen: "Last used", EndSession: "Sign out there",

	SignIns: "Last sign-ins", SignInsHint: "Should one of them not be yours, change the password at once.", NoSignIns: "Nothing yet.", When: "Time", Address: "Address", Outcome: "Outcome",
}

// problem says why a password is refused.
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

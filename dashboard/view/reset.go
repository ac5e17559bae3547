package view

import (
	"daftar/accounts/people"
	"daftar/internal/locale"
)

// ForgottenPath is the page on which a user who has forgotten the password requests a link.
const ForgottenPath = Root + "/forgotten"

// ResetPath is the path of that link.
func ResetPath(token string) string { return Root + "/reset/" + token }

// ForgottenPage asks for the email address of the account.
type ForgottenPage struct {
	Email string // as it was typed
	Refusal
}

func (ForgottenPage) head(t *Texts) (template, title string) {
	return "forgotten", t.SignIn.ForgottenTitle
}

// ResetSentPage is the answer, whether the address has an account or not.
type ResetSentPage struct {
	Email  string
	SignUp bool // the link opens an organisation
}

func (ResetSentPage) head(t *Texts) (template, title string) { return "reset-sent", t.Reset.SentTitle }

// ResetPage chooses a new password.
type ResetPage struct {
	Refusal
	Reset  people.PasswordReset
	Action string // where the form goes
}

func (ResetPage) head(t *Texts) (template, title string) { return "reset", t.Reset.NewTitle }

// ResetOver is the page of a link that no longer works.
type ResetOver struct{ CanAsk, SignUp bool }

// Again is the page on which another link is requested.
func (p ResetOver) Again() string {
	if p.SignUp {
		return SignUpPath
	}
	return ForgottenPath
}

func (ResetOver) head(t *Texts) (template, title string) { return "reset-over", t.Reset.Over }

func resetNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"password-reset": say("غُيّرت كلمة المرور وأُغلقت كل جلساتك. سجّل الدخول بكلمة المرور الجديدة.",
			"The password was changed and all your sessions were ended. Sign in with the new password."),
	}
}

// resetTexts are the texts about a forgotten password.
type resetTexts struct {
	Intro, Send                             string
	SentTitle, Sent, Nothing                string
	NewTitle, Ends, Factor, Save            string
	Over, OverWords, AskAgain, BackToSignIn string

	MailSubject, MailOpen, MailIgnore                              string
	MailChangedSubject, MailChanged, MailEnded, MailAt, MailNotYou string
}

func resetTextsIn(say locale.Say) resetTexts {
	return resetTexts{
		Intro: say("اكتب بريد حسابك، ونرسل إليه رابطًا تختار به كلمة مرور جديدة.",
			"Enter your account’s email address, and we mail you a link to choose a new password."),
		Send:      say("أرسل الرابط", "Send the link"),
		SentTitle: say("تحقّق من بريدك", "Check your mail"),
		Sent: say("إن كان لهذا البريد حساب، فالرابط في طريقه إليه. يعمل مرة واحدة، خلال ساعة.",
			"If there is an account with this address, the link is on its way to it. It works once, within an "+
				"hour."),
		Nothing: say("لم يصل شيء بعد دقائق؟ تحقّق من البريد غير المرغوب فيه، أو اسأل مالك مؤسستك أي بريد سجّلك "+
			"به.",
			"Nothing after a few minutes? Check the junk mail, or ask an owner of your organisation which "+
				"address you have there."),
		NewTitle: say("اختر كلمة مرور جديدة", "Choose a new password"),
		Ends: say("بعد التغيير تُغلق كل جلساتك، ثم تسجّل الدخول بكلمة المرور الجديدة.",
			"After the change all your sessions are ended, and you sign in with the new password."),
		Factor: say("إن كانت الخطوة الثانية مفعّلة فإنها تبقى كما هي.",
			"If the second step is on, it stays as it is."),
		Save: say("غيّر كلمة المرور", "Change the password"),
		Over: say("هذا الرابط لم يعد يعمل", "This link no longer works"),
		OverWords: say("ربما استُعمل من قبل، أو طُلب بعده رابط أحدث، أو مضت ساعة على طلبه.",
			"It was used before, a newer one was requested, or its hour is over."),
		AskAgain:     say("اطلب رابطًا جديدًا", "Request a new link"),
		BackToSignIn: say("العودة إلى تسجيل الدخول", "Back to sign-in"),

		MailSubject: say("دفتر: اختر كلمة مرور جديدة", "Daftar: choose a new password"),
		MailOpen: say("طُلبت كلمة مرور جديدة لهذا الحساب. افتح الرابط لتختارها. يعمل مرة واحدة:",
			"A new password was requested for this account. Open the link to choose it. It works once:"),
		MailIgnore: say("إن لم تطلب ذلك فتجاهل الرسالة: تبقى كلمة مرورك كما هي. ولا تعطِ الرابط لأحد.",
			"If you did not request it, ignore this mail: your password stays as it is. Give the link to no one."),
		MailChangedSubject: say("دفتر: غُيّرت كلمة المرور", "Daftar: password changed"),
		MailChanged:        say("غُيّرت كلمة مرور حسابك", "The password of your account was changed"),
		MailEnded:          say("أُغلقت كل جلساتك الأخرى.", "All your other sessions were ended."),
		MailAt:             say("الوقت:", "Time:"),
		MailNotYou: say("إن لم تغيّرها أنت فاطلب فورًا كلمة مرور جديدة من هذا الرابط، وأخبر مالك مؤسستك.",
			"If it was not you, request a new password at once with this link, and tell an owner of your "+
				"organisation."),
	}
}

package view

import (
	"daftar/accounts/people"
)

// ForgottenPath is where somebody who has forgotten the password asks for a link.
const ForgottenPath = Root + "/forgotten"

// ResetPath is where the link leads.
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
type ResetSentPage struct{ Email string }

func (ResetSentPage) head(t *Texts) (template, title string) { return "reset-sent", t.Reset.SentTitle }

// ResetPage chooses a new password.
type ResetPage struct {
	Refusal
	Reset  people.PasswordReset
	Action string // where the form goes
}

func (ResetPage) head(t *Texts) (template, title string) { return "reset", t.Reset.NewTitle }

// ResetOver says that a link to choose a new password no longer works.
type ResetOver struct{ CanAsk bool }

func (ResetOver) head(t *Texts) (template, title string) { return "reset-over", t.Reset.Over }

var resetNotices = map[string]notice{
	"password-reset": {
		"غُيّرت كلمة المرور وأُغلقت كل جلساتك. سجّل الدخول بكلمة المرور الجديدة.",
		"The password was changed and all your sessions were ended. Sign in with the new password.",
	},
}

// resetTexts are the words of a forgotten password.
type resetTexts struct {
	Intro, Send                             string
	SentTitle, Sent, Nothing                string
	NewTitle, Ends, Factor, Save            string
	Over, OverWords, AskAgain, BackToSignIn string

	MailSubject, MailOpen, MailIgnore                              string
	MailChangedSubject, MailChanged, MailEnded, MailAt, MailNotYou string
}

var arabicReset = resetTexts{
	Intro: "اكتب بريد حسابك، ونرسل إليه رابطًا تختار به كلمة مرور جديدة.", Send: "أرسل الرابط",
	SentTitle: "تحقّق من بريدك", Sent: "إن كان لهذا البريد حساب، فالرابط في طريقه إليه. يعمل مرة واحدة، خلال ساعة.",
	Nothing:  "لم يصل شيء بعد دقائق؟ تحقّق من البريد غير المرغوب فيه، أو اسأل مالك مؤسستك أي بريد سجّلك به.",
	NewTitle: "اختر كلمة مرور جديدة", Ends: "بعد التغيير تُغلق كل جلساتك، ثم تسجّل الدخول بكلمة المرور الجديدة.",
	Factor: "إن كانت الخطوة الثانية مفعّلة فإنها تبقى كما هي.", Save: "غيّر كلمة المرور",
	Over: "هذا الرابط لم يعد يعمل", OverWords: "ربما استُعمل من قبل، أو طُلب بعده رابط أحدث، أو مضت ساعة على طلبه.",
	AskAgain: "اطلب رابطًا جديدًا", BackToSignIn: "العودة إلى تسجيل الدخول",

	MailSubject: "دفتر: اختر كلمة مرور جديدة", MailOpen: "طُلبت كلمة مرور جديدة لهذا الحساب. افتح الرابط لتختارها. يعمل مرة واحدة:",
	MailIgnore:         "إن لم تطلب ذلك فتجاهل الرسالة: تبقى كلمة مرورك كما هي. ولا تعطِ الرابط لأحد.",
	MailChangedSubject: "دفتر: غُيّرت كلمة المرور", MailChanged: "غُيّرت كلمة مرور حسابك", MailEnded: "أُغلقت كل جلساتك الأخرى.",
	MailAt: "الوقت:", MailNotYou: "إن لم تغيّرها أنت فاطلب فورًا كلمة مرور جديدة من هذا الرابط، وأخبر مالك مؤسستك.",
}

var englishReset = resetTexts{
	Intro: "Enter your account’s email address, and we mail you a link to choose a new password.", Send: "Send the link",
	SentTitle: "Check your mail", Sent: "If there is an account with this address, the link is on its way to it. It works once, within an hour.",
	Nothing:  "Nothing after a few minutes? Check the junk mail, or ask an owner of your organisation which address you have there.",
	NewTitle: "Choose a new password", Ends: "After the change all your sessions are ended, and you sign in with the new password.",
	Factor: "If the second step is on, it stays as it is.", Save: "Change the password",
	Over: "This link no longer works", OverWords: "It was used before, a newer one was requested, or its hour is over.",
	AskAgain: "Request a new link", BackToSignIn: "Back to sign-in",

	MailSubject: "Daftar: choose a new password", MailOpen: "A new password was requested for this account. Open the link to choose it. It works once:",
	MailIgnore:         "If you did not request it, ignore this mail: your password stays as it is. Give the link to nobody.",
	MailChangedSubject: "Daftar: password changed", MailChanged: "The password of your account was changed", MailEnded: "All your other sessions were ended.",
	MailAt: "Time:", MailNotYou: "If it was not you, request a new password at once with this link, and tell an owner of your organisation.",
}

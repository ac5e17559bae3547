package view

import (
	"daftar/accounts/people"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

// SignUpPath is the page on which people ask for an organisation for tests.
const SignUpPath = Root + "/sign-up"

// SignUpLinkPath is the path of the link that they get.
func SignUpLinkPath(token string) string { return SignUpPath + "/" + token }

// SignUpPage asks for the address to which the link goes.
type SignUpPage struct {
	Email string // as it was typed
	Refusal
}

func (SignUpPage) head(t *Texts) (template, title string) { return "sign-up", t.SignUp.Title }

// OpenPage opens the organisation of a link.
type OpenPage struct {
	Refusal
	SignUp people.SignUp
	Action string // where the form goes
	Name   string // of the shop
}

func (OpenPage) head(t *Texts) (template, title string) { return "open", t.SignUp.OpenTitle }

func signUpNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"opened": say("مؤسستك جاهزة للتجربة. أنشئ رابط دفع، ثم ادفعه بأي رقم هاتف ليبي والرمز 111111.",
			"Your organisation is ready for tests. Make a payment link, then pay it with any Libyan phone number "+
				"and the code 111111."),
	}
}

// signUpTexts are the texts about opening an organisation.
type signUpTexts struct {
	Title, Intro, Sent, Nothing           string
	OpenTitle, OpenIntro, Shop, ShopHint  string
	Open, OverWords                       string
	Subject, Mail, Ignore                 string
	KnownTitle, KnownSubject, Known, Lost string
}

func signUpTextsIn(say locale.Say) signUpTexts {
	return signUpTexts{
		Title: say("افتح حسابًا تجريبيًا", "Open a test account"),
		Intro: say("اكتب بريدك، ونرسل إليه رابطًا تفتح به مؤسسة للتجربة. لا تُسحب فيها أموال حقيقية.",
			"Enter your email address, and we mail you a link that opens an organisation for tests. No real money "+
				"moves in it."),
		Sent: say("أرسلنا رسالة إلى هذا البريد. افتح الرابط الذي فيها: يعمل مرة واحدة، خلال يوم.",
			"A mail is on its way to this address. Open its link: it works once, within a day."),
		Nothing: say("لم يصل شيء بعد دقائق؟ تحقّق من البريد غير المرغوب فيه.",
			"Nothing after a few minutes? Check the junk mail."),
		OpenTitle: say("افتح مؤسستك", "Open your organisation"),
		OpenIntro: say("فيها تطبيقات تجريبية وحدها. يفتح مشغّل الخدمة التطبيقات الحقيقية حين تطلب ذلك.",
			"It has test applications only. The people who run the service open it for live ones when you ask."),
		Shop:     say("اسم متجرك", "Your shop’s name"),
		ShopHint: say("يراه الزبائن في صفحة الدفع.", "Customers see it on the payment page."),
		Open:     say("افتح المؤسسة", "Open the organisation"),
		OverWords: say("ربما استُعمل من قبل، أو طُلب بعده رابط أحدث، أو مضى يوم على طلبه.",
			"It was used before, a newer one was requested, or its day is over."),

		Subject: say("دفتر: افتح حسابك التجريبي", "Daftar: open your test account"),
		Mail: say("طُلب حساب تجريبي بهذا البريد. افتح الرابط لتختار اسم متجرك وكلمة المرور. يعمل مرة واحدة:",
			"A test account was requested for this address. Open the link to choose your shop’s name and a password. "+
				"It works once:"),
		Ignore: say("إن لم تطلب ذلك فتجاهل الرسالة: لا يُفتح شيء. ولا تعطِ الرابط لأحد.",
			"If you did not request it, ignore this mail: nothing is opened. Give the link to nobody."),
		KnownTitle:   say("لديك حساب", "You have an account"),
		KnownSubject: say("دفتر: لديك حساب بهذا البريد", "Daftar: you have an account with this address"),
		Known: say("طُلب حساب تجريبي بهذا البريد، وله حساب من قبل. سجّل الدخول به:",
			"A test account was requested for this address, which has an account already. Sign in with it:"),
		Lost: say("نسيت كلمة المرور؟ اطلب غيرها من صفحة الدخول. وإن لم تطلب حسابًا فتجاهل الرسالة.",
			"Forgot the password? Request another on the sign-in page. If you did not request an account, ignore "+
				"this mail."),
	}
}

// SignUp is the mail with the link of a sign-up, in the language of the request; without a token, the
// mail to an address that has an account.
func (w Letters) SignUp(s people.SignUp, token string, l locale.Lang) mail.Message {
	t := textsIn(l)
	m := letter{to: s.Email, template: "mail-password"}
	words := passwordWords{
		Title: t.SignUp.OpenTitle, Email: s.Email, What: t.SignUp.Mail, Button: t.SignUp.OpenTitle,
		AtName: t.People.Until, Unless: t.SignUp.Ignore, At: s.ExpiresAt,
	}
	subject, path := t.SignUp.Subject, SignUpLinkPath(token)
	if token == "" {
		words.Title, words.What, words.Button = t.SignUp.KnownTitle, t.SignUp.Known, t.SignIn.SignIn
		words.AtName, words.At, words.Unless = t.Reset.MailAt, s.ExpiresAt.Add(-people.SignUpLasts), t.SignUp.Lost
		subject, path = t.SignUp.KnownSubject, Root+"/sign-in"
	}
	m.addPassword(l, subject, w.link(path, l), words)
	return m.message()
}

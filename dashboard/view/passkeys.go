package view

import (
	"daftar/accounts/people"
	"daftar/internal/locale"
)

func passkeyNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"passkey-added": say("أُضيف مفتاح المرور. يمكنك تسجيل الدخول به من الآن.",
			"The passkey was added. You can sign in with it from now on."),
		"passkey-removed": say("حُذف مفتاح المرور، ولم يعد يفتح حسابك.",
			"The passkey was removed. It no longer signs you in."),
		"passkey-required": say("سنطلب مفتاح المرور بعد كلمة المرور أيضًا.",
			"A passkey is now asked for after the password, too."),
		"passkey-unrequired": say("لم نعد نطلب مفتاح المرور بعد كلمة المرور.",
			"A passkey is no longer asked for after the password."),
		"passkeys-reset": say("حُذفت مفاتيح المرور لهذا العضو، وأُغلقت كل جلساته.",
			"The member’s passkeys were removed, and all sessions ended."),
		"codes-off-passkey-on": say("أُوقف تطبيق المصادقة. ما زال مفتاح المرور مطلوبًا بعد كلمة المرور.",
			"The authenticator app is off. A passkey is still asked for after the password."),
	}
}

// PasskeyForm is the form that sends a passkey. With the zero value the page has no such form.
type PasskeyForm struct {
	PasskeyPath string // the path of the form; the browser first gets a challenge from /challenge below it
	PasskeyNext string // the path of the next page
}

func (f PasskeyForm) takesPasskeys() bool { return f.PasskeyPath != "" }

// TakesPasskeys reports whether browsers may use passkeys on the page.
func (p Page) TakesPasskeys() bool {
	form, is := p.View.(interface{ takesPasskeys() bool })
	return is && form.takesPasskeys()
}

// The errors of passkeys.
var (
	WrongPasskey    = FormError("passkey", func(t *Texts) string { return t.Passkeys.Wrong })
	LatePasskey     = FormError("passkey", func(t *Texts) string { return t.Passkeys.Late })
	KnownPasskey    = FormError("passkey", func(t *Texts) string { return t.Passkeys.Known })
	TooManyPasskeys = FormError("passkey", func(t *Texts) string { return t.Passkeys.Full })
	BadPasskeyName  = FormError("name", func(t *Texts) string { return t.Passkeys.BadName })
	SharedAccount   = FormError("passkeys", func(t *Texts) string { return t.Passkeys.Shared })
)

// PasskeysPage lists the user's passkeys, and makes another.
type PasskeysPage struct {
	Refusal
	PasskeyForm

	Passkeys []people.Passkey
	Asks     bool   // one is asked for after the password
	Factor   bool   // an authenticator app gives codes
	Name     string // of the next one, as it was typed
	Agent    string // the User-Agent
	Full     bool   // there are as many as allowed
}

func (PasskeysPage) head(t *Texts) (template, title string) { return "passkeys", t.Passkeys.Title }

// NameLength is the greatest length of a name.
func (PasskeysPage) NameLength() int { return people.MaxPasskeyName }

// Suggested is the initial value of the name: what was typed, or the browser.
func (p PasskeysPage) Suggested(t *Texts) string {
	if name := t.Account.Browser(p.Agent); p.Name == "" && name != t.Account.UnknownBrowser {
		return name
	}
	return p.Name
}

package view

import "daftar/accounts"

var accountNotices = map[string]notice{
	"signed-out": {"خرجت من حسابك على هذا الجهاز.", "You are signed out on this device."},
	"password-changed": {
		"غُيّرت كلمة المرور، وأُغلقت كل جلساتك الأخرى.",
		"The password was changed, and all your other sessions were ended.",
	},
	"second-factor-off": {
		"أُوقفت الخطوة الثانية. الدخول الآن بكلمة المرور وحدها.",
		"The second step is off. The password alone now signs you in.",
	},
}

// AccountPage is the account of the user who is signed in.
type AccountPage struct {
	User    accounts.User
	SignIns []accounts.AuditRecord
}

func (AccountPage) head(t *Texts) (template, title string) { return "account", t.Sections.Account }

// PasswordPage changes the password.
type PasswordPage struct {
	Refusal
	Email string
}

func (PasswordPage) head(t *Texts) (template, title string) {
	return "password", t.Account.ChangePassword
}

// PasswordsDiffer says that a new password was not typed the same twice.
var PasswordsDiffer = FormError("again", func(t *Texts) string { return t.Account.Differ })

// BadPassword is what is wrong with a new password.
func BadPassword(p accounts.PasswordProblem) FormErrors {
	return FormError("password", func(t *Texts) string { return t.Account.problem(p) })
}

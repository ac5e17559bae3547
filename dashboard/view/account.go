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

func (AccountPage) template() string { return "account" }

func (AccountPage) title(t *Texts) string { return t.Sections.Account }

// Factor is how signing in is protected.
func (a AccountPage) Factor(t *Texts) pill {
	if a.User.SecondFactor {
		return pill{t.Account.FactorOn, "ok"}
	}
	return pill{t.Account.FactorOff, "wait"}
}

// Outcome says how a sign-in ended.
func (AccountPage) Outcome(t *Texts, r accounts.AuditRecord) pill { return t.Audit.outcome(r.Outcome) }

// PasswordPage changes the password.
type PasswordPage struct {
	Email   string
	Refused refused
	Retry   Retry
	New     accounts.PasswordProblem // empty: none
	Differ  bool                     // the new one was not typed the same twice
}

func (PasswordPage) template() string { return "password" }

func (PasswordPage) title(t *Texts) string { return t.Account.ChangePassword }

// Problems implements correctable.
func (p PasswordPage) Problems(t *Texts) []problem {
	switch {
	case p.Refused == RefusedPassword:
		return []problem{{"present", t.SignIn.WrongOwnPassword}}
	case p.New != "":
		return []problem{{"password", t.Account.problem(p.New)}}
	case p.Differ:
		return []problem{{"again", t.Account.Differ}}
	}
	return nil
}

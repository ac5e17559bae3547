package view

import (
	"strings"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/internal/locale"
)

func accountNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"session-ended":         say("أُغلقت تلك الجلسة.", "That session was ended."),
		"session-ended-already": say("كانت تلك الجلسة مغلقة.", "That session had ended before."),
		"signed-out":            say("خرجت من حسابك على هذا الجهاز.", "You are signed out on this device."),
		"password-changed": say("غُيّرت كلمة المرور، وأُغلقت كل جلساتك الأخرى.",
			"The password was changed, and all your other sessions were ended."),
		"second-factor-off": say("أُوقفت الخطوة الثانية. الدخول الآن بكلمة المرور وحدها.",
			"The second step is off. The password alone now signs you in."),
	}
}

// AccountPage is the account of the user who is signed in.
type AccountPage struct {
	User     people.User
	SignIns  []accounts.AuditRecord
	Sessions []people.OpenSession
	Passkeys bool // the service offers passkeys
}

// browsers and systems are the words to search for in a User-Agent, in this order, because most
// browsers name others, too.
var (
	browsers = [][2]string{{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser", "Samsung Internet"},
		{"Firefox", "Firefox"}, {"Chrome", "Chrome"}, {"Safari", "Safari"}}
	systems = [][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"},
		{"Windows", "Windows"}, {"Mac OS X", "Mac"}, {"Linux", "Linux"}}
)

// Browser is the common name of a User-Agent's browser and system.
func (t accountTexts) Browser(agent string) string {
	browser, system := firstIn(agent, browsers), firstIn(agent, systems)
	switch {
	case browser == "" && system == "":
		return t.UnknownBrowser
	case browser == "" || system == "":
		return browser + system
	}
	return browser + " · " + system
}

func firstIn(agent string, names [][2]string) string {
	for _, n := range names {
		if strings.Contains(agent, n[0]) {
			return n[1]
		}
	}
	return ""
}

func (AccountPage) head(t *Texts) (template, title string) {
	return "account", t.Sections[SectionAccount]
}

// PasswordPage changes the password.
type PasswordPage struct {
	Refusal
	Email string
}

func (PasswordPage) head(t *Texts) (template, title string) {
	return "password", t.Account.ChangePassword
}

// PasswordsDiffer is the error of a new password that was not typed the same twice.
var PasswordsDiffer = FormError("again", func(t *Texts) string { return t.Account.Differ })

// BadPassword is what is wrong with a new password.
func BadPassword(p people.PasswordProblem) FormErrors {
	return FormError("password", func(t *Texts) string { return t.Account.problem(p) })
}

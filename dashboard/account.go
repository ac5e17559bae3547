package dashboard

import (
	"errors"
	"net/http"

	"daftar/accounts"
)

var accountRoutes = []route{
	{method: http.MethodGet, path: "/account", access: somebody, handle: (*Dashboard).accountPage},
	{method: http.MethodGet, path: "/account/password", access: somebody, handle: (*Dashboard).passwordPage},
	{method: http.MethodPost, path: "/account/password", access: somebody, handle: (*Dashboard).changePassword},
	{method: http.MethodGet, path: "/account/second-factor", access: somebody, fresh: true, handle: (*Dashboard).secondFactorPage},
	{method: http.MethodPost, path: "/account/second-factor", access: somebody, fresh: true, handle: (*Dashboard).beginSecondFactor},
	{method: http.MethodPost, path: "/account/second-factor/confirm", access: somebody, handle: (*Dashboard).confirmSecondFactor},
	{method: http.MethodPost, path: "/account/second-factor/disable", access: somebody, fresh: true, handle: (*Dashboard).disableSecondFactor},
	{method: http.MethodPost, path: "/account/recovery-codes", access: somebody, fresh: true, handle: (*Dashboard).newRecoveryCodes},
}

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

const (
	accountPath      = root + "/account"
	secondFactorPath = accountPath + "/second-factor"
	// signInsShown is how many of the last sign-ins the account's page lists.
	signInsShown = 8
)

// accountView is who somebody is.
type accountView struct {
	User    accounts.User
	SignIns []accounts.AuditRecord
}

func (accountView) Template() string { return "account" }

func (accountView) title(t *texts) string { return t.Sections.Account }

// Factor is how signing in is protected.
func (a accountView) Factor(t *texts) pill {
	if a.User.SecondFactor {
		return pill{t.Account.FactorOn, "ok"}
	}
	return pill{t.Account.FactorOff, "wait"}
}

// How says how a sign-in went.
func (accountView) How(t *texts, r accounts.AuditRecord) pill { return t.Audit.outcome(r.Outcome) }

func (d *Dashboard) accountPage(v *visit) error {
	v.beside()
	signIns, err := d.accounts.SignIns(v.ctx, v.by, signInsShown)
	if err != nil {
		return err
	}
	return v.show(sectionAccount, accountView{User: v.user, SignIns: signIns})
}

// passwordView changes the password.
type passwordView struct {
	Email   string
	Refused refused
	Retry   retry
	New     accounts.PasswordProblem // empty: none
	Differ  bool                     // the new one was not typed the same twice
}

func (passwordView) Template() string { return "password" }

func (passwordView) title(t *texts) string { return t.Account.ChangePassword }

// Problems implements correctable.
func (p passwordView) Problems(t *texts) []problem {
	switch {
	case p.Refused == refusedPassword:
		return []problem{{"present", t.SignIn.WrongOwnPassword}}
	case p.New != "":
		return []problem{{"password", t.Account.problem(p.New)}}
	case p.Differ:
		return []problem{{"again", t.Account.Differ}}
	}
	return nil
}

func (d *Dashboard) passwordPage(v *visit) error {
	v.beside()
	return v.show(sectionAccount, passwordView{Email: v.user.Email})
}

func (d *Dashboard) changePassword(v *visit) error {
	v.beside()
	form := passwordView{Email: v.user.Email}
	replacement := v.secretField("password")
	if replacement != v.secretField("again") {
		form.Differ = true
		return v.correct(sectionAccount, form)
	}
	user, err := d.accounts.ChangePassword(v.ctx, v.by, v.secretField("present"), replacement)
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		form.Refused, form.Retry = refusedNow, d.retryAfter(v, throttled)
		return v.answer(http.StatusTooManyRequests, sectionAccount, form)
	}
	if weak, ok := errors.AsType[accounts.PasswordProblem](err); ok {
		form.New = weak
		return v.correct(sectionAccount, form)
	}
	if errors.Is(err, accounts.ErrBadCredentials) {
		form.Refused = refusedPassword
		return v.correct(sectionAccount, form)
	}
	if err != nil {
		return err
	}
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	v.done(accountPath, "password-changed")
	return nil
}

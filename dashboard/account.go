package dashboard

import (
	"errors"
	"net/http"

	"daftar/accounts"
	"daftar/dashboard/view"
)

var accountRoutes = []route{
	{method: http.MethodGet, path: "/account", access: anyUser, handle: loaded(view.SectionAccount, (*Dashboard).account)},
	{method: http.MethodGet, path: "/account/password", access: anyUser, handle: (*Dashboard).passwordPage},
	{method: http.MethodPost, path: "/account/password", access: anyUser, handle: (*Dashboard).changePassword},
	{method: http.MethodGet, path: "/account/second-factor", access: anyUser, fresh: true, handle: (*Dashboard).secondFactorPage},
	{method: http.MethodPost, path: "/account/second-factor", access: anyUser, fresh: true, handle: (*Dashboard).beginSecondFactor},
	{method: http.MethodPost, path: "/account/second-factor/confirm", access: anyUser, handle: (*Dashboard).confirmSecondFactor},
	{method: http.MethodPost, path: "/account/second-factor/disable", access: anyUser, fresh: true, handle: (*Dashboard).disableSecondFactor},
	{method: http.MethodPost, path: "/account/recovery-codes", access: anyUser, fresh: true, handle: (*Dashboard).newRecoveryCodes},
}

const (
	accountPath      = view.Root + "/account"
	secondFactorPath = accountPath + "/second-factor"
	// signInsShown is how many of the last sign-ins the account's page lists.
	signInsShown = 8
)

func (d *Dashboard) account(v *visit) (view.AccountPage, error) {
	v.enterLast()
	signIns, err := d.config.Accounts.SignIns(v.ctx, v.by, signInsShown)
	return view.AccountPage{User: v.user, SignIns: signIns}, err
}

func (d *Dashboard) passwordPage(v *visit) error {
	v.enterLast()
	return v.show(view.SectionAccount, view.PasswordPage{Email: v.user.Email})
}

func (d *Dashboard) changePassword(v *visit) error {
	v.enterLast()
	form := view.PasswordPage{Email: v.user.Email}
	replacement := v.secretField("password")
	if replacement != v.secretField("again") {
		form.Differ = true
		return v.showInvalid(view.SectionAccount, form)
	}
	user, err := d.config.Accounts.ChangePassword(v.ctx, v.by, v.secretField("present"), replacement)
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		form.Refused, form.Retry = view.RefusedNow, d.retryAfter(v, throttled)
		return v.answer(http.StatusTooManyRequests, view.SectionAccount, form)
	}
	if weak, ok := errors.AsType[accounts.PasswordProblem](err); ok {
		form.New = weak
		return v.showInvalid(view.SectionAccount, form)
	}
	if errors.Is(err, accounts.ErrBadCredentials) {
		form.Refused = view.RefusedPassword
		return v.showInvalid(view.SectionAccount, form)
	}
	if err != nil {
		return err
	}
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	return v.done(accountPath, "password-changed")
}

package dashboard

import (
	"errors"
	"net/http"

	"daftar/accounts"
	"daftar/dashboard/view"
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

const (
	accountPath      = view.Root + "/account"
	secondFactorPath = accountPath + "/second-factor"
	// signInsShown is how many of the last sign-ins the account's page lists.
	signInsShown = 8
)

func (d *Dashboard) accountPage(v *visit) error {
	v.beside()
	signIns, err := d.accounts.SignIns(v.ctx, v.by, signInsShown)
	if err != nil {
		return err
	}
	return v.show(view.SectionAccount, view.AccountPage{User: v.user, SignIns: signIns})
}

func (d *Dashboard) passwordPage(v *visit) error {
	v.beside()
	return v.show(view.SectionAccount, view.PasswordPage{Email: v.user.Email})
}

func (d *Dashboard) changePassword(v *visit) error {
	v.beside()
	form := view.PasswordPage{Email: v.user.Email}
	replacement := v.secretField("password")
	if replacement != v.secretField("again") {
		form.Differ = true
		return v.correct(view.SectionAccount, form)
	}
	user, err := d.accounts.ChangePassword(v.ctx, v.by, v.secretField("present"), replacement)
	if throttled, ok := errors.AsType[accounts.Throttled](err); ok {
		form.Refused, form.Retry = view.RefusedNow, d.retryAfter(v, throttled)
		return v.answer(http.StatusTooManyRequests, view.SectionAccount, form)
	}
	if weak, ok := errors.AsType[accounts.PasswordProblem](err); ok {
		form.New = weak
		return v.correct(view.SectionAccount, form)
	}
	if errors.Is(err, accounts.ErrBadCredentials) {
		form.Refused = view.RefusedPassword
		return v.correct(view.SectionAccount, form)
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

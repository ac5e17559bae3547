package dashboard

import (
	"errors"
	"net/http"

	"github.com/google/uuid"

	"daftar/accounts/people"
	"daftar/dashboard/view"
)

var _ = declare(
	route{method: http.MethodGet, path: "/account", access: anyUser,
		handle: loaded(view.SectionAccount, (*Dashboard).account)},
	route{method: http.MethodPost, path: "/account/sessions/{session}/end", access: anyUser,
		handle: (*Dashboard).endSession},
	route{method: http.MethodGet, path: "/account/password", access: anyUser,
		handle: (*Dashboard).passwordPage},
	route{method: http.MethodPost, path: "/account/password", access: anyUser,
		handle: (*Dashboard).changePassword},
	route{method: http.MethodGet, path: "/account/second-factor", access: anyUser, fresh: true,
		handle: (*Dashboard).secondFactorPage},
	route{method: http.MethodPost, path: "/account/second-factor", access: anyUser, fresh: true,
		handle: (*Dashboard).beginSecondFactor},
	route{method: http.MethodPost, path: "/account/second-factor/confirm", access: anyUser,
		handle: (*Dashboard).confirmSecondFactor},
	route{method: http.MethodPost, path: "/account/second-factor/disable", access: anyUser, fresh: true,
		handle: (*Dashboard).disableSecondFactor},
	route{method: http.MethodPost, path: "/account/recovery-codes", access: anyUser, fresh: true,
		handle: (*Dashboard).newRecoveryCodes},
)

const (
	accountPath      = view.Root + "/account"
	secondFactorPath = accountPath + "/second-factor"
	// signInsShown is the number of recent sign-ins on the account's page.
	signInsShown = 8
)

func (d *Dashboard) account(req *request) (view.AccountPage, error) {
	req.useLastOrganization()
	p := view.AccountPage{User: req.user, Passkeys: d.config.People.OffersPasskeys()}
	var err error
	if p.SignIns, err = d.config.People.SignIns(req.ctx, req.by, signInsShown); err != nil {
		return p, err
	}
	p.Sessions, err = d.config.People.OpenSessions(req.ctx, req.by, req.loaded)
	return p, err
}

// endSession signs the person out somewhere else; the present session ends by signing out.
func (d *Dashboard) endSession(req *request) error {
	id, err := uuid.Parse(req.variable("session"))
	if err != nil {
		return errNoPage
	}
	switch err := d.config.People.EndSession(req.ctx, req.by, id); {
	case errors.Is(err, people.ErrNoSession):
		return req.done(accountPath, "session-ended-already")
	case err != nil:
		return err
	}
	return req.done(accountPath, "session-ended")
}

func (d *Dashboard) passwordPage(req *request) error {
	req.useLastOrganization()
	return req.show(view.SectionAccount, view.PasswordPage{Email: req.user.Email})
}

func (d *Dashboard) changePassword(req *request) error {
	req.useLastOrganization()
	form := view.PasswordPage{Email: req.user.Email}
	replacement := req.secretField("password")
	if !people.SamePassword(replacement, req.secretField("again")) {
		form.FormErrors = view.PasswordsDiffer
		return req.showInvalid(view.SectionAccount, form)
	}
	user, err := d.config.People.ChangePassword(req.ctx, req.by, req.secretField("present"), replacement)
	if bad, ok := errors.AsType[people.PasswordProblem](err); ok {
		form.FormErrors = view.BadPassword(bad)
		return req.showInvalid(view.SectionAccount, form)
	}
	var status int
	if form.Refusal, status = d.refusal(req, err, view.WrongOwnPassword("present")); status != 0 {
		return req.answer(status, view.SectionAccount, form)
	}
	if err != nil {
		return err
	}
	if err := d.resumeSession(req.r.Context(), user); err != nil {
		return err
	}
	return req.done(accountPath, "password-changed")
}

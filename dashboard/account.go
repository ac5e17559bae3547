package dashboard

import (
	"errors"

	"github.com/google/uuid"

	"daftar/accounts/people"
	"daftar/dashboard/view"
)

var _ = declare(
	get("/account", anyUser, loaded(view.SectionAccount, (*Dashboard).account)),
	post("/account/sessions/{session}/end", anyUser, (*Dashboard).endSession),
	get("/account/password", anyUser, (*Dashboard).passwordPage),
	post("/account/password", anyUser, (*Dashboard).changePassword),
	get("/account/second-factor", anyUser, (*Dashboard).secondFactorPage).fresh(),
	post("/account/second-factor", anyUser, (*Dashboard).beginSecondFactor).fresh(),
	post("/account/second-factor/confirm", anyUser, (*Dashboard).confirmSecondFactor),
	post("/account/second-factor/disable", anyUser, (*Dashboard).disableSecondFactor).fresh(),
	post("/account/recovery-codes", anyUser, (*Dashboard).newRecoveryCodes).fresh(),
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
	err = d.config.People.EndSession(req.ctx, req.by, id)
	if errors.Is(err, people.ErrNoSession) {
		return req.done(accountPath, "session-ended-already")
	}
	return req.doneUnless(err, accountPath, "session-ended")
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
		return req.show(view.SectionAccount, form)
	}
	user, err := d.config.People.ChangePassword(req.ctx, req.by, req.secretField("present"), replacement)
	if err != nil {
		form.Refusal = d.refusal(req, err, view.WrongOwnPassword("present"))
		return req.correct(view.SectionAccount, form, err)
	}
	return req.doneUnless(d.resumeSession(req.r.Context(), user), accountPath, "password-changed")
}

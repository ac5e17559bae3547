package dashboard

import (
	"errors"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

var _ = declare(
	get("/forgotten", anyone, loaded(view.SectionNone, (*Dashboard).forgottenPage)),
	post("/forgotten", anyone, (*Dashboard).requestReset),
	get("/reset/{token}", anyone, loaded(view.SectionNone, (*Dashboard).resetPage)),
	post("/reset/{token}", anyone, (*Dashboard).resetPassword),
)

// forgottenPage exists only if the service sends mail.
func (d *Dashboard) forgottenPage(*request) (view.ForgottenPage, error) {
	if !d.config.People.SendsMail() {
		return view.ForgottenPage{}, errNoPage
	}
	return view.ForgottenPage{}, nil
}

// requestReset answers the same whether the address has an account or not.
func (d *Dashboard) requestReset(req *request) error {
	form, err := d.forgottenPage(req)
	if err != nil {
		return err
	}
	form.Email = req.field("email")
	err = d.config.People.RequestReset(req.ctx, req.by, form.Email, req.lang)
	if err != nil {
		if form.Refusal = d.refusal(req, err, nil); errors.Is(err, accounts.ErrInvalid) {
			form.FormErrors = view.BadEmail
		}
		return req.correct(view.SectionNone, form, err)
	}
	return req.show(view.SectionNone, view.ResetSentPage{Email: form.Email})
}

// resetPage is the page of the link. Its address opens the account, so it must not appear in a
// referrer, not even to us.
func (d *Dashboard) resetPage(req *request) (view.ResetPage, error) {
	req.w.Header().Set("Referrer-Policy", "strict-origin")
	token := req.variable("token")
	open, err := d.config.People.PasswordReset(req.ctx, token)
	p := view.ResetPage{Reset: open, Action: view.ResetPath(token)}
	req.page = p.Action
	return p, err
}

func (d *Dashboard) resetPassword(req *request) error {
	form, err := d.resetPage(req)
	if err != nil {
		return err
	}
	password := req.secretField("password")
	if !people.SamePassword(password, req.secretField("again")) {
		form.FormErrors = view.PasswordsDiffer
		return req.show(view.SectionNone, form)
	}
	err = d.config.People.ResetPassword(req.ctx, req.by, req.variable("token"), password)
	if err != nil {
		form.Refusal = d.refusal(req, err, nil)
		return req.correct(view.SectionNone, form, err)
	}
	return req.done(view.Root+"/sign-in", "password-reset")
}

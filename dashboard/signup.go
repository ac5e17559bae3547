package dashboard

import (
	"errors"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/domain"
)

var _ = declare(
	get("/sign-up", anyone, loaded(view.SectionNone, (*Dashboard).signUpPage)),
	post("/sign-up", anyone, (*Dashboard).requestSignUp),
	get("/sign-up/{token}", anyone, loaded(view.SectionNone, (*Dashboard).openPage)),
	post("/sign-up/{token}", anyone, (*Dashboard).openOrganization),
)

// signUpPage exists only where the operator lets people sign up.
func (d *Dashboard) signUpPage(*request) (view.SignUpPage, error) {
	if !d.config.SignUp || !d.config.People.SendsMail() {
		return view.SignUpPage{}, errNoPage
	}
	return view.SignUpPage{}, nil
}

// requestSignUp answers the same whether the address has an account or not.
func (d *Dashboard) requestSignUp(req *request) error {
	form, err := d.signUpPage(req)
	if err != nil {
		return err
	}
	form.Email = req.field("email")
	err = d.config.People.RequestSignUp(req.ctx, req.by, form.Email, req.lang)
	if err != nil {
		if form.Refusal = d.refusal(req, err, nil); errors.Is(err, accounts.ErrInvalid) {
			form.FormErrors = view.BadEmail
		}
		return req.correct(view.SectionNone, form, err)
	}
	return req.show(view.SectionNone, view.ResetSentPage{Email: form.Email, SignUp: true})
}

// openPage is the page of the link. Its address opens an account, so it must not appear in a
// referrer, not even to us.
func (d *Dashboard) openPage(req *request) (view.OpenPage, error) {
	if _, err := d.signUpPage(req); err != nil {
		return view.OpenPage{}, err
	}
	req.w.Header().Set("Referrer-Policy", "strict-origin")
	token := req.variable("token")
	open, err := d.config.People.SignUp(req.ctx, token)
	p := view.OpenPage{SignUp: open, Action: view.SignUpLinkPath(token), Name: req.field("name")}
	req.page = p.Action
	return p, err
}

// openOrganization opens it and signs its owner in with the new password.
func (d *Dashboard) openOrganization(req *request) error {
	form, err := d.openPage(req)
	if err != nil {
		return err
	}
	password := req.secretField("password")
	form.FormErrors = nameErrors(form.Name)
	if !people.SamePassword(password, req.secretField("again")) {
		form.FormErrors = append(form.FormErrors, view.PasswordsDiffer...)
	}
	if len(form.FormErrors) > 0 {
		return req.show(view.SectionNone, form)
	}
	org, err := d.config.People.OpenOrganization(req.ctx, req.by, req.variable("token"), form.Name, password)
	if err != nil {
		form.Refusal = d.refusal(req, err, nil)
		return req.correct(view.SectionNone, form, err)
	}
	start := view.Within(org, domain.ModeTest, string(view.SectionOverview))
	user, step, err := d.config.People.SignIn(req.ctx, req.by, form.SignUp.Email, password)
	switch {
	case err != nil: // it is open: at worst its owner signs in later
		return req.redirect(view.Root + "/sign-in")
	case step == people.NextSecondFactor:
		return d.askForCode(req, user, start)
	}
	if err := d.beginSession(req.r.Context(), user); err != nil {
		return err
	}
	return req.done(start, "opened")
}

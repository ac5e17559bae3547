package dashboard

import (
	"errors"
	"net/http"
	"strings"

	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/domain"
)

// invitation is the invitation of the link. The error is people.ErrNoInvitation if there is none.
func (d *Dashboard) invitation(req *request) (view.InvitationPage, error) {
	token := req.variable("token")
	open, err := d.config.People.Invitation(req.ctx, token)
	if err != nil {
		return view.InvitationPage{}, err
	}
	i := view.InvitationPage{Invitation: open, Action: view.InvitationPath(token)}
	user, err := d.signedIn(req)
	if errors.Is(err, errSignedOut) {
		return i, nil
	}
	if err != nil {
		return view.InvitationPage{}, err
	}
	req.user, req.by = user, user.Actor(req.by.Address, req.by.RequestID)
	i.SignedIn, i.OtherEmail = user.Email, !strings.EqualFold(user.Email, open.Email)
	return i, nil
}

// acceptInvitation needs a fresh sign-in in addition to the link. Without a sign-in the form
// chooses a password.
func (d *Dashboard) acceptInvitation(req *request) error {
	i, err := d.invitation(req)
	switch {
	case err != nil:
		return err
	case i.SignedIn == "":
		return d.choosePassword(req, i)
	case !i.OtherEmail && !d.isFresh(req):
		return errStale
	}
	_, err = d.config.People.AcceptInvitation(req.ctx, req.by, req.variable("token"))
	switch start := view.Within(i.Invitation.Organization, domain.ModeLive, "payments"); {
	case err == nil:
		return req.done(start, "joined")
	case errors.Is(err, people.ErrAlreadyMember):
		return req.done(start, "joined-before")
	case errors.Is(err, people.ErrOtherEmail):
		i.OtherEmail = true
		return req.answer(http.StatusUnprocessableEntity, view.SectionNone, i)
	}
	return err
}

// choosePassword leads to the sign-in whether the address had an account before or not, so
// that the page does not reveal it.
func (d *Dashboard) choosePassword(req *request, i view.InvitationPage) error {
	password := req.secretField("password")
	switch {
	case !req.r.PostForm.Has("password"): // the session ended meanwhile
		return errSignedOut
	case !people.SamePassword(password, req.secretField("again")):
		i.FormErrors = view.PasswordsDiffer
		return req.show(view.SectionNone, i)
	}
	token := req.variable("token")
	err := d.config.People.ChoosePassword(req.ctx, token, password, req.by.Address, req.by.RequestID)
	if err != nil {
		i.FormErrors = d.refusal(req, err, nil).FormErrors
		return req.correct(view.SectionNone, i, err)
	}
	form := d.signInForm(i.Invitation.Email, i.Action)
	form.Chosen = true
	return req.show(view.SectionNone, form)
}

package dashboard

import (
	"errors"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// invitation is what the link offers. The error is accounts.ErrNoInvitation where
// the link leads nowhere.
func (d *Dashboard) invitation(req *request) (view.InvitationPage, error) {
	token := req.variable("token")
	open, err := d.config.Accounts.Invitation(req.ctx, token)
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

func (d *Dashboard) acceptInvitation(req *request) error {
	i, err := d.invitation(req)
	if err != nil {
		return err
	}
	if i.SignedIn == "" {
		return d.acceptAsNew(req, i)
	}
	_, err = d.config.Accounts.AcceptInvitation(req.ctx, req.by, req.variable("token"))
	switch start := view.Within(i.Invitation.Organization, "payments"); {
	case err == nil:
		return req.done(start, "joined")
	case errors.Is(err, accounts.ErrAlreadyMember):
		return req.done(start, "joined-before")
	case errors.Is(err, accounts.ErrOtherEmail):
		i.OtherEmail = true
		return req.showInvalid(view.SectionNone, i)
	}
	return err
}

// acceptAsNew makes an account with the password of the form.
func (d *Dashboard) acceptAsNew(req *request, i view.InvitationPage) error {
	if i.Invitation.HasAccount {
		return req.redirect(i.SignIn())
	}
	password := req.secretField("password")
	if password != req.secretField("again") {
		i.FormErrors = view.PasswordsDiffer
		return req.showInvalid(view.SectionNone, i)
	}
	user, err := d.config.Accounts.AcceptInvitationAsNew(req.ctx, req.variable("token"), password, req.by.Address, req.by.RequestID)
	if weak, ok := errors.AsType[accounts.PasswordProblem](err); ok {
		i.FormErrors = view.BadPassword(weak)
		return req.showInvalid(view.SectionNone, i)
	}
	if errors.Is(err, accounts.ErrEmailTaken) {
		return req.redirect(i.SignIn())
	}
	if err != nil {
		return err
	}
	if err := d.begin(req.r.Context(), user); err != nil {
		return err
	}
	return req.done(view.Within(i.Invitation.Organization, "payments"), "joined")
}

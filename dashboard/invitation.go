package dashboard

import (
	"errors"
	"strings"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// invitation is what the link offers. The error is accounts.ErrNoInvitation where
// the link leads nowhere.
func (d *Dashboard) invitation(v *visit) (view.InvitationPage, error) {
	token := v.variable("token")
	open, err := d.config.Accounts.Invitation(v.ctx, token)
	if err != nil {
		return view.InvitationPage{}, err
	}
	i := view.InvitationPage{Invitation: open, Action: view.InvitationPath(token)}
	user, err := d.signedIn(v)
	if errors.Is(err, errSignedOut) {
		return i, nil
	}
	if err != nil {
		return view.InvitationPage{}, err
	}
	v.user, v.by = user, user.Actor(v.by.Address, v.by.RequestID)
	i.SignedIn, i.OtherEmail = user.Email, !strings.EqualFold(user.Email, open.Email)
	return i, nil
}

func (d *Dashboard) acceptInvitation(v *visit) error {
	i, err := d.invitation(v)
	if err != nil {
		return err
	}
	if i.SignedIn == "" {
		return d.acceptAsNew(v, i)
	}
	_, err = d.config.Accounts.AcceptInvitation(v.ctx, v.by, v.variable("token"))
	switch start := view.Within(i.Invitation.Organization, "payments"); {
	case err == nil:
		return v.done(start, "joined")
	case errors.Is(err, accounts.ErrAlreadyMember):
		return v.done(start, "joined-before")
	case errors.Is(err, accounts.ErrOtherEmail):
		i.OtherEmail = true
		return v.showInvalid(view.SectionNone, i)
	}
	return err
}

// acceptAsNew makes an account with the password of the form.
func (d *Dashboard) acceptAsNew(v *visit, i view.InvitationPage) error {
	if i.Invitation.HasAccount {
		return v.redirect(i.SignIn())
	}
	password := v.secretField("password")
	if password != v.secretField("again") {
		i.Differ = true
		return v.showInvalid(view.SectionNone, i)
	}
	user, err := d.config.Accounts.AcceptInvitationAsNew(v.ctx, v.variable("token"), password, v.by.Address, v.by.RequestID)
	if weak, ok := errors.AsType[accounts.PasswordProblem](err); ok {
		i.New = weak
		return v.showInvalid(view.SectionNone, i)
	}
	if errors.Is(err, accounts.ErrEmailTaken) {
		return v.redirect(i.SignIn())
	}
	if err != nil {
		return err
	}
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	return v.done(view.Within(i.Invitation.Organization, "payments"), "joined")
}

package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"daftar/accounts"
)

// invitationPath is where an invitation's link leads. The token is in the path, so
// that it is in no referrer that leaves us and in no form's query.
func invitationPath(token string) string { return root + "/invitations/" + token }

// invitationView offers a role in an organisation to whoever has the link.
type invitationView struct {
	Invitation accounts.Invitation
	Action     string // where the forms go
	SignedIn   string // the address of who is signed in; empty: nobody
	Taken      bool   // the account was made in the meantime
	OtherEmail bool   // whoever is signed in is somebody else
	New        accounts.PasswordProblem
	Differ     bool
}

func (invitationView) Template() string { return "invitation" }

func (invitationView) title(t *texts) string { return t.People.Invitation }

// May is what the role allows.
func (i invitationView) May(t *texts) string { return t.People.may(i.Invitation.Role) }

// SignIn leads through the sign-in back to the invitation.
func (i invitationView) SignIn() string {
	return root + "/sign-in?next=" + url.QueryEscape(i.Action)
}

// Problems implements correctable.
func (i invitationView) Problems(t *texts) []problem {
	switch {
	case i.New != "":
		return []problem{{"password", t.Account.problem(i.New)}}
	case i.Differ:
		return []problem{{"again", t.Account.Differ}}
	}
	return nil
}

// invitationOver says that a link leads nowhere any more.
type invitationOver struct{}

func (invitationOver) Template() string { return "invitation-over" }

func (invitationOver) title(t *texts) string { return t.People.Over }

// invitation is what the link offers, to whom it may be shown.
func (d *Dashboard) invitation(v *visit) (invitationView, error) {
	token := v.variable("token")
	open, err := d.accounts.Invitation(v.ctx, token)
	if err != nil {
		return invitationView{}, err
	}
	i := invitationView{Invitation: open, Action: invitationPath(token)}
	user, err := d.signedIn(v)
	if errors.Is(err, errSignedOut) {
		return i, nil
	}
	if err != nil {
		return invitationView{}, err
	}
	v.user, v.by = user, user.Actor(v.by.Address, v.by.RequestID)
	i.SignedIn, i.OtherEmail = user.Email, !strings.EqualFold(user.Email, open.Email)
	return i, nil
}

func (d *Dashboard) invitationPage(v *visit) error {
	i, err := d.invitation(v)
	if errors.Is(err, accounts.ErrNoInvitation) {
		return v.answer(http.StatusNotFound, sectionNone, invitationOver{})
	}
	if err != nil {
		return err
	}
	return v.show(sectionNone, i)
}

func (d *Dashboard) acceptInvitation(v *visit) error {
	i, err := d.invitation(v)
	if errors.Is(err, accounts.ErrNoInvitation) {
		return v.answer(http.StatusNotFound, sectionNone, invitationOver{})
	}
	if err != nil {
		return err
	}
	if i.SignedIn == "" {
		return d.acceptAsNew(v, i)
	}
	_, err = d.accounts.AcceptInvitation(v.ctx, v.by, v.variable("token"))
	switch start := within(i.Invitation.Organization, "payments"); {
	case errors.Is(err, accounts.ErrNoInvitation):
		return v.answer(http.StatusNotFound, sectionNone, invitationOver{})
	case errors.Is(err, accounts.ErrOtherEmail):
		i.OtherEmail = true
		return v.correct(sectionNone, i)
	case errors.Is(err, accounts.ErrAlreadyMember):
		v.done(start, "joined-before")
		return nil
	case err != nil:
		return err
	default:
		v.done(start, "joined")
		return nil
	}
}

// acceptAsNew makes an account with the password of the form.
func (d *Dashboard) acceptAsNew(v *visit, i invitationView) error {
	if i.Invitation.HasAccount {
		v.see(i.SignIn())
		return nil
	}
	password := v.secretField("password")
	if password != v.secretField("again") {
		i.Differ = true
		return v.correct(sectionNone, i)
	}
	user, err := d.accounts.AcceptInvitationAsNew(v.ctx, v.variable("token"), password, v.by.Address, v.by.RequestID)
	if weak, ok := errors.AsType[accounts.PasswordProblem](err); ok {
		i.New = weak
		return v.correct(sectionNone, i)
	}
	switch {
	case errors.Is(err, accounts.ErrNoInvitation):
		return v.answer(http.StatusNotFound, sectionNone, invitationOver{})
	case errors.Is(err, accounts.ErrEmailTaken):
		v.see(i.SignIn())
		return nil
	case err != nil:
		return err
	}
	if err := d.begin(v.r.Context(), user); err != nil {
		return err
	}
	v.done(within(i.Invitation.Organization, "payments"), "joined")
	return nil
}

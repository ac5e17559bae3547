package view

import (
	"net/url"

	"daftar/accounts"
)

// InvitationPath is where an invitation's link leads. The token is in the path, so
// that it is in no referrer that leaves us and in no form's query.
func InvitationPath(token string) string { return Root + "/invitations/" + token }

// InvitationPage offers a role in an organisation to the person who has the link.
type InvitationPage struct {
	Invitation accounts.Invitation
	Action     string // where the forms go
	SignedIn   string // address of the user who is signed in; empty: nobody
	OtherEmail bool   // the invitation is for another address
	New        accounts.PasswordProblem
	Differ     bool
}

func (InvitationPage) template() string { return "invitation" }

func (InvitationPage) title(t *Texts) string { return t.People.Invitation }

// May is what the role allows.
func (i InvitationPage) May(t *Texts) string { return t.People.may(i.Invitation.Role) }

// SignIn leads through the sign-in back to the invitation.
func (i InvitationPage) SignIn() string {
	return Root + "/sign-in?next=" + url.QueryEscape(i.Action)
}

// Problems implements correctable.
func (i InvitationPage) Problems(t *Texts) []problem {
	switch {
	case i.New != "":
		return []problem{{"password", t.Account.problem(i.New)}}
	case i.Differ:
		return []problem{{"again", t.Account.Differ}}
	}
	return nil
}

// InvitationOver says that an invitation can no longer be accepted.
type InvitationOver struct{}

func (InvitationOver) template() string { return "invitation-over" }

func (InvitationOver) title(t *Texts) string { return t.People.Over }

package view

import (
	"net/url"

	"daftar/accounts/people"
)

// InvitationPath is the path of an invitation's link. The token is in the path, so that it is
// in no referrer to another site and in no form's query.
func InvitationPath(token string) string { return Root + "/invitations/" + token }

// InvitationLink is InvitationPath with the address of the service.
func InvitationLink(publicURL, token string) string { return publicURL + InvitationPath(token) }

// InvitationPage offers a role in an organisation to the person who has the link. It is
// the same whether the address has an account or not.
type InvitationPage struct {
	FormErrors
	Invitation people.Invitation
	Action     string // where the forms go
	SignedIn   string // address of the signed-in user; empty: nobody is signed in
	OtherEmail bool   // the invitation is for another address
}

func (InvitationPage) head(t *Texts) (template, title string) {
	return "invitation", t.People.Invitation
}

// SignIn is the address of the sign-in that leads back to the invitation.
func (i InvitationPage) SignIn() string {
	return Root + "/sign-in?next=" + url.QueryEscape(i.Action)
}

// InvitationOver is the page of an invitation that can no longer be accepted.
type InvitationOver struct{}

func (InvitationOver) head(t *Texts) (template, title string) {
	return "invitation-over", t.People.Over
}

package dashboard

import (
	"time"

	"daftar/accounts"
)

func peopleStories() []story {
	at := func(v view) page { return inside(sectionPeople, v) }
	person := func(n byte, email string, role accounts.Role, factor bool) accounts.Member {
		since := storyTime.AddDate(0, -int(n), 0)
		return accounts.Member{ID: accounts.UserID(storyUUID(n)), Email: email, Role: role, SecondFactor: factor, Since: since}
	}
	owner := person(9, storyOwner.Email, accounts.RoleOwner, true)
	developer := person(3, storyDeveloper.Email, accounts.RoleDeveloper, true)
	viewer := person(1, "a.very.long.name.of.somebody.at.the.till@branch.maydan.example", accounts.RoleViewer, false)
	invitation := accounts.Invitation{
		ID: accounts.InvitationID(storyUUID(20)), Organization: storyOrganization.ID, OrganizationName: storyOrganization.Name,
		Email: "new@maydan.example", Role: accounts.RoleDeveloper, InvitedBy: owner.Email,
		CreatedAt: storyTime, ExpiresAt: storyTime.Add(7 * 24 * time.Hour),
	}
	known := invitation
	known.HasAccount = true
	all := peopleView{
		Self: owner.ID, Members: []accounts.Member{owner, developer, viewer}, Invitations: []accounts.Invitation{invitation},
	}
	const token = "Zm9yLXRoZS1zdG9yeWJvb2stb25seS1ub3QtYS10b2tlbg"
	offered := func(i invitationView) page {
		i.Action = invitationPath(token)
		return page{View: i}
	}
	return []story{
		{"people", at(all)},
		{"people-seen-by-developer", at(all).seenBy(storyDeveloper)},
		{"people-alone", at(peopleView{Self: owner.ID, Members: []accounts.Member{owner}})},
		{"person", at(personView{Member: developer})},
		{"person-self", at(personView{Member: owner, Self: true})},
		{"person-last-owner", at(personView{Member: owner, Self: true, LastOwner: true})},
		{"invite", at(inviteView{Role: accounts.RoleViewer})},
		{"invite-wrong", at(inviteView{Email: "nobody", BadEmail: true, BadRole: true})},
		{"invite-member", at(inviteView{Email: developer.Email, Role: accounts.RoleViewer, Already: true})},
		{"invited", at(invitedView{Invitation: invitation, Link: "https://pay.example" + invitationPath(token)})},
		{"invitation-new", offered(invitationView{Invitation: invitation})},
		{"invitation-new-short", offered(invitationView{Invitation: invitation, New: accounts.PasswordTooShort})},
		{"invitation-has-account", offered(invitationView{Invitation: known})},
		{"invitation-signed-in", offered(invitationView{Invitation: known, SignedIn: known.Email})},
		{"invitation-other", offered(invitationView{Invitation: known, SignedIn: owner.Email, OtherEmail: true})},
		{"invitation-over", page{View: invitationOver{}}},
	}
}

package view

import (
	"time"

	"daftar/accounts"
)

func peopleStories() []story {
	at := func(v Content) Page { return inside(SectionPeople, v) }
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
	all := PeoplePage{
		Self: owner.ID, Members: []accounts.Member{owner, developer, viewer}, Invitations: []accounts.Invitation{invitation},
	}
	const token = "Zm9yLXRoZS1zdG9yeWJvb2stb25seS1ub3QtYS10b2tlbg"
	offered := func(i InvitationPage) Page {
		i.Action = InvitationPath(token)
		return Page{View: i}
	}
	return []story{
		{"people", at(all)},
		{"people-seen-by-developer", at(all).seenBy(storyDeveloper)},
		{"people-alone", at(PeoplePage{Self: owner.ID, Members: []accounts.Member{owner}})},
		{"person", at(PersonPage{Member: developer})},
		{"person-self", at(PersonPage{Member: owner, Self: true})},
		{"person-last-owner", at(PersonPage{Member: owner, Self: true, LastOwner: true})},
		{"invite", at(InvitePage{Role: accounts.RoleViewer})},
		{"invite-wrong", at(InvitePage{Email: "nobody", BadEmail: true, BadRole: true})},
		{"invite-member", at(InvitePage{Email: developer.Email, Role: accounts.RoleViewer, Already: true})},
		{"invited", at(InvitedPage{Invitation: invitation, Link: "https://pay.example" + InvitationPath(token)})},
		{"invitation-new", offered(InvitationPage{Invitation: invitation})},
		{"invitation-new-short", offered(InvitationPage{Invitation: invitation, New: accounts.PasswordTooShort})},
		{"invitation-has-account", offered(InvitationPage{Invitation: known})},
		{"invitation-signed-in", offered(InvitationPage{Invitation: known, SignedIn: known.Email})},
		{"invitation-other", offered(InvitationPage{Invitation: known, SignedIn: owner.Email, OtherEmail: true})},
		{"invitation-over", Page{View: InvitationOver{}}},
	}
}

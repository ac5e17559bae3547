package dashboardstories

import (
	"slices"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
)

func peopleStories() []Story {
	at := func(v view.Content) page { return inside(view.SectionPeople, v) }
	person := func(n byte, email string, role accounts.Role, factor bool) accounts.Member {
		since := now.AddDate(0, -int(n), 0)
		return accounts.Member{ID: accounts.UserID(fixedUUID(n)), Email: email, Role: role, SecondFactor: factor, Since: since}
	}
	owner := person(9, ownerIdentity.Email, accounts.RoleOwner, true)
	developer := person(3, developerIdentity.Email, accounts.RoleDeveloper, true)
	viewer := person(1, "a.very.long.name.of.somebody.at.the.till@branch.maydan.example", accounts.RoleViewer, false)
	invitation := accounts.Invitation{
		ID: accounts.InvitationID(fixedUUID(20)), Organization: organization.ID, OrganizationName: organization.Name,
		Email: "new@maydan.example", Role: accounts.RoleDeveloper, InvitedBy: owner.Email,
		CreatedAt: now, ExpiresAt: now.Add(7 * 24 * time.Hour),
	}
	known := invitation
	known.HasAccount = true
	all := view.PeoplePage{
		Self: owner.ID, Members: []accounts.Member{owner, developer, viewer}, Invitations: []accounts.Invitation{invitation},
	}
	const token = "Zm9yLXRoZS1zdG9yeWJvb2stb25seS1ub3QtYS10b2tlbg"
	offered := func(i view.InvitationPage) page {
		i.Action = view.InvitationPath(token)
		return page{View: i}
	}
	return []Story{
		{"people", at(all)},
		{"people-seen-by-developer", at(all).seenBy(developerIdentity)},
		{"people-alone", at(view.PeoplePage{Self: owner.ID, Members: []accounts.Member{owner}})},
		{"person", at(view.PersonPage{Member: developer})},
		{"person-self", at(view.PersonPage{Member: owner, Self: true})},
		{"person-last-owner", at(view.PersonPage{Member: owner, Self: true, FormErrors: view.LastOwner})},
		{"invite", at(view.InvitePage{Role: accounts.RoleViewer})},
		{"invite-wrong", at(view.InvitePage{Email: "nobody", FormErrors: slices.Concat(view.BadEmail, view.BadRole)})},
		{"invite-member", at(view.InvitePage{Email: developer.Email, Role: accounts.RoleViewer, FormErrors: view.AlreadyMember})},
		{"invited", at(view.InvitedPage{Invitation: invitation, Link: "https://pay.example" + view.InvitationPath(token)})},
		{"invitation-new", offered(view.InvitationPage{Invitation: invitation})},
		{"invitation-new-short", offered(view.InvitationPage{Invitation: invitation, FormErrors: view.BadPassword(accounts.PasswordTooShort)})},
		{"invitation-has-account", offered(view.InvitationPage{Invitation: known})},
		{"invitation-signed-in", offered(view.InvitationPage{Invitation: known, SignedIn: known.Email})},
		{"invitation-other", offered(view.InvitationPage{Invitation: known, SignedIn: owner.Email, OtherEmail: true})},
		{"invitation-over", page{View: view.InvitationOver{}}},
	}
}

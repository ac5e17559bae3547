package dashboardstories

import (
	"slices"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/internal/mail"
)

func peopleStories() []Story {
	at := func(v view.Content) page { return inside(view.SectionPeople, v) }
	person := func(n byte, email string, role accounts.Role, factor bool) people.Member {
		since := now.AddDate(0, -int(n), 0)
		return people.Member{
			ID: accounts.UserID(fixedUUID(n)), Email: email, Role: role, SecondFactor: factor, Since: since,
		}
	}
	owner := person(9, ownerIdentity.Email, accounts.RoleOwner, true)
	developer := person(3, developerIdentity.Email, accounts.RoleDeveloper, true)
	viewer := person(1, "a.very.long.name.of.somebody.at.the.till@branch.maydan.example",
		accounts.RoleViewer, false)
	finance := person(2, financeIdentity.Email, accounts.RoleFinance, true)
	support := person(5, supportIdentity.Email, accounts.RoleSupport, false)
	invitation := people.Invitation{
		ID: people.InvitationID(fixedUUID(20)), Organization: organization.ID, OrganizationName: organization.Name,
		Email: "new@maydan.example", Role: accounts.RoleDeveloper, InvitedBy: owner.Email,
		CreatedAt: now, ExpiresAt: now.Add(7 * 24 * time.Hour),
	}
	mailed := func(d mail.Delivery) people.Invitation {
		i := invitation
		i.ByMail, i.Delivery = true, d
		return i
	}
	all := view.PeoplePage{
		Self: owner.ID, Members: []people.Member{owner, developer, finance, support, viewer},
		Invitations: []people.Invitation{invitation},
	}
	mails := all
	mails.Invitations = []people.Invitation{
		mailed(mail.Delivery{State: mail.Pending}), mailed(mail.Delivery{State: mail.Sent}),
		mailed(mail.Delivery{
			State: mail.Failed,
			Error: "550 5.1.1 <new@maydan.example>: Recipient address rejected:" +
				" User unknown in virtual mailbox table",
		}),
	}
	withKeys := developer
	withKeys.Passkeys = 2
	wait := view.Refusal{Retry: view.Retry{After: 4 * time.Minute, At: now.Add(4 * time.Minute)}}
	wrong := func(e view.FormErrors) view.Refusal { return view.Refusal{FormErrors: e} }
	const token = "Zm9yLXRoZS1zdG9yeWJvb2stb25seS1ub3QtYS10b2tlbg"
	offered := func(i view.InvitationPage) page {
		i.Action = view.InvitationPath(token)
		return page{View: i}
	}
	return []Story{
		{"people", at(all)},
		{"people-seen-by-developer", at(all).seenBy(developerIdentity)},
		{"people-mails", at(mails)},
		{"people-alone", at(view.PeoplePage{Self: owner.ID, Members: []people.Member{owner}})},
		{"person", at(view.PersonPage{Member: developer})},
		{"person-passkeys", at(view.PersonPage{Member: withKeys})},
		{"person-passkeys-shared", at(view.PersonPage{Member: withKeys, FormErrors: view.SharedAccount})},
		{"person-self", at(view.PersonPage{Member: owner, Self: true})},
		{"person-last-owner", at(view.PersonPage{Member: owner, Self: true, FormErrors: view.LastOwner})},
		{"invite", at(view.InvitePage{Role: accounts.RoleViewer})},
		{"invite-by-mail", at(view.InvitePage{Role: accounts.RoleViewer, ByMail: true})},
		{"invite-too-often", at(view.InvitePage{
			Email: invitation.Email, Role: accounts.RoleViewer, ByMail: true, Refusal: wait,
		})},
		{"invite-wrong", at(view.InvitePage{
			Email: "nobody", Refusal: wrong(slices.Concat(view.BadEmail, view.BadRole)),
		})},
		{"invite-member", at(view.InvitePage{
			Email: developer.Email, Role: accounts.RoleViewer, Refusal: wrong(view.AlreadyMember),
		})},
		{"invited-by-mail", at(view.InvitedPage{Invitation: mailed(mail.Delivery{State: mail.Pending})})},
		{"invited", at(view.InvitedPage{
			Invitation: invitation, Link: "https://pay.example" + view.InvitationPath(token),
		})},
		{"invitation-new", offered(view.InvitationPage{Invitation: invitation})},
		{"invitation-new-short", offered(view.InvitationPage{
			Invitation: invitation, FormErrors: view.BadPassword(people.PasswordTooShort),
		})},
		{"invitation-signed-in", offered(view.InvitationPage{Invitation: invitation, SignedIn: invitation.Email})},
		{"invitation-other", offered(view.InvitationPage{
			Invitation: invitation, SignedIn: owner.Email, OtherEmail: true,
		})},
		{"invitation-over", page{View: view.InvitationOver{}}},
	}
}

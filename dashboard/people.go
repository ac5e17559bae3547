package dashboard

import (
	"errors"
	"slices"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

var _ = declare(
	get("/people", member(accounts.SeePeople), loaded(view.SectionPeople, (*Dashboard).people)),
	get("/people/invite", member(accounts.ManagePeople),
		loaded(view.SectionPeople, (*Dashboard).invitePage)).fresh(),
	post("/people/invite", member(accounts.ManagePeople), (*Dashboard).invite).fresh(),
	post("/people/invitations/{invitation}/revoke", member(accounts.ManagePeople),
		(*Dashboard).revokeInvitation),
	get("/people/{user}", member(accounts.ManagePeople),
		loaded(view.SectionPeople, (*Dashboard).member)).fresh(),
	post("/people/{user}/role", member(accounts.ManagePeople), (*Dashboard).changeRole).fresh(),
	post("/people/{user}/remove", member(accounts.ManagePeople), (*Dashboard).removeMember).fresh(),
	get("/invitations/{token}", anyone, loaded(view.SectionNone, (*Dashboard).invitation)),
	post("/invitations/{token}", anyone, (*Dashboard).acceptInvitation),
)

func (d *Dashboard) people(req *request) (p view.PeoplePage, err error) {
	p.Self = req.user.ID
	if p.Members, err = d.config.People.Members(req.ctx, req.by, req.organization.ID); err != nil {
		return p, err
	}
	p.Invitations, err = d.config.People.Invitations(req.ctx, req.by, req.organization.ID)
	return p, err
}

// member is the one that the path names; people.ErrNoUser where the organisation
// has no such member.
func (d *Dashboard) member(req *request) (view.PersonPage, error) {
	id, err := accounts.ParseUserID(req.variable("user"))
	if err != nil {
		return view.PersonPage{}, errNoPage
	}
	members, err := d.config.People.Members(req.ctx, req.by, req.organization.ID)
	if err != nil {
		return view.PersonPage{}, err
	}
	for _, m := range members {
		if m.ID == id {
			return view.PersonPage{Member: m, Self: id == req.user.ID}, nil
		}
	}
	return view.PersonPage{}, people.ErrNoUser
}

func (d *Dashboard) changeRole(req *request) error {
	person, err := d.member(req)
	if err != nil {
		return err
	}
	role := accounts.Role(req.field("role"))
	if !role.Valid() {
		return errNoPage // none of our forms sends this
	}
	err = d.config.People.ChangeRole(req.ctx, req.by, req.organization.ID, person.Member.ID, role)
	if errors.Is(err, people.ErrLastOwner) {
		person.FormErrors = view.LastOwner
		return req.show(view.SectionPeople, person)
	}
	next := "people"
	if person.Self && !role.Allows(accounts.SeePeople) {
		next = "payments"
	}
	return req.doneUnless(err, req.in(next), "role-changed")
}

func (d *Dashboard) removeMember(req *request) error {
	person, err := d.member(req)
	if err != nil {
		return err
	}
	err = d.config.People.RemoveMember(req.ctx, req.by, req.organization.ID, person.Member.ID)
	if errors.Is(err, people.ErrLastOwner) {
		person.FormErrors = view.LastOwner
		return req.show(view.SectionPeople, person)
	}
	if person.Self {
		return req.doneUnless(err, view.Root+"/organizations", "left")
	}
	return req.doneUnless(err, req.in("people"), "member-removed")
}

func (d *Dashboard) invitePage(*request) (view.InvitePage, error) {
	return view.InvitePage{Role: accounts.RoleViewer, ByMail: d.config.People.SendsMail()}, nil
}

func (d *Dashboard) invite(req *request) error {
	form := view.InvitePage{
		Email:  req.field("email"),
		Role:   accounts.Role(req.field("role")),
		ByMail: d.config.People.SendsMail(),
	}
	if _, err := people.NormalizeEmail(form.Email); err != nil {
		form.FormErrors = view.BadEmail
	}
	if !form.Role.Valid() {
		form.FormErrors = slices.Concat(form.FormErrors, view.BadRole)
	}
	if len(form.FormErrors) > 0 {
		return req.show(view.SectionPeople, form)
	}
	made, token, err := d.config.People.Invite(req.ctx, req.by, req.organization.ID, form.Email, form.Role)
	if err != nil {
		if form.Refusal = d.refusal(req, err, nil); errors.Is(err, people.ErrAlreadyMember) {
			form.FormErrors = view.AlreadyMember
		}
		return req.correct(view.SectionPeople, form, err)
	}
	shown := view.InvitedPage{Invitation: made}
	if !made.ByMail {
		shown.Link = view.InvitationLink(d.publicURL, token)
	}
	return req.show(view.SectionPeople, shown)
}

func (d *Dashboard) revokeInvitation(req *request) error {
	id, err := people.ParseInvitationID(req.variable("invitation"))
	if err != nil {
		return errNoPage
	}
	err = d.config.People.RevokeInvitation(req.ctx, req.by, req.organization.ID, id)
	return req.doneUnless(err, req.in("people"), "invitation-revoked")
}

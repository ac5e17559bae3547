package dashboard

import (
	"errors"
	"net/http"
	"slices"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
)

var _ = declare(
	route{method: http.MethodGet, path: inOrganization + "/people", access: member, needs: accounts.SeePeople,
		handle: loaded(view.SectionPeople, (*Dashboard).people)},
	route{method: http.MethodGet, path: inOrganization + "/people/invite", access: member,
		needs: accounts.ManagePeople, fresh: true,
		handle: loaded(view.SectionPeople, (*Dashboard).invitePage)},
	route{method: http.MethodPost, path: inOrganization + "/people/invite", access: member,
		needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).invite},
	route{method: http.MethodPost, path: inOrganization + "/people/invitations/{invitation}/revoke",
		access: member, needs: accounts.ManagePeople, handle: (*Dashboard).revokeInvitation},
	route{method: http.MethodGet, path: inOrganization + "/people/{user}", access: member,
		needs: accounts.ManagePeople, fresh: true, handle: loaded(view.SectionPeople, (*Dashboard).member)},
	route{method: http.MethodPost, path: inOrganization + "/people/{user}/role", access: member,
		needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).changeRole},
	route{method: http.MethodPost, path: inOrganization + "/people/{user}/remove", access: member,
		needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).removeMember},
	route{method: http.MethodGet, path: "/invitations/{token}",
		handle: loaded(view.SectionNone, (*Dashboard).invitation)},
	route{method: http.MethodPost, path: "/invitations/{token}", handle: (*Dashboard).acceptInvitation},
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
		return req.showInvalid(view.SectionPeople, person)
	}
	if err != nil {
		return err
	}
	if person.Self && !role.Allows(accounts.SeePeople) {
		return req.done(req.in("payments"), "role-changed")
	}
	return req.done(req.in("people"), "role-changed")
}

func (d *Dashboard) removeMember(req *request) error {
	person, err := d.member(req)
	if err != nil {
		return err
	}
	err = d.config.People.RemoveMember(req.ctx, req.by, req.organization.ID, person.Member.ID)
	if errors.Is(err, people.ErrLastOwner) {
		person.FormErrors = view.LastOwner
		return req.showInvalid(view.SectionPeople, person)
	}
	if err != nil {
		return err
	}
	if person.Self {
		return req.done(view.Root+"/organizations", "left")
	}
	return req.done(req.in("people"), "member-removed")
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
		return req.showInvalid(view.SectionPeople, form)
	}
	made, token, err := d.config.People.Invite(req.ctx, req.by, req.organization.ID, form.Email, form.Role)
	if errors.Is(err, people.ErrAlreadyMember) {
		form.FormErrors = view.AlreadyMember
		return req.showInvalid(view.SectionPeople, form)
	}
	var status int
	if form.Refusal, status = d.refusal(req, err, nil); status != 0 {
		return req.answer(status, view.SectionPeople, form)
	}
	if err != nil {
		return err
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
	if err := d.config.People.RevokeInvitation(req.ctx, req.by, req.organization.ID, id); err != nil {
		return err
	}
	return req.done(req.in("people"), "invitation-revoked")
}

package dashboard

import (
	"errors"
	"net/http"

	"daftar/accounts"
)

var peopleRoutes = []route{
	{method: http.MethodGet, path: of + "/people", access: member, needs: accounts.SeePeople, handle: (*Dashboard).people},
	{method: http.MethodGet, path: of + "/people/invite", access: member, needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).invitePage},
	{method: http.MethodPost, path: of + "/people/invite", access: member, needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).invite},
	{method: http.MethodPost, path: of + "/people/invitations/{invitation}/revoke", access: member, needs: accounts.ManagePeople, handle: (*Dashboard).revokeInvitation},
	{method: http.MethodGet, path: of + "/people/{user}", access: member, needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).person},
	{method: http.MethodPost, path: of + "/people/{user}/role", access: member, needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).changeRole},
	{method: http.MethodPost, path: of + "/people/{user}/remove", access: member, needs: accounts.ManagePeople, fresh: true, handle: (*Dashboard).removeMember},
	{method: http.MethodGet, path: "/invitations/{token}", handle: (*Dashboard).invitationPage},
	{method: http.MethodPost, path: "/invitations/{token}", handle: (*Dashboard).acceptInvitation},
}

var peopleNotices = map[string]notice{
	"role-changed": {"تغيّر الدور، وهو سارٍ من الآن.", "The role was changed. It holds from now on."},
	"member-removed": {
		"أُخرج العضو من المؤسسة، ولم يعد يرى منها شيئًا.",
		"The member was removed, and sees nothing of the organisation any more.",
	},
	"left":               {"خرجت من المؤسسة.", "You have left the organisation."},
	"invitation-revoked": {"سُحبت الدعوة، ورابطها لم يعد يعمل.", "The invitation was withdrawn. Its link leads nowhere now."},
	"joined":             {"أهلًا بك. أنت الآن عضو في هذه المؤسسة.", "Welcome. You are now a member of this organisation."},
	"joined-before":      {"أنت عضو في هذه المؤسسة من قبل.", "You were a member of this organisation already."},
}

// peopleView lists the members, and who was invited.
type peopleView struct {
	Self        accounts.UserID
	Members     []accounts.Member
	Invitations []accounts.Invitation
}

func (peopleView) Template() string { return "people" }

func (peopleView) title(t *texts) string { return t.Sections.People }

func (d *Dashboard) people(v *visit) error {
	members, err := d.accounts.Members(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	invitations, err := d.accounts.Invitations(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	return v.show(sectionPeople, peopleView{Self: v.user.ID, Members: members, Invitations: invitations})
}

// personView is one member, whose role can be changed.
type personView struct {
	Member    accounts.Member
	Self      bool // it is whoever looks
	LastOwner bool // a change was refused: the organisation needs an owner
}

func (personView) Template() string { return "person" }

func (personView) title(t *texts) string { return t.People.Member }

// Problems implements correctable.
func (p personView) Problems(t *texts) []problem {
	if !p.LastOwner {
		return nil
	}
	return []problem{{"role-owner", t.People.LastOwner}}
}

// Choices are the roles, with the words for what they may do.
func (p personView) Choices(t *texts) []roleChoice { return roleChoices(t, p.Member.Role) }

// roleChoice is a role in a form.
type roleChoice struct {
	Role         accounts.Role
	Name, Effect string
	Chosen       bool
}

func roleChoices(t *texts, chosen accounts.Role) []roleChoice {
	var all []roleChoice
	for _, r := range accounts.Roles {
		all = append(all, roleChoice{r, t.Role(r), t.People.may(r), r == chosen})
	}
	return all
}

// member finds whom the path names; accounts.ErrNoUser where it is nobody of the
// organisation.
func (d *Dashboard) member(v *visit) (personView, error) {
	id, err := accounts.ParseUserID(v.variable("user"))
	if err != nil {
		return personView{}, errNoPage
	}
	members, err := d.accounts.Members(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return personView{}, err
	}
	for _, m := range members {
		if m.ID == id {
			return personView{Member: m, Self: id == v.user.ID}, nil
		}
	}
	return personView{}, accounts.ErrNoUser
}

func (d *Dashboard) person(v *visit) error {
	person, err := d.member(v)
	if err != nil {
		return err
	}
	return v.show(sectionPeople, person)
}

func (d *Dashboard) changeRole(v *visit) error {
	person, err := d.member(v)
	if err != nil {
		return err
	}
	role := accounts.Role(v.field("role"))
	if !role.Valid() {
		return errNoPage // no form of ours sends it
	}
	err = d.accounts.ChangeRole(v.ctx, v.by, v.organization.ID, person.Member.ID, role)
	if errors.Is(err, accounts.ErrLastOwner) {
		person.LastOwner = true
		return v.correct(sectionPeople, person)
	}
	if err != nil {
		return err
	}
	if person.Self && !role.Allows(accounts.SeePeople) {
		v.done(v.in("payments"), "role-changed")
		return nil
	}
	v.done(v.in("people"), "role-changed")
	return nil
}

func (d *Dashboard) removeMember(v *visit) error {
	person, err := d.member(v)
	if err != nil {
		return err
	}
	err = d.accounts.RemoveMember(v.ctx, v.by, v.organization.ID, person.Member.ID)
	if errors.Is(err, accounts.ErrLastOwner) {
		person.LastOwner = true
		return v.correct(sectionPeople, person)
	}
	if err != nil {
		return err
	}
	if person.Self {
		v.done(root+"/organizations", "left")
		return nil
	}
	v.done(v.in("people"), "member-removed")
	return nil
}

// inviteView invites somebody.
type inviteView struct {
	Email    string
	Role     accounts.Role
	BadEmail bool
	BadRole  bool
	Already  bool // a member
}

func (inviteView) Template() string { return "invite" }

func (inviteView) title(t *texts) string { return t.People.Invite }

// Problems implements correctable.
func (i inviteView) Problems(t *texts) []problem {
	var all []problem
	switch {
	case i.BadEmail:
		all = append(all, problem{"email", t.People.BadEmail})
	case i.Already:
		all = append(all, problem{"email", t.People.Already})
	}
	if i.BadRole {
		all = append(all, problem{"role-owner", t.People.BadRole})
	}
	return all
}

// Choices are the roles.
func (i inviteView) Choices(t *texts) []roleChoice { return roleChoices(t, i.Role) }

func (d *Dashboard) invitePage(v *visit) error {
	return v.show(sectionPeople, inviteView{Role: accounts.RoleViewer})
}

func (d *Dashboard) invite(v *visit) error {
	form := inviteView{Email: v.field("email"), Role: accounts.Role(v.field("role"))}
	_, err := accounts.NormalizeEmail(form.Email)
	form.BadEmail, form.BadRole = err != nil, !form.Role.Valid()
	if form.BadEmail || form.BadRole {
		return v.correct(sectionPeople, form)
	}
	made, token, err := d.accounts.Invite(v.ctx, v.by, v.organization.ID, form.Email, form.Role)
	if errors.Is(err, accounts.ErrAlreadyMember) {
		form.Already = true
		return v.correct(sectionPeople, form)
	}
	if err != nil {
		return err
	}
	return v.show(sectionPeople, invitedView{Invitation: made, Link: d.publicURL + invitationPath(token)})
}

// invitedView shows a link that cannot be read again.
type invitedView struct {
	Invitation accounts.Invitation
	Link       string
}

func (invitedView) Template() string { return "invited" }

func (invitedView) title(t *texts) string { return t.People.Invited }

func (d *Dashboard) revokeInvitation(v *visit) error {
	id, err := accounts.ParseInvitationID(v.variable("invitation"))
	if err != nil {
		return errNoPage
	}
	if err := d.accounts.RevokeInvitation(v.ctx, v.by, v.organization.ID, id); err != nil {
		return err
	}
	v.done(v.in("people"), "invitation-revoked")
	return nil
}

package view

import "daftar/accounts"

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

// PeoplePage lists the members and the open invitations.
type PeoplePage struct {
	Self        accounts.UserID
	Members     []accounts.Member
	Invitations []accounts.Invitation
}

func (PeoplePage) template() string { return "people" }

func (PeoplePage) title(t *Texts) string { return t.Sections.People }

// PersonPage is one member, whose role can be changed.
type PersonPage struct {
	Member    accounts.Member
	Self      bool // it is the reader
	LastOwner bool // a change was refused: the organisation needs an owner
}

func (PersonPage) template() string { return "person" }

func (PersonPage) title(t *Texts) string { return t.People.Member }

// Problems implements correctable.
func (p PersonPage) Problems(t *Texts) []problem {
	if !p.LastOwner {
		return nil
	}
	return []problem{{"role-owner", t.People.LastOwner}}
}

// Choices are the roles, with the words for what they may do.
func (p PersonPage) Choices(t *Texts) []roleChoice { return roleChoices(t, p.Member.Role) }

// roleChoice is a role in a form.
type roleChoice struct {
	Role         accounts.Role
	Name, Effect string
	Chosen       bool
}

func roleChoices(t *Texts, chosen accounts.Role) []roleChoice {
	var all []roleChoice
	for _, r := range accounts.Roles {
		all = append(all, roleChoice{r, t.Role(r), t.People.may(r), r == chosen})
	}
	return all
}

// InvitePage invites somebody.
type InvitePage struct {
	Email    string
	Role     accounts.Role
	BadEmail bool
	BadRole  bool
	Already  bool // a member
}

func (InvitePage) template() string { return "invite" }

func (InvitePage) title(t *Texts) string { return t.People.Invite }

// Problems implements correctable.
func (i InvitePage) Problems(t *Texts) []problem {
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
func (i InvitePage) Choices(t *Texts) []roleChoice { return roleChoices(t, i.Role) }

// InvitedPage shows a link that cannot be read again.
type InvitedPage struct {
	Invitation accounts.Invitation
	Link       string
}

func (InvitedPage) template() string { return "invited" }

func (InvitedPage) title(t *Texts) string { return t.People.Invited }

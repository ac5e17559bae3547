package view

import (
	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

func peopleNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"role-changed": say("تغيّر الدور، وهو سارٍ من الآن.", "The role was changed. It holds from now on."),
		"member-removed": say("أُخرج العضو من المؤسسة، ولم يعد يرى منها شيئًا.",
			"The member was removed, and sees nothing of the organisation any more."),
		"left": say("خرجت من المؤسسة.", "You have left the organisation."),
		"invitation-revoked": say("سُحبت الدعوة، ورابطها لم يعد يعمل.",
			"The invitation was withdrawn. Its link leads nowhere now."),
		"joined": say("أهلًا بك. أنت الآن عضو في هذه المؤسسة.",
			"Welcome. You are now a member of this organisation."),
		"joined-before": say("أنت عضو في هذه المؤسسة من قبل.", "You were a member of this organisation already."),
	}
}

// PeoplePage lists the members and the open invitations.
type PeoplePage struct {
	Self        accounts.UserID
	Members     []people.Member
	Invitations []people.Invitation
}

func (PeoplePage) head(t *Texts) (template, title string) { return "people", t.Sections[SectionPeople] }

// PersonPage is one member, whose role can be changed.
type PersonPage struct {
	FormErrors
	Member people.Member
	Self   bool // it is the reader
}

func (PersonPage) head(t *Texts) (template, title string) { return "person", t.People.Member }

// The errors of a role and of an invitation.
var (
	LastOwner     = FormError("role-owner", func(t *Texts) string { return t.People.LastOwner })
	BadRole       = FormError("role-owner", func(t *Texts) string { return t.People.BadRole })
	BadEmail      = FormError("email", func(t *Texts) string { return t.People.BadEmail })
	AlreadyMember = FormError("email", func(t *Texts) string { return t.People.Already })
)

// roleChoice is a role in a form.
type roleChoice struct {
	Role         accounts.Role
	Name, Effect string
	Chosen       bool
}

// Roles are the roles to choose from, with a text of their rights.
func (r rendering) Roles(chosen accounts.Role) []roleChoice {
	var all []roleChoice
	for _, role := range accounts.Roles {
		all = append(all, roleChoice{role, r.T.Role(role), r.T.People.May(role), role == chosen})
	}
	return all
}

// InvitePage invites somebody.
type InvitePage struct {
	Refusal
	Email  string
	Role   accounts.Role
	ByMail bool // the link goes by mail
}

func (InvitePage) head(t *Texts) (template, title string) { return "invite", t.People.Invite }

// InvitedPage shows the link of an invitation once, or says that it goes by mail.
type InvitedPage struct {
	Invitation people.Invitation
	Link       string // empty: it goes by mail
}

func (p InvitedPage) head(t *Texts) (template, title string) {
	if title = t.People.Invited; p.Link == "" {
		title = t.People.Mailed
	}
	return "invited", title
}

// Mail is the state of an invitation's mail; the zero pill if there is no mail.
func (t peopleTexts) Mail(state mail.State) pill {
	switch state {
	case mail.Pending:
		return pill{t.MailPending, "wait"}
	case mail.Sent:
		return pill{t.MailSent, "ok"}
	case mail.Failed:
		return pill{t.MailFailed, "late"}
	}
	return pill{}
}

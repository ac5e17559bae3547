package view

import (
	"strings"

	"daftar/accounts/people"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

// mailPart is the content of a mail in one language.
type mailPart struct {
	Lang          locale.Lang
	T             *Texts
	Inviter, Link string
}

// invitationMail is the data of its template: the text in both languages, because the language
// of a new user is not known.
type invitationMail struct {
	Subject    string
	Invitation people.Invitation
	Parts      []mailPart
}

// Inviter is the address of the inviter, or a text for an operator.
func (t *Texts) Inviter(actor string) string {
	if strings.HasPrefix(actor, "operator:") {
		return t.Audit.Operator
	}
	return actor
}

// InvitationMail writes the mail that brings the link of an invitation. It panics if the
// template does not fit, which a test rules out.
func InvitationMail(publicURL string, i people.Invitation, token string) mail.Message {
	m := invitationMail{Invitation: i}
	var subjects, texts []string
	for _, l := range []locale.Lang{locale.Arabic, locale.English} {
		t := textsIn(l)
		part := mailPart{
			Lang:    l,
			T:       t,
			Inviter: t.Inviter(i.InvitedBy),
			Link:    locale.WithLang(InvitationLink(publicURL, token), l),
		}
		m.Parts = append(m.Parts, part)
		subjects = append(subjects, t.People.MailSubject+" "+i.OrganizationName)
		texts = append(texts, strings.Join([]string{
			t.People.Invitation + ": " + locale.Isolate(i.OrganizationName),
			t.People.InvitesYou + ": " + locale.Isolate(part.Inviter),
			t.People.As + ": " + t.Role(i.Role), "",
			t.People.MailOpen, "", part.Link, "",
			t.People.Until + " " + locale.Date(l, i.ExpiresAt) + " " + locale.Clock(i.ExpiresAt),
			t.People.MailUnexpected, "",
		}, "\n"))
	}
	m.Subject = strings.Join(subjects, " · ")
	var html strings.Builder
	if err := templates.ExecuteTemplate(&html, "mail", m); err != nil {
		panic("view: render mail: " + err.Error())
	}
	return mail.Message{
		To:      i.Email,
		Subject: m.Subject,
		Text:    strings.Join(texts, "\n----\n\n"),
		HTML:    html.String(),
	}
}

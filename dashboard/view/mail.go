package view

import (
	"strings"
	"time"

	"daftar/accounts/people"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

// letter is a mail that is being written. It is in both languages where that of its reader is not known.
type letter struct {
	to, template    string
	subjects, texts []string
	Parts           []letterPart
}

// letterPart is the content of a mail in one language.
type letterPart struct {
	Lang locale.Lang
	T    *Texts
	Link string
	D    any // what its template shows
}

// bothLanguages are those of a mail, in their order.
var bothLanguages = []locale.Lang{locale.Arabic, locale.English}

// Subject has the subjects of all parts.
func (m *letter) Subject() string { return strings.Join(m.subjects, " · ") }

func (m *letter) add(p letterPart, subject string, lines ...string) {
	m.Parts = append(m.Parts, p)
	m.subjects = append(m.subjects, subject)
	m.texts = append(m.texts, strings.Join(lines, "\n"))
}

// message panics if the template does not fit, which a test rules out.
func (m *letter) message() mail.Message {
	var html strings.Builder
	if err := templates.ExecuteTemplate(&html, m.template, m); err != nil {
		panic("view: render mail: " + err.Error())
	}
	return mail.Message{
		To:      m.to,
		Subject: m.Subject(),
		Text:    strings.Join(m.texts, "\n----\n\n"),
		HTML:    html.String(),
	}
}

// Inviter is the address of the inviter, or a text for an operator.
func (t *Texts) Inviter(actor string) string {
	if strings.HasPrefix(actor, "operator:") {
		return t.Audit.Operator
	}
	return actor
}

// Letters writes the mails of accounts, with links below the public address.
type Letters struct{ PublicURL string }

var _ people.Letters = Letters{}

// Invitation is the mail that brings the link of an invitation.
func (w Letters) Invitation(i people.Invitation, token string) mail.Message {
	m := letter{to: i.Email, template: "mail"}
	for _, l := range bothLanguages {
		t := textsIn(l)
		link := locale.WithLang(InvitationLink(w.PublicURL, token), l)
		m.add(letterPart{l, t, link, i}, t.People.MailSubject+" "+i.OrganizationName,
			t.People.Invitation+": "+locale.Isolate(i.OrganizationName),
			t.People.InvitesYou+": "+locale.Isolate(t.Inviter(i.InvitedBy)),
			t.People.As+": "+t.Role(i.Role), "",
			t.People.MailOpen, "", link, "",
			t.People.Until+" "+locale.Date(l, i.ExpiresAt)+" "+locale.Clock(i.ExpiresAt),
			t.People.MailUnexpected, "")
	}
	return m.message()
}

// passwordWords are the content of a mail about the recipient's own password.
type passwordWords struct {
	Title, Email, What     string
	Button, AtName, Unless string
	At                     time.Time
}

// PasswordReset is the mail with the link of a reset, in the language of the request.
func (w Letters) PasswordReset(r people.PasswordReset, token string, l locale.Lang) mail.Message {
	t := textsIn(l)
	m := letter{to: r.Email, template: "mail-password"}
	m.addPassword(l, t.Reset.MailSubject, w.link(ResetPath(token), l), passwordWords{
		Title:  t.Reset.NewTitle,
		Email:  r.Email,
		What:   t.Reset.MailOpen,
		Button: t.Reset.NewTitle,
		AtName: t.People.Until,
		Unless: t.Reset.MailIgnore,
		At:     r.ExpiresAt,
	})
	return m.message()
}

// PasswordChanged is the notice of a changed password, in both languages: the person who
// changed it may have used another language than the owner's.
func (w Letters) PasswordChanged(email string, at time.Time) mail.Message {
	m := letter{to: email, template: "mail-password"}
	for _, l := range bothLanguages {
		t := textsIn(l)
		m.addPassword(l, t.Reset.MailChangedSubject, w.link(ForgottenPath, l), passwordWords{
			Title:  t.Reset.MailChanged,
			Email:  email,
			What:   t.Reset.MailEnded,
			Button: t.SignIn.ForgottenTitle,
			AtName: t.Reset.MailAt,
			Unless: t.Reset.MailNotYou,
			At:     at,
		})
	}
	return m.message()
}

func (m *letter) addPassword(l locale.Lang, subject, link string, w passwordWords) {
	m.add(letterPart{l, textsIn(l), link, w}, subject,
		w.Title+": "+locale.Isolate(w.Email),
		w.AtName+" "+locale.Date(l, w.At)+" "+locale.Clock(w.At), "",
		w.What, w.Unless, "", link, "")
}

// link is the address of a page in a language.
func (w Letters) link(path string, l locale.Lang) string {
	return locale.WithLang(strings.TrimSuffix(w.PublicURL, "/")+path, l)
}

package view

import (
	"strings"
	"time"

	"daftar/accounts/people"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

// Letters writes the mails of accounts, with links below the public address.
type Letters struct{ PublicURL string }

var _ people.Letters = Letters{}

// Invitation is InvitationMail.
func (w Letters) Invitation(i people.Invitation, token string) mail.Message {
	return InvitationMail(w.PublicURL, i, token)
}

// passwordMail is a mail about the recipient's own password.
type passwordMail struct {
	Subject string
	Parts   []passwordPart
}

// passwordPart is its content in one language.
type passwordPart struct {
	Lang               locale.Lang
	Title, Email, What string
	Link, Button       string
	AtName, Unless     string
	At                 time.Time
}

// PasswordReset is the mail with the link of a reset, in the language of the request.
func (w Letters) PasswordReset(r people.PasswordReset, token string, l locale.Lang) mail.Message {
	t := textsIn(l)
	return writePasswordMail(r.Email, t.Reset.MailSubject, passwordPart{
		Lang:   l,
		Title:  t.Reset.NewTitle,
		Email:  r.Email,
		What:   t.Reset.MailOpen,
		Link:   locale.WithLang(strings.TrimSuffix(w.PublicURL, "/")+ResetPath(token), l),
		Button: t.Reset.NewTitle,
		AtName: t.People.Until,
		At:     r.ExpiresAt,
		Unless: t.Reset.MailIgnore,
	})
}

// PasswordChanged is the notice of a changed password, in both languages: the person who
// changed it may have used another language than the owner's.
func (w Letters) PasswordChanged(email string, at time.Time) mail.Message {
	var parts []passwordPart
	var subjects []string
	for _, l := range []locale.Lang{locale.Arabic, locale.English} {
		t := textsIn(l)
		subjects = append(subjects, t.Reset.MailChangedSubject)
		parts = append(parts, passwordPart{
			Lang:   l,
			Title:  t.Reset.MailChanged,
			Email:  email,
			What:   t.Reset.MailEnded,
			Link:   locale.WithLang(strings.TrimSuffix(w.PublicURL, "/")+ForgottenPath, l),
			Button: t.SignIn.ForgottenTitle,
			AtName: t.Reset.MailAt,
			At:     at,
			Unless: t.Reset.MailNotYou,
		})
	}
	return writePasswordMail(email, strings.Join(subjects, " · "), parts...)
}

// writePasswordMail panics if the template does not fit, which a test rules out.
func writePasswordMail(to, subject string, parts ...passwordPart) mail.Message {
	var texts []string
	for _, p := range parts {
		texts = append(texts, strings.Join([]string{
			p.Title + ": " + locale.Isolate(p.Email),
			p.AtName + " " + locale.Date(p.Lang, p.At) + " " + locale.Clock(p.At), "",
			p.What, p.Unless, "", p.Link, "",
		}, "\n"))
	}
	var html strings.Builder
	if err := templates.ExecuteTemplate(&html, "mail-password", passwordMail{subject, parts}); err != nil {
		panic("view: render mail: " + err.Error())
	}
	return mail.Message{To: to, Subject: subject, Text: strings.Join(texts, "\n----\n\n"), HTML: html.String()}
}

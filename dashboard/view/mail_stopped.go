package view

import (
	"strings"

	"daftar/internal/locale"
	"daftar/internal/mail"
	"daftar/webhooks"
)

// stoppedMail is the data of the mail about a stopped endpoint, which is in both languages.
type stoppedMail struct {
	Subject string
	Stop    webhooks.Stop
	Parts   []stoppedPart
}

// stoppedPart is its content in one language.
type stoppedPart struct {
	Lang      locale.Lang
	T         *Texts
	Why, Link string
}

// StoppedMail writes the mail about an endpoint to which webhooks are not sent any more. It does
// not have the URL, which may contain a password. It panics if the template does not fit,
// which a test rules out.
func StoppedMail(publicURL string, s webhooks.Stop, to string) mail.Message {
	m := stoppedMail{Stop: s}
	var subjects, texts []string
	for _, l := range []locale.Lang{locale.Arabic, locale.English} {
		t := textsIn(l)
		part := stoppedPart{
			Lang: l,
			T:    t,
			Why:  t.Applications.Why(webhooks.Endpoint{DisabledAt: &s.At, Gone: s.Gone}),
			Link: locale.WithLang(strings.TrimSuffix(publicURL, "/")+Within(s.Organization, "webhooks"), l),
		}
		m.Parts = append(m.Parts, part)
		subjects = append(subjects, t.Webhooks.MailSubject+" "+s.Name)
		texts = append(texts, strings.Join([]string{
			t.Webhooks.MailStopped + ": " + locale.Isolate(s.Name),
			t.Shell.Organization + ": " + locale.Isolate(s.OrganizationName),
			t.Webhooks.DisabledAt + ": " + locale.Date(l, s.At) + " " + locale.Clock(s.At), "",
			part.Why, t.Webhooks.MailToDo, "", part.Link, "",
			t.Webhooks.MailWhy, "",
		}, "\n"))
	}
	m.Subject = strings.Join(subjects, " · ")
	var html strings.Builder
	if err := templates.ExecuteTemplate(&html, "mail-stopped", m); err != nil {
		panic("view: render mail: " + err.Error())
	}
	return mail.Message{To: to, Subject: m.Subject, Text: strings.Join(texts, "\n----\n\n"), HTML: html.String()}
}

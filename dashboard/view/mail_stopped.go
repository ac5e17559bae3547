package view

import (
	"strings"

	"daftar/internal/mail"
	"daftar/internal/web"
	"daftar/webhooks"
)

// stoppedMail is what the mail about a stopped endpoint shows: the same in both languages.
type stoppedMail struct {
	Subject string
	Stop    webhooks.Stop
	Parts   []stoppedPart
}

// stoppedPart is what it says in one language.
type stoppedPart struct {
	Lang      web.Lang
	T         *Texts
	Why, Link string
}

// StoppedMail writes the mail that says that webhooks are not sent to an endpoint any more. It
// names no address: one may have a password in it. It panics if the template does not fit,
// which a test rules out.
func StoppedMail(publicURL string, s webhooks.Stop, to string) mail.Message {
	m := stoppedMail{Stop: s}
	var subjects, texts []string
	for _, l := range []web.Lang{web.Arabic, web.English} {
		t := textsIn(l)
		part := stoppedPart{
			Lang: l, T: t, Why: t.Applications.Why(webhooks.Endpoint{DisabledAt: &s.At, Gone: s.Gone}),
			Link: web.WithLang(strings.TrimSuffix(publicURL, "/")+Within(s.Organization, "webhooks"), l),
		}
		m.Parts = append(m.Parts, part)
		subjects = append(subjects, t.Webhooks.MailSubject+" "+s.Name)
		texts = append(texts, strings.Join([]string{
			t.Webhooks.MailStopped + ": " + web.Isolate(s.Name), t.Shell.Organization + ": " + web.Isolate(s.OrganizationName),
			t.Webhooks.DisabledAt + ": " + web.Date(l, s.At) + " " + web.Clock(s.At), "",
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

package view

import (
	"strings"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/mail"
	"daftar/notices"
)

var _ notices.Letters = Letters{}

// noticeWords are the content of a mail to a member in one language.
type noticeWords struct {
	Subject, Title      string
	Organization, Since string // Since may be empty
	Parts               []mailPart
	Choose, End         string // addresses
}

// mailPart is a part of a mail. Each of its fields may be empty.
type mailPart struct {
	Title, Amount, Text string
	Rows                []mailRow
	Items               []mailItem
	Rest                string // how much more there is
	Button, Link        string
}

// mailRow is a row of a table. Count may be empty.
type mailRow struct{ Name, Count, Value string }

// mailItem is something that happened. Link may be empty.
type mailItem struct {
	Title, Link string
	Lines       []string
}

// noticeWriter writes a mail to a member in one language.
type noticeWriter struct {
	Letters

	to   notices.Recipient
	lang locale.Lang
	t    *Texts
}

// at is the address of a page of the organisation.
func (w noticeWriter) at(mode domain.Mode, path string) string {
	return w.link(Within(w.to.Organization, mode, path), w.lang)
}

func (w noticeWriter) amount(minor int64, c domain.Currency) string {
	return locale.AmountText(w.lang, domain.Money{Minor: minor, Currency: c})
}

func (w noticeWriter) moment(at time.Time) string {
	return locale.Date(w.lang, at) + locale.Comma(w.lang) + " " + locale.Clock(at)
}

// through is how money came, in words; empty where that is unknown. The name of some methods has that of
// their acquirer.
func (w noticeWriter) through(acquirer, method string) string {
	if acquirer == "" {
		return ""
	}
	name, of := w.t.Acquirers.Name(acquirer), w.t.Payment.MethodName(method)
	switch {
	case of == "":
		return name
	case strings.Contains(of, name):
		return of
	}
	return of + " · " + name
}

// lines are the content as text.
func (w noticeWriter) lines(words noticeWords) []string {
	of := locale.Isolate(words.Organization)
	if words.Since != "" {
		of += " · " + words.Since
	}
	all := []string{words.Title, of, ""}
	add := func(lines ...string) {
		for _, line := range lines {
			if line != "" {
				all = append(all, line)
			}
		}
	}
	for _, p := range words.Parts {
		add(p.Title)
		if p.Amount != "" {
			add(locale.Isolate(p.Amount))
		}
		add(p.Text)
		for _, r := range p.Rows {
			name := r.Name + ": "
			if r.Count != "" {
				name += r.Count + " · "
			}
			add(name + locale.Isolate(r.Value))
		}
		for _, item := range p.Items {
			all = append(append(all, "", item.Title), item.Lines...)
		}
		add(p.Rest)
		if p.Link != "" {
			all = append(all, "", p.Button+":", p.Link)
		}
		all = append(all, "")
	}
	t := w.t.Mails
	return append(all, t.Why, t.ChooseLink+":", words.Choose, t.EndLink+":", words.End, "")
}

// notice writes a mail to a member in both languages. Its subject has the organisation once.
func (w Letters) notice(to notices.Recipient, words func(noticeWriter) noticeWords) mail.Message {
	m := letter{to: to.Email, template: "mail-notices"}
	end := EndMailsPage{Link: notices.Link{Recipient: to}}.Path()
	of := " · " + to.Name
	for _, l := range bothLanguages {
		in := noticeWriter{w, to, l, textsIn(l)}
		d := words(in)
		d.Organization, d.Choose, d.End = to.Name, in.at(domain.ModeLive, "mails"), w.link(end, l)
		m.add(letterPart{l, in.t, "", d}, in.t.Mails.Sender+": "+d.Subject+of, in.lines(d)...)
		of = ""
	}
	message := m.message()
	message.Unsubscribe = strings.TrimSuffix(w.PublicURL, "/") + end
	return message
}

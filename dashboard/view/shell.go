package view

import (
	"daftar/accounts/people"
)

// Organizations lets a user choose one of their organisations.
type Organizations struct{ Memberships []people.Membership }

func (Organizations) head(t *Texts) (template, title string) { return "organizations", t.Shell.Choose }

// Message is a page of one sentence.
type Message struct {
	What  refusal
	Retry string // an address to try again; empty: none
}

// refusal is the title and the sentence of a page that cannot be shown.
type refusal func(t *shellTexts) (title, sentence string)

// The refusals that have a page.
var (
	NotFound    refusal = func(t *shellTexts) (title, sentence string) { return t.NotFoundTitle, t.NotFound }
	Forbidden   refusal = func(t *shellTexts) (title, sentence string) { return t.ForbiddenTitle, t.Forbidden }
	Unavailable refusal = func(t *shellTexts) (title, sentence string) {
		return t.UnavailableTitle, t.Unavailable
	}
	CrossSite refusal = func(t *shellTexts) (title, sentence string) { return t.CrossSiteTitle, t.CrossSite }

	TooManyExports refusal = func(t *shellTexts) (title, sentence string) { return t.ExportsTitle, t.Exports }
)

// SlowUpload is the error of a file that arrived too slowly.
func SlowUpload(field string) FormErrors {
	return FormError(field, func(t *Texts) string { return t.Shell.SlowUpload })
}

// BusyUploads is the error of a file for which no slot was free.
func BusyUploads(field string) FormErrors {
	return FormError(field, func(t *Texts) string { return t.Shell.BusyUploads })
}

// BusyServer is the error of a file that waited too long for others to be processed.
func BusyServer(field string) FormErrors {
	return FormError(field, func(t *Texts) string { return t.Shell.BusyServer })
}

func (m Message) head(t *Texts) (template, title string) {
	title, _ = m.What(&t.Shell)
	return "message", title
}

// Sentence is the text of the page.
func (m Message) Sentence(t *Texts) string { _, sentence := m.What(&t.Shell); return sentence }

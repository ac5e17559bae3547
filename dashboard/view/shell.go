package view

import "daftar/accounts"

// Organizations lets a user choose one of their organisations.
type Organizations struct{ Memberships []accounts.Membership }

func (Organizations) template() string { return "organizations" }

func (Organizations) title(t *Texts) string { return t.Shell.Choose }

// Message is a page of one sentence.
type Message struct {
	What  refusal
	Retry string // an address to try again; empty: none
}

// refusal is why there is nothing to see.
type refusal uint8

// The refusals that have a page.
const (
	NotFound refusal = iota
	Forbidden
	Unavailable
	CrossSite
)

func (Message) template() string { return "message" }

func (m Message) title(t *Texts) string { title, _ := m.texts(&t.Shell); return title }

// Sentence is what the page says.
func (m Message) Sentence(t *Texts) string { _, sentence := m.texts(&t.Shell); return sentence }

func (m Message) texts(t *shellTexts) (title, sentence string) {
	switch m.What {
	case NotFound:
		return t.NotFoundTitle, t.NotFound
	case Forbidden:
		return t.ForbiddenTitle, t.Forbidden
	case Unavailable:
		return t.UnavailableTitle, t.Unavailable
	case CrossSite:
		return t.CrossSiteTitle, t.CrossSite
	}
	panic("view: unknown refusal")
}

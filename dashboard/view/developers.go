package view

import "daftar/accounts"

// DevelopersPage has the checklist towards the first payment, and code to start with.
type DevelopersPage struct {
	BaseURL      string
	Steps        []Step
	Applications []accounts.Credentials
	At           *accounts.Credentials // the one that the code is for; nil: there is none yet
	Languages    []snippetLanguage
	Language     snippetLanguage
	Code         snippets
}

func (DevelopersPage) head(t *Texts) (template, title string) {
	return "developers", t.Sections.Developers
}

// Done is how many steps are done.
func (p DevelopersPage) Done() int {
	done := 0
	for _, s := range p.Steps {
		if s.Done {
			done++
		}
	}
	return done
}

// stepName is a step towards the first payment.
type stepName uint8

// The steps, in their order.
const (
	StepApplication stepName = iota
	StepToken
	StepIntent
	StepPaid
	StepURL
	StepDelivered
)

// Step is an entry of the checklist. It is done when the data say so; readers cannot
// tick it.
type Step struct {
	Name stepName
	Done bool
	Path string // where it is done, below the organisation; empty: not in the dashboard
}

// codePiece is a block of code as the template "snippet" shows it.
type codePiece struct{ ID, Label, Text, Copy, Copied string }

// Piece is a block of code; id names it on the page.
func (r rendering) Piece(id, label, text string) codePiece {
	t := r.T.Developers
	return codePiece{ID: id, Label: label, Text: text, Copy: t.Copy, Copied: t.Copied}
}

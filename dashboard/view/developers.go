package view

import "daftar/accounts"

// DevelopersPage has the checklist for the first payment, and code to start with.
type DevelopersPage struct {
	BaseURL      string
	Steps        Steps
	Applications []accounts.Credentials
	At           *accounts.Credentials // the application that the code is for; nil: there is none yet
	Languages    []snippetLanguage
	Language     snippetLanguage
	Code         snippets
}

func (DevelopersPage) head(t *Texts) (template, title string) {
	return "developers", t.Sections[SectionDevelopers]
}

// piece is the data of a template of an element, and of a button for it.
type piece struct{ ID, Label, Text string }

// Piece is the page with an element: its id on the page, a label, and the text in it, if the template
// writes that.
func (r rendering) Piece(id, label, text string) partRendering { return r.With(piece{id, label, text}) }

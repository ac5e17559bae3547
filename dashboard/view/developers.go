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

// codePiece is the data of the template "snippet".
type codePiece struct{ ID, Label, Text, Copy, Copied string }

// Piece is a block of code; id names it on the page.
func (r rendering) Piece(id, label, text string) codePiece {
	t := r.T.Developers
	return codePiece{ID: id, Label: label, Text: text, Copy: t.Copy, Copied: t.Copied}
}

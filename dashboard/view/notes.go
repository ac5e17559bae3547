package view

import (
	"errors"

	"daftar/internal/locale"
	"daftar/payments/decisions"
)

func noteNoticesIn(say locale.Say) map[string]string {
	return map[string]string{
		"noted": say("حُفظت الملاحظة.", "The note was kept."),
	}
}

// NotesPart is the part of a payment's page with the members' notes.
type NotesPart struct {
	Notes  []decisions.Note
	Number string // of the form: a note is written once, however often it is sent
	Text   string // as it was typed, if it has to be corrected
}

// Full reports whether the payment has as many notes as allowed.
func (p NotesPart) Full() bool { return len(p.Notes) >= decisions.MaxNotes }

// Corrections are the form's errors for an error of decisions.AddNote; none: the user cannot correct it.
func (p NotesPart) Corrections(err error) FormErrors {
	switch {
	case errors.Is(err, decisions.ErrNote) && len([]rune(p.Text)) > decisions.MaxNote:
		return FormError("note", func(t *Texts) string { return t.Notes.Long })
	case errors.Is(err, decisions.ErrNote):
		return FormError("note", func(t *Texts) string { return t.Notes.Missing })
	case errors.Is(err, decisions.ErrManyNotes):
		return FormError("notes", func(t *Texts) string { return t.Notes.Full })
	}
	return nil
}

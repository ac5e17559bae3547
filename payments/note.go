package payments

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/plaintext"
	"daftar/ledger"
)

// maxNote bounds a note, in code points.
const maxNote = 500

// NoteError says what is wrong with an operator's note.
type NoteError struct{ problem string }

func (e NoteError) Error() string { return "note: " + e.problem }

// Evidence is who found out what became of money whose outcome was unknown, and how they know.
type Evidence struct {
	Actor      string // as the ledger has it
	ProposedBy string // whose word the actor confirmed; empty: nobody's
	Note       string
	Reference  string // the acquirer's own number; empty: none is known
	Statement  string // the line of a statement that shows it; empty: none
}

// Origin is that of the event in which the ledger records it.
func (e Evidence) Origin(of domain.AttemptID) ledger.Origin {
	return ledger.Origin{
		Actor: e.Actor, ProposedBy: e.ProposedBy, Note: e.Note, Statement: e.Statement, Correlation: string(of),
	}
}

// CheckNote refuses a note that an auditor could not read, and masks the phone
// numbers in it, because the event log keeps it for ever.
func CheckNote(note string) (string, error) {
	length := utf8.RuneCountInString(note)
	switch {
	case strings.TrimSpace(note) == "":
		return "", NoteError{"it is empty; say why, or how it was found out"}
	case !plaintext.OneLine(note):
		return "", NoteError{"it has control characters or is not UTF-8; write one line"}
	case length > maxNote:
		return "", NoteError{fmt.Sprintf("it has %d characters, at most %d are kept", length, maxNote)}
	}
	return maskPhones(note), nil
}

// phoneLike finds Libyan mobile numbers, also with spaces, dashes or brackets in them. It does
// not allow points or slashes, which dates and amounts have. It also matches a part of a longer
// number, which maskPhones skips.
var phoneLike = regexp.MustCompile(`(?:(?:\+|00)?218[ ()-]{0,2}0?\)?|0)?9[ -]?[1-6](?:[ ()-]{0,2}[0-9]){7}`)

// maskPhones searches a copy with Latin digits, rune for rune, and masks the original.
func maskPhones(s string) string {
	var masked strings.Builder
	original, latin := []rune(s), strings.Map(plaintext.LatinDigit, s)
	end := 0
	for _, found := range phoneLike.FindAllStringIndex(latin, -1) {
		before, _ := utf8.DecodeLastRuneInString(latin[:found[0]])
		next, _ := utf8.DecodeRuneInString(latin[found[1]:])
		if unicode.IsDigit(before) || unicode.IsDigit(next) {
			continue
		}
		begin := utf8.RuneCountInString(latin[:found[0]])
		masked.WriteString(string(original[end:begin]))
		masked.WriteString(locale.MaskPhone(latin[found[0]:found[1]]))
		end = utf8.RuneCountInString(latin[:found[1]])
	}
	masked.WriteString(string(original[end:]))
	return masked.String()
}

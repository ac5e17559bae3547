package locale

import (
	"html/template"
	"unicode"
)

// ScriptLanguage is the language that a text is in, as far as its letters tell: a screen reader
// speaks it with that voice. Empty where it has no letters of ours.
func ScriptLanguage(text string) string {
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r):
			return Arabic.String()
		case unicode.Is(unicode.Latin, r):
			return English.String()
		}
	}
	return ""
}

// MerchantTextHTML is a merchant's text in an isolate of its own, in its language.
func MerchantTextHTML(text string) template.HTML {
	attribute := ""
	if l := ScriptLanguage(text); l != "" {
		attribute = ` lang="` + l + `"`
	}
	return template.HTML("<bdi" + attribute + ">" + template.HTMLEscapeString(text) + "</bdi>") //nolint:gosec // the text is escaped
}

// MaskedHTML is a masked telephone number to look at; who hears the page hears what is said
// in its place. Nothing said: the number itself.
func MaskedHTML(number, said string) template.HTML {
	hidden, heard := "", ""
	if said != "" {
		hidden, heard = ` aria-hidden="true"`, `<span class="unseen"> `+template.HTMLEscapeString(said)+`</span>`
	}
	return template.HTML(`<bdi dir="ltr"` + hidden + ">" + template.HTMLEscapeString(number) + "</bdi>" + heard) //nolint:gosec // both are escaped
}

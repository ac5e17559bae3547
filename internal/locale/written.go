package locale

import (
	"html/template"
	"unicode"
)

// ScriptLanguage is the language of a text by its letters: a screen reader uses the voice of
// that language. It is empty where the text has neither Arabic nor Latin letters.
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

// MerchantTextHTML is a merchant's text in its own isolate, with its language.
func MerchantTextHTML(text string) template.HTML {
	attribute := ""
	if l := ScriptLanguage(text); l != "" {
		attribute = ` lang="` + l + `"`
	}
	markup := "<bdi" + attribute + ">" + template.HTMLEscapeString(text) + "</bdi>"
	return template.HTML(markup) //nolint:gosec // the text is escaped
}

// MaskedHTML is a masked telephone number. A screen reader says the text said in its place;
// if that is empty, it reads the number itself.
func MaskedHTML(number, said string) template.HTML {
	hidden, heard := "", ""
	if said != "" {
		hidden, heard = ` aria-hidden="true"`, `<span class="unseen"> `+template.HTMLEscapeString(said)+`</span>`
	}
	markup := `<bdi dir="ltr"` + hidden + ">" + template.HTMLEscapeString(number) + "</bdi>" + heard
	return template.HTML(markup) //nolint:gosec // both are escaped
}

package locale

import (
	"net/http"
	"net/url"
	"strings"
)

// Lang is a language that pages are written in. The zero value is Arabic, the
// default of the specification.
type Lang uint8

// The languages of every page.
const (
	Arabic Lang = iota
	English
)

// LangFrom is the language that a request asks for: Arabic unless its query has lang=en, or
// English in another spelling that is found in links: EN, en-US, en_GB, en/.
func LangFrom(r *http.Request) Lang {
	asked := strings.TrimSpace(r.URL.Query().Get("lang"))
	if len(asked) >= 2 && strings.EqualFold(asked[:2], "en") {
		return English
	}
	return Arabic
}

// String is the language tag for the lang attribute.
func (l Lang) String() string { return l.Say("ar", "en") }

// Dir is the value of the dir attribute.
func (l Lang) Dir() string { return l.Say("rtl", "ltr") }

// Locale is the language in the form of Open Graph.
func (l Lang) Locale() string { return l.Say("ar_LY", "en_GB") }

// Other is the language that the switch on a page leads to.
func (l Lang) Other() Lang {
	if l == Arabic {
		return English
	}
	return Arabic
}

// Name is the language's name for itself.
func (l Lang) Name() string { return l.Say("العربية", "English") }

// WithLang returns the address with the query parameter that asks for the
// language: lang=en, or none for Arabic. Other parameters stay. An address that
// cannot be read becomes the root, and one that begins with several slashes is
// reduced to one, because a browser would take //name for another host.
func WithLang(address string, l Lang) string {
	if strings.HasPrefix(address, "/") {
		address = "/" + strings.TrimLeft(address, `/\`)
	}
	u, err := url.Parse(address)
	if err != nil {
		return "/"
	}
	query := u.Query()
	query.Del("lang")
	if l == English {
		query.Set("lang", "en")
	}
	u.RawQuery = query.Encode()
	return u.String()
}

// Say returns one of the two forms of a text; it is Lang.Say of one language.
type Say func(arabic, english string) string

// Say returns the form of a text that is in the language.
func (l Lang) Say(arabic, english string) string {
	switch l {
	case Arabic:
		return arabic
	case English:
		return english
	}
	panic("locale: unknown language")
}

// Text is one text in both languages, for values that are made before the language is known.
type Text struct{ Arabic, English string }

// In is the text in that language.
func (t Text) In(l Lang) string { return l.Say(t.Arabic, t.English) }

// Using is the text in the language of say.
func (t Text) Using(say Say) string { return say(t.Arabic, t.English) }

// Catalogue calls textsIn for both languages, and returns the texts by language. They are made once
// and shared, so callers must not change them.
func Catalogue[T any](textsIn func(Say) T) func(Lang) *T {
	texts := [...]T{Arabic: textsIn(Arabic.Say), English: textsIn(English.Say)}
	return func(l Lang) *T { return &texts[l] }
}

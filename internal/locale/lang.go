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

// LangFrom is the language a request asks for: Arabic unless its query says lang=en, or
// English in another spelling that links get on their way: EN, en-US, en_GB, en/.
func LangFrom(r *http.Request) Lang {
	if asked := strings.TrimSpace(r.URL.Query().Get("lang")); len(asked) >= 2 && strings.EqualFold(asked[:2], "en") {
		return English
	}
	return Arabic
}

// String is the language tag for the lang attribute.
func (l Lang) String() string { return pick(l, "ar", "en") }

// Dir is the value of the dir attribute.
func (l Lang) Dir() string { return pick(l, "rtl", "ltr") }

// Locale is the language as Open Graph has it.
func (l Lang) Locale() string { return pick(l, "ar_LY", "en_GB") }

// Other is the language that the switch on a page leads to.
func (l Lang) Other() Lang {
	if l == Arabic {
		return English
	}
	return Arabic
}

// Name is the language's name for itself.
func (l Lang) Name() string { return pick(l, "العربية", "English") }

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

// pick chooses between the two forms of a text.
func pick(l Lang, arabic, english string) string {
	switch l {
	case Arabic:
		return arabic
	case English:
		return english
	}
	panic("web: unknown language")
}

// Text is one text in both languages.
type Text struct{ Arabic, English string }

// In is the text in that language.
func (t Text) In(l Lang) string { return pick(l, t.Arabic, t.English) }

package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"strings"
)

// lookPlace stands in the style sheet where a merchant's own rules belong: after our colours,
// and before what paper and the reader's own settings change of them.
const lookPlace = "/* a merchant's look */"

// Look is what a merchant's pages have of their own. It goes into the one style sheet that
// they load: then it costs no request, and the next page has it already.
type Look struct {
	Accent string // a colour; empty: ours
	// Logo is a picture on its own ground, LogoWidth pixels of a page wide; nil: none.
	Logo      []byte
	LogoWidth int
}

// LookVersion changes with what Sheet makes of a look: of its colour, its logo and our style
// sheet. logo is the logo's sum; empty: none.
func LookVersion(accent, logo string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", stylesheet.sum, accent, logo))
	return hex.EncodeToString(sum[:8])
}

// Sheet is the style sheet with the look. A colour that is none is left out.
func (l Look) Sheet() File {
	return NewFile(stylesheet.contentType, bytes.Replace(stylesheet.plain, []byte(lookPlace), []byte(l.rules()), 1))
}

func (l Look) rules() string {
	var b strings.Builder
	if accent, is := ParseColour(l.Accent); is {
		fmt.Fprintf(&b, ":root { %s }\n", LightScheme.Shades(accent).properties())
		fmt.Fprintf(&b, "@media (prefers-color-scheme: dark) {\n  :root { %s }\n}\n", DarkScheme.Shades(accent).properties())
	}
	if l.Logo != nil {
		fmt.Fprintf(&b, ".logo { inline-size: %dpx; background-image: url(\"%s\") }\n", l.LogoWidth, DataURL(l.Logo))
	}
	return b.String()
}

// DataURL is a picture of ours within an address.
func DataURL(picture []byte) template.URL {
	return template.URL("data:" + http.DetectContentType(picture) + ";base64," + base64.StdEncoding.EncodeToString(picture)) //nolint:gosec // letters, digits and +/=
}

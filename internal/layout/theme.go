package layout

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"regexp"
	"strings"
)

// logoPlaceholder is the text in the style sheet that a merchant's logo replaces.
const logoPlaceholder = "/* the merchant's logo */"

// Theme is what differs between the pages of merchants. It is part of the one style sheet
// that they load: so it needs no other request, and the next page finds it in the cache.
type Theme struct {
	Accent string // a colour; empty: ours
	// Logo is a picture on its own ground, LogoWidth pixels of a page wide; nil: none.
	Logo      []byte
	LogoWidth int
}

// ThemeVersion changes when the result of Sheet does: with the colour, the logo or our style
// sheet. logo is the logo's sum; empty: none.
func ThemeVersion(accent, logo string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", stylesheet.sum, accent, logo))
	return hex.EncodeToString(sum[:8])
}

// Sheet is the style sheet with the theme. An invalid colour is left out.
func (l Theme) Sheet() File {
	sheet, logo := stylesheet.Text(), ""
	if accent, is := ParseColour(l.Accent); is {
		sheet = withAccent(sheet, LightScheme.Shades(accent), DarkScheme.Shades(accent))
	}
	if l.Logo != nil {
		logo = fmt.Sprintf("inline-size: %dpx; aspect-ratio: %d / %d; background-image: url(%q);",
			l.LogoWidth, l.LogoWidth, LogoHeight, DataURL(l.Logo))
	}
	return NewFile(stylesheet.contentType, []byte(strings.Replace(sheet, logoPlaceholder, logo, 1)))
}

// LogoHeight is the height of a logo on a page, in pixels.
const LogoHeight = 40

// withAccent replaces the shades of the two schemes. The overrides for print and for the
// reader's settings stay.
func withAccent(sheet string, schemes ...Shades) string {
	seen := make(map[string]int)
	return accented.ReplaceAllStringFunc(sheet, func(property string) string {
		name := accented.FindStringSubmatch(property)[1]
		seen[name]++
		if n := seen[name] - 1; n < len(schemes) {
			return "--" + name + ": " + schemes[n].named(name).String() + ";"
		}
		return property
	})
}

var accented = regexp.MustCompile(`--(accent|accent-ink|press|link|tint): #[0-9a-f]{6};`)

// DataURL is a data: URL with a picture that this service has drawn.
func DataURL(picture []byte) template.URL {
	address := "data:" + http.DetectContentType(picture) + ";base64," +
		base64.StdEncoding.EncodeToString(picture)
	return template.URL(address) //nolint:gosec // letters, digits and +/=
}

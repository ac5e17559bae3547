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

// logoPlace stands in the style sheet where a merchant's logo belongs.
const logoPlace = "/* the merchant's logo */"

// Theme is what a merchant's pages have of their own. It goes into the one style sheet that
// they load: then it costs no request, and the next page has it already.
type Theme struct {
	Accent string // a colour; empty: ours
	// Logo is a picture on its own ground, LogoWidth pixels of a page wide; nil: none.
	Logo      []byte
	LogoWidth int
}

// ThemeVersion changes with what Sheet makes of a theme: of its colour, its logo and our style
// sheet. logo is the logo's sum; empty: none.
func ThemeVersion(accent, logo string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", stylesheet.sum, accent, logo))
	return hex.EncodeToString(sum[:8])
}

// Sheet is the style sheet with the theme. A colour that is none is left out.
func (l Theme) Sheet() File {
	sheet, logo := stylesheet.Text(), ""
	if accent, is := ParseColour(l.Accent); is {
		sheet = withAccent(sheet, LightScheme.Shades(accent), DarkScheme.Shades(accent))
	}
	if l.Logo != nil {
		logo = fmt.Sprintf("inline-size: %dpx; aspect-ratio: %d / %d; background-image: url(%q);", l.LogoWidth,
			l.LogoWidth, LogoHeight, DataURL(l.Logo))
	}
	return NewFile(stylesheet.contentType, []byte(strings.Replace(sheet, logoPlace, logo, 1)))
}

// LogoHeight is the height of a logo on a page, in pixels.
const LogoHeight = 40

// withAccent puts shades in the place of ours, where the two schemes have them. What paper and
// the reader's own settings change of them stays.
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

// DataURL is a picture of ours within an address.
func DataURL(picture []byte) template.URL {
	return template.URL("data:" + http.DetectContentType(picture) + ";base64," + base64.StdEncoding.EncodeToString(picture)) //nolint:gosec // letters, digits and +/=
}

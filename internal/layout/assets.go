package layout

import (
	"bytes"
	_ "embed"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// AssetPrefix begins the address of every version of the style sheet, of the script and of
// the font. Mount AssetHandler on it.
const AssetPrefix = "/static/daftar."

// asset is a file that pages load. Its address changes with the content, so that
// browsers may keep it for ever.
type asset struct {
	File

	path, extension string
}

//go:embed daftar.css
var stylesheetSource []byte

//go:embed daftar.js
var scriptSource []byte

//go:embed passkeys.js
var passkeyScriptSource []byte

//go:embed till.js
var tillScriptSource []byte

// fontSource has the Arabic letters of Noto Sans Arabic, from light to bold in one file; see
// font/README.md.
//
//go:embed font/daftar-arabic.woff2
var fontSource []byte

// Comments at the beginning of lines, empty lines and indents of the style sheet are for its
// authors: browsers do not load them.
var forAuthors = regexp.MustCompile(`(?sm)^ */\*.*?\*/\n?|^ +|^\n`)

// fontPlaceholder is the text in the style sheet that the font's address replaces.
const fontPlaceholder = "font/daftar-arabic.woff2"

// dashboardMark is the line of the style sheet from which on it is for members and readers of the
// documentation: the browsers of customers, who come once and from a phone, load what is before it.
const dashboardMark = "/* the dashboard: "

var (
	font = newAsset(fontSource, ".woff2", "font/woff2")
	// dashboardStylesheet is before stylesheet in assets, because its extension is the longer one.
	dashboardStylesheet = newStylesheet(stylesheetSource, ".dashboard.css")
	stylesheet          = newStylesheet(forCustomers(stylesheetSource), ".css")

	script = newAsset(scriptSource, ".js", "text/javascript; charset=utf-8")
	// These are before script in assets, because their extensions are the longer ones.
	passkeyScript = newAsset(passkeyScriptSource, ".passkeys.js", "text/javascript; charset=utf-8")
	tillScript    = newAsset(tillScriptSource, ".till.js", "text/javascript; charset=utf-8")
	assets        = []asset{dashboardStylesheet, stylesheet, passkeyScript, tillScript, script, font}
)

// The addresses of this version's files.
var (
	StylesheetPath = stylesheet.path
	// DashboardStylesheetPath is of the style sheet that has the rules of the dashboard, too.
	DashboardStylesheetPath = dashboardStylesheet.path
	ScriptPath              = script.path
	FontPath                = font.path
	// PasskeyScriptPath is of the second script of pages with passkeys.
	PasskeyScriptPath = passkeyScript.path
	// TillScriptPath is of the second script of the till.
	TillScriptPath = tillScript.path
)

func newAsset(content []byte, extension, contentType string) asset {
	f := NewFile(contentType, content)
	return asset{File: f, path: AssetPrefix + f.sum + extension, extension: extension}
}

// newStylesheet is a style sheet as browsers load it.
func newStylesheet(source []byte, extension string) asset {
	text := bytes.Replace(forAuthors.ReplaceAll(source, nil), []byte(fontPlaceholder), []byte(font.path), 1)
	return newAsset(text, extension, "text/css; charset=utf-8")
}

// forCustomers is the part of the style sheet for customers.
func forCustomers(source []byte) []byte {
	part, _, found := bytes.Cut(source, []byte(dashboardMark))
	if !found {
		panic("layout: the style sheet has no line " + dashboardMark)
	}
	return part
}

// Stylesheet is the text of the style sheet that customers load.
func Stylesheet() string { return stylesheet.Text() }

// DashboardStylesheet is the text of the whole style sheet.
func DashboardStylesheet() string { return dashboardStylesheet.Text() }

// Font is the font of the pages' Arabic.
func Font() []byte { return font.plain }

// Script is the text of the script.
func Script() string { return script.Text() }

// PasskeyScript is the text of the script for passkeys.
func PasskeyScript() string { return passkeyScript.Text() }

// TillScript is the text of the script of the till.
func TillScript() string { return tillScript.Text() }

// AssetHandler serves the style sheet, the script and the font to GET and HEAD. Under the
// address of this version a file may be cached for a year. Under the address of another
// version it is served too, but not to be cached: while servers are replaced one by one,
// a page of a new server may ask an old server for its style sheet, and a customer should
// not pay on a page without style.
func AssetHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := slices.IndexFunc(assets, func(a asset) bool {
			return strings.HasPrefix(r.URL.Path, AssetPrefix) && strings.HasSuffix(r.URL.Path, a.extension)
		})
		if n < 0 {
			http.NotFound(w, r)
			return
		}
		a := assets[n]
		a.ServeVersion(r.URL.Path == a.path, w, r)
	})
}

// ServeVersion answers with a file whose address names its version. If current is true, the
// answer may be cached for a year.
func (f File) ServeVersion(current bool, w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	if current {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	f.ServeAs(http.StatusOK, w, r)
}

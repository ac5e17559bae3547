package frontdoor

import (
	"bytes"
	"embed"

	"daftar/domain"
	"daftar/internal/layout"
	"daftar/internal/locale"
)

//go:embed templates/*.html
var templateFiles embed.FS

var templates = layout.NewTemplates(templateFiles, "templates/*.html")

//go:embed front.css
var ownSheet []byte

// sheet is the style sheet of all pages, and after it what only this page needs.
var sheet = layout.NewFile("text/css; charset=utf-8", append([]byte(layout.Stylesheet()), ownSheet...))

// The paths of the package.
const (
	Path      = "/"
	DemoPath  = "/demo"
	SheetPath = "/front.css"
)

// Stylesheet is the text of the style sheet.
func Stylesheet() string { return sheet.Text() }

// Trouble is why a demonstration was not made.
type Trouble uint8

// The troubles.
const (
	NoTrouble Trouble = iota
	Limited           // too many were made
	Failed            // the application or the database does not allow one now
)

// Page is the front door as a reader sees it.
type Page struct {
	Lang    locale.Lang
	Demo    bool // there is a demonstration
	SignUp  bool // people may open an organisation for tests
	Trouble Trouble
}

// DemoAmount is what the demonstration asks for.
var DemoAmount = domain.Money{Minor: 5_000, Currency: domain.LYD}

// exampleAmount is that of the receipt in the picture.
var exampleAmount = domain.Money{Minor: 45_000, Currency: domain.LYD}

// rendering is what the template sees.
type rendering struct {
	layout.Frame
	Page

	T               *texts
	Amount, Example domain.Money
	Notice          string
	Docs, Enter     string // addresses
	DemoAt, OpenAt  string
}

// Lang is that of both embedded structs.
func (r rendering) Lang() locale.Lang { return r.Page.Lang }

// Render is the page's HTML.
func (p Page) Render() []byte {
	t := textsIn(p.Lang)
	r := rendering{
		Frame: layout.Frame{
			Lang: p.Lang, Title: t.Title, Description: t.Lead, Address: Path, Sheet: SheetPath,
			OpenGraph: &layout.OpenGraph{Title: t.Title, Description: t.Lead},
		},
		Page: p, T: t, Amount: DemoAmount, Example: exampleAmount, Notice: p.Trouble.words(t),
		Docs: locale.WithLang("/docs", p.Lang), Enter: locale.WithLang("/dashboard", p.Lang),
		DemoAt: locale.WithLang(DemoPath, p.Lang), OpenAt: locale.WithLang("/dashboard/sign-up", p.Lang),
	}
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, "front", r); err != nil {
		panic("frontdoor: render: " + err.Error())
	}
	return out.Bytes()
}

func (w Trouble) words(t *texts) string {
	switch w {
	case NoTrouble:
	case Limited:
		return t.Limited
	case Failed:
		return t.Failed
	}
	return ""
}

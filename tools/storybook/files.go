package storybook

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"daftar/frontdoor"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/payments/acquirer/sandbox/bank"
	"daftar/tools/storybook/checkoutstories"
)

// Scheme is a colour scheme.
type Scheme string

// The schemes of every page.
const (
	Light Scheme = "light"
	Dark  Scheme = "dark"
)

// Schemes are both, and Languages both languages.
var (
	Schemes   = []Scheme{Light, Dark}
	Languages = []locale.Lang{locale.Arabic, locale.English}
)

// Path is the path of the page's file.
func Path(scheme Scheme, g Group, p Page, l locale.Lang) string {
	return string(scheme) + "/" + g.Folder + "/" + p.Name + "." + l.String() + ".html"
}

// IndexPath is the path of the list of all pages. The one in Arabic and the light scheme is
// index.html.
func IndexPath(scheme Scheme, l locale.Lang) string {
	name := "index"
	if l == locale.English {
		name += ".en"
	}
	if scheme == Dark {
		name += ".dark"
	}
	return name + ".html"
}

// Files returns all files of the storybook by their paths. They refer to each other by
// relative paths, so that they can be opened from a folder.
func Files() (map[string][]byte, error) {
	files := map[string][]byte{"storybook.css": looks}
	picture, err := layout.QRPicture(checkoutstories.CodeText)
	if err != nil {
		return nil, err
	}
	groups := Groups()
	for _, l := range Languages {
		for _, g := range groups {
			for _, p := range g.Pages {
				page, err := p.file(l)
				if err != nil {
					return nil, err
				}
				for _, scheme := range Schemes {
					files[Path(scheme, g, p, l)] = []byte(inScheme(page, scheme))
				}
			}
		}
	}
	for _, scheme := range Schemes {
		sheet := func(text string) []byte {
			return []byte(inScheme(strings.Replace(text, layout.FontPath, "daftar.woff2", 1), scheme))
		}
		files[string(scheme)+"/daftar.css"] = sheet(layout.Stylesheet())
		files[string(scheme)+"/dashboard.css"] = sheet(layout.DashboardStylesheet())
		for name, theme := range checkoutstories.Themes() {
			files[string(scheme)+"/shop-"+name+".css"] = sheet(theme.Sheet().Text())
		}
		for n := 0; n < len(documentationParts); n += 2 {
			address, name := strings.Trim(documentationParts[n], `"`), strings.Trim(documentationParts[n+1], `"./`)
			files[string(scheme)+"/"+name] = sheet(string(answered(address)))
		}
		files[string(scheme)+"/daftar.woff2"] = layout.Font()
		files[string(scheme)+"/front.css"] = sheet(frontdoor.Stylesheet())
		files[string(scheme)+"/bank.css"] = []byte(inScheme(bank.Stylesheet(), scheme))
		files[string(scheme)+"/daftar.js"] = []byte(layout.Script())
		files[string(scheme)+"/passkeys.js"] = []byte(layout.PasskeyScript())
		files[string(scheme)+"/till.js"] = []byte(layout.TillScript())
		files[string(scheme)+"/form.js"], files[string(scheme)+"/qr.png"] = form, picture
		for _, l := range Languages {
			receipt, err := receiptPicture(l)
			if err != nil {
				return nil, err
			}
			files[string(scheme)+"/receipt."+l.String()+".png"] = receipt
			index, err := newIndex(scheme, l, groups).render()
			if err != nil {
				return nil, err
			}
			files[IndexPath(scheme, l)] = index
		}
	}
	return files, nil
}

// receiptPicture is the picture to which all receipts lead: that of the first.
func receiptPicture(l locale.Lang) ([]byte, error) {
	s, _ := checkoutstories.Named("receipt")
	return s.Page(l).Picture()
}

// file renders the page and replaces its addresses by those of files, for both schemes.
func (p Page) file(l locale.Lang) (string, error) {
	self := p.Name + ".html"
	page, err := p.render(l, self)
	if err != nil {
		return "", fmt.Errorf("page %s: %w", p.Name, err)
	}
	arabic, english := p.Name+".ar.html", p.Name+".en.html"
	looks := make([]string, 0, 2*len(checkoutstories.Themes()))
	for name := range checkoutstories.Themes() {
		looks = append(looks, checkoutstories.ThemePath(name), "../shop-"+name+".css")
	}
	page = []byte(strings.NewReplacer(looks...).Replace(string(page)))
	addresses := strings.NewReplacer(append(documentationParts,
		layout.StylesheetPath, "../daftar.css",
		layout.DashboardStylesheetPath, "../dashboard.css",
		layout.ScriptPath, "../daftar.js",
		layout.PasskeyScriptPath, "../passkeys.js",
		layout.TillScriptPath, "../till.js",
		checkoutstories.FormScript, "../form.js",
		checkoutstories.PictureAddress, "../qr.png",
		checkoutstories.ReceiptPicture+"?lang=en", "../receipt.en.png",
		checkoutstories.ReceiptPicture, "../receipt.ar.png",
		`"/bank.css"`, `"../bank.css"`,
		self+"?lang=en", english+"?",
		self, arabic,
		`"?lang=en"`, `"`+english+`"`,
		`"?lang=ar"`, `"`+arabic+`"`,
	)...)
	text := addresses.Replace(refresh.ReplaceAllString(string(page), ""))
	return withinDashboard(text, l), nil
}

// refresh matches the element that makes a page load the next one. Pages of the storybook do
// not have it.
var refresh = regexp.MustCompile(`(<noscript>)?<meta http-equiv="refresh"[^>]*>(</noscript>)?\n`)

// inScheme fixes a style sheet or a page to one scheme.
func inScheme(text string, scheme Scheme) string {
	dark := "not all"
	if scheme == Dark {
		dark = "all"
	}
	return strings.NewReplacer(
		"@media (prefers-color-scheme: dark)", "@media "+dark,
		"color-scheme: light dark", "color-scheme: "+string(scheme),
		`name="color-scheme" content="light dark"`, `name="color-scheme" content="`+string(scheme)+`"`,
	).Replace(text)
}

//go:embed index.html
var indexFiles embed.FS

//go:embed storybook.css
var looks []byte

// form replaces the script with which an acquirer draws its form on our page.
//
//go:embed form.js
var form []byte

var indexTemplate = template.Must(template.ParseFS(indexFiles, "index.html"))

// index is what index.html shows.
type index struct {
	Lang   locale.Lang
	Scheme Scheme
	Groups []Group
}

func newIndex(scheme Scheme, l locale.Lang, groups []Group) index {
	return index{Lang: l, Scheme: scheme, Groups: groups}
}

func (i index) render() ([]byte, error) {
	var out bytes.Buffer
	if err := indexTemplate.Execute(&out, i); err != nil {
		return nil, fmt.Errorf("render index of pages: %w", err)
	}
	return out.Bytes(), nil
}

// Title is the title of the list.
func (i index) Title() string {
	return i.Lang.Say("صفحات دفتر", "The pages of Daftar")
}

// Intro is the paragraph above the list.
func (i index) Intro() string {
	return i.Lang.Say("كل صفحة يراها الناس، بالعربية والإنجليزية، من غير قاعدة بيانات. "+
		"افتح أي صفحة لتراها كاملة.",
		"Every page that people see, in Arabic and English, without a database. "+
			"Open any of them to see it whole.")
}

// Switch is the path of the list in the other language.
func (i index) Switch() string { return IndexPath(i.Scheme, i.Lang.Other()) }

// OtherScheme is the path of the list in the other scheme.
func (i index) OtherScheme() string {
	if i.Scheme == Light {
		return IndexPath(Dark, i.Lang)
	}
	return IndexPath(Light, i.Lang)
}

// SchemeName names the other scheme.
func (i index) SchemeName() string {
	if i.Scheme == Light {
		return i.Lang.Say("المظهر الداكن", "Dark scheme")
	}
	return i.Lang.Say("المظهر الفاتح", "Light scheme")
}

// Languages are those of the previews, side by side.
func (i index) Languages() []locale.Lang { return Languages }

// File is the path of a page.
func (i index) File(g Group, p Page, l locale.Lang) string { return Path(i.Scheme, g, p, l) }

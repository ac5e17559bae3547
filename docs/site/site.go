package site

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"net/http"
	"regexp"
	"strings"

	"github.com/rs/zerolog"

	"daftar/docs"
	"daftar/facts"
	"daftar/internal/layout"
	"daftar/internal/locale"
	"daftar/internal/web"
)

// Prefix is the path that all pages of the documentation have, and ProgramsPath that of the list of
// them for programs that read.
const (
	Prefix       = "/docs"
	ProgramsPath = "/llms.txt"
)

const (
	htmlType     = "text/html; charset=utf-8"
	markdownType = "text/markdown; charset=utf-8"
)

// exampleURL is the address in the documents that the service's own address replaces.
const exampleURL = "https://pay.example"

// cacheFor lets browsers and proxies keep a page for five minutes.
const cacheFor = "public, max-age=300"

//go:embed documents/*
var documents embed.FS

//go:embed templates/*.html
var templateFiles embed.FS

// sheetPath is the address of the one style sheet of the documentation: that of all pages, and after
// it ownSheet.
const sheetPath = Prefix + "/style.css"

//go:embed docs.css
var ownSheet []byte

var templates = layout.NewTemplates(templateFiles, "templates/*.html")

// page is an entry of documents/pages.json.
type page struct {
	Slug                     string
	Name, Title, Description locale.Text
	Sections                 []section // of a long page
}

// section is a part of a page.
type section struct {
	ID          string
	Group, Name locale.Text
}

// path returns the page's path, without a language.
func (p page) path() string {
	if p.Slug == "" {
		return Prefix
	}
	return Prefix + "/" + p.Slug
}

// document is the page's content in a form: "html", or "txt" for Markdown. The file of a page below
// another one has a hyphen for the slash.
func (p page) document(l locale.Lang, form string) string {
	name := strings.ReplaceAll(cmp.Or(p.Slug, "overview"), "/", "-")
	return string(read(name + "." + l.String() + "." + form))
}

var (
	// escaped is HTML that the generator has escaped.
	escaped  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	codeSpan = regexp.MustCompile("`([^`]*)`")
)

// webhooksMark is the placeholder in documents for the types of webhooks.
const webhooksMark = "⟦webhooks⟧"

// webhookRows are the rows of a table with the types of webhooks, in a form of documents.
func webhookRows(l locale.Lang, form string) string {
	var rows strings.Builder
	for _, k := range facts.Webhooks() {
		if form == "txt" {
			rows.WriteString("| `" + k.Webhook + "` | " + k.Meaning.In(l) + " |\n")
			continue
		}
		rows.WriteString("<tr>\n<td><code>" + k.Webhook + "</code></td>\n<td>")
		rows.WriteString(codeSpan.ReplaceAllString(escaped.Replace(k.Meaning.In(l)), "<code>$1</code>"))
		rows.WriteString("</td>\n</tr>\n")
	}
	return strings.TrimSuffix(rows.String(), "\n")
}

// site is every answer, by path and language.
type site struct {
	pages    map[string][2]layout.File
	notFound [2]layout.File
}

// Config is what differs from one service to another.
type Config struct {
	PublicURL    string
	SupportEmail string // where questions go; empty: no page names an address
	Log          zerolog.Logger
}

// address puts the service's address into a document.
func (c Config) address(document []byte) []byte {
	return bytes.ReplaceAll(document, []byte(exampleURL), []byte(c.PublicURL))
}

// New makes the handler of everything under Prefix, and of ProgramsPath. The caller sets
// web.SecurityHeaders around it.
func New(c Config) http.Handler {
	all := pages()
	s := &site{pages: make(map[string][2]layout.File)}
	add := func(path string, l locale.Lang, kind string, content []byte) {
		both := s.pages[path]
		both[l] = layout.NewFile(kind, content)
		s.pages[path] = both
	}
	for _, l := range []locale.Lang{locale.Arabic, locale.English} {
		for _, p := range all {
			body := strings.Replace(p.document(l, "html"), webhooksMark, webhookRows(l, "html"), 1)
			add(p.path(), l, htmlType, render(all, p, l, c, body))
			text := strings.Replace(p.document(l, "txt"), webhooksMark, webhookRows(l, "txt"), 1)
			add(p.path()+".md", l, markdownType, c.address([]byte(text)))
		}
		index := read("search." + l.String() + ".json")
		add(searchPath, l, htmlType, renderSearch(all, l, index))
		add(searchPath+".json", l, "application/json", index)
		s.notFound[l] = layout.NewFile(htmlType, renderNotFound(all, l))
	}
	sheet := append([]byte(layout.DashboardStylesheet()), ownSheet...)
	for path, f := range map[string]layout.File{
		searchPath + ".js": layout.NewFile("text/javascript; charset=utf-8", searchScript),
		sheetPath:          layout.NewFile("text/css; charset=utf-8", sheet),
		// A collection is a list of addresses: only their beginning differs.
		Prefix + "/postman.json": layout.NewFile("application/json", c.address(read("postman.json"))),
		ProgramsPath:             layout.NewFile("text/plain; charset=utf-8", c.address(forPrograms(all))),
	} {
		s.pages[path] = [2]layout.File{f, f}
	}
	for name, content := range pictures() {
		picture := layout.NewFile("image/png", content)
		s.pages[Prefix+"/"+name] = [2]layout.File{picture, picture}
	}
	panicked := func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
	}
	component := web.Component{Name: "documentation", Log: c.Log, Panicked: panicked}
	return component.Wrap(s)
}

// ServeHTTP implements http.Handler.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l := locale.LangFrom(r)
	// The documentation is public, and search engines may index it.
	w.Header().Del("X-Robots-Tag")
	found, ok := s.pages[strings.TrimSuffix(r.URL.Path, "/")]
	if !ok {
		s.notFound[l].ServeAs(http.StatusNotFound, w, r)
		return
	}
	if recorder := web.RecorderOf(w); recorder != nil {
		recorder.Route = strings.TrimSuffix(r.URL.Path, "/")
	}
	w.Header().Set("Cache-Control", cacheFor)
	found[l].ServeAs(http.StatusOK, w, r)
}

// pages are those of the documentation, in the order of the navigation.
func pages() (all []page) {
	if err := json.Unmarshal(read("pages.json"), &all); err != nil {
		panic("site: read pages.json: " + err.Error())
	}
	return all
}

// pictures are those that pages show, by their paths below Prefix.
func pictures() map[string][]byte {
	names, err := fs.Glob(docs.Pictures, "*/*/*.png")
	all := make(map[string][]byte, len(names))
	for _, name := range names {
		if err == nil {
			all[name], err = docs.Pictures.ReadFile(name)
		}
	}
	if err != nil {
		panic("site: read pictures: " + err.Error())
	}
	return all
}

func read(name string) []byte {
	text, err := documents.ReadFile("documents/" + name)
	if err != nil {
		panic("site: " + err.Error())
	}
	return text
}

// entry is a link of the navigation; with a group, the first of a part of it.
type entry struct {
	Group, Name, Address string
	Current, Below       bool
}

// rendering is what the template sees.
type rendering struct {
	layout.Frame

	Words         texts
	Name, Heading string
	SupportEmail  string
	Sections      []entry // of this page, before the other pages
	Entries       []entry
	Index, Script string // of the search
	SearchPath    string
	Body          template.HTML
}

func render(all []page, p page, l locale.Lang, c Config, body string) []byte {
	r := newRendering(all, p.Slug, l)
	r.Frame = frame(l, p.Title.In(l)+" · "+product.In(l), p.path(), p.Description.In(l))
	r.Markdown = locale.WithLang(p.path()+".md", l)
	r.Name, r.Heading, r.SupportEmail = p.Name.In(l), p.Title.In(l), c.SupportEmail
	group := ""
	for _, s := range p.Sections {
		e := entry{Name: s.Name.In(l), Address: "#" + s.ID}
		if s.Group.In(l) != group {
			group = s.Group.In(l)
			e.Group = group
		}
		r.Sections = append(r.Sections, e)
	}
	body = strings.ReplaceAll(body, exampleURL, template.HTMLEscapeString(c.PublicURL))
	r.Body = template.HTML(body) //nolint:gosec // written by the generator, which escapes
	return r.execute()
}

// nowhere is the slug of no page.
const nowhere = "-"

func renderNotFound(all []page, l locale.Lang) []byte {
	r := newRendering(all, nowhere, l)
	r.Frame = frame(l, notFound.In(l), Prefix, "")
	r.Name, r.Heading = notFound.In(l), notFound.In(l)
	sentence := template.HTMLEscapeString(notFoundSentence.In(l))
	overview := template.HTMLEscapeString(all[0].Name.In(l))
	//nolint:gosec // escaped
	r.Body = template.HTML("<p>" + sentence + `</p><p><a class="btn" href="` +
		locale.WithLang(Prefix, l) + `">` + overview + "</a></p>")
	return r.execute()
}

func frame(l locale.Lang, title, address, description string) layout.Frame {
	return layout.Frame{
		Lang: l, Title: title, Description: description, Address: address, Wide: true,
		Skip: skip.In(l), Script: true, Sheet: sheetPath,
	}
}

// newRendering has the navigation, in which a page is the current one: the pages, and of those below
// another one the pages next to the current one.
func newRendering(all []page, current string, l locale.Lang) rendering {
	r := rendering{
		Words: textsIn(l.Say), SearchPath: searchPath,
		Index: locale.WithLang(searchPath+".json", l), Script: searchPath + ".js",
	}
	open, _, _ := strings.Cut(current, "/")
	for _, p := range all {
		above, _, below := strings.Cut(p.Slug, "/")
		if !below || above == open {
			r.Entries = append(r.Entries, entry{
				Name: p.Name.In(l), Address: locale.WithLang(p.path(), l),
				Current: p.Slug == current, Below: below,
			})
		}
	}
	return r
}

func (r rendering) execute() []byte {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, "page", r); err != nil {
		panic("site: render " + r.Heading + ": " + err.Error())
	}
	return out.Bytes()
}

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

// Prefix is the path that all pages of the documentation have.
const Prefix = "/docs"

// exampleURL is the address in the documents that the service's own address replaces.
const exampleURL = "https://pay.example"

// cacheFor lets browsers and proxies keep a page for five minutes.
const cacheFor = "public, max-age=300"

//go:embed documents/*
var documents embed.FS

//go:embed templates/*.html
var templateFiles embed.FS

var templates = layout.NewTemplates(templateFiles, "templates/*.html")

// page is an entry of documents/pages.json.
type page struct {
	Slug                     string
	Name, Title, Description locale.Text
}

// path returns the page's path, without a language.
func (p page) path() string {
	if p.Slug == "" {
		return Prefix
	}
	return Prefix + "/" + p.Slug
}

// document is the page's content: one file for each language, or one for both.
func (p page) document(l locale.Lang) string {
	name := strings.ReplaceAll(cmp.Or(p.Slug, "overview"), "/", "-")
	if text, err := documents.ReadFile("documents/" + name + ".html"); err == nil {
		return string(text)
	}
	return string(read(name + "." + l.String() + ".html"))
}

var (
	// escaped is HTML that the generator has escaped.
	escaped  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	codeSpan = regexp.MustCompile("`([^`]*)`")
)

// marks are the placeholders in documents for words, and for the types of webhooks.
func marks(l locale.Lang) *strings.Replacer {
	var words map[string]locale.Text
	if err := json.Unmarshal(read("words.json"), &words); err != nil {
		panic("site: read words.json: " + err.Error())
	}
	var rows strings.Builder
	for _, k := range facts.Webhooks() {
		rows.WriteString("<tr>\n<td><code>" + k.Webhook + "</code></td>\n<td>")
		rows.WriteString(codeSpan.ReplaceAllString(escaped.Replace(k.Meaning.In(l)), "<code>$1</code>"))
		rows.WriteString("</td>\n</tr>\n")
	}
	pairs := []string{"⟦webhooks⟧", strings.TrimSuffix(rows.String(), "\n")}
	for name, word := range words {
		pairs = append(pairs, "⟦"+name+"⟧", template.HTMLEscapeString(word.In(l)))
	}
	return strings.NewReplacer(pairs...)
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

// New makes the handler of everything under Prefix. The caller sets web.SecurityHeaders
// around it.
func New(c Config) http.Handler {
	all := pages()
	s := &site{pages: make(map[string][2]layout.File)}
	languages := []locale.Lang{locale.Arabic, locale.English}
	words := [...]*strings.Replacer{locale.Arabic: marks(locale.Arabic), locale.English: marks(locale.English)}
	for _, p := range all {
		var both [2]layout.File
		for _, l := range languages {
			body := words[l].Replace(p.document(l))
			both[l] = layout.NewFile("text/html; charset=utf-8", render(all, p, l, c, body))
		}
		s.pages[p.path()] = both
	}
	for _, l := range languages {
		s.notFound[l] = layout.NewFile("text/html; charset=utf-8", renderNotFound(all, l))
	}
	// A collection is a list of addresses: only their beginning differs.
	collection := layout.NewFile("application/json",
		bytes.ReplaceAll(read("postman.json"), []byte(exampleURL), []byte(c.PublicURL)))
	s.pages[Prefix+"/postman.json"] = [2]layout.File{collection, collection}
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

// entry is a link of the navigation.
type entry struct {
	Name, Address  string
	Current, Below bool
}

// rendering is what the template sees.
type rendering struct {
	layout.Frame
	Menu, Name, Heading string
	Ask, SupportEmail   string
	Entries             []entry
	Body                template.HTML
}

func render(all []page, p page, l locale.Lang, c Config, body string) []byte {
	body = strings.ReplaceAll(body, exampleURL, template.HTMLEscapeString(c.PublicURL))
	return execute(rendering{
		Frame: frame(l, p.Title.In(l)+" · "+product.In(l), p.path(), p.Description.In(l)),
		Name:  p.Name.In(l), Heading: p.Title.In(l), Entries: entries(all, p.Slug, l),
		Body: template.HTML(body), //nolint:gosec // written by the generator, which escapes
		Ask:  ask.In(l), SupportEmail: c.SupportEmail,
	})
}

// nowhere is the slug of no page.
const nowhere = "-"

func renderNotFound(all []page, l locale.Lang) []byte {
	r := rendering{
		Frame:   frame(l, notFound.In(l), Prefix, ""),
		Name:    notFound.In(l),
		Heading: notFound.In(l),
		Entries: entries(all, nowhere, l),
	}
	sentence := template.HTMLEscapeString(notFoundSentence.In(l))
	r.Body = template.HTML("<p>" + sentence + "</p>") //nolint:gosec // escaped
	return execute(r)
}

func frame(l locale.Lang, title, address, description string) layout.Frame {
	return layout.Frame{
		Lang: l, Title: title, Description: description, Address: address, Wide: true,
		Skip: skip.In(l), Script: true,
	}
}

// entries are the pages, and of those below another one the pages next to the current one.
func entries(all []page, current string, l locale.Lang) []entry {
	var list []entry
	open, _, _ := strings.Cut(current, "/")
	for _, p := range all {
		above, _, below := strings.Cut(p.Slug, "/")
		if !below || above == open {
			list = append(list, entry{p.Name.In(l), locale.WithLang(p.path(), l), p.Slug == current, below})
		}
	}
	return list
}

func execute(r rendering) []byte {
	r.Menu = menu.In(r.Lang)
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, "page", r); err != nil {
		panic("site: render " + r.Heading + ": " + err.Error())
	}
	return out.Bytes()
}

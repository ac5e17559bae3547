package main

import (
	"bytes"
	"cmp"
	"fmt"
	"image/png"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"daftar/internal/locale"
)

// page is an entry of documents/pages.json, the server's list of pages.
type page struct {
	Slug        string // of its address, below /docs; empty for the first page
	Name        locale.Text
	Title       locale.Text
	Description locale.Text
	Sections    []section `json:",omitempty"` // those of a long page, which the navigation lists
}

// section is a part of the reference.
type section struct {
	ID          string
	Group, Name locale.Text
}

// source is the origin of a page: the name of its files, from docs, without language and extension.
// The reference has none, because it is made from the API's description. A slug with a slash is that
// of a page below another one, in the navigation too.
type source struct {
	slug, file string
	name       locale.Text
}

// sources are the pages in the order of the navigation.
var sources = []source{
	{"", "README", locale.Text{Arabic: "نظرة عامة", English: "Overview"}},
	{"integrate", "integrate/README", locale.Text{Arabic: "اربط متجرك", English: "Connect your shop"}},
	{
		"integrate/woocommerce", "integrate/woocommerce",
		locale.Text{Arabic: "WooCommerce", English: "WooCommerce"},
	},
	{
		"integrate/woocommerce-plugin", "../plugins/woocommerce/README",
		locale.Text{Arabic: "خطوات WooCommerce", English: "WooCommerce, step by step"},
	},
	{"integrate/laravel", "integrate/laravel", locale.Text{Arabic: "Laravel", English: "Laravel"}},
	{
		"integrate/laravel-package", "../plugins/laravel/README",
		locale.Text{Arabic: "خطوات Laravel", English: "Laravel, step by step"},
	},
	{
		"integrate/opencart", "integrate/opencart",
		locale.Text{Arabic: "OpenCart ومتاجر أخرى", English: "OpenCart and others"},
	},
	{
		"integrate/social", "integrate/social",
		locale.Text{Arabic: "البيع بروابط الدفع", English: "Payment links"},
	},
	{"integrate/mobile", "integrate/mobile", locale.Text{Arabic: "تطبيقات الهاتف", English: "Mobile apps"}},
	{"quickstart", "quickstart", locale.Text{Arabic: "البداية السريعة", English: "Quick start"}},
	{"payments", "payments", locale.Text{Arabic: "حياة عملية الدفع", English: "The life of a payment"}},
	{"idempotency", "idempotency", locale.Text{Arabic: "منع التكرار", English: "Idempotency"}},
	{"webhooks", "webhooks", locale.Text{Arabic: "الإشعارات البرمجية", English: "Webhooks"}},
	{
		"late-payments", "late-payments",
		locale.Text{Arabic: "الدفع المتأخر والمكرر", English: "Late and duplicate payments"},
	},
	{"refunds", "refunds", locale.Text{Arabic: "رد المبالغ", English: "Refunds"}},
	{"testing", "testing", locale.Text{Arabic: "التجربة", English: "Testing"}},
	{"going-live", "going-live", locale.Text{Arabic: "التشغيل الفعلي", English: "Going live"}},
	{"accounting", "accounting", locale.Text{Arabic: "المحاسبة", English: "Accounting"}},
	{referenceSlug, "", locale.Text{Arabic: "مرجع الواجهة", English: "API reference"}},
	{"errors", "errors", locale.Text{Arabic: "الأخطاء", English: "Errors"}},
	{"limits", "limits", locale.Text{Arabic: "الحدود", English: "Limits"}},
	{"changes", "changes", locale.Text{Arabic: "التغييرات", English: "Changes"}},
	{"versioning", "versioning", locale.Text{Arabic: "سياسة الإصدارات", English: "Versioning"}},
}

const referenceSlug = "api"

// edition is a language, with the suffix of its Markdown files.
type edition struct {
	lang   locale.Lang
	ending string
	words  texts
}

var editions = []edition{
	{locale.Arabic, ".ar.md", textsIn(locale.Arabic)},
	{locale.English, ".md", textsIn(locale.English)},
}

// document returns the name of a page's file among the documents, without its extension.
func (s source) document(l locale.Lang) string {
	return strings.ReplaceAll(cmp.Or(s.slug, "overview"), "/", "-") + "." + l.String()
}

// address of a page in a language. The server's tests follow every link.
func address(slug string, l locale.Lang) string {
	path := "/docs"
	if slug != "" {
		path += "/" + slug
	}
	return locale.WithLang(path, l)
}

// setText sets the text of one language.
func setText(t *locale.Text, l locale.Lang, value string) {
	if l == locale.Arabic {
		t.Arabic = value
	} else {
		t.English = value
	}
}

// In a file, HTML sets the text direction, and a line leads to the other edition. On the site, the
// page does both.
var (
	directionTag = regexp.MustCompile(`(?m)^</?div[^>]*>\n`)
	editionLine  = regexp.MustCompile(`(?m)^\[(?:English|بالعربية)\]\([A-Za-z-]+(?:\.ar)?\.md\)\n`)
)

// guideText returns the Markdown of a page of the module at root, without what the site has elsewhere.
func guideText(root string, s source, in edition) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", s.file+in.ending))
	return editionLine.ReplaceAllString(directionTag.ReplaceAllString(string(text), ""), ""), err
}

// link matches a link or a picture of a guide.
var link = regexp.MustCompile(`(!?)\[([^\][]*)\]\(([^)\s]+)\)`)

// guideMarkdown returns the page as the site offers it to programs: its links lead to such pages, and
// its pictures are those of the site.
func guideMarkdown(text string, at place, l locale.Lang) string {
	parts := strings.Split(text, "```") // each second one is code
	for n := 0; n < len(parts); n += 2 {
		parts[n] = link.ReplaceAllStringFunc(parts[n], func(found string) string {
			part := link.FindStringSubmatch(found)
			if part[1] != "" {
				return "![" + part[2] + "](" + site + at.picture(part[3]) + ")"
			}
			to, path := at.linkTo(part[3], l)
			switch page, heading, _ := strings.Cut(to, "#"); {
			case path != "":
				return part[2] + " (`" + path + "`)"
			case strings.HasPrefix(page, "/docs"):
				return "[" + part[2] + "](" + markdownAddress(page, heading) + ")"
			}
			return "[" + part[2] + "](" + to + ")"
		})
	}
	return webhookLine.ReplaceAllString(strings.Join(parts, "```"), mark("webhooks")) + "\n"
}

// webhookLine is webhookRow in Markdown.
var webhookLine = regexp.MustCompile("(?m)^\\| `payment_intent\\.…` \\|.*$")

// markdownAddress is the address of a page as Markdown.
func markdownAddress(page, heading string) string {
	path, language, given := strings.Cut(page, "?")
	path += ".md"
	if given {
		path += "?" + language
	}
	if heading != "" {
		path += "#" + heading
	}
	return site + path
}

// site is the address of the service in documents; the server puts its own there.
const site = "https://pay.example"

// place is where a guide is: the module's root, and from there the folder of its file.
type place struct{ root, name string }

// place returns where both editions of the page are.
func (s source) place(root string) place { return place{root, path.Dir(path.Join("docs", s.file))} }

// linkTo returns the target of a guide's link on the site: another page, or, if the file is not a
// page, nothing but its path.
func (p place) linkTo(destination string, l locale.Lang) (to, target string) {
	file, heading, _ := strings.Cut(destination, "#")
	if file == "" || regexp.MustCompile(`^[a-z]+:`).MatchString(destination) {
		return destination, ""
	}
	if heading != "" {
		heading = "#" + heading
	}
	target = path.Join(p.name, file)
	if target == "httpapi/openapi.yaml" {
		return address(referenceSlug, l), ""
	}
	for _, s := range sources {
		for _, e := range editions {
			if s.file != "" && target == path.Join("docs", s.file+e.ending) {
				return address(s.slug, e.lang) + heading, ""
			}
		}
	}
	if directory, name := path.Split(target); strings.HasPrefix(name, "README.") {
		target = strings.TrimSuffix(directory, "/")
	}
	return "", target
}

// picture returns the path of a guide's picture on the site.
func (p place) picture(destination string) string { return "/" + path.Join(p.name, destination) }

// show makes a picture one of the site, and reserves its place on the page. One whose name has
// @2x was taken with two pixels for each of the page.
func (p place) show(picture *ast.Image) error {
	name := p.picture(string(picture.Destination))
	file, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	size, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	density := 1
	if strings.Contains(name, "@2x.") {
		density = 2
	}
	picture.Destination = []byte(name)
	picture.SetAttributeString("width", []byte(strconv.Itoa(size.Width/density)))
	picture.SetAttributeString("height", []byte(strconv.Itoa(size.Height/density)))
	picture.SetAttributeString("loading", []byte("lazy"))
	return nil
}

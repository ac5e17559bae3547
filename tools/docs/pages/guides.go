package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"daftar/internal/locale"
)

// page is an entry of documents/pages.json, the server's list of pages.
type page struct {
	Slug        string // of its address, below /docs; empty for the first page
	Name        locale.Text
	Title       locale.Text
	Description locale.Text
}

// source is the origin of a page: the name of its files in docs, without language and extension.
// The reference has none, because it is made from the API's description.
type source struct {
	slug, file string
	name       locale.Text
}

// sources are the pages in the order of the navigation.
var sources = []source{
	{"", "README", locale.Text{Arabic: "نظرة عامة", English: "Overview"}},
	{"quickstart", "quickstart", locale.Text{Arabic: "البداية السريعة", English: "Quick start"}},
	{"payments", "payments", locale.Text{Arabic: "حياة عملية الدفع", English: "The life of a payment"}},
	{"idempotency", "idempotency", locale.Text{Arabic: "منع التكرار", English: "Idempotency"}},
	{"webhooks", "webhooks", locale.Text{Arabic: "الإشعارات", English: "Webhooks"}},
	{
		"late-payments", "late-payments",
		locale.Text{Arabic: "الدفع المتأخر والمكرر", English: "Late and double payments"},
	},
	{"refunds", "refunds", locale.Text{Arabic: "رد المبالغ", English: "Refunds"}},
	{"testing", "testing", locale.Text{Arabic: "التجربة", English: "Testing"}},
	{"going-live", "going-live", locale.Text{Arabic: "التشغيل الفعلي", English: "Going live"}},
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
	{locale.Arabic, ".ar.md", textsIn(locale.Arabic.Say)},
	{locale.English, ".md", textsIn(locale.English.Say)},
}

// document returns the name of a page's file among the documents.
func (s source) document(l locale.Lang) string {
	name := s.slug
	if name == "" {
		name = "overview"
	}
	return name + "." + l.String() + ".html"
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

// guide renders a Markdown page of the module at root.
func guide(root string, s source, in edition) (rendered, error) {
	file := filepath.Join("docs", s.file+in.ending)
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return rendered{}, err
	}
	plain := editionLine.ReplaceAllString(directionTag.ReplaceAllString(string(text), ""), "")
	out, err := renderGuide(plain, in)
	if err != nil {
		return rendered{}, fmt.Errorf("%s: %w", file, err)
	}
	return out, nil
}

// linkTo returns the target of a guide's link on the site: another page, or, if the file is not a
// page, nothing but its path.
func linkTo(destination string, l locale.Lang) (to, path string) {
	if destination == "../httpapi/openapi.yaml" {
		return address(referenceSlug, l), ""
	}
	file, heading, _ := strings.Cut(destination, "#")
	if heading != "" {
		heading = "#" + heading
	}
	for _, s := range sources {
		for _, e := range editions {
			if s.file != "" && file == s.file+e.ending {
				return address(s.slug, e.lang) + heading, ""
			}
		}
	}
	if file == "" || regexp.MustCompile(`^[a-z]+:`).MatchString(destination) {
		return destination, ""
	}
	path = filepath.ToSlash(filepath.Join("docs", file))
	if folder, name := filepath.Split(path); strings.HasPrefix(name, "README.") {
		path = strings.TrimSuffix(folder, "/")
	}
	return "", path
}

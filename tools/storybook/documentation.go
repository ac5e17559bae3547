package storybook

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rs/zerolog"

	"daftar/docs/site"
	"daftar/internal/locale"
)

const documentationFolder = "docs"

// documented are the pages of the documentation that have a story: one of each kind.
var documented = map[string]locale.Text{
	"":            {Arabic: "نظرة عامة", English: "overview"},
	"/quickstart": {Arabic: "البداية السريعة", English: "quick start"},
	"/webhooks":   {Arabic: "دليل الإشعارات البرمجية", English: "guide to webhooks"},
	"/errors":     {Arabic: "جداول", English: "tables"},
	"/api":        {Arabic: "مرجع الواجهة", English: "API reference"},
	"/search":     {Arabic: "كل ما يجده البحث", English: "all that the search finds"},
	"/nowhere":    {Arabic: "لا صفحة هنا", English: "no page"},
}

// documentation is what the pages of the documentation load or lead to.
var documentation = site.New(site.Config{
	PublicURL: "https://pay.example", SupportEmail: "developers@pay.example", Log: zerolog.Nop(),
})

// documentationParts are the addresses of what its pages load, and the files that they are here.
var documentationParts = []string{
	`"/docs/style.css"`, `"../docs.css"`, `"/docs/search.js"`, `"../search.js"`,
	`"/docs/search.json"`, `"../search.ar.json"`, `"/docs/search.json?lang=en"`, `"../search.en.json"`,
}

// answered is the documentation's answer.
func answered(address string) []byte {
	answer := httptest.NewRecorder()
	documentation.ServeHTTP(answer,
		httptest.NewRequestWithContext(context.Background(), http.MethodGet, address, http.NoBody))
	return answer.Body.Bytes()
}

// documentationGroup has pages of the documentation, as its handler answers them.
func documentationGroup() Group {
	g := Group{
		Folder: documentationFolder, Who: locale.Text{
			Arabic: "مطوّر المتجر", English: "The shop's developer",
		},
		What: locale.Text{Arabic: "يقرأ التوثيق", English: "reads the documentation"},
	}
	for _, path := range []string{"", "/quickstart", "/webhooks", "/errors", "/api", "/search", "/nowhere"} {
		g.Pages = append(g.Pages, Page{
			Name: documentName(path), When: documented[path], View: "docs",
			render: func(l locale.Lang, _ string) ([]byte, error) {
				return answered(locale.WithLang(site.Prefix+path, l)), nil
			},
		})
	}
	return g
}

func documentName(path string) string {
	if path == "" {
		return "overview"
	}
	return strings.TrimPrefix(path, "/")
}

// documentFile is the file for an address of the documentation, relative to another page;
// empty: it has no story.
func documentFile(path, query string) string {
	below, ours := strings.CutPrefix(path, site.Prefix)
	if _, known := documented[below]; !ours || !known {
		return ""
	}
	l := locale.Arabic
	if query == "lang=en" {
		l = locale.English
	}
	return "../" + documentationFolder + "/" + documentName(below) + "." + l.String() + ".html"
}

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
	"/webhooks":   {Arabic: "دليل الإشعارات", English: "guide to webhooks"},
	"/errors":     {Arabic: "جداول", English: "tables"},
	"/api":        {Arabic: "مرجع الواجهة", English: "API reference"},
	"/nowhere":    {Arabic: "لا صفحة هنا", English: "no page"},
}

// documentationGroup has pages of the documentation, as its handler answers them.
func documentationGroup() Group {
	g := Group{
		Folder: documentationFolder, Who: locale.Text{
			Arabic: "مطوّر المتجر", English: "The shop's developer",
		},
		What: locale.Text{Arabic: "يقرأ التوثيق", English: "reads the documentation"},
	}
	pages := site.New(site.Config{
		PublicURL: "https://pay.example", SupportEmail: "developers@pay.example", Log: zerolog.Nop(),
	})
	for _, path := range []string{"", "/quickstart", "/webhooks", "/errors", "/api", "/nowhere"} {
		g.Pages = append(g.Pages, Page{
			Name: documentName(path), When: documented[path], View: "docs",
			render: func(l locale.Lang, _ string) ([]byte, error) {
				answer := httptest.NewRecorder()
				address := locale.WithLang(site.Prefix+path, l)
				pages.ServeHTTP(answer,
					httptest.NewRequestWithContext(context.Background(), http.MethodGet, address, http.NoBody))
				return answer.Body.Bytes(), nil
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

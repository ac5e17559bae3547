package site

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"

	"daftar/internal/locale"
)

const searchPath = Prefix + "/search"

// searchScript looks through the index in the browser. Without it, the form leads to the page with
// all of the index.
//
//go:embed search.js
var searchScript []byte

// found is an entry of the index.
type found struct {
	Title   string `json:"t"`
	Page    string `json:"p"`
	Address string `json:"u"`
}

// renderSearch is the page with the places that the search knows.
func renderSearch(all []page, l locale.Lang, index []byte) []byte {
	r := newRendering(all, nowhere, l)
	r.Frame = frame(l, r.Words.Contents+" · "+product.In(l), searchPath, r.Words.ContentsHint)
	r.Name, r.Heading = r.Words.Contents, r.Words.Contents
	var places []found
	if err := json.Unmarshal(index, &places); err != nil {
		panic("site: read index: " + err.Error())
	}
	var body bytes.Buffer
	if err := templates.ExecuteTemplate(&body, "places", places); err != nil {
		panic("site: render index: " + err.Error())
	}
	r.Body = template.HTML(body.String()) //nolint:gosec // made by a template
	return r.execute()
}

// forPrograms is the list of the pages as Markdown, as llmstxt.org describes it.
func forPrograms(all []page) []byte {
	var out bytes.Buffer
	out.WriteString("# Daftar\n\n> " + all[0].Description.English + "\n")
	for _, l := range []locale.Lang{locale.English, locale.Arabic} {
		out.WriteString("\n## " + menu.In(l) + "\n\n")
		for _, p := range all {
			out.WriteString("- [" + p.Title.In(l) + "](" + exampleURL + locale.WithLang(p.path()+".md", l) + "): " +
				p.Description.In(l) + "\n")
		}
	}
	out.WriteString("\n## OpenAPI\n\n- [OpenAPI 3.1](" + exampleURL + "/api/v1/openapi.yaml)\n")
	return out.Bytes()
}

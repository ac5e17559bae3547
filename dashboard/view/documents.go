package view

import (
	"embed"
	"html/template"

	"daftar/internal/web"
)

// documentFiles are written by go generate ./docs.
//
//go:embed documents/*.html
var documentFiles embed.FS

// document reads a document, by language, at start; one that is missing stops the
// program there.
func document(name string) map[web.Lang]template.HTML {
	all := make(map[web.Lang]template.HTML)
	for _, l := range []web.Lang{web.Arabic, web.English} {
		text, err := documentFiles.ReadFile("documents/" + name + "." + l.String() + ".html")
		if err != nil {
			panic("view: " + err.Error())
		}
		all[l] = template.HTML(text) //nolint:gosec // written by the generator, which escapes
	}
	return all
}

var (
	apiReference = document("reference")
	webhookGuide = document("webhooks")
)

// ReferencePage is the reference of the API.
type ReferencePage struct{ BaseURL string }

func (ReferencePage) head(t *Texts) (template, title string) {
	return "reference", t.Developers.Reference
}

// Text is the reference in a language.
func (ReferencePage) Text(l web.Lang) template.HTML { return apiReference[l] }

// GuidePage is the guide to webhooks.
type GuidePage struct{}

func (GuidePage) head(t *Texts) (template, title string) { return "guide", t.Developers.Guide }

// Text is the guide in a language.
func (GuidePage) Text(l web.Lang) template.HTML { return webhookGuide[l] }

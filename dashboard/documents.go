package dashboard

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
			panic("dashboard: " + err.Error())
		}
		all[l] = template.HTML(text) //nolint:gosec // written by the generator, which escapes
	}
	return all
}

var (
	apiReference = document("reference")
	webhookGuide = document("webhooks")
)

// referencePage is the reference of the API.
type referencePage struct{ BaseURL string }

func (referencePage) Template() string { return "reference" }

func (referencePage) title(t *texts) string { return t.Developers.Reference }

// Text is the reference in a language.
func (referencePage) Text(l web.Lang) template.HTML { return apiReference[l] }

// guidePage is the guide to webhooks.
type guidePage struct{}

func (guidePage) Template() string { return "guide" }

func (guidePage) title(t *texts) string { return t.Developers.Guide }

// Text is the guide in a language.
func (guidePage) Text(l web.Lang) template.HTML { return webhookGuide[l] }

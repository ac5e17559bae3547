package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	texttemplate "text/template"

	"daftar/internal/locale"
)

var (
	//go:embed reference.html
	referencePage string
	//go:embed reference.txt
	referenceText string

	inReference       = template.FuncMap{"inline": inline}
	referenceTemplate = template.Must(template.New("").Option("missingkey=error").
				Funcs(inReference).Parse(referencePage))
	markdownTemplate = texttemplate.Must(texttemplate.New("").Option("missingkey=error").
				Funcs(texttemplate.FuncMap{"indent": indent}).Parse(referenceText))

	codeSpan = regexp.MustCompile("`([^`]*)`")
)

// inline renders a text whose only Markdown is code.
func inline(text string) template.HTML {
	return template.HTML( //nolint:gosec // escaped
		codeSpan.ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>"))
}

// indent keeps a text of several lines within its item of a list.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// documents returns the server's files, by name, from the module at root: of each page and language
// the part that differs from other pages, and the page in Markdown; pages.json, which lists the
// pages; an index for the search in each language; and the Postman collection.
func documents(root string) (map[string][]byte, error) {
	all := make(map[string][]byte)
	pages := make([]page, len(sources))
	for _, in := range editions {
		var found index
		for n, s := range sources {
			p := &pages[n]
			p.Slug, p.Name = s.slug, s.name
			name := s.document(in.lang)
			if s.slug == referenceSlug {
				api, err := readAPI(root, in)
				if err != nil {
					return nil, err
				}
				setText(&p.Title, in.lang, in.words.Title)
				setText(&p.Description, in.lang, in.words.Description)
				p.addSections(in, api)
				if all[name+".html"], all[name+".txt"], err = renderReference(api, in); err != nil {
					return nil, err
				}
				found.addReference(in, api)
				if in.lang == locale.English {
					if all["postman.json"], err = asJSON(collectionOf(api)); err != nil {
						return nil, err
					}
				}
				continue
			}
			text, err := guideText(root, s, in)
			if err != nil {
				return nil, err
			}
			out, err := renderGuide(text, s.place(root), in)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			setText(&p.Title, in.lang, out.title)
			setText(&p.Description, in.lang, out.description)
			all[name+".html"] = []byte(strings.TrimSpace(out.body) + "\n")
			all[name+".txt"] = []byte(guideMarkdown(strings.TrimSpace(text), s.place(root), in.lang))
			found.addGuide(s.name.In(in.lang), address(s.slug, in.lang), out)
		}
		text, err := asJSON(found)
		if err != nil {
			return nil, err
		}
		all["search."+in.lang.String()+".json"] = text
	}
	var err error
	all["pages.json"], err = asJSON(pages)
	return all, err
}

// readAPI reads the description of the API in an edition's language, with the samples.
func readAPI(root string, in edition) (reference, error) {
	folder := filepath.Join(root, "httpapi")
	description, err := os.ReadFile(filepath.Join(folder, "openapi.yaml"))
	if err != nil {
		return reference{}, err
	}
	say, check := func(text string) string { return text }, func() error { return nil }
	if in.lang == locale.Arabic {
		arabic, err := readTranslation(filepath.Join(folder, "openapi.ar.yaml"))
		if err != nil {
			return reference{}, err
		}
		say, check = arabic.say, arabic.check
	}
	api, err := readReference(description, in, say)
	if err != nil {
		return reference{}, err
	}
	if err := check(); err != nil {
		return reference{}, fmt.Errorf("openapi.ar.yaml: %w", err)
	}
	return api, addSamples(api.Operations, os.DirFS(filepath.Join(root, "docs", "samples")))
}

func renderReference(api reference, in edition) (page, text []byte, err error) {
	var out, plain bytes.Buffer
	r := rendering{api, in.words}
	if err := referenceTemplate.ExecuteTemplate(&out, "reference", r); err != nil {
		return nil, nil, fmt.Errorf("render reference: %w", err)
	}
	if err := markdownTemplate.Execute(&plain, r); err != nil {
		return nil, nil, fmt.Errorf("render reference: %w", err)
	}
	return append(bytes.TrimSpace(out.Bytes()), '\n'), append(bytes.TrimSpace(plain.Bytes()), '\n'), nil
}

func asJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return out.Bytes(), err
}

// addSections lists the sections of the reference, in the order of the page.
func (p *page) addSections(in edition, api reference) {
	t, n := in.words, 0
	add := func(group, id, name string) {
		if n == len(p.Sections) {
			p.Sections = append(p.Sections, section{ID: id})
		}
		setText(&p.Sections[n].Group, in.lang, group)
		setText(&p.Sections[n].Name, in.lang, name)
		n++
	}
	add(t.Requests, "authentication", t.Authentication)
	add(t.Requests, "conventions", t.Conventions)
	add(t.Requests, "errors", t.Errors)
	groups := map[string]string{
		"Payment intents": t.Payments, "Extensions": t.Payments, "Refunds": t.Refunds, "Webhooks": t.Webhooks,
	}
	for _, o := range api.Operations {
		if o.AboutWebhooks() {
			add(t.Webhooks, "webhooks", t.WebhookTypes)
		}
		add(cmp.Or(groups[o.Tag], t.Other), o.ID, o.Summary)
	}
}

// rendering is the data of the reference's templates.
type rendering struct {
	Reference reference
	T         texts
}

// firstRequest is the operation that shows how to authenticate: it changes nothing.
const firstRequest = "listPaymentIntents"

// First returns that operation, with its shortest answer.
func (r rendering) First() *operation { return r.find(firstRequest) }

func (r rendering) find(id string) *operation {
	for _, o := range r.Reference.Operations {
		if o.ID == id {
			return &o
		}
	}
	return nil
}

// Named returns the summary of an operation.
func (r rendering) Named(id string) string { return r.find(id).Summary }

// Guide returns the address of another page.
func (r rendering) Guide(slug string) string { return address(slug, r.T.lang) }

// Markdown returns the address of this page as Markdown.
func (r rendering) Markdown() string {
	return strings.TrimPrefix(markdownAddress(r.Guide(referenceSlug), ""), site)
}

// one is the data of the templates about an operation.
type one struct {
	rendering

	Operation operation
	ID        string // with which those of its elements begin
}

// One returns an operation.
func (r rendering) One(o operation, id string) one { return one{r, o, id} }

// Shown returns the answers next to the request, the most telling one first.
func (o one) Shown() []shownAnswer {
	all := o.Operation.Answer()
	if o.ID != o.Operation.ID {
		return all[len(all)-1:]
	}
	return all
}

// fieldList is the data of the template "reference-fields".
type fieldList struct {
	rendering

	Fields, Folded []attribute
	Needs          bool // show whether each may be left out
}

// List returns fields of an answer, or headers.
func (r rendering) List(all []attribute, needs bool) fieldList {
	return fieldList{rendering: r, Fields: all, Needs: needs}
}

// Asked returns what a request consists of. Of many fields some are folded.
func (r rendering) Asked(all []attribute) fieldList {
	shown, folded := shownFirst(all)
	return fieldList{rendering: r, Fields: shown, Folded: folded, Needs: true}
}

// copying is the data of the template "reference-copy".
type copying struct {
	T        texts
	ID, Name string
}

// Copy returns a button that copies the text of an element.
func (r rendering) Copy(id, name string) copying { return copying{r.T, id, name} }

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

//go:embed reference.html
var referenceFile string

var referenceTemplate = template.Must(template.New("").Option("missingkey=error").Parse(referenceFile))

// documents are the files that the server carries, by their names, from the module at
// root: a part of a page for each source and language, pages.json, which lists them, and
// the Postman collection.
func documents(root string) (map[string][]byte, error) {
	description, err := os.ReadFile(filepath.Join(root, "httpapi", "openapi.yaml"))
	if err != nil {
		return nil, err
	}
	api, err := readReference(description)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]byte)
	pages := make([]page, len(sources))
	for n, s := range sources {
		pages[n] = page{Slug: s.slug, Name: s.name}
		for _, in := range editions {
			out, err := render(root, s, in, api)
			if err != nil {
				return nil, err
			}
			put(&pages[n].Title, in.lang, out.title)
			put(&pages[n].Description, in.lang, out.description)
			all[s.document(in.lang)] = []byte(strings.TrimSpace(out.body) + "\n")
		}
	}
	if all["pages.json"], err = asJSON(pages); err != nil {
		return nil, err
	}
	all["postman.json"], err = asJSON(collectionOf(api))
	return all, err
}

func asJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(value)
	return out.Bytes(), err
}

// render renders a page in a language.
func render(root string, s source, in edition, api reference) (rendered, error) {
	if s.slug != referenceSlug {
		return guide(root, s, in)
	}
	var body bytes.Buffer
	if err := referenceTemplate.ExecuteTemplate(&body, "reference", rendering{api, in.words}); err != nil {
		return rendered{}, fmt.Errorf("render reference: %w", err)
	}
	return rendered{in.words.Title, in.words.Description, body.String()}, nil
}

// rendering is what the template of the reference sees.
type rendering struct {
	Reference reference
	T         texts
}

// one is what the template "reference-operation" shows.
type one struct {
	rendering
	Operation operation
	Webhook   bool // we send it
}

// One is an operation.
func (r rendering) One(o operation, webhook bool) one { return one{r, o, webhook} }

// fieldList is what the template "reference-fields" shows.
type fieldList struct {
	T      texts
	Fields []attribute
	Needs  bool // says of each whether it may be left out
}

// Fields are those of a body, or headers.
func (r rendering) Fields(all []attribute, needs bool) fieldList {
	return fieldList{T: r.T, Fields: all, Needs: needs}
}

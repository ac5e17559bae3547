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

	"daftar/internal/locale"
)

//go:embed reference.html
var referenceFile string

var referenceTemplate = template.Must(template.New("").Option("missingkey=error").Parse(referenceFile))

// documents returns the server's files, by name, from the module at root: a part of a page for each
// guide and language, pages.json, which lists them, the reference, whose words in both languages
// are in words.json, and the Postman collection.
func documents(root string) (map[string][]byte, error) {
	description, err := os.ReadFile(filepath.Join(root, "httpapi", "openapi.yaml"))
	if err != nil {
		return nil, err
	}
	api, err := readReference(description)
	if err != nil {
		return nil, err
	}
	if err := addSamples(api.Operations, os.DirFS(filepath.Join(root, "docs", "samples"))); err != nil {
		return nil, err
	}
	words := wordsOf(textsIn(locale.Arabic.Say), textsIn(locale.English.Say))
	all := make(map[string][]byte)
	pages := make([]page, len(sources))
	for n, s := range sources {
		pages[n] = page{Slug: s.slug, Name: s.name}
		if s.slug == referenceSlug {
			pages[n].Title, pages[n].Description = words["Title"], words["Description"]
			continue
		}
		for _, in := range editions {
			out, err := guide(root, s, in)
			if err != nil {
				return nil, err
			}
			setText(&pages[n].Title, in.lang, out.title)
			setText(&pages[n].Description, in.lang, out.description)
			all[s.document(in.lang)] = []byte(strings.TrimSpace(out.body) + "\n")
		}
	}
	var body bytes.Buffer
	if err := referenceTemplate.ExecuteTemplate(&body, "reference", rendering{api, marks}); err != nil {
		return nil, fmt.Errorf("render reference: %w", err)
	}
	all[referenceSlug+".html"] = append(bytes.TrimSpace(body.Bytes()), '\n')
	if all["words.json"], err = asJSON(words); err != nil {
		return nil, err
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

// rendering is the data of the reference's template.
type rendering struct {
	Reference reference
	T         texts
}

// one is the data of the template "reference-operation".
type one struct {
	rendering
	Operation operation
	Webhook   bool // a request that we send
}

// One returns an operation.
func (r rendering) One(o operation, webhook bool) one { return one{r, o, webhook} }

// fieldList is the data of the template "reference-fields".
type fieldList struct {
	T      texts
	Fields []attribute
	Needs  bool // show whether each may be left out
}

// Fields returns those of a body, or headers.
func (r rendering) Fields(all []attribute, needs bool) fieldList {
	return fieldList{T: r.T, Fields: all, Needs: needs}
}

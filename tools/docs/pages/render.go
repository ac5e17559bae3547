package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

//go:embed reference.html
var referenceFile string

var referenceTemplate = template.Must(template.New("").Option("missingkey=error").Parse(referenceFile))

// pages are the parts of pages, by the names of their files, from the module at root.
func pages(root string) (map[string][]byte, error) {
	all := make(map[string][]byte)
	description, err := os.ReadFile(filepath.Join(root, "httpapi", "openapi.yaml"))
	if err != nil {
		return nil, err
	}
	api, err := readReference(description)
	if err != nil {
		return nil, err
	}
	for _, language := range []struct {
		tag, guide string
		words      texts
	}{{"ar", "webhooks.ar.md", arabic}, {"en", "webhooks.md", english}} {
		var out bytes.Buffer
		if err := referenceTemplate.ExecuteTemplate(&out, "reference", rendering{api, language.words}); err != nil {
			return nil, fmt.Errorf("render reference: %w", err)
		}
		all["reference."+language.tag+".html"] = out.Bytes()
		text, err := os.ReadFile(filepath.Join(root, "docs", language.guide))
		if err != nil {
			return nil, err
		}
		html, err := guide(string(text))
		if err != nil {
			return nil, err
		}
		all["webhooks."+language.tag+".html"] = []byte(strings.TrimSpace(html) + "\n")
	}
	return all, nil
}

// rendering is what the template of the reference sees.
type rendering struct {
	Reference reference
	T         texts
}

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

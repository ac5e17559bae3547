package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// reference is the API's description for its page, in one language.
type reference struct {
	Intro       prose
	Server      string // the address with which all paths begin
	Tags        []tag
	Credentials []attribute
	Operations  []operation
	Webhooks    []operation // Path is the type of the event
	Objects     map[string]object
	shared
}

// tag groups operations.
type tag struct{ Name, Description string }

// prose is a text in Markdown.
type prose struct {
	Text string
	HTML template.HTML
}

// operation is a method of a path.
type operation struct {
	ID, Method, Path, Summary string
	Tag                       string
	Description               prose
	Secured                   bool
	Parameters                []attribute
	Body                      []attribute
	Examples                  []example
	Answers                   []apiAnswer
	Samples                   []sample
}

// AboutWebhooks reports whether the operation is about webhooks, whose types the page has before it.
func (o operation) AboutWebhooks() bool { return o.Tag == "Webhooks" }

// ForAccountants reports whether the operation is for accountants' software: it is folded, so that those
// who build shops find what comes after it.
func (o operation) ForAccountants() bool { return o.Tag == "Books" }

// attribute is a field of a body, a parameter or a header.
type attribute struct {
	Name, ID, Type string // nested names with dots; the type in words
	In             string // path, query or header, of a parameter
	Value          string // an example of a parameter
	Required       bool
	Rules          []string
	Description    prose
	Errors         []fieldError
	Key            bool     // the request is idempotent on it
	Only           []string // the types of webhooks that have it, where few do
}

// object is the data of answers.
type object struct {
	Fields []attribute
	First  string // the operation whose section has the fields
}

// fieldError is what the service answers about a field.
type fieldError struct{ Status, Sentence string }

// example is a body in JSON.
type example struct {
	Summary, JSON string
	value         node
}

// apiAnswer is one of the answers of an operation.
type apiAnswer struct {
	Status, Description string
	Headers             []attribute
	Object              string // the name of what its data is
	List                bool   // of such objects
	Fields              []attribute
	Examples            []example
}

// Failed reports whether nothing was done.
func (a apiAnswer) Failed() bool { return a.Status >= "400" }

// readReference parses an OpenAPI document for an edition, whose texts are those of the document in
// the edition's language. It knows only the parts of OpenAPI that ours uses; a broken reference is
// an error.
func readReference(document []byte, in edition, say func(string) string) (reference, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(document, &file); err != nil {
		return reference{}, fmt.Errorf("read API description: %w", err)
	}
	if len(file.Content) != 1 {
		return reference{}, errors.New("read API description: it is empty")
	}
	r := reader{root: file.Content[0], words: in.words, say: say, objects: map[string]object{}}
	root := node{Node: file.Content[0], r: &r}
	out := reference{Intro: r.prose(root.at("info").text("description")), Objects: r.objects}
	for _, s := range root.at("servers").items() {
		out.Server = s.text("url")
	}
	for _, t := range root.at("tags").items() {
		out.Tags = append(out.Tags, tag{t.text("name"), t.text("description")})
	}
	for _, scheme := range root.at("components").at("securitySchemes").pairs() {
		name := scheme.value.text("name")
		if name == "" {
			name = "Authorization"
		}
		out.Credentials = append(out.Credentials, attribute{
			Name: name, ID: "authentication." + name, Required: true,
			Description: r.prose(scheme.value.text("description")),
		})
	}
	for _, path := range root.at("paths").pairs() {
		for _, method := range path.value.pairs() {
			out.Operations = append(out.Operations,
				r.operation(path.name, method.name, method.value, root.has("security")))
		}
	}
	for _, event := range root.at("webhooks").pairs() {
		for _, method := range event.value.pairs() {
			out.Webhooks = append(out.Webhooks, r.operation(event.name, method.name, method.value, false))
		}
	}
	if r.err == nil && len(out.Operations) == 0 {
		r.err = errors.New("it has no operations")
	}
	if r.err != nil {
		return reference{}, fmt.Errorf("read API description: %w", r.err)
	}
	out.shared = sharedBy(out.Operations, out.Webhooks)
	return out, nil
}

// reader keeps the first error, so that the code follows the order of the document.
type reader struct {
	root    *yaml.Node
	words   texts
	say     func(string) string // a text of the document in the edition's language
	objects map[string]object
	err     error
}

func (r *reader) prose(text string) prose {
	said := strings.TrimSpace(r.say(text))
	html, err := renderMarkdown(said)
	if err != nil && r.err == nil {
		r.err = err
	}
	return prose{said, html}
}

func (r *reader) operation(path, method string, n node, secured bool) operation {
	o := operation{
		ID: n.text("operationId"), Method: strings.ToUpper(method), Path: path,
		Summary: r.say(n.text("summary")), Description: r.prose(n.text("description")),
		Secured: secured && (!n.has("security") || len(n.at("security").items()) > 0),
	}
	for _, t := range n.at("tags").items() {
		o.Tag = t.Value
	}
	for _, p := range n.at("parameters").items() {
		one := r.attribute(o.ID, p.text("name"), p.at("schema"),
			p.text("required") == "true", p.text("description"))
		one.In = p.text("in")
		for _, e := range p.at("examples").pairs() {
			one.Value = e.value.text("value")
		}
		o.Parameters = append(o.Parameters, one)
	}
	for _, content := range n.at("requestBody").at("content").pairs() {
		o.Body = r.attributes(o.ID, "", content.value.at("schema"))
		o.Examples = r.examples(content.value)
	}
	for _, a := range n.at("responses").pairs() {
		o.Answers = append(o.Answers, r.answer(o.ID, a.name, a.value))
	}
	noteFields(&o)
	return o
}

func (r *reader) answer(operation, status string, n node) apiAnswer {
	a := apiAnswer{Status: status, Description: r.say(n.text("description"))}
	for _, h := range n.at("headers").pairs() {
		one := r.attribute("header", h.name, h.value.at("schema"),
			h.value.text("required") == "true", h.value.text("description"))
		one.ID = "header." + h.value.name
		a.Headers = append(a.Headers, one)
	}
	for _, content := range n.at("content").pairs() {
		schema := content.value.at("schema")
		a.Examples = r.examples(content.value)
		if a.Failed() {
			continue // each has a sentence, which the examples show
		}
		data := schema.at("properties").at("data")
		a.List = data.has("items")
		if a.Object = data.name; a.List {
			a.Object = data.at("items").name
		}
		if _, known := r.objects[a.Object]; a.Object != "" && !known {
			of := data
			if a.List {
				of = data.at("items")
			}
			r.objects[a.Object] = object{r.attributes(a.Object, "", of), operation}
		}
		for _, f := range r.attributes(operation, "", schema) {
			if a.Object == "" || !strings.HasPrefix(f.Name, "data") {
				a.Fields = append(a.Fields, f)
			}
		}
	}
	return a
}

func (r *reader) examples(content node) []example {
	var all []example
	for _, e := range content.at("examples").pairs() {
		value := e.value.at("value")
		all = append(all, example{r.say(e.value.text("summary")), inJSON(value.Node, ""), value})
	}
	return all
}

// attributes are the fields of an object, and of the objects in it, in order. If a body has several
// forms, the fields are those of the first, and the examples show the others.
func (r *reader) attributes(of, prefix string, schema node) []attribute {
	if forms := schema.at("oneOf").items(); len(forms) > 0 {
		schema = forms[0]
	}
	required := make([]string, 0, 8)
	for _, name := range schema.at("required").items() {
		required = append(required, name.Value)
	}
	var all []attribute
	for _, p := range schema.at("properties").pairs() {
		name := prefix + p.name
		isRequired := slices.Contains(required, p.name)
		all = append(all, r.attribute(of, name, p.value, isRequired, p.value.text("description")))
		all = append(all, r.attributes(of, name+".", p.value)...)
		all = append(all, r.attributes(of, name+"[].", p.value.at("items"))...)
	}
	return all
}

func (r *reader) attribute(of, name string, schema node, required bool, description string) attribute {
	return attribute{
		Name: name, ID: of + "." + strings.ReplaceAll(name, "[]", ""), Required: required,
		Type: r.words.typeOf(schema), Rules: r.words.rules(name, schema), Description: r.prose(description),
	}
}

// inJSON writes a value of the document as JSON, with its keys in their order.
func inJSON(n *yaml.Node, indent string) string {
	if n == nil {
		return ""
	}
	deeper := indent + "  "
	var parts []string
	switch n.Kind {
	case yaml.MappingNode:
		for k := 0; k+1 < len(n.Content); k += 2 {
			parts = append(parts, deeper+quoted(n.Content[k].Value)+": "+inJSON(n.Content[k+1], deeper))
		}
		return "{\n" + strings.Join(parts, ",\n") + "\n" + indent + "}"
	case yaml.SequenceNode:
		if len(n.Content) == 0 {
			return "[]"
		}
		for _, one := range n.Content {
			parts = append(parts, deeper+inJSON(one, deeper))
		}
		return "[\n" + strings.Join(parts, ",\n") + "\n" + indent + "]"
	case yaml.ScalarNode:
		if n.ShortTag() == "!!str" {
			return quoted(n.Value)
		}
		return n.Value
	}
	return ""
}

// quoted writes a string as JSON, without the escapes that only HTML needs.
func quoted(s string) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("pages: a string is no JSON: " + err.Error())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

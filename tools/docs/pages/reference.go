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

// reference is the API's description for its page.
type reference struct {
	Intro      template.HTML
	Server     string // the address with which all paths begin
	Tags       []tag
	Operations []operation
	Webhooks   []operation // Path is the type of the event
}

// tag groups operations.
type tag struct{ Name, Description string }

// operation is a method of a path.
type operation struct {
	ID, Method, Path, Summary string
	Tag                       string
	Text                      string // the description as written
	Description               template.HTML
	Secured                   bool
	Parameters                []parameter
	Body                      []attribute
	Examples                  []example
	Answers                   []apiAnswer
	Samples                   []sample
}

// parameter is in the path, the query or a header.
type parameter struct {
	attribute
	In    string
	Value string // an example
	Text  string // the description as written
}

// attribute is a field of a body.
type attribute struct {
	Name, Type  string // nested names with dots
	Required    bool
	Rules       []rule
	Description template.HTML
}

// rule limits a value. Its wording depends on the language of the page.
type rule struct{ Name, Value string }

// example is a body in JSON.
type example struct{ Summary, JSON string }

// apiAnswer is one of the answers of an operation.
type apiAnswer struct {
	Status, Description string
	Headers             []attribute
	Fields              []attribute
	Examples            []example
}

// readReference parses an OpenAPI document. It knows only the parts of OpenAPI that ours uses; a
// broken reference is an error.
func readReference(document []byte) (reference, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(document, &file); err != nil {
		return reference{}, fmt.Errorf("read API description: %w", err)
	}
	if len(file.Content) != 1 {
		return reference{}, errors.New("read API description: it is empty")
	}
	r := reader{root: file.Content[0]}
	root := node{file.Content[0], &r}
	out := reference{Intro: r.prose(root.at("info").text("description"))}
	for _, s := range root.at("servers").items() {
		out.Server = s.text("url")
	}
	for _, t := range root.at("tags").items() {
		out.Tags = append(out.Tags, tag{t.text("name"), t.text("description")})
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
	return out, nil
}

// reader keeps the first error, so that the code follows the order of the document.
type reader struct {
	root *yaml.Node
	err  error
}

func (r *reader) prose(text string) template.HTML {
	html, err := renderMarkdown(text)
	if err != nil && r.err == nil {
		r.err = err
	}
	return html
}

func (r *reader) operation(path, method string, n node, secured bool) operation {
	o := operation{
		ID: n.text("operationId"), Method: strings.ToUpper(method), Path: path, Summary: n.text("summary"),
		Text: n.text("description"), Description: r.prose(n.text("description")),
		Secured: secured && (!n.has("security") || len(n.at("security").items()) > 0),
	}
	for _, t := range n.at("tags").items() {
		o.Tag = t.Value
	}
	for _, p := range n.at("parameters").items() {
		one := parameter{
			attribute: r.attribute(p.text("name"), p.at("schema"),
				p.text("required") == "true", p.text("description")),
			In:   p.text("in"),
			Text: p.text("description"),
		}
		for _, e := range p.at("examples").pairs() {
			one.Value = e.value.text("value")
		}
		o.Parameters = append(o.Parameters, one)
	}
	for _, content := range n.at("requestBody").at("content").pairs() {
		o.Body = r.attributes("", content.value.at("schema"))
		o.Examples = r.examples(content.value)
	}
	for _, a := range n.at("responses").pairs() {
		answer := apiAnswer{Status: a.name, Description: a.value.text("description")}
		for _, h := range a.value.at("headers").pairs() {
			answer.Headers = append(answer.Headers,
				r.attribute(h.name, h.value.at("schema"),
					h.value.text("required") == "true", h.value.text("description")))
		}
		for _, content := range a.value.at("content").pairs() {
			answer.Fields = r.attributes("", content.value.at("schema"))
			answer.Examples = r.examples(content.value)
		}
		o.Answers = append(o.Answers, answer)
	}
	return o
}

func (r *reader) examples(content node) []example {
	var all []example
	for _, e := range content.at("examples").pairs() {
		all = append(all, example{Summary: e.value.text("summary"), JSON: inJSON(e.value.at("value").Node, "")})
	}
	return all
}

// attributes are the fields of an object, and of the objects in it, in order. If a body has several
// forms, the fields are those of the first, and the examples show the others.
func (r *reader) attributes(prefix string, schema node) []attribute {
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
		all = append(all, r.attribute(name, p.value, isRequired, p.value.text("description")))
		all = append(all, r.attributes(name+".", p.value)...)
		all = append(all, r.attributes(name+"[].", p.value.at("items"))...)
	}
	return all
}

// ruleNames are the constraints that the page has words for, in the order of display.
var ruleNames = []string{
	"format", "const", "enum", "minimum", "maximum", "minLength", "maxLength", "minProperties", "maxProperties",
	"minItems", "maxItems", "pattern",
}

func (r *reader) attribute(name string, schema node, required bool, description string) attribute {
	a := attribute{Name: name, Type: typeOf(schema), Required: required, Description: r.prose(description)}
	for _, rule := range ruleNames {
		a.Rules = append(a.Rules, rulesCalled(rule, rule, schema)...)
	}
	a.Rules = append(a.Rules, rulesCalled("maxLength", "keyLength", schema.at("propertyNames"))...)
	a.Rules = append(a.Rules, rulesCalled("maxLength", "valueLength", schema.at("additionalProperties"))...)
	return a
}

func rulesCalled(key, name string, schema node) []rule {
	if !schema.has(key) {
		return nil
	}
	n := schema.at(key)
	if values := n.items(); len(values) > 0 {
		all := make([]string, len(values))
		for k, one := range values {
			all[k] = one.Value
		}
		return []rule{{name, strings.Join(all, ", ")}}
	}
	return []rule{{name, n.Value}}
}

// typeOf returns the JSON type: "string", or "string or null".
func typeOf(schema node) string {
	if n := schema.at("type"); n.Node != nil {
		if n.Kind == yaml.ScalarNode {
			return n.Value
		}
		var all []string
		for _, one := range n.items() {
			all = append(all, one.Value)
		}
		return strings.Join(all, " | ")
	}
	return ""
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

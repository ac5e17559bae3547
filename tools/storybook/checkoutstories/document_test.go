package checkoutstories_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// document is a parsed page.
type document struct{ *html.Node }

// parse refuses what a browser would silently repair: elements left open, closed
// twice or closed in the wrong order.
func parse(t *testing.T, text string) document {
	t.Helper()
	void := map[string]bool{"meta": true, "link": true, "input": true, "br": true, "hr": true, "!doctype": true}
	var open []string
	tokens := html.NewTokenizer(strings.NewReader(text))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		name, _ := tokens.TagName()
		switch tag := string(name); {
		case kind == html.StartTagToken && !void[tag]:
			open = append(open, tag)
		case kind == html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != tag {
				t.Fatalf("</%s> closes nothing; open: %v", tag, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Fatalf("left open: %v", open)
	}
	// As in a browser without scripts, the content of noscript counts.
	root, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatalf("parse page: %v", err)
	}
	return document{root}
}

// all returns the elements with a name; every element if the name is empty.
func (d document) all(name string) []document {
	var found []document
	for n := range d.Descendants() {
		if n.Type == html.ElementNode && (name == "" || n.Data == name) {
			found = append(found, document{n})
		}
	}
	return found
}

func (d document) one(t *testing.T, name string) document {
	t.Helper()
	found := d.all(name)
	if len(found) != 1 {
		t.Fatalf("%d elements %s, want one", len(found), name)
	}
	return found[0]
}

// with returns the only element with a name and an attribute.
func (d document) with(t *testing.T, name, key, value string) document {
	t.Helper()
	var found []document
	for _, n := range d.all(name) {
		if n.attr(key) == value {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d elements %s with %s=%q, want one", len(found), name, key, value)
	}
	return found[0]
}

func (d document) attr(key string) string {
	for _, a := range d.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func (d document) has(key string) bool {
	for _, a := range d.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

func (d document) texts() []*html.Node {
	var found []*html.Node
	for n := range d.Descendants() {
		if n.Type == html.TextNode {
			found = append(found, n)
		}
	}
	return found
}

// text is all text, with every run of blanks as one.
func (d document) text() string {
	var b strings.Builder
	for _, n := range d.texts() {
		b.WriteString(n.Data)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// refresh is the content of the refresh element, which works without a script.
func (d document) refresh() string {
	for _, m := range d.all("meta") {
		if m.attr("http-equiv") == "refresh" {
			return m.attr("content")
		}
	}
	return ""
}

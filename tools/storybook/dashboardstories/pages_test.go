package dashboardstories_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"daftar/internal/locale"
	"daftar/tools/storybook/dashboardstories"
)

var languages = []locale.Lang{locale.Arabic, locale.English}

// Every page in every state is valid for browsers and screen readers, under our policy.
func TestStories(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	for _, s := range dashboardstories.All() {
		if names[s.Name] {
			t.Errorf("two stories are called %s", s.Name)
		}
		names[s.Name] = true
		for _, l := range languages {
			t.Run(s.Name+"."+l.String(), func(t *testing.T) {
				t.Parallel()
				page, err := s.Page(l, "/dashboard/story?x=1").Render()
				if err != nil {
					t.Fatal(err)
				}
				checkPage(t, string(page), l)
				other := strings.ReplaceAll(locale.WithLang("/dashboard/story?x=1", l.Other()), "&", "&amp;")
				if !strings.Contains(string(page), `<a class="switch" href="`+other+`"`) {
					t.Error("the switch leads elsewhere than to the page")
				}
			})
		}
	}
}

// document collects what checkPage checks.
type document struct {
	t        *testing.T
	headings int
	ids      map[string]bool
	labels   map[string]bool // ids that have one
	refers   []string        // ids that something refers to
	fields   []*html.Node
}

func checkPage(t *testing.T, page string, l locale.Lang) {
	t.Helper()
	for _, sign := range []string{"<no value>", "%!", "ZgotmplZ", "\u2026\u2026"} {
		if strings.Contains(page, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	d := document{t: t, ids: make(map[string]bool), labels: make(map[string]bool)}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			d.element(n, l)
		}
	}
	if d.headings != 1 {
		t.Errorf("%d headings h1", d.headings)
	}
	for _, id := range d.refers {
		if !d.ids[id] {
			t.Errorf("there is no element #%s", id)
		}
	}
	for _, field := range d.fields {
		if !d.labels[attribute(field, "id")] && attribute(field, "aria-label") == "" &&
			attribute(field, "aria-labelledby") == "" && !within(field, "label") {
			t.Errorf("the field %s has no label", attribute(field, "name"))
		}
	}
}

func (d *document) element(n *html.Node, l locale.Lang) {
	switch n.Data {
	case "html":
		if attribute(n, "lang") != l.String() || attribute(n, "dir") != l.Dir() {
			d.t.Errorf("the page is in %s, %s", attribute(n, "lang"), attribute(n, "dir"))
		}
	case "title":
		if n.FirstChild == nil || strings.TrimSpace(n.FirstChild.Data) == "" {
			d.t.Error("no title")
		}
	case "h1":
		d.headings++
	case "style":
		d.t.Error("an inline style sheet")
	case "script":
		if attribute(n, "src") == "" {
			d.t.Error("an inline script")
		}
	case "label":
		d.labels[attribute(n, "for")] = true
	case "input", "select", "textarea":
		if kind := attribute(n, "type"); kind != "hidden" && !hasAttribute(n, "hidden") {
			d.fields = append(d.fields, n)
		}
	case "table":
		if within(n, "main") && !within(n, "div") {
			d.t.Error("a table outside of what scrolls")
		}
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "style" || strings.HasPrefix(a.Key, "on"):
			d.t.Errorf("an inline %s", a.Key)
		case a.Key == "id":
			if d.ids[a.Val] {
				d.t.Errorf("two elements are #%s", a.Val)
			}
			d.ids[a.Val] = true
		case a.Key == "for" || a.Key == "aria-describedby" || a.Key == "aria-labelledby":
			d.refers = append(d.refers, strings.Fields(a.Val)...)
		case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
			d.refers = append(d.refers, a.Val[1:])
		}
	}
}

// within reports whether an element is inside one with a name.
func within(n *html.Node, name string) bool {
	for above := n.Parent; above != nil; above = above.Parent {
		if above.Data == name {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

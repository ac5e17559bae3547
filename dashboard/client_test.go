package dashboard_test

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// client is a browser without scripts: it keeps cookies and follows no redirect
// by itself.
type client struct {
	t     *testing.T
	w     *world
	http  *http.Client
	agent string // the User-Agent; empty: Go's
	// at is the page it was on last, and sends as the referrer.
	at string
}

// answer is a response that was read to its end.
type answer struct {
	status int
	header http.Header
	body   string
}

// get opens an address: a path with a query, or one of the server's.
func (c *client) get(path string) answer {
	c.t.Helper()
	a := c.send(http.MethodGet, path, nil)
	c.at = path
	return a
}

// post sends a form of names and values by turns, from the page the client is on.
func (c *client) post(path string, fields ...string) answer {
	c.t.Helper()
	form := url.Values{}
	for n := 0; n+1 < len(fields); n += 2 {
		form.Add(fields[n], fields[n+1])
	}
	return c.send(http.MethodPost, path, form)
}

// follow opens the page that an answer leads to.
func (c *client) follow(a answer) answer {
	c.t.Helper()
	if a.status != http.StatusSeeOther {
		c.t.Fatalf("status %d leads nowhere:\n%s", a.status, a.text())
	}
	return c.get(a.header.Get("Location"))
}

// send is the request itself; a nil form is none.
func (c *client) send(method, path string, form url.Values) answer {
	c.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.w.server.URL+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		if c.at != "" {
			request.Header.Set("Referer", c.w.server.URL+c.at)
		}
	}
	if c.agent != "" {
		request.Header.Set("User-Agent", c.agent)
	}
	return c.do(request)
}

func (c *client) do(request *http.Request) answer {
	c.t.Helper()
	response, err := c.http.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// is fails unless the answer has the status.
func (a answer) is(t *testing.T, status int) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d (Location %q):\n%s", a.status, status, a.header.Get("Location"), a.text())
	}
	return a
}

// leads fails unless the answer leads to a page, whose query may have more.
func (a answer) leads(t *testing.T, to string) answer {
	t.Helper()
	a.is(t, http.StatusSeeOther)
	got := a.header.Get("Location")
	if got != to && !strings.HasPrefix(got, to+"?") && !strings.HasPrefix(got, to+"&") {
		t.Fatalf("leads to %q, want %q", got, to)
	}
	return a
}

// has and lacks look for sentences in the text of the page.
func (a answer) has(t *testing.T, sentences ...string) answer {
	t.Helper()
	text := a.text()
	for _, s := range sentences {
		if !strings.Contains(text, s) {
			t.Errorf("the page lacks %q:\n%s", s, text)
		}
	}
	return a
}

func (a answer) lacks(t *testing.T, sentences ...string) answer {
	t.Helper()
	for _, s := range sentences {
		if strings.Contains(a.body, s) {
			t.Errorf("the page has %q:\n%s", s, a.text())
		}
	}
	return a
}

var blanks = regexp.MustCompile(`\s+`)

// text is what a reader sees, in one line.
func (a answer) text() string {
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		return a.body
	}
	root, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		return a.body
	}
	var out strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "title" && n.Parent.Data != "style" {
			out.WriteString(n.Data)
		}
	}
	return strings.TrimSpace(blanks.ReplaceAllString(out.String(), " "))
}

// form are the fields of the form whose action ends so (a query left out), with
// what the page has filled in: hidden fields, text, what is checked and chosen.
func (a answer) form(t *testing.T, action string) url.Values {
	t.Helper()
	root, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		path, _, _ := strings.Cut(attribute(n, "action"), "?")
		if n.Type == html.ElementNode && n.Data == "form" && strings.HasSuffix(path, action) {
			return fieldsOf(n)
		}
	}
	t.Fatalf("the page has no form to %s:\n%s", action, a.text())
	return nil
}

func fieldsOf(form *html.Node) url.Values {
	fields := url.Values{}
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		kind := attribute(n, "type")
		if (kind == "radio" || kind == "checkbox") && !hasAttribute(n, "checked") {
			continue
		}
		switch n.Data {
		case "input":
			fields.Add(name, attribute(n, "value"))
		case "textarea":
			text := ""
			for child := range n.Descendants() {
				text += child.Data
			}
			fields.Add(name, text)
		case "select":
			for option := range n.Descendants() {
				if option.Data == "option" && hasAttribute(option, "selected") {
					fields.Add(name, attribute(option, "value"))
				}
			}
		}
	}
	return fields
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

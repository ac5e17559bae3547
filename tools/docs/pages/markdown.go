package main

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"daftar/internal/locale"
)

// markdown renders our own texts. HTML in them is left out.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

func renderMarkdown(source string) (template.HTML, error) {
	var out bytes.Buffer
	ids := parser.NewContext(parser.WithIDs(headingIDs{}))
	if err := markdown.Convert([]byte(source), &out, parser.WithContext(ids)); err != nil {
		return "", fmt.Errorf("render text: %w", err)
	}
	return template.HTML(out.String()), nil //nolint:gosec // our own text, and goldmark leaves raw HTML out
}

// headingIDs names headings by their words in any script, as the sites that show repositories do.
// goldmark's default keeps only Latin letters, and would reduce an Arabic heading to hyphens. The
// keys are the names in use.
type headingIDs map[string]bool

// Generate returns the id of a heading.
func (ids headingIDs) Generate(heading []byte, _ ast.NodeKind) []byte {
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(heading)))
	if name == "" {
		name = "section"
	}
	free := name
	for n := 1; ids[free]; n++ {
		free = name + "-" + strconv.Itoa(n)
	}
	ids[free] = true
	return []byte(free)
}

// Put reserves an id that the text itself sets.
func (ids headingIDs) Put(name []byte) { ids[string(name)] = true }

// rendered is a guide in HTML.
type rendered struct {
	title, description string
	body               string // without the title
}

// renderGuide renders a guide: its first heading is the title of the page, and its first paragraph
// the description.
func renderGuide(plain string, at place, in edition) (rendered, error) {
	source := []byte(plain)
	document := markdown.Parser().Parse(text.NewReader(source),
		parser.WithContext(parser.NewContext(parser.WithIDs(headingIDs{}))))
	title, ok := document.FirstChild().(*ast.Heading)
	if !ok || title.Level != 1 {
		return rendered{}, errors.New("it does not begin with its title")
	}
	out := rendered{title: plainText(title, source)}
	if first, ok := title.NextSibling().(*ast.Paragraph); ok {
		out.description = plainText(first, source)
	}
	document.RemoveChild(document, title)
	if err := rewriteLinks(document, source, at, in.lang); err != nil {
		return rendered{}, err
	}
	contents := contentsOf(document, source, in.words)
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, document); err != nil {
		return rendered{}, fmt.Errorf("render text: %w", err)
	}
	// The introduction comes before the table of contents.
	text := addControls(body.String(), in.words)
	first := max(strings.Index(text, "<h2"), 0)
	out.body = text[:first] + contents + text[first:]
	return out, nil
}

// plainText returns the text of a node without markup, on one line.
func plainText(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if leaf, ok := n.(*ast.Text); ok && entering {
			out.Write(leaf.Segment.Value(source))
			if leaf.SoftLineBreak() {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// rewriteLinks makes links lead to pages, and pictures to the site's. A link to a file that is no page
// becomes its path.
func rewriteLinks(document ast.Node, source []byte, at place, l locale.Lang) error {
	var links []*ast.Link
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			links = append(links, link)
		}
		if picture, ok := n.(*ast.Image); ok && entering {
			return ast.WalkContinue, at.show(picture)
		}
		return ast.WalkContinue, nil
	})
	for _, link := range links {
		to, path := at.linkTo(string(link.Destination), l)
		if path == "" {
			link.Destination = []byte(to)
			continue
		}
		words := template.HTMLEscapeString(plainText(link, source))
		name := ast.NewString([]byte(words + " (<code>" + template.HTMLEscapeString(path) + "</code>)"))
		name.SetCode(true) // it is HTML already
		link.Parent().ReplaceChild(link.Parent(), link, name)
	}
	return err
}

// contentsOf returns the table of contents of a page with several sections.
func contentsOf(document ast.Node, source []byte, words texts) string {
	var out strings.Builder
	sections := 0
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		heading, ok := n.(*ast.Heading)
		if !ok || heading.Level != 2 {
			continue
		}
		id, _ := heading.AttributeString("id")
		name, _ := id.([]byte)
		fmt.Fprintf(&out, "<li><a href=\"#%s\">%s</a></li>\n", template.HTMLEscapeString(string(name)),
			template.HTMLEscapeString(plainText(heading, source)))
		sections++
	}
	if sections < 3 {
		return ""
	}
	return `<nav class="contents" aria-labelledby="on-this-page">` +
		`<h2 id="on-this-page">` + words.OnThisPage + "</h2>\n<ul>" + out.String() + "</ul></nav>\n"
}

var (
	heading = regexp.MustCompile(`<(h[2-4]) id="([^"]*)">(.*?)</h[2-4]>`)
	// webhookRow is the place in a guide for the types of webhooks, for each of which the server
	// inserts a row.
	webhookRow = regexp.MustCompile(`<tr>\n<td><code>payment_intent\.…</code></td>\n<td>.*</td>\n</tr>`)
	codeBlock  = regexp.MustCompile(`(?s)<pre>(<code[^>]*>.*?</code>)</pre>`)
)

// addControls adds to the HTML of a text what readers need: headings link to themselves, so that their
// address can be copied; code can be copied; and a table or a code block that is wider than the
// page scrolls separately, also with the keyboard.
func addControls(body string, words texts) string {
	body = webhookRow.ReplaceAllString(body, mark("webhooks"))
	body = heading.ReplaceAllString(body, `<$1 id="$2"><a href="#$2">$3</a></$1>`)
	pieces := 0
	body = codeBlock.ReplaceAllStringFunc(body, func(found string) string {
		pieces++
		label := words.Code + " " + strconv.Itoa(pieces)
		id := "code-" + strconv.Itoa(pieces)
		block := `<pre dir="ltr" tabindex="0" id="` + id + `" role="group" aria-label="` + label + `">` +
			codeBlock.FindStringSubmatch(found)[1] + "</pre>"
		if !strings.Contains(found, "language-") || strings.Contains(found, "language-text") {
			return block // a diagram, or a command's output
		}
		return `<div class="snippet">` + block + "\n" +
			`<button class="copy" type="button" data-copy="` + id + `" data-done="` + words.Copied + `" hidden>` +
			`<span class="unseen">` + words.Copy + ` ` + label + `</span></button></div>`
	})
	return strings.NewReplacer(
		"<table>", `<div class="scroll" tabindex="0"><table>`,
		"</table>", "</table></div>",
	).Replace(body)
}

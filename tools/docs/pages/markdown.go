package main

import (
	"bytes"
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
)

// markdown renders our own texts. HTML in them is left out.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

func renderMarkdown(text string) (template.HTML, error) {
	var out bytes.Buffer
	ids := parser.NewContext(parser.WithIDs(headingIDs{}))
	if err := markdown.Convert([]byte(text), &out, parser.WithContext(ids)); err != nil {
		return "", fmt.Errorf("render text: %w", err)
	}
	return template.HTML(out.String()), nil //nolint:gosec // our own text, and goldmark leaves raw HTML out
}

// headingIDs names headings by their words in any script, as the places that show
// the files do; goldmark's own keep Latin letters only, and would leave an Arabic
// heading nothing but hyphens. The keys are the names that are taken.
type headingIDs map[string]bool

// Generate makes the name of a heading.
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

// Put takes a name that the text gives a heading itself.
func (ids headingIDs) Put(name []byte) { ids[string(name)] = true }

// In a file, HTML says which way the text runs, the first heading is the title,
// and a line leads to the other edition. Here the page does all three.
var (
	directionTag = regexp.MustCompile(`(?m)^</?div[^>]*>\n`)
	titleLine    = regexp.MustCompile(`(?m)\A\s*# .*\n`)
	editionLine  = regexp.MustCompile(`(?m)^\[[^\]]*\]\(webhooks(\.ar)?\.md\)\n`)
)

// guide renders the guide to webhooks as a part of a page.
func guide(text string) (string, error) {
	text = directionTag.ReplaceAllString(text, "")
	text = titleLine.ReplaceAllString(text, "")
	text = editionLine.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, "](webhooks.md", "](?lang=en")
	out, err := renderMarkdown(text)
	if err != nil {
		return "", err
	}
	// A table or a piece of code that is wider than the page scrolls by itself, and
	// the keyboard must be able to do that.
	return strings.NewReplacer(
		"<pre>", `<pre dir="ltr" tabindex="0">`,
		"<table>", `<div class="scroll" tabindex="0"><table>`, "</table>", "</table></div>",
	).Replace(string(out)), nil
}

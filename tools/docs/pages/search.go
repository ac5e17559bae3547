package main

import (
	"html"
	"regexp"
	"strings"
)

// index is what the search of a language looks through, in the order of the pages.
type index []entry

// entry is a place that the search finds: by its title and page, and after those by its text.
type entry struct {
	Title   string `json:"t"`
	Page    string `json:"p"`
	Address string `json:"u"`
	Text    string `json:"x"`
}

var (
	part  = regexp.MustCompile(`<h[23] id="([^"]*)"><a [^>]*>(.*?)</a></h[23]>`)
	anTag = regexp.MustCompile(`<button.*?</button>|<[^>]*>`)
)

// textOf returns the words of a piece of HTML, on one line.
func textOf(markup string) string {
	return onOneLine(html.UnescapeString(anTag.ReplaceAllString(markup, " ")))
}

// addGuide adds a guide and its sections.
func (x *index) addGuide(name, at string, g rendered) {
	*x = append(*x, entry{name, g.title, at, g.description})
	parts := part.FindAllStringSubmatchIndex(g.body, -1)
	for n, p := range parts {
		end := len(g.body)
		if n+1 < len(parts) {
			end = parts[n+1][0]
		}
		*x = append(*x, entry{
			textOf(g.body[p[4]:p[5]]), name, at + "#" + g.body[p[2]:p[3]], textOf(g.body[p[1]:end]),
		})
	}
}

// addReference adds the requests, their fields and the webhooks.
func (x *index) addReference(in edition, api reference) {
	t, at := in.words, address(referenceSlug, in.lang)
	add := func(title, page, id, text string) {
		*x = append(*x, entry{title, page, at + "#" + id, onOneLine(text)})
	}
	*x = append(*x, entry{t.Title, t.Title, at, t.Description})
	add(t.Authentication, t.Title, "authentication", t.BothHeaders)
	add(t.Conventions, t.Title, "conventions", api.Intro.Text)
	add(t.Errors, t.Title, "errors", t.ErrorsIntro)
	fields := func(all []attribute, page string) {
		for _, f := range all {
			add(f.Name, page, f.ID, f.Description.Text+" "+strings.Join(f.Rules, " "))
		}
	}
	fields(api.Credentials, t.Authentication)
	fields(api.Headers, t.Conventions)
	fields(api.Replies, t.Headers)
	for _, o := range api.Operations {
		add(o.Summary, t.Title, o.ID, o.Method+" "+o.Path+" "+o.Description.Text)
		fields(api.Own(o), o.Summary)
		fields(o.Body, o.Summary)
		for _, a := range o.Done() {
			fields(a.Fields, o.Summary)
			if object := api.Objects[a.Object]; object.First == o.ID && a.Status == o.Done()[0].Status {
				fields(object.Fields, t.AnswerFields)
			}
		}
	}
	for _, w := range api.Webhooks {
		add(w.Path, t.Webhooks, w.ID, w.Summary+" "+w.Description.Text)
	}
	fields(api.Bodies, t.WebhookBody)
}

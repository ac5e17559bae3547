package main

import (
	"slices"
	"strings"
)

// shared is what several operations have in common, and what the page therefore says once.
type shared struct {
	Headers []attribute // that each request with credentials can have
	Errors  []apiAnswer // that each such request can get
	Replies []attribute // the headers of answers
	Bodies  []attribute // the fields of all webhooks
}

func sharedBy(operations, webhooks []operation) (s shared) {
	first := operations[max(0, slices.IndexFunc(operations, func(o operation) bool { return o.Secured }))]
	for _, a := range first.Answers {
		everywhere := !slices.ContainsFunc(operations, func(o operation) bool {
			return o.Secured && !slices.ContainsFunc(o.Answers, a.sameAs)
		})
		if a.Failed() && everywhere {
			s.Errors = append(s.Errors, a)
		}
	}
	for _, p := range first.Parameters {
		if p.In == "header" {
			s.Headers = append(s.Headers, p)
		}
	}
	for _, o := range operations {
		for _, a := range o.Answers {
			for _, h := range a.Headers {
				s.Replies = addNew(s.Replies, h)
			}
		}
	}
	for _, w := range webhooks {
		for _, f := range w.Body {
			f.ID = "webhooks." + strings.ReplaceAll(f.Name, "[]", "")
			if f.Name == "type" {
				f.Rules = nil // each type is a row of the table
			}
			f.Only = typesWith(webhooks, f.Name)
			s.Bodies = addNew(s.Bodies, f)
		}
	}
	return s
}

func (a apiAnswer) sameAs(b apiAnswer) bool {
	return a.Status == b.Status && a.Description == b.Description
}

func addNew(all []attribute, one attribute) []attribute {
	if slices.ContainsFunc(all, func(known attribute) bool { return known.ID == one.ID }) {
		return all
	}
	return append(all, one)
}

// typesWith returns the types of webhooks with a field; none if most have it.
func typesWith(webhooks []operation, field string) (types []string) {
	for _, w := range webhooks {
		if slices.ContainsFunc(w.Body, func(f attribute) bool { return f.Name == field }) {
			types = append(types, w.Path)
		}
	}
	if 2*len(types) > len(webhooks) {
		return nil
	}
	return types
}

// usual are headers that nearly every answer has.
var usual = []string{"X-Request-Id", "RateLimit-Policy", "RateLimit"}

// Unusual returns the headers of an answer that few others have.
func (a apiAnswer) Unusual() []attribute {
	return slices.DeleteFunc(slices.Clone(a.Headers),
		func(h attribute) bool { return slices.Contains(usual, h.Name) })
}

// noteFields adds to the fields of a request what the service answers about them: the sentences of
// its examples, and that a repeated request is recognised by the first.
func noteFields(o *operation) {
	for _, a := range o.Answers {
		replayed := func(h attribute) bool { return h.Name == "Idempotent-Replayed" }
		if slices.ContainsFunc(a.Headers, replayed) && len(o.Body) > 0 {
			o.Body[0].Key = true
		}
		for _, e := range a.Examples {
			for _, about := range e.value.at("errors").pairs() {
				field, _, _ := strings.Cut(about.name, ".") // a key of metadata
				n := slices.IndexFunc(o.Body, func(f attribute) bool { return f.Name == field })
				for _, sentence := range about.value.items() {
					if n >= 0 {
						o.Body[n].Errors = append(o.Body[n].Errors, fieldError{a.Status, sentence.Value})
					}
				}
			}
		}
	}
}

// Done returns the answers that are no failures.
func (o operation) Done() []apiAnswer {
	return slices.DeleteFunc(slices.Clone(o.Answers), apiAnswer.Failed)
}

// Own returns the parameters of an operation that others do not have.
func (s shared) Own(o operation) []attribute {
	return slices.DeleteFunc(slices.Clone(o.Parameters), func(p attribute) bool {
		return slices.ContainsFunc(s.Headers, func(h attribute) bool { return h.Name == p.Name })
	})
}

// atOnce is how many fields are shown before the others are folded; required ones always are.
const atOnce = 3

// shownFirst returns the fields that are shown at once, in their order, and the others.
func shownFirst(all []attribute) (shown, folded []attribute) {
	optional := atOnce
	for _, f := range all {
		if f.Required {
			optional--
		}
	}
	for _, f := range all {
		if optional > 0 || f.Required || len(all) <= atOnce+1 {
			shown = append(shown, f)
		} else {
			folded = append(folded, f)
		}
		if !f.Required {
			optional--
		}
	}
	return shown, folded
}

// Failures returns the errors of an operation that others do not have.
func (s shared) Failures(o operation) []apiAnswer {
	return slices.DeleteFunc(slices.Clone(o.Answers),
		func(a apiAnswer) bool { return !a.Failed() || slices.ContainsFunc(s.Errors, a.sameAs) })
}

// Line returns an example's JSON on one line.
func (e example) Line() string {
	lines := strings.Split(e.JSON, "\n")
	for n := range lines {
		lines[n] = strings.TrimLeft(lines[n], " ")
		if strings.HasSuffix(lines[n], ",") {
			lines[n] += " "
		}
	}
	return strings.Join(lines, "")
}

// Answer returns the answer that the page shows next to the request, and Others the rest of the
// examples of what can be answered when nothing failed.
func (o operation) Answer() (all []shownAnswer) {
	for _, a := range o.Done() {
		for _, e := range a.Examples {
			all = append(all, shownAnswer{a.Status, e})
		}
	}
	return all
}

// shownAnswer is an example of an answer with its status.
type shownAnswer struct {
	Status string
	example
}

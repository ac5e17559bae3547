package view

import (
	"html/template"
	"net/url"
	"time"

	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/decisions"
	"daftar/projections"
)

// Question is what happened, in a sentence with the amount.
func (r rendering) Question(x ExceptionRow) template.HTML {
	before, after := r.T.Decisions.LateAsks, r.T.Decisions.LateAsked
	if x.Kind == projections.KindDuplicate {
		before, after = r.T.Decisions.TwiceAsks, r.T.Decisions.TwiceAsked
	}
	//nolint:gosec // texts of ours around the amount's markup
	return template.HTML(before+" ") + locale.AmountHTML(r.Lang, x.Amount) + template.HTML(" "+after)
}

// HandOver is the answer that keeps the money.
func (r rendering) HandOver(x ExceptionRow) string {
	if x.Kind == projections.KindDuplicate {
		return r.T.Decisions.HandOverTwice
	}
	return r.T.Decisions.HandOver
}

// oldAfter is the time after which a decision is late.
const oldAfter = 24 * time.Hour

// Old reports whether the customer has waited too long.
func (r rendering) Old(x ExceptionRow) bool { return r.waited(x) >= oldAfter }

// Waits says how long the customer has waited.
func (r rendering) Waits(x ExceptionRow) string {
	return r.T.Decisions.Waits + " " + locale.AgeText(r.Lang, r.waited(x))
}

func (r rendering) waited(x ExceptionRow) time.Duration {
	p, _ := r.V.(DecisionsPage)
	return p.Now.Sub(x.Since)
}

// Answer is the page with the form open, and an answer chosen in it.
func (x ExceptionRow) Answer(kind string) string {
	q := url.Values{"of": {x.Field("decide")}, "kind": {kind}}
	return "decisions?" + q.Encode() + "#" + x.Field("decide")
}

// Choose opens the form of the row that an Answer names.
func (p DecisionsPage) Choose(q url.Values) {
	kind := decisions.Kind(q.Get("kind"))
	for n := range p.Open {
		if x := &p.Open[n]; kind.Valid() && q.Get("of") == x.Field("decide") {
			x.Form.Kind = kind
		}
	}
}

// Today is the day of the page.
func (p DecisionsPage) Today() domain.Day { return domain.DayOf(p.Now) }

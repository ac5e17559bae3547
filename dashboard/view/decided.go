package view

import (
	"daftar/payments/decisions"
)

// DecidedForm is the filter of the decisions, as it was typed.
type DecidedForm struct {
	Kind         decisions.Kind
	From, To, At string
}

// Query is the filter as the query of an address, from a place in the list on.
func (f DecidedForm) Query(at string) string {
	return queryOf(map[string]string{"kind": string(f.Kind), "from": f.From, "to": f.To, "at": at})
}

// Narrowed reports whether the filter leaves something out.
func (f DecidedForm) Narrowed() bool { return f.Query("") != "" }

// Read reads the form.
func (f DecidedForm) Read() (out decisions.Filter, wrong FormErrors) {
	if out.Kind = f.Kind; f.Kind != "" && !out.Kind.Valid() {
		wrong.Add("kind", func(t *Texts) string { return t.Decisions.BadKind })
	}
	out.From, out.To = wrong.days(f.From, f.To)
	if !out.From.IsZero() && !out.To.IsZero() && out.To.Before(out.From) {
		wrong.Add("to", func(t *Texts) string { return t.Payments.DaysCross })
	}
	return out, wrong
}

// DecidedPage lists decisions.
type DecidedPage struct {
	FormErrors
	Form  DecidedForm
	Rows  []ExceptionRow
	Older string // a path; empty: the list ends here
}

func (DecidedPage) head(t *Texts) (template, title string) { return "decided", t.Decisions.AllTitle }

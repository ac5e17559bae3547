package view

import (
	"daftar/payments/decisions"
)

// DecidedForm is the filter of what was decided, as it was typed.
type DecidedForm struct{ Kind, From, To, At string }

// Query writes the filter as an address has it, from a place on.
func (f DecidedForm) Query(at string) string {
	return queryOf(map[string]string{"kind": f.Kind, "from": f.From, "to": f.To, "at": at})
}

// Narrowed says that the filter leaves something out.
func (f DecidedForm) Narrowed() bool { return f.Query("") != "" }

// Read is the filter that the form asks for.
func (f DecidedForm) Read() (out decisions.Filter, wrong FormErrors) {
	is := func(field string, text func(t *Texts) string) { wrong = append(wrong, formError{field, text}) }
	if out.Kind = decisions.Kind(f.Kind); f.Kind != "" && !out.Kind.Valid() {
		is("kind", func(t *Texts) string { return t.Decisions.BadKind })
	}
	var known bool
	if out.From, known = readDay(f.From); !known {
		is("from", func(t *Texts) string { return t.Payments.BadDay })
	}
	if out.To, known = readDay(f.To); !known {
		is("to", func(t *Texts) string { return t.Payments.BadDay })
	}
	if !out.From.IsZero() && !out.To.IsZero() && out.To.Before(out.From) {
		is("to", func(t *Texts) string { return t.Payments.DaysCross })
	}
	return out, wrong
}

// DecidedPage lists what was decided.
type DecidedPage struct {
	FormErrors
	Form  DecidedForm
	Rows  []ExceptionRow
	Older string // a path; empty: the list ends here
}

func (DecidedPage) head(t *Texts) (template, title string) { return "decided", t.Decisions.AllTitle }

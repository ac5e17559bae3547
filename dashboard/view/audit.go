package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"daftar/accounts"
)

// AuditFilter is the form above the list, as it was typed.
type AuditFilter struct{ Actor, Action, Outcome, Since, Until string }

// Path leads to a place in the list under this filter.
func (f AuditFilter) Path(before int64) string {
	return strings.TrimSuffix("audit?"+queryOf(map[string]string{
		"actor": f.Actor, "action": f.Action, "outcome": f.Outcome, "since": f.Since, "until": f.Until, "before": place(before),
	}), "?")
}

// AuditPage is a page of the audit trail.
type AuditPage struct {
	FormErrors
	Filter  AuditFilter
	Records []accounts.AuditRecord
	Older   int64 // the position after which the next page begins; 0: none
	Later   bool  // this is not the first page
}

func (AuditPage) head(t *Texts) (template, title string) { return "audit", t.Sections.Audit }

// BadDay says that the day in a field cannot be read.
func BadDay(field string) FormErrors {
	return FormError(field, func(t *Texts) string { return t.Audit.BadDay })
}

// Filtered says whether something is left out.
func (a AuditPage) Filtered() bool { return a.Filter != AuditFilter{} }

// option is a choice of a select element.
type option struct {
	Value, Name string
	Chosen      bool
}

// Actions are the choices of the filter, by their names.
func (a AuditPage) Actions(t *Texts) []option {
	var all []option
	for action, name := range t.Audit.Actions {
		all = append(all, option{string(action), name, string(action) == a.Filter.Action})
	}
	slices.SortFunc(all, func(x, y option) int { return cmp.Compare(x.Name, y.Name) })
	return all
}

// Outcomes are the choices of the filter.
func (a AuditPage) Outcomes(t *Texts) []option {
	var all []option
	for _, o := range []accounts.Outcome{accounts.Done, accounts.Failed, accounts.Denied} {
		all = append(all, option{string(o), t.Audit.Pill(o).Text, string(o) == a.Filter.Outcome})
	}
	return all
}

// Action is what was done, in words; an action without words is shown as it is stored.
func (AuditPage) Action(t *Texts, r accounts.AuditRecord) string {
	if words, known := t.Audit.Actions[r.Action]; known {
		return words
	}
	return string(r.Action)
}

// Actor is the address of a user, or words for an operator and for nobody.
func (AuditPage) Actor(t *Texts, r accounts.AuditRecord) string {
	if name, is := strings.CutPrefix(r.Actor, "operator:"); is {
		return t.Audit.Operator + " (" + name + ")"
	}
	if r.Actor == "unknown" { // nobody was authenticated
		return t.Audit.Unknown
	}
	return r.Actor
}

// detail is a name and a value of a record.
type detail struct{ Name, Value string }

// Details are the details of a record, in a fixed order.
func (AuditPage) Details(t *Texts, r accounts.AuditRecord) []detail {
	var all []detail
	for _, name := range slices.Sorted(maps.Keys(r.Detail)) {
		if value := t.detail(name, r.Detail[name]); value != "" {
			all = append(all, detail{t.Audit.name(name), value})
		}
	}
	return all
}

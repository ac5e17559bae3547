package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"daftar/accounts"
	"daftar/internal/locale"
)

// AuditFilter is the form above the list, as it was typed.
type AuditFilter struct{ Actor, Action, Outcome, Since, Until string }

// Path leads to a place in the list under this filter.
func (f AuditFilter) Path(before int64) string {
	return strings.TrimSuffix("audit?"+queryOf(map[string]string{
		"actor": f.Actor, "action": f.Action, "outcome": f.Outcome, "since": f.Since, "until": f.Until,
		"before": place(before),
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

func (AuditPage) head(t *Texts) (template, title string) { return "audit", t.Sections[SectionAudit] }

// BadDay is the error of a day that cannot be read, which it names.
func BadDay(field, typed string) FormErrors {
	return FormError(field, func(t *Texts) string { return locale.Isolate(typed) + " " + t.Audit.BadDay })
}

// Filtered reports whether the filter leaves something out.
func (a AuditPage) Filtered() bool { return a.Filter != AuditFilter{} }

// Actions are the choices of the filter, sorted by their names.
func (AuditPage) Actions(t *Texts) []choice {
	var all []choice
	for action, name := range t.Audit.Actions {
		all = append(all, choice{string(action), name})
	}
	slices.SortFunc(all, func(x, y choice) int { return cmp.Compare(x.Text, y.Text) })
	return all
}

// Outcomes are the choices of the filter.
func (AuditPage) Outcomes(t *Texts) []choice {
	var all []choice
	for _, o := range []accounts.Outcome{accounts.Done, accounts.Failed, accounts.Denied} {
		all = append(all, choice{string(o), t.Audit.Pill(o).Text})
	}
	return all
}

// Actor is the address of a user, or a text for an operator and for an unknown actor.
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

package view

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer/statements"
	"daftar/payments/settlements"
	"daftar/reconcile"
)

// LongestSpan is the longest span of a comparison, the same as that of the turnover.
const LongestSpan = maxDays * 24 * time.Hour

// ReconcileForm selects what a statement is compared with, as it was typed.
type ReconcileForm struct {
	Acquirer, Application, From, To, Unit string
	Choose                                string // the columns, before the comparison; empty: no
	As                                    string // the file of the answer, such as xlsx; empty: a page
	// Columns are the columns that were chosen; nil: the form did not ask for them.
	Columns map[statements.Field]string
	// FileName and Shown are the file's name and the digest of what was shown, to accept that.
	FileName, Shown string
	Terms           TermsForm
}

// Detail is the detail of the audit record.
func (f ReconcileForm) Detail() map[string]any {
	return Details(map[string]string{
		"acquirer":    f.Acquirer,
		"application": f.Application,
		"from_day":    f.From,
		"to_day":      f.To,
		"unit":        f.Unit,
		"columns":     columnsText(f.Columns),
		"format":      f.As,
	})
}

// ReconcilePage compares a statement with the ledger. It is the form, or the choice of the file's columns,
// or the answer.
type ReconcilePage struct {
	FormErrors
	Form         ReconcileForm
	Acquirers    []string
	Applications []accounts.Application
	Sample       *reconcile.Sample // of a file whose columns are to be chosen; nil: of none
	Report       *reconcile.Report // nil: nothing was compared
	Proven       int               // unknown outcomes that the statement shows, and that are kept
	// Carried is the file itself, in Base64, for the next form to send it again: the server keeps none.
	// Empty: there is none, or it is too large for a page.
	Carried string
	Earlier []accounts.AuditRecord // comparisons, the latest first
	// Draft is what can be accepted of the statement; nil: the reader may not.
	Draft       *settlements.Draft
	Digest      string // of the draft
	Waiting     []settlements.Proposal
	Settlements []settlements.Settlement // the latest
	Today       domain.Day
}

func (ReconcilePage) head(t *Texts) (template, title string) { return "reconcile", t.Reconcile.Title }

// The errors of a file that cannot be received.
var (
	NoStatement     = FormError("file", func(t *Texts) string { return t.Reconcile.NoFile })
	LargeStatement  = FormError("file", func(t *Texts) string { return t.Reconcile.LargeFile })
	BrokenStatement = FormError("file", func(t *Texts) string { return t.Reconcile.BrokenFile })
)

// Read returns what the form chooses, of the organisation's applications alone. The statement was made
// before now.
func (p ReconcilePage) Read(now time.Time) (o reconcile.Options, of reconcile.Scope, wrong FormErrors) {
	var known bool
	o.Profile, known = reconcile.ProfileOf(p.Form.Acquirer)
	if !known || !slices.Contains(p.Acquirers, p.Form.Acquirer) {
		wrong.Add("acquirer", func(t *Texts) string { return t.Reconcile.NoAcquirer })
	}
	switch u := statements.Unit(p.Form.Unit); u {
	case "":
	case statements.Dinars, statements.Dirhams:
		o.Profile.Unit = u
	default:
		wrong.Add("unit", func(t *Texts) string { return t.Reconcile.NoUnit })
	}
	var ids []domain.ApplicationID
	for _, a := range p.Applications {
		if p.Form.Application == "" || p.Form.Application == a.ID.String() {
			ids = append(ids, a.ID)
		}
	}
	if p.Form.Application != "" && len(ids) == 0 {
		wrong.Add("application", func(t *Texts) string { return t.Payments.NoApplication })
	}
	if len(ids) == 1 { // otherwise the statement may be of another application's account
		o.CompleteTo = now
	}
	wrong.readColumns(p.Form.Columns)
	o.Columns = p.Form.Columns
	from, to := wrong.days(p.Form.From, p.Form.To)
	if !from.IsZero() {
		o.Span.From = from.Start()
	}
	if !to.IsZero() {
		o.Span.To = to.Add(1).Start()
	}
	return o, reconcile.Of(ids...), wrong
}

// ReconcileErrors are the form's errors for an error of reconcile.Compare; none: the user cannot
// correct it.
func ReconcileErrors(err error) FormErrors {
	if wrong, is := errors.AsType[*reconcile.StatementError](err); is {
		return FormError("file", func(t *Texts) string { return t.Reconcile.problem(wrong) })
	}
	switch {
	case errors.Is(err, reconcile.ErrSpan):
		return FormError("to", func(t *Texts) string { return t.Payments.DaysCross })
	case errors.Is(err, reconcile.ErrLongSpan):
		return FormError("to", func(t *Texts) string { return t.Money.TooLong })
	case errors.Is(err, reconcile.ErrTooMany):
		return FormError("to", func(t *Texts) string { return t.Reconcile.TooMany })
	}
	return nil
}

// problem is the text of a statement's error, with its place.
func (t reconcileTexts) problem(e *reconcile.StatementError) string {
	where := ""
	if e.Line > 0 {
		where = t.Line + " " + strconv.Itoa(e.Line) + ": "
	}
	if field, is := t.Fields[statements.Field(e.Column)]; is && e.Problem == reconcile.ProblemNoColumn {
		return where + field.Name + ": " + t.Problems[e.Problem]
	}
	if e.Column != "" {
		where += t.Column + " " + locale.Isolate(e.Column) + ": "
	}
	if e.Value != "" {
		where += locale.Isolate(e.Value) + ": "
	}
	return where + t.Problems[e.Problem]
}

// Whose are the fields of the form that say whose statement it is.
func (p ReconcilePage) Whose() []choice {
	return []choice{{"acquirer", p.Form.Acquirer}, {"application", p.Form.Application}}
}

// Fields are all fields of the form without the file, to compare it again.
func (p ReconcilePage) Fields() []choice {
	f := p.Form
	all := append(p.Whose(), choice{"from", f.From}, choice{"to", f.To}, choice{"unit", f.Unit})
	for _, field := range statements.Fields {
		if name, chosen := f.Columns[field]; chosen {
			all = append(all, choice{columnPrefix + string(field), name})
		}
	}
	if p.Carried != "" {
		all = append(all, choice{"file_name", f.FileName})
	}
	return append(all, choice{"shown", p.Digest})
}

// AcquirerChoices are the acquirers of a page by their names.
func (r rendering) AcquirerChoices(p ReconcilePage) []choice {
	var all []choice
	for _, name := range p.Acquirers {
		all = append(all, choice{name, r.T.Acquirers.Name(name)})
	}
	return all
}

// UnitChoices are the units that the amounts of a file may have.
func (r rendering) UnitChoices() []choice {
	t := r.T.Reconcile
	return []choice{
		{"", t.OwnUnit}, {string(statements.Dinars), t.Dinars}, {string(statements.Dirhams), t.Dirhams},
	}
}

package view

import (
	"errors"
	"html/template"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// LongestSpan is the longest span of a comparison, the same as that of the turnover.
const LongestSpan = maxDays * 24 * time.Hour

// maxFindings is the number of findings on a page.
const maxFindings = 200

// ReconcileForm selects what a statement is compared with, as it was typed.
type ReconcileForm struct{ Acquirer, Application, From, To, Unit string }

// Detail is the detail of the audit record.
func (f ReconcileForm) Detail() map[string]any {
	return Details(map[string]string{
		"acquirer":    f.Acquirer,
		"application": f.Application,
		"from_day":    f.From,
		"to_day":      f.To,
	})
}

// ReconcilePage compares a statement with the ledger.
type ReconcilePage struct {
	FormErrors
	Form         ReconcileForm
	Acquirers    []string
	Applications []accounts.Application
	Report       *reconcile.Report // nil: nothing was compared
	Proven       int               // unknown outcomes that the statement shows, and that are kept
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
	if e.Column != "" {
		where += t.Column + " " + locale.Isolate(e.Column) + ": "
	}
	if e.Value != "" {
		where += locale.Isolate(e.Value) + ": "
	}
	return where + t.Problems[e.Problem]
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

// Money is a sum of a comparison.
func (ReconcilePage) Money(dirham int64) domain.Money {
	return domain.Money{Minor: dirham, Currency: domain.LYD}
}

// LastDay is an instant in the last day of the comparison.
func (p ReconcilePage) LastDay() time.Time { return p.Report.Span.To.Add(-time.Second) }

// foundKind is a kind with the number of its findings and its meaning.
type foundKind struct {
	pill
	Count   int
	Meaning string
}

// FoundKinds are the kinds that a comparison found.
func (r rendering) FoundKinds(p ReconcilePage) []foundKind {
	var all []foundKind
	for _, k := range reconcile.Kinds {
		if n := p.Report.Count(k); n > 0 {
			all = append(all, foundKind{r.T.Reconcile.pill(k), n, r.T.Reconcile.Kinds[k].Meaning})
		}
	}
	return all
}

func (t reconcileTexts) pill(k reconcile.Kind) pill {
	class := "late"
	switch k {
	case reconcile.SeveralReferences, reconcile.TwiceInStatement, reconcile.NotYetInLedger:
		class = "wait"
	case reconcile.OutsideSpan:
		class = "off"
	}
	return pill{t.Kinds[k].Name, class}
}

// findingRow is a finding in the table.
type findingRow struct {
	pill
	Line, First       int // 0: none
	At                time.Time
	Stated, Recorded  template.HTML
	Reference, Number string
	Zeros             string // the number of a payment that differs by leading zeros; empty: none
	Payment           string // its path; empty: none is known
}

// More is the number of findings that the table leaves out.
func (p ReconcilePage) More() int { return max(len(p.Report.Findings)-maxFindings, 0) }

// FindingRows are the first maxFindings findings.
func (r rendering) FindingRows(p ReconcilePage) []findingRow {
	var rows []findingRow
	for _, f := range p.Report.Findings[:len(p.Report.Findings)-p.More()] {
		row := findingRow{pill: r.T.Reconcile.pill(f.Kind), At: f.At(), First: f.First}
		intent := f.Intent
		if e := f.Entry; e != nil {
			row.Recorded = locale.AmountHTML(r.Lang, p.Money(e.Amount))
			row.Reference, row.Number, intent = string(e.Attempt), e.ProviderReference, e.Intent
		}
		if l := f.Line; l != nil {
			row.Line, row.Reference, row.Number = l.Number, l.Reference, l.ProviderReference
			row.Stated = locale.AmountHTML(r.Lang, p.Money(l.Amount))
			if l.Stated != "" {
				row.Stated = monospace(l.Stated + " " + l.Currency)
			}
		}
		if f.Alike != nil {
			row.Zeros, intent = f.Alike.ProviderReference, f.Alike.Intent
		}
		if uuid.UUID(intent) != uuid.Nil {
			row.Payment = "payments/" + intent.String()
		}
		rows = append(rows, row)
	}
	return rows
}

package view

import (
	"fmt"
	"html/template"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/reconcile"
)

// shownOfGroup is the number of findings of a kind on the page; a file has all.
const shownOfGroup = 20

// Money is a sum of a comparison.
func (ReconcilePage) Money(dirham int64) domain.Money {
	return domain.Money{Minor: dirham, Currency: domain.LYD}
}

// LastDay is an instant in the last day of the comparison.
func (p ReconcilePage) LastDay() time.Time { return p.Report.Span.To.Add(-time.Second) }

// Transactions is a number of payments and refunds.
func (r rendering) Transactions(n int) string { return locale.Transactions(r.Lang, n) }

// Verdict is the answer in a sentence: what each side lacks, with its sum, and in how much they differ.
func (r rendering) Verdict(p ReconcilePage) template.HTML {
	t := r.T.Reconcile
	if p.Report.OK() {
		return template.HTML(template.HTMLEscapeString(t.Agree)) //nolint:gosec // it was escaped just now
	}
	var clauses []string
	others := 0
	for _, g := range p.Report.Groups() {
		what := locale.Payments(r.Lang, len(g.Findings))
		if g.HasRefunds() {
			what = r.Transactions(len(g.Findings))
		}
		sum := string(locale.AmountHTML(r.Lang, p.Money(g.Amount())))
		switch g.Kind {
		case reconcile.MissingInStatement:
			clauses = append(clauses, fmt.Sprintf(t.StatementLacks, what, sum))
		case reconcile.MissingInLedger:
			clauses = append(clauses, fmt.Sprintf(t.LedgerLacks, what, sum))
		case reconcile.OutsideSpan:
		default:
			others += len(g.Findings)
		}
	}
	if others > 0 {
		differ := t.DifferIn
		if len(clauses) > 0 {
			differ = t.TheyDifferIn
		}
		clauses = append(clauses, fmt.Sprintf(differ, locale.AmongTransactions(r.Lang, others)))
	}
	sentence := clauses[len(clauses)-1]
	if others := clauses[:len(clauses)-1]; len(others) > 0 {
		sentence = strings.Join(others, t.Comma) + t.And + sentence
	}
	first, size := utf8.DecodeRuneInString(sentence)
	return template.HTML(string(unicode.ToUpper(first)) + //nolint:gosec // of the texts, figures and AmountHTML
		sentence[size:] + ".")
}

// foundGroup is the findings of a kind.
type foundGroup struct {
	pill
	reconcile.Group
	Meaning            string
	HasLine, HasRecord bool // in any of them: otherwise their columns are left out
	Rows               []findingRow
	More               int // that are not among the rows
}

// FoundGroups are the findings by kind.
func (r rendering) FoundGroups(p ReconcilePage) []foundGroup {
	var all []foundGroup
	for _, g := range p.Report.Groups() {
		meaning := r.T.Reconcile.Kinds[g.Kind].Meaning
		found := foundGroup{pill: r.T.Reconcile.pill(g.Kind), Group: g, Meaning: meaning}
		for n, f := range g.Findings {
			found.HasLine = found.HasLine || f.Line != nil
			found.HasRecord = found.HasRecord || f.Entry != nil
			if n < shownOfGroup {
				found.Rows = append(found.Rows, r.findingRow(p, f))
			}
		}
		found.More = len(g.Findings) - len(found.Rows)
		all = append(all, found)
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
	Line, First       int // 0: none
	At                time.Time
	Stated, Recorded  template.HTML
	Reference, Number string
	Zeros             string // the number of a payment that differs by leading zeros; empty: none
	Payment           string // its path; empty: none is known
}

func (r rendering) findingRow(p ReconcilePage, f reconcile.Finding) findingRow {
	row := findingRow{At: f.At(), First: f.First}
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
	return row
}

// KindWord is a kind of finding as pages call it.
func (w Words) KindWord(k reconcile.Kind) string { return w.t.Reconcile.Kinds[k].Name }

// Result is what the audit record of a comparison has of its answer, as it was made.
func Result(r reconcile.Report) map[string]any {
	findings := 0
	for _, g := range r.Groups() {
		if g.Kind != reconcile.OutsideSpan {
			findings += len(g.Findings)
		}
	}
	return map[string]any{
		"columns": columnsText(r.Columns), "unit": string(r.Unit),
		"differences": findings, "difference": r.Difference(),
		"from_day": domain.DayOf(r.Span.From).String(),
		"to_day":   domain.DayOf(r.Span.To.Add(-time.Second)).String(),
	}
}

// earlierComparison is a comparison of the audit trail.
type earlierComparison struct {
	At              time.Time
	Actor, Acquirer string
	From, To        string // days; empty: those of the statement
	Failed, Known   bool   // the file could not be compared; the record has what was found
	Differences     int
	Difference      template.HTML
}

// EarlierComparisons are the comparisons of the audit trail.
func (r rendering) EarlierComparisons(p ReconcilePage) []earlierComparison {
	var all []earlierComparison
	for _, record := range p.Earlier {
		text := func(name string) string { s, _ := record.Detail[name].(string); return s }
		differences, known := record.Detail["differences"].(float64)
		dirham, _ := record.Detail["difference"].(float64)
		all = append(all, earlierComparison{
			At: record.At, Actor: record.Actor, Acquirer: r.T.Acquirers.Name(text("acquirer")),
			From: p.dayText(r.Lang, text("from_day")), To: p.dayText(r.Lang, text("to_day")),
			Failed: record.Outcome != accounts.Done, Known: known, Differences: int(differences),
			Difference: locale.AmountHTML(r.Lang, p.Money(int64(dirham))),
		})
	}
	return all
}

// dayText is a day of a record as pages write days; what is none, as it stands.
func (p ReconcilePage) dayText(l locale.Lang, text string) string {
	day, err := domain.ParseDay(text)
	if err != nil {
		return text
	}
	return locale.ShortDate(l, noon(day), p.Today.Year)
}

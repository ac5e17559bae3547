package dashboardstories

import (
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// carried stands for a file that a page has.
const carried = "H4sIAAAAAAAA/w=="

// moamalatColumns are those of a statement of Moamalat.
var moamalatColumns = map[statements.Field]string{
	statements.Reference: "MerchantReference", statements.Number: "SystemReference",
	statements.Amount: "AmountTrxn", statements.Time: "TxnDateTime", statements.Status: "Status",
}

// earlierComparisons are records of comparisons: one that found something, one that agreed, one whose file
// could not be read, and one of a release that recorded no results.
func earlierComparisons() []accounts.AuditRecord {
	type details = map[string]any
	made := func(ago time.Duration, by string, outcome accounts.Outcome, detail details) accounts.AuditRecord {
		return accounts.AuditRecord{
			At: now.Add(-ago), Actor: by, Action: view.ActionReconcile, Outcome: outcome, Detail: detail,
		}
	}
	const day = 24 * time.Hour
	return []accounts.AuditRecord{
		made(2*time.Hour, financeIdentity.Email, accounts.Done, details{
			"acquirer": "plutu", "from_day": "2026-11-01", "to_day": "2026-11-19",
			"differences": 3.0, "difference": -250_000.0,
		}),
		made(3*time.Hour, financeIdentity.Email, accounts.Failed, details{"acquirer": "plutu"}),
		made(19*day, ownerIdentity.Email, accounts.Done, details{
			"acquirer": "moamalat", "from_day": "2026-10-01", "to_day": "2026-10-31",
			"differences": 0.0, "difference": 0.0,
		}),
		made(50*day, ownerIdentity.Email, accounts.Done, details{"acquirer": "lypay"}),
	}
}

// columnStories are choices of the columns of a file: of one that is not known, with what was wrong with the
// choice, and by choice, of a file too large for the page.
func columnStories(form view.ReconcilePage) []Story {
	form.Form = view.ReconcileForm{Acquirer: "plutu"}
	unknown := form
	unknown.Carried = carried
	unknown.Sample = &reconcile.Sample{Lines: [][]string{
		{"Receipt", "الزبون", "Sum", "Sum", "Day", "", "Note"},
		{"a0k3m9x2q7t5w8z1b4c6d0e2f3", "سالم", "12.500", "0.250", "20/11/2026", "", "=HYPERLINK(\"http://x\")"},
		{"b7n4p1r8v5y2a9c6e3g0h7j4k1", "منى", "45.000", "0.900", "20/11/2026"},
		{"c3x8k1m5p9r2t6v0w4y7z1a5b8", "", "٧٧٫٢٥٠", "1.545", "20/11/2026", "x"},
	}}
	unknown.FormErrors = view.ReconcileErrors(&reconcile.StatementError{
		Problem: reconcile.ProblemNoColumn, Line: 1, Column: string(statements.Amount),
	})
	wrong := unknown
	wrong.Form.Columns = map[statements.Field]string{statements.Amount: "Sum", statements.Narrative: "Sum"}
	wrong.FormErrors = nil
	_, _, wrong.FormErrors = wrong.Read(now)
	chosen := form
	chosen.Form.Acquirer, chosen.Form.Application = "moamalat", form.Applications[0].ID.String()
	chosen.Sample = &reconcile.Sample{Columns: moamalatColumns, Lines: [][]string{
		{"MerchantReference", "SystemReference", "AmountTrxn", "TxnDateTime", "Status"},
		{"a0k3m9x2q7t5w8z1b4c6d0e2f3", "MML-70091042", "12500", "20261120194100", "Approved"},
	}}
	return []Story{
		{"reconcile-columns", inside(view.SectionMoney, unknown)},
		{"reconcile-columns-wrong", inside(view.SectionMoney, wrong)},
		{"reconcile-columns-chosen", inside(view.SectionMoney, chosen)},
	}
}

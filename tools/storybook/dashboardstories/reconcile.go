package dashboardstories

import (
	"slices"
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/acquirer/statements"
	"daftar/reconcile"
)

// The attempts of the comparison's stories.
const (
	firstAttempt  domain.AttemptID = "a0k3m9x2q7t5w8z1b4c6d0e2f3"
	secondAttempt domain.AttemptID = "b7n4p1r8v5y2a9c6e3g0h7j4k1"
	thirdAttempt  domain.AttemptID = "c3x8k1m5p9r2t6v0w4y7z1a5b8"
)

// line is a line of a statement, with the acquirer's number.
func line(number int, reference domain.AttemptID, theirs string, dirham int64,
	ago time.Duration,
) *reconcile.Line {
	return &reconcile.Line{
		Number: number, Reference: string(reference), ProviderReference: theirs, Amount: dirham,
		Currency: string(domain.LYD), At: now.Add(-ago),
	}
}

// entry is the entry of a payment in the ledger.
func entry(of view.PaymentRow, id domain.AttemptID, theirs string, dirham int64,
	ago time.Duration,
) *reconcile.Entry {
	return &reconcile.Entry{
		Event: domain.TypeSucceeded, Intent: of.ID, Attempt: id, ProviderReference: theirs,
		Amount: dirham, At: now.Add(-ago),
	}
}

// findings are one of each kind.
func findings(rows []view.PaymentRow) []reconcile.Finding {
	euros := line(77, thirdAttempt, "MML-70091177", 0, 6*time.Hour)
	euros.Currency, euros.Stated = "EUR", "19.90"
	timeless := line(12, "order-2026-11-18-000000001036", "", 96_000, 0)
	timeless.At = time.Time{}
	return []reconcile.Finding{
		{Kind: reconcile.MissingInStatement, Entry: entry(rows[0], firstAttempt, "MML-70091042", 1_234_500,
			3*time.Hour)},
		{Kind: reconcile.MissingInLedger, Line: line(214, "order-5512", "MML-70091055", 45_000, 5*time.Hour)},
		{Kind: reconcile.MissingInLedger, Line: timeless},
		{
			Kind: reconcile.AmountDiffers, Line: line(301, secondAttempt, "MML-70091061", 77_250, 9*time.Hour),
			Entry: entry(rows[2], secondAttempt, "MML-70091061", 78_250, 9*time.Hour),
		},
		{
			Kind: reconcile.CurrencyDiffers, Line: euros,
			Entry: entry(rows[3], thirdAttempt, "MML-70091177", 9_000, 6*time.Hour),
		},
		{Kind: reconcile.SeveralReferences, Line: line(498, "A0K3M9X2Q7T5W8Z1B4C6D0E2F3 B7N4P1R8V5Y2A9C6E3G0H7J4K1",
			"FT26324001", 250_000, 8*time.Hour)},
		{
			Kind: reconcile.TwiceInStatement, Line: line(516, secondAttempt, "MML-70091062", 78_250, 9*time.Hour),
			Entry: entry(rows[2], secondAttempt, "MML-70091061", 78_250, 9*time.Hour), First: 301,
		},
		{
			Kind: reconcile.NotYetInLedger, Line: line(801, thirdAttempt, "MML-70091199", 9_000, time.Hour),
			Intent: rows[1].ID, Attempt: thirdAttempt, Stage: "asking",
		},
		{
			Kind: reconcile.OutsideSpan, Line: line(1203, firstAttempt, "MML-70090001", -250_000, time.Minute),
			Entry: entry(rows[4], firstAttempt, "MML-70090001", -250_000, -4*time.Hour),
		},
	}
}

func reconcileStories() []Story {
	applications, rows := paymentRows()
	form := view.ReconcilePage{
		Acquirers: []string{"moamalat", "plutu", "lypay", "sandbox"}, Applications: applications,
		Earlier: earlierComparisons(), Today: domain.DayOf(now),
	}
	day := domain.DayOf(now)
	span := reconcile.Span{From: day.Add(-19).Start(), To: day.Add(1).Start()}
	differ := form
	differ.Proven = 7
	differ.Form = view.ReconcileForm{Acquirer: "moamalat", From: "2026-11-01", To: "2026-11-20"}
	differ.Report = &reconcile.Report{
		Acquirer: "moamalat", Span: span, Statement: reconcile.Total{Count: 1204, Amount: 184_420_250},
		Ledger:  reconcile.Total{Count: 1203, Amount: 184_389_000},
		Matched: 1196, Unpaid: 31, Skipped: 3, OutOfSpan: 4, Findings: findings(rows), Columns: moamalatColumns,
		Unit: statements.Dirhams,
	}
	differ.Carried = carried
	agree := form
	agree.Earlier, agree.Carried = nil, carried
	agree.Form = view.ReconcileForm{Acquirer: "lypay"}
	agree.Report = &reconcile.Report{
		Acquirer: "lypay", Span: span, Statement: reconcile.Total{Count: 18, Amount: 1_420_500},
		Ledger: reconcile.Total{Count: 18, Amount: 1_420_500}, Matched: 18,
	}
	many := form
	many.Form = view.ReconcileForm{Acquirer: "plutu"}
	many.Report = &reconcile.Report{
		Acquirer: "plutu", Span: span, Ledger: reconcile.Total{Count: 230, Amount: 230 * 45_000},
		Columns: map[statements.Field]string{statements.Narrative: "البيان", statements.Credit: "دائن"},
		Unit:    statements.Dinars,
	}
	many.Carried = carried
	for range 230 {
		many.Report.Findings = append(many.Report.Findings, reconcile.Finding{
			Kind: reconcile.MissingInStatement, Entry: entry(rows[1], secondAttempt, "55120", 45_000, 3*time.Hour),
		})
	}
	wrong := form
	wrong.Form = view.ReconcileForm{Acquirer: "plutu", From: "2026-11-20", To: "2026-11-01"}
	wrong.FormErrors = append(view.ReconcileErrors(reconcile.ErrSpan),
		view.ReconcileErrors(&reconcile.StatementError{
			Problem: reconcile.ProblemDinars, Line: 214, Column: "المبلغ", Value: "12,500",
		})...)
	large := many
	large.Carried = ""
	again := wrong
	again.Carried = carried
	return slices.Concat([]Story{
		{"reconcile", inside(view.SectionMoney, form)},
		{"reconcile-differs", inside(view.SectionMoney, differ)},
		{"reconcile-agrees", inside(view.SectionMoney, agree).seenBy(viewerIdentity)},
		{"reconcile-many", inside(view.SectionMoney, many)},
		{"reconcile-large", inside(view.SectionMoney, large)},
		{"reconcile-wrong", inside(view.SectionMoney, wrong)},
		{"reconcile-again", inside(view.SectionMoney, again)},
	}, columnStories(form), settlementStories(differ, form, rows))
}

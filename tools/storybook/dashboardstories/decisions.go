package dashboardstories

import (
	"errors"
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
	"daftar/projections"
)

func decisionStories() []Story {
	applications, rows := paymentRows()
	late := view.ExceptionRow{
		Exception: decisions.Exception{
			Intent: rows[3].ID, Version: 7, Application: applications[0].ID, Kind: projections.KindLate,
			Attempt: "B7N4P1R8V5Y2A9C6E3G0H7J4K1", Amount: rows[3].Amount, Since: now.Add(-5 * time.Hour),
			Reference: rows[3].Reference, MerchantReference: rows[3].MerchantReference,
		},
		Application:       applications[0].Name,
		Paid:              domain.Attempt{ID: "B7N4P1R8V5Y2A9C6E3G0H7J4K1", Acquirer: "sandbox", Method: "card"},
		ProviderReference: "SBX-99120777",
	}
	double := late
	double.Since = now.Add(-29 * time.Hour)
	double.Intent, double.Kind, double.Amount = rows[5].ID, projections.KindDuplicate, rows[5].Amount
	double.Reference, double.MerchantReference = rows[5].Reference, rows[5].MerchantReference
	double.Paid.Method, double.Paid.Payer = "wallet", "091•••5678"
	decided := double
	decided.Decision = &decisions.Decision{
		At: now.Add(-26 * time.Hour), By: financeIdentity.Email, Kind: decisions.Refunded, Reference: "55120",
		Note: "رُدّ المبلغ إلى محفظة الزبون.", Informed: "الزبون عبر واتساب، أبلغته سلمى",
	}
	delivered, other := late, late
	delivered.Decision = &decisions.Decision{
		At: now.Add(-50 * time.Hour), By: ownerIdentity.Email, Kind: decisions.Delivered,
		Note: "Handed over at the counter; the customer showed the receipt.",
	}
	other.Decision = &decisions.Decision{
		At: now.Add(-74 * time.Hour), By: ownerIdentity.Email,
		Kind: decisions.Other, Note: "بقي رصيدًا للزبون في المتجر.",
	}
	all := []view.ExceptionRow{decided, delivered, other}
	open := view.DecisionsPage{
		Now: now, Open: []view.ExceptionRow{late, double}, Total: 2, Decided: all[:1], Unknown: 3,
	}
	open.Open[1].Refunds = []refunds.Refund{refundOf(rows[5], 31, 40_000, refunds.Recorded)}
	late.Form = decisions.Decision{Reference: "حوالة 4410", Informed: "الزبون"}
	missing := view.DecisionsPage{Now: now, Open: []view.ExceptionRow{late}, Total: 1}
	missing.FormErrors = late.Corrections(errors.Join(decisions.ErrKind, decisions.ErrNote))
	chosen := view.DecisionsPage{Now: now, Open: []view.ExceptionRow{double}, Total: 1}
	chosen.Open[0].Form.Kind = decisions.Delivered
	return []Story{
		{"decisions", inside(view.SectionDecisions, open)},
		{"decisions-chosen", inside(view.SectionDecisions, chosen).seenBy(financeIdentity)},
		{"decisions-finance", inside(view.SectionDecisions, open).seenBy(financeIdentity).after("decided")},
		{"decisions-missing-note", inside(view.SectionDecisions, missing)},
		{"decisions-support", inside(view.SectionDecisions, open).seenBy(supportIdentity)},
		{"decisions-viewer", inside(view.SectionDecisions, open).seenBy(viewerIdentity)},
		{"decisions-unknown", inside(view.SectionDecisions, view.DecisionsPage{Now: now, Unknown: 1})},
		{"decisions-none", inside(view.SectionDecisions, view.DecisionsPage{Now: now})},
		{"decided", inside(view.SectionDecisions,
			view.DecidedPage{Rows: all, Older: "decisions/decided?at=x"}).seenBy(financeIdentity)},
		{"decided-support", inside(view.SectionDecisions,
			view.DecidedPage{Form: view.DecidedForm{Kind: "refunded"}, Rows: all[:1]}).seenBy(supportIdentity)},
		{"decided-none-so", inside(view.SectionDecisions,
			view.DecidedPage{Form: view.DecidedForm{Kind: "delivered", From: "2026-11-01", To: "2026-11-02"}})},
		{"decided-none", inside(view.SectionDecisions, view.DecidedPage{})},
		{"decided-wrong", inside(view.SectionDecisions, wrongDecided())},
	}
}

// wrongDecided is a filter that cannot be read.
func wrongDecided() view.DecidedPage {
	p := view.DecidedPage{Form: view.DecidedForm{Kind: "kept", From: "2026-11-20", To: "2026-11-01"}}
	_, p.FormErrors = p.Form.Read()
	return p
}

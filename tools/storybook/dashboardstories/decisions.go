package dashboardstories

import (
	"time"

	"daftar/checkout"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
	"daftar/refunds"
)

func decisionStories() []Story {
	applications, rows := payments()
	late := view.ExceptionRow{
		Exception: projections.Exception{
			Intent: rows[3].ID, Version: 7, Application: applications[0].ID, Kind: projections.KindLate, Attempt: "B7N4P1R8V5Y2A9C6E3G0H7J4K1",
			Amount: rows[3].Amount, Since: now.Add(-5 * time.Hour), Reference: rows[3].Reference, MerchantReference: rows[3].MerchantReference,
		},
		Application: applications[0].Name, Paid: domain.Attempt{ID: "B7N4P1R8V5Y2A9C6E3G0H7J4K1", Acquirer: "sandbox", Method: "card"}, ProviderReference: "SBX-99120777",
	}
	double := late
	double.Intent, double.Kind, double.Amount, double.Reference, double.MerchantReference = rows[5].ID, projections.KindDuplicate, rows[5].Amount, rows[5].Reference, rows[5].MerchantReference
	double.Paid.Method, double.Paid.Payer = "wallet", "091•••5678"
	decided := double
	decided.Decision = &projections.Decision{At: now.Add(-26 * time.Hour), By: "owner@maydan.example", Note: "رُدّ المبلغ إلى محفظة الزبون، رقم العملية 55120."}
	open := view.DecisionsPage{Open: []view.ExceptionRow{late, double}, Total: 2, Decided: []view.ExceptionRow{decided}}
	open.Quarantined = []checkout.Listed{{
		ID: "C3P0M9X2Q7T5W8Z1B4C6D0E2F3", Intent: rows[1].ID, Reference: rows[1].Reference, Acquirer: "lypay", Method: "lypay", Amount: rows[1].Amount,
		Trouble: "paid again: 45000 LYD under 99120778", Since: now.Add(-40 * time.Minute),
	}}
	aside := view.DecisionsPage{Quarantined: open.Quarantined}
	open.Open[1].Refunds = []refunds.Refund{refundOf(rows[5], 31, 40_000, refunds.Recorded)}
	missing := view.DecisionsPage{Open: []view.ExceptionRow{late}, Total: 1}
	missing.FormErrors = view.FormError(late.Field(), func(t *view.Texts) string { return t.Decisions.NoteMissing })
	return []Story{
		{"decisions", inside(view.SectionDecisions, open)},
		{"decisions-missing-note", inside(view.SectionDecisions, missing)},
		{"decisions-viewer", inside(view.SectionDecisions, open).seenBy(viewerIdentity)},
		{"decisions-quarantined", inside(view.SectionDecisions, aside)},
		{"decisions-none", inside(view.SectionDecisions, view.DecisionsPage{})},
	}
}

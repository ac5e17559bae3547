package dashboardstories

import (
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/refunds"
)

// refundOf is a refund of a payment in a state.
func refundOf(r view.PaymentRow, n byte, minor int64, s refunds.State) refunds.Refund {
	return refunds.Refund{
		ID: domain.RefundID(fixedUUID(n)), Intent: r.ID, Application: r.Payment.Application,
		Attempt: "B7N4P1R8V5Y2A9C6E3G0H7J4K1", Acquirer: "moamalat",
		Amount: domain.Money{Minor: minor, Currency: domain.LYD}, ByAcquirer: true, State: s,
		Note:        "نفد أحد الصنفين",
		RequestedBy: "owner@maydan.example", RequestedAt: now.Add(-time.Duration(n) * time.Minute),
	}
}

// refundedPayment is a payment with three refunds: one succeeded, one failed, and one has an
// unknown outcome.
func refundedPayment(applications []accounts.Application, r view.PaymentRow) view.PaymentPage {
	p := paidPayment(applications, r)
	done, failed, unknown := refundOf(r, 71, 250_000, refunds.Recorded),
		refundOf(r, 61, 100_000, refunds.Failed), refundOf(r, 5, 84_500, refunds.Unknown)
	done.ProviderReference, done.Evidence, done.Actor = "99120441", domain.EvidenceAcquirer,
		"user:0b7e6c1e-9a52-4d0f-8a3e-1f2e3d4c5b09"
	failed.Trouble, unknown.Trouble = refunds.Refused, refunds.NoAnswer
	failed.Reference, failed.Reason = new(domain.RefundReference("return-1001")), new("أعاد الزبون سماعة واحدة")
	failed.RequestedBy, failed.Note = "application:متجر الواحة", *failed.Reason
	p.Refunds, p.Refunded, p.CanRefund = []refunds.Refund{done, failed, unknown}, done.Amount.Minor, true
	last := p.History[len(p.History)-1]
	event := domain.RefundRecorded{
		At: done.RequestedAt, Refund: done.ID, Attempt: done.Attempt, Amount: done.Amount,
		ProviderReference: done.ProviderReference, Evidence: done.Evidence,
	}
	after := domain.Evolve(last.After, event)
	notRefunded := domain.RefundFailed{
		At: failed.RequestedAt, Refund: failed.ID, Attempt: failed.Attempt, Amount: failed.Amount,
		Reason: failed.FailureReason(),
	}
	p.History = append(p.History, view.HistoryEntry{
		Event: event, Before: last.After, After: after, Version: last.Version + 1,
		Position: last.Position + 40, Actor: done.Actor, Note: done.Note,
	}, view.HistoryEntry{
		Event: notRefunded, Before: after, After: domain.Evolve(after, notRefunded), Version: last.Version + 2,
		Position: last.Position + 41, Actor: "application:" + r.Payment.Application.String(), Note: failed.Note,
	})
	return p
}

func refundStories() []Story {
	applications, rows := paymentRows()
	offer := func(attempt domain.AttemptID, minor int64, byAcquirer bool) refunds.Offer {
		return refunds.Offer{
			Attempt: domain.Attempt{
				ID: attempt, Acquirer: "moamalat", Method: "moamalat", State: domain.AttemptStatePaid,
				EndedAt: now.Add(-2 * time.Hour), ProviderReference: "99120034",
			},
			Left: domain.Money{Minor: minor, Currency: domain.LYD}, ByAcquirer: byAcquirer,
		}
	}
	page := func(offers ...refunds.Offer) view.RefundPage {
		return view.RefundPage{PaymentRow: rows[0], Offers: offers, Form: view.RefundForm{Number: "1"}}
	}
	asked := page(offer("A0K3M9X2Q7T5W8Z1B4C6D0E2F3", 1_234_500, true),
		offer("B7N4P1R8V5Y2A9C6E3G0H7J4K1", 84_500, true))
	asked.Form.Attempt = "B7N4P1R8V5Y2A9C6E3G0H7J4K1"
	wrong := page(offer("A0K3M9X2Q7T5W8Z1B4C6D0E2F3", 1_234_500, true))
	wrong.Form = view.RefundForm{Number: "1", Amount: "خمسة"}
	_, wrong.FormErrors = wrong.Form.Read()
	wrong.FormErrors = append(wrong.FormErrors, view.RefundNote...)
	return []Story{
		{"payment-refunded", inside(view.SectionPayments, refundedPayment(applications, rows[0]))},
		{"refund", inside(view.SectionPayments, asked)},
		{"refund-by-hand", inside(view.SectionPayments,
			page(offer("A0K3M9X2Q7T5W8Z1B4C6D0E2F3", 1_234_500, false)))},
		{"refund-wrong", inside(view.SectionPayments, wrong)},
		{"refund-nothing-left", inside(view.SectionPayments, page())},
	}
}

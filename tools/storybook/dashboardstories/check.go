package dashboardstories

import (
	"time"

	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments/till"
)

// checkStories are the verdicts of the till.
func checkStories() []Story {
	i := domain.Intent{
		ID: domain.IntentID(fixedUUID(61)), Version: 3, Status: domain.StatusSucceeded,
		Terms: domain.Terms{
			Reference: "7k3qx0m2td", Amount: domain.Money{Minor: 1_234_500, Currency: domain.LYD},
		},
	}
	paid := func(v till.Verdict, ago time.Duration) till.Answer {
		return till.Answer{Verdict: v, At: now, Intent: i, PaidAt: now.Add(-ago)}
	}
	verdict := func(a till.Answer) page {
		return inside(view.SectionCheck, view.ReceiptCheck{Answer: a, Typed: "7K3QX0M2TD"}).seenBy(viewerIdentity)
	}
	before, refunded, waiting := paid(till.Before, 5*time.Minute), paid(till.Refunded, 2*time.Hour), i
	before.First = till.First{At: now.Add(-3 * time.Minute), By: supportIdentity.Email}
	refunded.Refunded = i.Amount
	waiting.Status = domain.StatusProcessing
	empty := view.CheckPage{Number: "1", FormErrors: view.NoReference}
	return []Story{
		{"check", inside(view.SectionCheck, view.CheckPage{Number: "1"}).seenBy(viewerIdentity)},
		{"check-empty", inside(view.SectionCheck, empty)},
		{"receipt-good", verdict(paid(till.Good, 2*time.Minute))},
		{"receipt-before", verdict(before)},
		{"receipt-old", verdict(paid(till.Old, 75*time.Hour))},
		{"receipt-refunded", verdict(refunded)},
		{"receipt-unpaid", verdict(till.Answer{Verdict: till.Unpaid, At: now, Intent: waiting})},
		{"receipt-test", verdict(paid(till.Test, time.Minute))},
		{"receipt-unknown", verdict(till.Answer{Verdict: till.Unknown, At: now})},
	}
}

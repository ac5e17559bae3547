package bookstest

import (
	"time"

	"daftar/books"
	"daftar/domain"
)

// Story is the history that docs/accounting.md tells: a payment, a late one that goes back, one that a
// customer makes twice, and a settlement that turns out to be another one.
func Story() History {
	m := newMaker(0)
	m.at = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	step := func(after time.Duration, i *domain.Intent, c domain.Command) {
		m.at = m.at.Add(after)
		m.decide(i, c)
	}
	start := func(of domain.AttemptID) domain.Command {
		return domain.StartAttempt{Attempt: of, Acquirer: "moamalat", Method: "card"}
	}
	pay := func(i domain.Intent, of domain.AttemptID, reference string) domain.Command {
		return domain.RecordPayment{Attempt: of, Amount: i.Amount, ProviderReference: reference}
	}
	coffee := m.order(50_000, time.Hour)
	step(time.Minute, &coffee, start("a1"))
	step(time.Minute, &coffee, pay(coffee, "a1", "612300000001"))

	late := m.order(20_000, 10*time.Minute)
	step(time.Minute, &late, start("b1"))
	step(time.Minute, &late, domain.FailAttempt{Attempt: "b1", Reason: "declined"})
	step(time.Hour, &late, pay(late, "b1", "612300000002"))
	step(time.Hour, &late, domain.RecordRefund{
		Refund: domain.RefundID(m.id()), Attempt: "b1", Amount: late.Amount, ProviderReference: "612300000003",
		Evidence: domain.EvidencePerson,
	})

	twice := m.order(30_000, time.Hour)
	step(time.Minute, &twice, start("c1"))
	step(time.Minute, &twice, domain.FailAttempt{Attempt: "c1", Reason: "declined"})
	step(time.Minute, &twice, start("c2"))
	step(time.Minute, &twice, pay(twice, "c2", "612300000004"))
	step(time.Minute, &twice, pay(twice, "c1", "612300000005"))

	m.at = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	paid := books.NewSettlement{
		ID: m.id(), ValueDate: domain.Day{Year: 2026, Month: 11, Day: 22}, Fees: 1_200, Net: 78_800,
		BankReference: "FT26326/41", Shares: []books.Share{
			m.shares["moamalat"][0], m.shares["moamalat"][3],
		},
	}
	paid.Taken = TakenOn(paid.ValueDate.Add(-2), paid.Shares...)
	m.book("moamalat", books.RecordStatement{Settlements: []books.NewSettlement{paid}})
	m.at = m.at.Add(time.Hour)
	m.book("moamalat", books.CorrectSettlement{
		ID: paid.ID, ValueDate: paid.ValueDate, Fees: 1_200, Net: 78_795, BankReference: paid.BankReference,
	})
	return m.History
}

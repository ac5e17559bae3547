package bookstest

import (
	"slices"

	"daftar/books"
	"daftar/domain"
)

// account does something with the account at a provider.
func (m *maker) account() {
	acquirer := Acquirers[m.IntN(len(Acquirers))]
	switch what := m.IntN(10); {
	case what < 6:
		m.settle(acquirer)
	case what < 9 && len(m.known) > 0:
		m.correct(m.known[m.IntN(len(m.known))])
	default:
		m.book(acquirer, books.ScheduleFee{
			Method: "card", From: domain.DayOf(m.at), Rate: m.Int64N(500), Minimum: m.Int64N(300),
		})
	}
}

// settle records a settlement of some payments and refunds: often as it should be, often not.
func (m *maker) settle(acquirer string) {
	open := m.shares[acquirer]
	if len(open) == 0 {
		return
	}
	from := m.IntN(len(open))
	shares := slices.Clone(open[from:min(len(open), from+1+m.IntN(20))])
	m.shares[acquirer] = slices.Delete(open, from, from+len(shares))
	gross := int64(0)
	for _, s := range shares {
		gross += s.Amount
	}
	s := books.NewSettlement{
		ID: m.id(), ValueDate: domain.DayOf(m.at).Add(m.IntN(5)), BankReference: m.reference(), Shares: shares,
		Fees: m.Int64N(2_000) - 200,
	}
	s.Taken = TakenOn(domain.DayOf(m.at), shares...)
	s.Net = gross - s.Fees
	if m.IntN(3) == 0 {
		s.Net -= m.Int64N(1_000) - 500
	}
	if m.book(acquirer, books.RecordStatement{Settlements: []books.NewSettlement{s}}) {
		m.known = append(m.known, settlement{acquirer, s.ID})
	}
}

func (m *maker) correct(s settlement) {
	was, _ := m.accounts[s.acquirer].Settlement(s.id)
	m.book(s.acquirer, books.CorrectSettlement{
		ID: s.id, ValueDate: was.ValueDate.Add(m.IntN(2)), Fees: was.Fees + m.Int64N(100),
		Net: was.Net - m.Int64N(100), BankReference: m.reference(), Withdraw: m.IntN(4) == 0,
	})
}

// book carries a command out and reports whether it did something.
func (m *maker) book(acquirer string, c books.Command) bool {
	a := m.accounts[acquirer]
	events, _ := books.Decide(a, c, m.at)
	for _, e := range events {
		a.Evolve(e)
		stored, err := books.Encode(e)
		must(err)
		m.store(a.StreamID(), a.Version, stored)
	}
	return len(events) > 0
}

// TakenOn are shares whose money was all taken on one day.
func TakenOn(day domain.Day, shares ...books.Share) []books.Taken {
	taken := books.Taken{On: day}
	for _, s := range shares {
		taken.Amount += s.Amount
	}
	return []books.Taken{taken}
}

// KeyIn is the account that an event belongs to.
func KeyIn(e books.Event) books.Key {
	switch e := e.(type) {
	case books.SettlementRecorded:
		return books.Key{Organization: e.Organization, Mode: e.Mode, Acquirer: e.Acquirer}
	case books.SettlementCorrected:
		return books.Key{Organization: e.Organization, Mode: e.Mode, Acquirer: e.Acquirer}
	case books.FeeScheduled:
		return books.Key{Organization: e.Organization, Mode: e.Mode, Acquirer: e.Acquirer}
	case books.DayClosed:
		return books.Key{Organization: e.Organization, Mode: e.Mode, Acquirer: e.Acquirer}
	}
	panic("bookstest: an event outside the sealed set")
}

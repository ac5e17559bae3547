package books_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"daftar/books"
	"daftar/domain"
)

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkEntries is the journal of a stream, of which each entry adds up to 0.
func checkEntries(t fataler, stream []record) []books.Entry {
	t.Helper()
	entries, err := books.Entries(stream)
	if err != nil {
		t.Fatalf("entries: %v", err)
	}
	last := -1
	for _, e := range entries {
		sum := int64(0)
		for _, l := range e.Lines {
			sum += l.Amount
			if l.Amount == 0 || l.Account.Name(e.Acquirer) == "" {
				t.Fatalf("%+v has a line without need", e)
			}
		}
		if sum != 0 || len(e.Lines) < 2 || e.Event <= last || e.Event >= len(stream) || e.Kind == "" {
			t.Fatalf("after event %d: %+v adds up to %d", last, e, sum)
		}
		last = e.Event
	}
	return entries
}

// market is some intents, and the accounts at two providers that took their money.
type market struct {
	now      time.Time
	intents  []domain.Intent
	paid     [][]record // their streams
	accounts map[string]*books.ProviderAccount
	settled  map[string][]record // their streams
	ids      []uuid.UUID         // of settlements
	open     map[string][]books.Share
	// want is computed from events of intents, without books.
	want map[string]map[books.Account]int64
}

func newMarket() *market {
	m := &market{
		now: t0, accounts: map[string]*books.ProviderAccount{}, settled: map[string][]record{},
		open: map[string][]books.Share{}, want: map[string]map[books.Account]int64{},
	}
	for n := range 3 {
		m.intents = append(m.intents, domain.Blank(domain.IntentID{byte(n + 1)}))
	}
	m.paid = make([][]record, len(m.intents))
	for _, acquirer := range []string{"sandbox", "plutu"} {
		account := books.Blank(books.KeyOf(key.Tenant(), acquirer))
		m.accounts[acquirer], m.want[acquirer] = &account, map[books.Account]int64{}
	}
	return m
}

// pay carries out a command on an intent, and counts what its events move.
func (m *market) pay(t *rapid.T, n int, c domain.Command) {
	i := &m.intents[n]
	events, _ := domain.Decide(*i, c, m.now) // a refusal changes nothing
	for _, e := range events {
		*i = domain.Evolve(*i, e)
		s, err := domain.EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		m.paid[n] = append(m.paid[n], record{i.Version, s})
		m.count(*i, e)
	}
}

func (m *market) count(i domain.Intent, e domain.Event) {
	move := func(of domain.AttemptID, into books.Account, amount int64, refund *uuid.UUID) {
		attempt, _ := i.Attempt(of)
		m.want[attempt.Acquirer][books.Due] += amount
		m.want[attempt.Acquirer][into] -= amount
		m.open[attempt.Acquirer] = append(m.open[attempt.Acquirer],
			books.Share{Intent: uuid.UUID(i.ID), Attempt: of, Refund: refund, Amount: amount})
	}
	switch e := e.(type) {
	case domain.Succeeded:
		move(e.Attempt, books.Sales, e.Amount.Minor, nil)
	case domain.LateSucceeded:
		move(e.Attempt, books.Late, e.Amount.Minor, nil)
	case domain.DuplicatePayment:
		move(e.Attempt, books.Duplicate, e.Amount.Minor, nil)
	case domain.RefundRecorded:
		into := books.Refunds
		switch {
		case e.Attempt != i.PaidBy:
			into = books.Duplicate
		case i.Late:
			into = books.Late
		}
		move(e.Attempt, into, -e.Amount.Minor, (*uuid.UUID)(&e.Refund))
	case domain.Created, domain.AttemptStarted, domain.AttemptFailed, domain.Expired, domain.RefundFailed:
	}
}

// book carries out a command on an account and reports whether it was accepted.
func (m *market) book(t *rapid.T, acquirer string, c books.Command) bool {
	a := m.accounts[acquirer]
	events, err := books.Decide(a, c, m.now)
	again, _ := books.Decide(a, c, m.now)
	if !cmp.Equal(events, again) || (err != nil && len(events) > 0) {
		t.Fatalf("%+v was decided as %+v, then as %+v, %v", c, events, again, err)
	}
	for _, e := range events {
		s, err := books.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		read, err := books.Decode(record{1, s})
		if err != nil || !cmp.Equal(read, e) {
			t.Fatalf("%+v reads as %+v, %v", e, read, err)
		}
		a.Evolve(read)
		m.settled[acquirer] = append(m.settled[acquirer], record{a.Version, s})
	}
	replayed, wrong := books.Replay(a.Key, m.settled[acquirer])
	if diff := cmp.Diff(*a, replayed, exact); wrong != nil || diff != "" {
		t.Fatalf("replay differs (-live +replayed): %v\n%s", wrong, diff)
	}
	return err == nil
}

// settle records a settlement of some of the shares that were ever open.
func (m *market) settle(t *rapid.T, acquirer string) {
	a, all := m.accounts[acquirer], m.open[acquirer]
	if len(all) == 0 {
		return
	}
	shares := slices.Clone(rapid.SliceOfNDistinct(rapid.IntRange(0, len(all)-1), 1, len(all), rapid.ID).
		Draw(t, "shares"))
	s := books.NewSettlement{
		ID: uuid.UUID{7, byte(len(m.ids))}, ValueDate: day,
		Fees: rapid.Int64Range(-5, 500).Draw(t, "fees"), Net: rapid.Int64Range(-9_000, 9_000).Draw(t, "net"),
	}
	covered := false
	for _, n := range shares {
		s.Shares = append(s.Shares, all[n])
		covered = covered || a.Covers(all[n])
	}
	s.Taken = takenOf(s.Shares)
	c := books.RecordStatement{Settlements: []books.NewSettlement{s}}
	if accepted := m.book(t, acquirer, c); accepted == covered {
		t.Fatalf("%+v was accepted: %t, and some of it is covered: %t", s, accepted, covered)
	}
	m.ids = append(m.ids, s.ID)
	for _, share := range s.Shares {
		if !covered && !a.Covers(share) {
			t.Fatalf("%+v is open", share)
		}
	}
}

// correct corrects or withdraws a settlement, whose shares are open after that.
func (m *market) correct(t *rapid.T, acquirer string) {
	if len(m.ids) == 0 {
		return
	}
	c := books.CorrectSettlement{
		ID: rapid.SampledFrom(m.ids).Draw(t, "settlement"), ValueDate: day.Add(1), BankReference: "FT-2",
		Fees: rapid.Int64Range(0, 2).Draw(t, "fees"), Net: rapid.Int64Range(0, 2).Draw(t, "net"),
		Withdraw: rapid.Bool().Draw(t, "withdraw"),
	}
	m.book(t, acquirer, c)
}

// check compares the balances by the journal with those by the states.
func (m *market) check(t *rapid.T) {
	t.Helper()
	got, want := map[string]map[books.Account]int64{}, map[string]map[books.Account]int64{}
	all := slices.Concat(m.paid, slices.Collect(maps.Values(m.settled)))
	for acquirer, a := range m.accounts {
		got[acquirer], want[acquirer] = map[books.Account]int64{}, maps.Clone(m.want[acquirer])
		for _, id := range m.ids {
			s, _ := a.Settlement(id)
			want[acquirer][books.Bank] += s.Net
			want[acquirer][books.Fees] += s.Fees
			want[acquirer][books.Due] -= s.Gross // which is fees, net and what neither explains
			want[acquirer][books.Differences] += s.Gross - s.Fees - s.Net
		}
	}
	for _, stream := range all {
		for _, e := range checkEntries(t, stream) {
			for _, l := range e.Lines {
				got[e.Acquirer][l.Account] += l.Amount
			}
		}
	}
	for acquirer, balances := range got {
		maps.DeleteFunc(balances, func(_ books.Account, amount int64) bool { return amount == 0 })
		maps.DeleteFunc(want[acquirer], func(_ books.Account, amount int64) bool { return amount == 0 })
		if diff := cmp.Diff(want[acquirer], balances); diff != "" {
			t.Fatalf("balances of %s (-states +journal):\n%s", acquirer, diff)
		}
	}
}

// Due is what was taken, less what was given back, settled and kept, whatever happens.
func TestTheJournalIsTheState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := newMarket()
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			m.now = m.now.Add(time.Duration(rapid.IntRange(-60, 9_000).Draw(t, "seconds")) * time.Second)
			n := rapid.IntRange(0, len(m.intents)-1).Draw(t, "intent")
			acquirer := rapid.SampledFrom([]string{"sandbox", "plutu"}).Draw(t, "acquirer")
			attempt := domain.AttemptID(rapid.SampledFrom([]string{"a1", "a2", "a3"}).Draw(t, "attempt"))
			amount := domain.Money{Minor: 9_000, Currency: domain.LYD}
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1:
				m.pay(t, n, domain.Create{CheckoutToken: "secret", Terms: domain.Terms{
					MerchantReference: domain.MerchantReference(fmt.Sprint(n)), Reference: "r", Amount: amount,
					Description: "tea",
				}})
				m.pay(t, n, domain.StartAttempt{Attempt: attempt, Acquirer: acquirer, Method: "card"})
			case 2:
				m.pay(t, n, domain.FailAttempt{Attempt: attempt, Reason: "declined"})
			case 3, 4:
				m.pay(t, n, domain.RecordPayment{Attempt: attempt, Amount: amount, ProviderReference: "p"})
			case 5:
				amount.Minor = rapid.Int64Range(1, 5_000).Draw(t, "back")
				m.pay(t, n, domain.RecordRefund{
					Refund: domain.RefundID{rapid.Byte().Draw(t, "refund"), byte(n)}, Attempt: attempt, Amount: amount,
				})
			case 6:
				m.pay(t, n, domain.Expire{})
			case 7:
				m.settle(t, acquirer)
			case 8:
				m.correct(t, acquirer)
			case 9:
				m.book(t, acquirer, fee(day, rapid.Int64Range(0, 1).Draw(t, "rate"), 0))
			}
			m.check(t)
		}
	})
}

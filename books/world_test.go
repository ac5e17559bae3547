package books_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/books"
	"daftar/domain"
)

var (
	t0   = time.Date(2026, 11, 20, 20, 38, 15, 123456000, time.UTC)
	day  = domain.Day{Year: 2026, Month: 11, Day: 22}
	key  = books.Key{Organization: uuid.UUID{0xa}, Mode: domain.ModeLive, Acquirer: "sandbox"}
	hash = strings.Repeat("0a", 32)
	id   = uuid.UUID{0x5}
)

func payment(n byte, amount int64) books.Share {
	return books.Share{Intent: uuid.UUID{n}, Attempt: "attempt1", Amount: amount, Line: 2}
}

func refund(n byte, amount int64) books.Share {
	s := payment(n, -amount)
	s.Refund = &uuid.UUID{0xf, n}
	return s
}

// settlement is one of 10 dinars, of which 0.150 were kept.
func settlement(id uuid.UUID, shares ...books.Share) books.NewSettlement {
	return books.NewSettlement{
		ID: id, ValueDate: day, Fees: 150, Net: 9_850, ExpectedFees: new(int64(140)), BankReference: "FT-1",
		Taken: takenOf(shares), Shares: shares,
	}
}

// takenOf are shares that were all taken on one day.
func takenOf(shares []books.Share) []books.Taken {
	taken := books.Taken{On: day.Add(-3)}
	for _, s := range shares {
		taken.Amount += s.Amount
	}
	return []books.Taken{taken}
}

func statement(settlements ...books.NewSettlement) books.RecordStatement {
	return books.RecordStatement{File: "كشف.csv", SHA256: hash, Settlements: settlements}
}

func correction() books.CorrectSettlement {
	return books.CorrectSettlement{ID: id, ValueDate: day, Fees: 150, Net: 9_800, BankReference: "FT-1"}
}

func withdrawal(id uuid.UUID) books.CorrectSettlement {
	return books.CorrectSettlement{ID: id, Withdraw: true}
}

func fee(from domain.Day, rate, minimum int64) books.ScheduleFee {
	return books.ScheduleFee{Method: "card", From: from, Rate: rate, Minimum: minimum}
}

// given is the account after commands, none of which may be refused.
func given(t testing.TB, commands ...books.Command) books.ProviderAccount {
	t.Helper()
	a := books.Blank(key)
	for _, c := range commands {
		events, err := books.Decide(&a, c, t0)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		for _, e := range events {
			a.Evolve(e)
		}
	}
	return a
}

// exact compares what an account has, also what it shows nobody.
var exact = cmp.AllowUnexported(books.ProviderAccount{})

// record is an event as a log keeps it.
type record struct {
	version int
	domain.StoredEvent
}

func (r record) Stored() (version int, name string, schemaVersion int, payload []byte) {
	return r.version, r.Type, r.SchemaVersion, r.Payload
}

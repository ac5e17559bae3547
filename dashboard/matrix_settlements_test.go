package dashboard_test

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/ledger"
)

// newSettlement is a command that records a settlement of a new payment of the organisation.
func (r *asking) newSettlement() books.RecordStatement {
	return books.RecordStatement{Settlements: []books.NewSettlement{{
		ID: uuid.New(), ValueDate: domain.Day{Year: 2026, Month: time.November, Day: 20}, Net: 7000,
		Taken:  []books.Taken{{On: domain.Day{Year: 2026, Month: time.November, Day: 18}, Amount: 7000}},
		Shares: []books.Share{{Intent: uuid.UUID(r.intent().ID), Attempt: "A", Amount: 7000}},
	}}}
}

func (r *asking) books() books.Key { return books.KeyOf(r.of.org.ID.In(domain.ModeLive), "moamalat") }

// accepting is a request whose answer asks for the columns of the file first.
func accepting(r *asking) request {
	q := reconciling(r)
	q.path += "/accept"
	q.fields = append(q.fields, "choose", "1")
	return q
}

// aSettlement is a request about a settlement.
func aSettlement(fields ...string) func(*asking) request {
	return func(r *asking) request {
		c := r.newSettlement()
		if _, err := r.w.ledger.Book(r.t.Context(), r.books(), c, ledger.Origin{Actor: "user:test"}); err != nil {
			r.t.Fatal(err)
		}
		return r.below("/settlements/moamalat/"+c.Settlements[0].ID.String(), fields...)
	}
}

// proposed is a request about a settlement that another member has proposed.
func proposed(fields ...string) func(*asking) request {
	return func(r *asking) request {
		by := r.another(accounts.RoleFinance)
		r.exec(`UPDATE organizations SET four_eyes_above = 0 WHERE uuid = $1`, r.of.org.ID)
		if _, err := r.w.settlements.Record(r.t.Context(), by, r.books(), r.newSettlement(), ""); err != nil {
			r.t.Fatal(err)
		}
		r.exec(`UPDATE organizations SET four_eyes_above = NULL WHERE uuid = $1`, r.of.org.ID)
		waiting := r.strings(`SELECT uuid::text FROM settlement_proposals WHERE proposed_by = $1`, by.User)
		return r.below("/settlements/proposals/"+waiting[0], fields...)
	}
}

// schedulingFee is another fee each time: one that is on record changes nothing.
func schedulingFee(r *asking) request {
	fees, err := r.w.settlements.Fees(r.t.Context(), r.of.org.ID.In(domain.ModeLive))
	if err != nil {
		r.t.Fatal(err)
	}
	return r.below("/settlements/fees", "method", "moamalat/moamalat", "day", "2026-11-01",
		"rate", strconv.Itoa(1+len(fees)), "note", "contract of 2026")
}

// closingDay is the last day that is not closed.
func closingDay(r *asking) request {
	days, err := r.w.settlements.Days(r.t.Context(), r.of.org.ID.In(domain.ModeLive))
	if err != nil {
		r.t.Fatal(err)
	}
	day := domain.DayOf(r.w.ledger.Now()).Add(-len(days)) // that of the dashboard is hours ahead by now
	return r.below("/day?day="+day.String(), "expected", "10", "counted", "9")
}

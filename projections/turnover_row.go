package projections

import (
	"time"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/internal/postgres"
)

// turnoverRow is a row of turnover.
type turnoverRow struct {
	turnoverKey
	Figures
}

// turnoverKey identifies a row of turnover.
type turnoverKey struct {
	application [16]byte
	day         time.Time // a date
	currency    string
}

var (
	turnoverColumns = append(postgres.Columns[turnoverRow]{
		postgres.Typed("application_uuid", "uuid", func(r *turnoverRow) *[16]byte { return &r.application }),
		postgres.Typed("day", "date", func(r *turnoverRow) *time.Time { return &r.day }),
		postgres.Typed("currency", "text", func(r *turnoverRow) *string { return &r.currency }),
	}, figureColumns...)
	figureColumns = postgres.Columns[turnoverRow]{
		postgres.Typed("succeeded_count", "int8", func(r *turnoverRow) *int64 { return &r.Succeeded.Count }),
		postgres.Typed("succeeded_sum", "int8", func(r *turnoverRow) *int64 { return &r.Succeeded.Sum }),
		postgres.Typed("late_count", "int8", func(r *turnoverRow) *int64 { return &r.Late.Count }),
		postgres.Typed("late_sum", "int8", func(r *turnoverRow) *int64 { return &r.Late.Sum }),
		postgres.Typed("canceled_count", "int8", func(r *turnoverRow) *int64 { return &r.Canceled.Count }),
		postgres.Typed("canceled_sum", "int8", func(r *turnoverRow) *int64 { return &r.Canceled.Sum }),
		postgres.Typed("duplicate_count", "int8", func(r *turnoverRow) *int64 { return &r.Duplicates.Count }),
		postgres.Typed("duplicate_sum", "int8", func(r *turnoverRow) *int64 { return &r.Duplicates.Sum }),
		postgres.Typed("refund_count", "int8", func(r *turnoverRow) *int64 { return &r.Refunds.Count }),
		postgres.Typed("refund_sum", "int8", func(r *turnoverRow) *int64 { return &r.Refunds.Sum }),
	}
)

// sums are figures by the row that they belong to.
type sums map[turnoverKey]Figures

func (s sums) add(application [16]byte, at time.Time, currency string, f Figures) {
	key := turnoverKey{application, domain.DayOf(at).Date(), currency}
	all := s[key]
	all.Add(f)
	s[key] = all
}

// count adds what an intent contributes to the turnover, n times: 1 for its new
// state, -1 for its old one. So a late payment removes its intent from
// the day on which it was canceled.
func (s sums) count(p *paymentRow, n int64) {
	var f Figures
	switch p.state {
	case stateSucceeded:
		f.Succeeded.add(n, p.amount)
		if p.late {
			f.Late.add(n, p.amount)
		}
		s.add(p.application, *p.succeededAt, p.currency, f)
	case stateCanceled:
		f.Canceled.add(n, p.amount)
		s.add(p.application, *p.canceledAt, p.currency, f)
	}
}

// countOnce adds what an event contributes by itself, on the day it happened: money that was
// received a second time, or refunded.
func (s sums) countOnce(c consequence) {
	var f Figures
	if c.money == facts.ReceivedAgain {
		f.Duplicates.add(1, c.amount.Minor)
	}
	if c.money == facts.Returned {
		f.Refunds.add(1, c.amount.Minor)
	}
	if f != (Figures{}) {
		s.add(c.application, c.at, string(c.amount.Currency), f)
	}
}

// rows are the sums that change something.
func (s sums) rows() []turnoverRow {
	var all []turnoverRow
	for key, f := range s {
		if f != (Figures{}) {
			all = append(all, turnoverRow{key, f})
		}
	}
	return all
}

// turnoverModel is what came in each day.
var turnoverModel = Model{
	Name: "turnover", Group: DashboardGroupName, Version: 1, Only: domain.OfIntent,
	Tables: []Table{{Name: "turnover", Columns: turnoverColumns.Names(), Key: 3, Sums: true}},
	Counts: `
SELECT (SELECT (coalesce(sum(succeeded_count), 0), coalesce(sum(late_count), 0),
                coalesce(sum(canceled_count), 0), coalesce(sum(duplicate_count), 0),
                coalesce(sum(refund_count), 0))::text
        FROM {turnover}),
       (SELECT (late + succeeded, late, expired - late, duplicate, refund)::text
        FROM (
            SELECT count(*) FILTER (WHERE type = '` + domain.TypeSucceeded + `') AS succeeded,
                   count(*) FILTER (WHERE type = '` + domain.TypeLateSucceeded + `') AS late,
                   count(*) FILTER (WHERE type = '` + domain.TypeExpired + `') AS expired,
                   count(*) FILTER (WHERE type = '` + domain.TypeDuplicatePayment + `') AS duplicate,
                   count(*) FILTER (WHERE type = '` + domain.TypeRefundRecorded + `') AS refund
            FROM events
            WHERE position <= $1) log)`,
	Rows: turnoverRows,
}

func turnoverRows(stream []eventstore.Recorded) ([][]Row, error) {
	p, consequences, err := replayPayment(stream)
	if err != nil {
		return nil, err
	}
	totals := sums{}
	totals.count(&p, 1)
	for _, c := range consequences {
		totals.countOnce(c)
	}
	days := totals.rows()
	rows := make([]Row, len(days))
	for n := range days {
		rows[n] = turnoverColumns.Values(&days[n])
	}
	return [][]Row{rows}, nil
}

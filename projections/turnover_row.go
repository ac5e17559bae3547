package projections

import (
	"time"

	"daftar/domain"
	"daftar/eventstore"
)

// turnoverRow is a row of turnover.
type turnoverRow struct {
	application [16]byte
	day         time.Time // a date
	currency    string
	Figures
}

var (
	turnoverColumns = append(columns[turnoverRow]{
		of("application_uuid", "uuid", func(r *turnoverRow) *[16]byte { return &r.application }),
		of("day", "date", func(r *turnoverRow) *time.Time { return &r.day }),
		of("currency", "text", func(r *turnoverRow) *string { return &r.currency }),
	}, figureColumns...)
	figureColumns = columns[turnoverRow]{
		of("succeeded_count", "int8", func(r *turnoverRow) *int64 { return &r.Succeeded.Count }),
		of("succeeded_sum", "int8", func(r *turnoverRow) *int64 { return &r.Succeeded.Sum }),
		of("late_count", "int8", func(r *turnoverRow) *int64 { return &r.Late.Count }),
		of("late_sum", "int8", func(r *turnoverRow) *int64 { return &r.Late.Sum }),
		of("canceled_count", "int8", func(r *turnoverRow) *int64 { return &r.Canceled.Count }),
		of("canceled_sum", "int8", func(r *turnoverRow) *int64 { return &r.Canceled.Sum }),
		of("duplicate_count", "int8", func(r *turnoverRow) *int64 { return &r.Duplicates.Count }),
		of("duplicate_sum", "int8", func(r *turnoverRow) *int64 { return &r.Duplicates.Sum }),
	}
)

// sums are figures by the row that they belong to.
type sums map[place]Figures

// place is the key of a row of turnover.
type place struct {
	application [16]byte
	day         Day
	currency    string
}

func (s sums) add(at place, f Figures) {
	all := s[at]
	all.Add(f)
	s[at] = all
}

// count adds what an intent contributes to the turnover, n times: 1 for what it
// has become, -1 for what it was before. A late payment so takes its intent off
// the day on which it was canceled.
func (s sums) count(p *paymentRow, n int64) {
	var f Figures
	switch p.state {
	case stateSucceeded:
		f.Succeeded.add(n, p.amount)
		if p.late {
			f.Late.add(n, p.amount)
		}
		s.add(place{p.application, DayOf(*p.succeededAt), p.currency}, f)
	case stateCanceled:
		f.Canceled.add(n, p.amount)
		s.add(place{p.application, DayOf(*p.canceledAt), p.currency}, f)
	}
}

// countDuplicate adds money that came a second time, n times, on the day it came.
func (s sums) countDuplicate(x exceptionRow, n int64) {
	if x.kind == string(KindDuplicate) {
		var f Figures
		f.Duplicates.add(n, x.amount)
		s.add(place{x.application, DayOf(x.since), x.currency}, f)
	}
}

// rows are the sums that change something.
func (s sums) rows() []turnoverRow {
	var all []turnoverRow
	for at, f := range s {
		if f != (Figures{}) {
			all = append(all, turnoverRow{at.application, at.day.date(), at.currency, f})
		}
	}
	return all
}

// turnoverModel is what came in each day.
type turnoverModel struct{}

// Schema implements Model.
func (turnoverModel) Schema() Schema {
	return Schema{
		Name: "turnover", Group: DashboardGroupName, Version: 1,
		Tables: []Table{{Name: "turnover", Columns: turnoverColumns.names(), Key: 3, Sums: true}},
		Counts: `
SELECT (SELECT (coalesce(sum(succeeded_count), 0), coalesce(sum(late_count), 0), coalesce(sum(canceled_count), 0), coalesce(sum(duplicate_count), 0))::text
        FROM {turnover}),
       (SELECT (late + succeeded, late, expired - late, duplicate)::text FROM (
            SELECT count(*) FILTER (WHERE type = '` + domain.TypeSucceeded + `') AS succeeded, count(*) FILTER (WHERE type = '` + domain.TypeLateSucceeded + `') AS late,
                   count(*) FILTER (WHERE type = '` + domain.TypeExpired + `') AS expired, count(*) FILTER (WHERE type = '` + domain.TypeDuplicatePayment + `') AS duplicate
            FROM events WHERE position <= $1) log)`,
	}
}

// Rows implements Model.
func (turnoverModel) Rows(stream []eventstore.Recorded) ([][]Row, error) {
	p, exceptions, err := replayPayment(stream)
	if err != nil {
		return nil, err
	}
	totals := sums{}
	totals.count(&p, 1)
	for _, x := range exceptions {
		totals.countDuplicate(x, 1)
	}
	days := totals.rows()
	rows := make([]Row, len(days))
	for n := range days {
		rows[n] = turnoverColumns.row(&days[n])
	}
	return [][]Row{rows}, nil
}

package projections

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
)

// turnoverShape is what came in each day.
var turnoverShape = shape{
	name: nameTurnover, group: TurnoverGroupName, version: 1,
	tables: []table{{nameTurnover, []string{"application_uuid", "day", "currency"}}},
	begin:  func() folding { return &turnoverFolding{sums: sums{}} },
}

// turnoverFolding adds up a chunk at a time; the rows of the chunks are added up
// by settle. What comes after that is added to the rows.
type turnoverFolding struct {
	sums    sums
	settled bool
}

func (f *turnoverFolding) add(stream []eventstore.Recorded) error { return f.count(stream, 1) }

func (f *turnoverFolding) move(stream []eventstore.Recorded, held int) error {
	f.settled = true
	if held > 0 {
		if err := f.count(stream[:held], -1); err != nil {
			return err
		}
	}
	return f.count(stream, 1)
}

func (f *turnoverFolding) count(stream []eventstore.Recorded, n int64) error {
	e, exceptions, err := entryOf(stream)
	if err != nil {
		return err
	}
	f.sums.count(&e, n)
	for _, x := range exceptions {
		f.sums.countDuplicate(x, n)
	}
	return nil
}

var turnoverColumns = []string{
	"application_uuid", "day", "currency", "succeeded_count", "succeeded_sum", "late_count", "late_sum",
	"canceled_count", "canceled_sum", "duplicate_count", "duplicate_sum",
}

func (f *turnoverFolding) write(ctx context.Context, tx pgx.Tx, at placing) (int64, error) {
	defer clear(f.sums)
	if f.settled {
		arguments := f.sums.arguments()
		if arguments == nil {
			return 0, nil
		}
		tag, err := tx.Exec(ctx, on(addUpSQL, at), arguments...)
		if err != nil {
			return 0, fmt.Errorf("add up turnover: %w", err)
		}
		return tag.RowsAffected(), nil
	}
	var rows [][]any
	for at, figures := range f.sums {
		if figures == (Figures{}) {
			continue
		}
		row := []any{at.application, at.day.date(), at.currency}
		for _, c := range figures.columns() {
			row = append(row, c.value)
		}
		rows = append(rows, row)
	}
	n, err := tx.CopyFrom(ctx, pgx.Identifier{at(nameTurnover)}, turnoverColumns, pgx.CopyFromRows(rows))
	if err != nil {
		return 0, fmt.Errorf("copy turnover: %w", err)
	}
	return n, nil
}

const settleTurnoverSQL = `
WITH parts AS (DELETE FROM {turnover} RETURNING application_uuid, day, currency, succeeded_count, succeeded_sum, late_count, late_sum,
               canceled_count, canceled_sum, duplicate_count, duplicate_sum)
INSERT INTO {turnover} (application_uuid, day, currency, succeeded_count, succeeded_sum, late_count, late_sum,
                        canceled_count, canceled_sum, duplicate_count, duplicate_sum)
SELECT application_uuid, day, currency, sum(succeeded_count), sum(succeeded_sum), sum(late_count), sum(late_sum),
       sum(canceled_count), sum(canceled_sum), sum(duplicate_count), sum(duplicate_sum)
FROM parts GROUP BY application_uuid, day, currency`

func (*turnoverFolding) settle(ctx context.Context, tx pgx.Tx, at placing) error {
	if _, err := tx.Exec(ctx, on(settleTurnoverSQL, at)); err != nil {
		return fmt.Errorf("add up the chunks: %w", err)
	}
	return nil
}

func (*turnoverFolding) compare(ctx context.Context, tx pgx.Tx, at placing, _ int64) ([]Drift, error) {
	stored, err := turnoverRows(ctx, tx, live)
	if err != nil {
		return nil, err
	}
	made, err := turnoverRows(ctx, tx, at)
	if err != nil {
		return nil, err
	}
	return turnoverDrifts(stored, made), nil
}

const countTurnoverSQL = `
SELECT coalesce(sum(succeeded_count), 0)::int8, coalesce(sum(late_count), 0)::int8, coalesce(sum(canceled_count), 0)::int8,
       coalesce(sum(duplicate_count), 0)::int8
FROM {turnover}`

const countTypesSQL = `
SELECT count(*) FILTER (WHERE type = $1), count(*) FILTER (WHERE type = $2), count(*) FILTER (WHERE type = $3), count(*) FILTER (WHERE type = $4)
FROM events WHERE position <= $5`

func (*turnoverFolding) check(ctx context.Context, tx pgx.Tx, at placing, position int64) error {
	var made, log struct{ succeeded, late, canceled, duplicates int64 }
	if err := tx.QueryRow(ctx, on(countTurnoverSQL, at)).Scan(&made.succeeded, &made.late, &made.canceled, &made.duplicates); err != nil {
		return fmt.Errorf("count turnover: %w", err)
	}
	err := tx.QueryRow(ctx, countTypesSQL, domain.TypeSucceeded, domain.TypeLateSucceeded, domain.TypeExpired, domain.TypeDuplicatePayment, position).
		Scan(&log.succeeded, &log.late, &log.canceled, &log.duplicates)
	if err != nil {
		return fmt.Errorf("count events: %w", err)
	}
	log.succeeded, log.canceled = log.succeeded+log.late, log.canceled-log.late
	if made != log {
		return fmt.Errorf("%w: it counts %+v; the log has %+v", errShadow, made, log)
	}
	return nil
}

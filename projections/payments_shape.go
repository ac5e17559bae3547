package projections

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
)

const nameExceptions = "payment_exceptions"

// paymentsShape is where to find an intent, and the money that somebody must
// decide about.
var paymentsShape = shape{
	name: namePayments, group: TurnoverGroupName, version: 1,
	tables: []table{{namePayments, []string{"intent_uuid"}}, {nameExceptions, []string{"intent_uuid", "version"}}},
	begin:  func() folding { return &paymentsFolding{} },
}

type paymentsFolding struct {
	entries    []entry
	exceptions []exception
	moved      []uuid.UUID
}

func (f *paymentsFolding) add(stream []eventstore.Recorded) error {
	e, exceptions, err := entryOf(stream)
	if err != nil {
		return err
	}
	f.entries, f.exceptions = append(f.entries, e), append(f.exceptions, exceptions...)
	return nil
}

func (f *paymentsFolding) move(stream []eventstore.Recorded, held int) error {
	if held > 0 {
		f.moved = append(f.moved, stream[0].Stream)
	}
	return f.add(stream)
}

const (
	removeEntriesSQL    = `DELETE FROM {payments} WHERE intent_uuid = ANY($1)`
	removeExceptionsSQL = `DELETE FROM {payment_exceptions} WHERE intent_uuid = ANY($1)`
)

var entryColumns = []string{
	"intent_uuid", "application_uuid", "version", "state", "attempting", "amount", "currency", "reference", "customer_key",
	"created_at", "succeeded_at", "canceled_at", "late", "duplicates",
}

var exceptionColumns = []string{
	"intent_uuid", "version", "application_uuid", "kind", "attempt", "amount", "currency", "since",
}

func (f *paymentsFolding) write(ctx context.Context, tx pgx.Tx, at placing) (int64, error) {
	if len(f.moved) > 0 {
		for _, sql := range []string{removeEntriesSQL, removeExceptionsSQL} {
			if _, err := tx.Exec(ctx, on(sql, at), bytesOf(f.moved)); err != nil {
				return 0, fmt.Errorf("remove rows: %w", err)
			}
		}
	}
	n, err := tx.CopyFrom(ctx, pgx.Identifier{at(namePayments)}, entryColumns, pgx.CopyFromSlice(len(f.entries), func(n int) ([]any, error) {
		e := &f.entries[n]
		return []any{
			e.intent, e.application, int32(e.version), e.state, e.attempting, e.amount, e.currency, e.reference, e.customerKey,
			e.createdAt, e.succeededAt, e.canceledAt, e.late, int32(e.duplicates),
		}, nil
	}))
	if err != nil {
		return 0, fmt.Errorf("copy payments: %w", err)
	}
	if len(f.exceptions) > 0 {
		_, err = tx.CopyFrom(ctx, pgx.Identifier{at(nameExceptions)}, exceptionColumns, pgx.CopyFromSlice(len(f.exceptions), func(n int) ([]any, error) {
			x := &f.exceptions[n]
			return []any{x.intent, int32(x.version), x.application, string(x.kind), x.attempt, x.amount, x.currency, x.since}, nil
		}))
		if err != nil {
			return 0, fmt.Errorf("copy exceptions: %w", err)
		}
	}
	clear(f.entries)
	f.entries, f.exceptions, f.moved = f.entries[:0], f.exceptions[:0], f.moved[:0]
	return n, nil
}

func (*paymentsFolding) settle(context.Context, pgx.Tx, placing) error { return nil }

func (f *paymentsFolding) compare(ctx context.Context, tx pgx.Tx, at placing, position int64) ([]Drift, error) {
	var ids []uuid.UUID
	for _, t := range paymentsShape.tables {
		found, err := differing(ctx, tx, t, at)
		if err != nil {
			return nil, err
		}
		ids = append(ids, found...)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	ids = sorted(ids)
	events, err := streamsUpTo(ctx, tx, ids, position)
	if err != nil {
		return nil, err
	}
	p, err := partOf(span{events: events})
	if err != nil {
		return nil, err
	}
	wrong, err := p.differences(ctx, tx, on(entriesOfSQL, at), on(exceptionsOfIntentSQL, at), bytesOf(ids))
	if err != nil {
		return nil, err
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("%w: %v", errShadow, wrong[0])
	}
	found, err := p.differences(ctx, tx, on(entriesOfSQL, live), on(exceptionsOfIntentSQL, live), bytesOf(ids))
	return orForm(found, ids), err
}

const (
	countPaymentsSQL   = `SELECT count(*), coalesce(sum(version), 0)::int8 FROM {payments}`
	countExceptionsSQL = `
SELECT (SELECT count(*) FROM {payment_exceptions}), (SELECT count(*) FROM events WHERE type = ANY($1) AND position <= $2)`
)

func (*paymentsFolding) check(ctx context.Context, tx pgx.Tx, at placing, position int64) error {
	if err := checkCounts(ctx, tx, on(countPaymentsSQL, at), position); err != nil {
		return err
	}
	var rows, events int64
	types := []string{domain.TypeLateSucceeded, domain.TypeDuplicatePayment}
	if err := tx.QueryRow(ctx, on(countExceptionsSQL, at), types, position).Scan(&rows, &events); err != nil {
		return fmt.Errorf("count exceptions: %w", err)
	}
	if rows != events {
		return fmt.Errorf("%w: %d exceptions; the log has %d", errShadow, rows, events)
	}
	return nil
}

package projections

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// paymentsModel is payments and payment_exceptions.
type paymentsModel struct{}

const (
	selectEntriesSQL = `
SELECT intent_uuid, application_uuid, version, state, attempting, amount, currency, reference, customer_key,
       created_at, succeeded_at, canceled_at, late, duplicates
FROM {payments}`
	entriesBetweenSQL = selectEntriesSQL + ` WHERE intent_uuid BETWEEN $1 AND $2 ORDER BY intent_uuid`
	entriesOfSQL      = selectEntriesSQL + ` WHERE intent_uuid = ANY($1) ORDER BY intent_uuid`

	selectExceptionsSQL = `
SELECT intent_uuid, version, application_uuid, kind, attempt, amount, currency, since
FROM {payment_exceptions}`
	exceptionsBetweenSQL  = selectExceptionsSQL + ` WHERE intent_uuid BETWEEN $1 AND $2 ORDER BY intent_uuid, version`
	exceptionsOfIntentSQL = selectExceptionsSQL + ` WHERE intent_uuid = ANY($1) ORDER BY intent_uuid, version`
)

func (paymentsModel) compare(ctx context.Context, tx pgx.Tx, p part) ([]Drift, error) {
	return p.differences(ctx, tx, on(entriesBetweenSQL, live), on(exceptionsBetweenSQL, live), [16]byte(p.from), [16]byte(p.upTo))
}

// differences compares a part with the rows that two statements find.
func (p part) differences(ctx context.Context, tx pgx.Tx, entriesSQL, exceptionsSQL string, args ...any) ([]Drift, error) {
	entries, err := collect(ctx, tx, entriesSQL, args, func(r pgx.CollectableRow) (e entry, err error) {
		return e, r.Scan(&e.intent, &e.application, &e.version, &e.state, &e.attempting, &e.amount, &e.currency, &e.reference,
			&e.customerKey, &e.createdAt, &e.succeededAt, &e.canceledAt, &e.late, &e.duplicates)
	})
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	exceptions, err := collect(ctx, tx, exceptionsSQL, args, func(r pgx.CollectableRow) (x exception, err error) {
		return x, r.Scan(&x.intent, &x.version, &x.application, &x.kind, &x.attempt, &x.amount, &x.currency, &x.since)
	})
	if err != nil {
		return nil, fmt.Errorf("read exceptions: %w", err)
	}
	var found []Drift
	merge(entries, p.entries, func(a, b entry) int { return bytes.Compare(a.intent[:], b.intent[:]) }, func(s, r *entry) {
		switch {
		case r == nil:
			found = append(found, Drift{UUID: uuid.UUID(s.intent).String(), Stored: s.state, Replayed: absent})
		case s == nil:
			found = append(found, Drift{UUID: uuid.UUID(r.intent).String(), Stored: absent, Replayed: r.state})
		default:
			found = append(found, columnDrift(s.intent, "", s.columns(), r.columns())...)
		}
	})
	merge(exceptions, p.exceptions, exception.compare, func(s, r *exception) {
		switch {
		case r == nil:
			found = append(found, Drift{UUID: uuid.UUID(s.intent).String(), Field: s.field(), Stored: string(s.kind), Replayed: absent})
		case s == nil:
			found = append(found, Drift{UUID: uuid.UUID(r.intent).String(), Field: r.field(), Stored: absent, Replayed: string(r.kind)})
		default:
			found = append(found, columnDrift(s.intent, s.field()+" ", s.columns(), r.columns())...)
		}
	})
	return found, nil
}

func collect[T any](ctx context.Context, tx pgx.Tx, sql string, args []any, scan pgx.RowToFunc[T]) ([]T, error) {
	rows, err := tx.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

func columnDrift(intent [16]byte, prefix string, stored, replayed []column) []Drift {
	var found []Drift
	for n, c := range stored {
		if c != replayed[n] {
			found = append(found, Drift{UUID: uuid.UUID(intent).String(), Field: prefix + c.name, Stored: c.value, Replayed: replayed[n].value})
		}
	}
	return found
}

func (e *entry) columns() []column {
	key := "null"
	if e.customerKey != nil {
		key = fmt.Sprint(*e.customerKey)
	}
	return []column{
		{"application_uuid", uuid.UUID(e.application).String()},
		{"version", fmt.Sprint(e.version)},
		{"state", e.state},
		{"attempting", fmt.Sprint(e.attempting)},
		{"amount", fmt.Sprint(e.amount)},
		{"currency", e.currency},
		{"reference", e.reference},
		{"customer_key", key},
		{"created_at", moment(&e.createdAt)},
		{"succeeded_at", moment(e.succeededAt)},
		{"canceled_at", moment(e.canceledAt)},
		{"late", fmt.Sprint(e.late)},
		{"duplicates", fmt.Sprint(e.duplicates)},
	}
}

func moment(t *time.Time) string {
	if t == nil {
		return "null"
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func (x exception) compare(other exception) int {
	return cmp.Or(bytes.Compare(x.intent[:], other.intent[:]), cmp.Compare(x.version, other.version))
}

// field names an exception in a Drift.
func (x exception) field() string { return fmt.Sprintf("exception %d", x.version) }

func (x exception) columns() []column {
	return []column{
		{"application_uuid", uuid.UUID(x.application).String()},
		{"kind", string(x.kind)},
		{"attempt", x.attempt},
		{"amount", fmt.Sprint(x.amount)},
		{"currency", x.currency},
		{"since", moment(&x.since)},
	}
}

func (paymentsModel) compareRest(context.Context, pgx.Tx) ([]Drift, error) { return nil, nil }

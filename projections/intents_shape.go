package projections

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
)

// intentsShape is the read model that the API serves.
var intentsShape = shape{
	name: nameIntents, version: 1,
	tables: []table{{nameIntents, []string{"uuid"}}},
	begin:  func() folding { return &intentsFolding{columns: intentColumns, values: intentValues} },
}

type intentsFolding struct {
	rows    []Intent
	moved   []uuid.UUID
	columns []string
	values  func(Intent) []any
}

func (f *intentsFolding) add(stream []eventstore.Recorded) error {
	i, err := Replay(domain.IntentID(stream[0].Stream), stream)
	if err != nil {
		return err
	}
	f.rows = append(f.rows, IntentOf(i))
	return nil
}

func (f *intentsFolding) move(stream []eventstore.Recorded, held int) error {
	if held > 0 {
		f.moved = append(f.moved, stream[0].Stream)
	}
	return f.add(stream)
}

const removeIntentsSQL = `DELETE FROM {intents} WHERE uuid = ANY($1)`

func (f *intentsFolding) write(ctx context.Context, tx pgx.Tx, at placing) (int64, error) {
	if len(f.moved) > 0 {
		if _, err := tx.Exec(ctx, on(removeIntentsSQL, at), bytesOf(f.moved)); err != nil {
			return 0, fmt.Errorf("remove rows: %w", err)
		}
	}
	n, err := tx.CopyFrom(ctx, pgx.Identifier{at(nameIntents)}, f.columns, pgx.CopyFromSlice(len(f.rows), func(n int) ([]any, error) {
		return f.values(f.rows[n]), nil
	}))
	if err != nil {
		return 0, fmt.Errorf("copy rows: %w", err)
	}
	clear(f.rows)
	f.rows, f.moved = f.rows[:0], f.moved[:0]
	return n, nil
}

var intentColumns = []string{
	"uuid", "application_uuid", "version", "reference", "merchant_reference", "amount", "currency", "status",
	"description", "customer", "return_url", "metadata", "expires_at", "checkout_url", "created_at", "updated_at",
}

func intentValues(i Intent) []any {
	return []any{
		[16]byte(i.ID), [16]byte(i.Application), int32(i.Version), string(i.Reference), string(i.MerchantReference),
		i.Amount.Minor, string(i.Amount.Currency), string(i.Status), i.Description, []byte(i.customerJSON()),
		i.ReturnURL, i.metadataText(), i.ExpiresAt, i.CheckoutPath, i.CreatedAt, i.UpdatedAt,
	}
}

func (*intentsFolding) settle(context.Context, pgx.Tx, placing) error { return nil }

const intentsOfSQL = `
SELECT i.uuid, i.application_uuid, i.version, i.reference, i.merchant_reference, i.amount, i.currency,
       i.status, i.description, i.customer, i.return_url, i.metadata, i.expires_at, i.checkout_url,
       i.created_at, i.updated_at
FROM {intents} i WHERE i.uuid = ANY($1) ORDER BY i.uuid`

// compare finds the rows that differ in the database and replays their streams
// here, so that what a report says of a field is what a verification says.
func (f *intentsFolding) compare(ctx context.Context, tx pgx.Tx, at placing, position int64) ([]Drift, error) {
	ids, err := differing(ctx, tx, intentsShape.tables[0], at)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	events, err := streamsUpTo(ctx, tx, ids, position)
	if err != nil {
		return nil, err
	}
	replayed, err := replayAll(events)
	if err != nil {
		return nil, err
	}
	rows, err := storedRows(ctx, tx, on(intentsOfSQL, at), bytesOf(ids))
	if err != nil {
		return nil, err
	}
	if wrong := diff(rows, replayed); len(wrong) > 0 {
		return nil, fmt.Errorf("%w: %v", errShadow, wrong[0])
	}
	rows, err = storedRows(ctx, tx, on(intentsOfSQL, live), bytesOf(ids))
	if err != nil {
		return nil, err
	}
	return orForm(diff(rows, replayed), ids), nil
}

// orForm reports rows that differ though each field means the same.
func orForm(found []Drift, ids []uuid.UUID) []Drift {
	if len(found) == 0 {
		for _, id := range ids {
			found = append(found, Drift{UUID: id.String(), Stored: "(another form)", Replayed: "(the same values)"})
		}
	}
	return found
}

const countIntentsSQL = `SELECT count(*), coalesce(sum(version), 0)::int8 FROM {intents}`

func (*intentsFolding) check(ctx context.Context, tx pgx.Tx, at placing, position int64) error {
	return checkCounts(ctx, tx, on(countIntentsSQL, at), position)
}

// streamsIn and the rest of a verification need them in the order of their ids.
func sorted(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/expiry"
	"daftar/projections"
	"daftar/webhooks"
)

// storing describes intents that are stored without the server, exactly as it would have
// stored them: the event, byte for byte as package domain writes it, at the next
// position, and the row of intents.
type storing struct {
	shop    merchant
	named   string // the beginning of the merchant references
	intents int
	created func(n int) time.Time
	expires func(n int) time.Time
	// groups also writes what all consumer groups except transparency would derive from the
	// events, and moves their offsets past these events. No server may run meanwhile.
	groups   bool
	progress func(done int) // is called with the number stored so far, where groups is set
	batch    int            // intents that are written together; 0: storeBatch
}

const (
	storeBatch   = 20_000
	storeWorkers = 2
	// appendLock is the advisory lock under which package eventstore assigns positions.
	appendLock int64 = 8_712_000_001
)

var (
	eventColumns = []string{
		"position", "stream_id", "version", "type", "schema_version", "payload", "metadata", "recorded_at",
	}
	timerColumns = []string{"intent_uuid", "due_at"}
)

// storedIntent is an intent in the form of the tables.
type storedIntent struct {
	row     projections.Intent
	payload []byte
	payment []any // its row in payments
}

// store writes the intents. Unless groups is set servers may run; store then holds their
// append lock throughout, so that positions have no gaps.
func (g storing) store(ctx context.Context, pool *pgxpool.Pool) error {
	if g.groups {
		return withoutIndexes(ctx, pool, grownTables, func() error { return g.storeAlone(ctx, pool) })
	}
	tx, err := pool.Begin(ctx)
	if err != nil {
		return fmt.Errorf("store intents: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, appendLock); err != nil {
		return fmt.Errorf("store intents: %w", err)
	}
	head, err := headOf(ctx, tx)
	if err != nil {
		return err
	}
	g.batch = cmp.Or(g.batch, storeBatch)
	for from := 0; from < g.intents; from += g.batch {
		if err := g.copyBatch(ctx, tx, head, from, min(from+g.batch, g.intents)); err != nil {
			return err
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("store intents: %w", err)
	}
	return nil
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func headOf(ctx context.Context, db querier) (int64, error) {
	var head int64
	if err := db.QueryRow(ctx, `SELECT coalesce(max(position), 0) FROM events`).Scan(&head); err != nil {
		return 0, fmt.Errorf("find the end of the log: %w", err)
	}
	return head, nil
}

// storeAlone writes batches in parallel, each at its own positions; when all are written,
// the positions have no gaps.
func (g storing) storeAlone(ctx context.Context, pool *pgxpool.Pool) error {
	head, err := headOf(ctx, pool)
	if err != nil {
		return err
	}
	write := func(ctx context.Context, tx pgx.Tx, from, to int) error {
		return g.copyBatch(ctx, tx, head, from, to)
	}
	batch := cmp.Or(g.batch, storeBatch)
	if err := inBatches(ctx, pool, storeWorkers, g.intents, batch, g.progress, write); err != nil {
		return fmt.Errorf("store intents: %w", err)
	}
	return moveGroups(ctx, pool, head+int64(g.intents))
}

// inBatches divides a number of intents into ranges and does work for each in its own
// transaction, atATime of them in parallel.
func inBatches(
	ctx context.Context, pool *pgxpool.Pool, atATime, intents, batch int, progress func(done int),
	work func(ctx context.Context, tx pgx.Tx, from, to int) error,
) error {
	workCtx, abandon := context.WithCancelCause(ctx)
	defer abandon(nil)
	batches := make(chan int)
	var workers sync.WaitGroup
	var done atomic.Int64
	for range atATime {
		workers.Go(func() {
			for from := range batches {
				to := min(from+batch, intents)
				err := inBatch(workCtx, pool, func(tx pgx.Tx) error {
					return work(workCtx, tx, from, to)
				})
				if err != nil {
					abandon(err)
					continue
				}
				progress(int(done.Add(int64(to - from))))
			}
		})
	}
	for from := 0; from < intents; from += batch {
		batches <- from
	}
	close(batches)
	workers.Wait()
	return context.Cause(workCtx)
}

// inBatch does work in a transaction whose commit does not wait for the disk: after a crash the database
// would be made again anyway.
func inBatch(ctx context.Context, pool *pgxpool.Pool, work func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL synchronous_commit = off`); err != nil {
			return fmt.Errorf("store batch: %w", err)
		}
		return work(tx)
	})
}

// moveGroups moves the offsets of all groups except transparency to a position.
func moveGroups(ctx context.Context, pool *pgxpool.Pool, position int64) error {
	const moveSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
SELECT unnest($1::text[]), $2, clock_timestamp()
ON CONFLICT (consumer_group)
DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`
	names := []string{expiry.GroupName, webhooks.Group().Name, projections.DashboardGroup().Name}
	if _, err := pool.Exec(ctx, moveSQL, names, position); err != nil {
		return fmt.Errorf("move the groups: %w", err)
	}
	return nil
}

func (g storing) copyBatch(ctx context.Context, tx pgx.Tx, head int64, from, to int) error {
	all := make([]storedIntent, 0, to-from)
	for n := from; n < to; n++ {
		i, err := g.intent(n)
		if err != nil {
			return err
		}
		all = append(all, i)
	}
	metadata, err := json.Marshal(eventstore.Metadata{
		Actor:         "application:" + uuid.UUID(g.shop.application.ID).String(),
		RequestID:     uuid.NewString(),
		CorrelationID: uuid.NewString(),
	})
	if err != nil {
		return fmt.Errorf("store intents: %w", err)
	}
	recorded := time.Now()
	return errors.Join(
		copyRows(ctx, tx, "events", eventColumns, all, func(n int, i storedIntent) []any {
			return []any{
				head + int64(from+n) + 1, [16]byte(i.row.ID), 1, domain.TypeCreated, 1,
				string(i.payload), string(metadata), recorded,
			}
		}),
		copyRows(ctx, tx, "intents", intentColumns, all, func(_ int, i storedIntent) []any {
			return i.intentRow()
		}),
		g.copyGroups(ctx, tx, all))
}

// copyGroups writes what the groups would: a timer and a payment for each intent. Open
// intents do not count in the turnover.
func (g storing) copyGroups(ctx context.Context, tx pgx.Tx, all []storedIntent) error {
	if !g.groups {
		return nil
	}
	return errors.Join(
		copyRows(ctx, tx, "expiry_timers", timerColumns, all, func(_ int, i storedIntent) []any {
			return []any{[16]byte(i.row.ID), i.row.ExpiresAt}
		}),
		copyRows(ctx, tx, "payments", paymentColumns, all, func(_ int, i storedIntent) []any { return i.payment }))
}

func copyRows(
	ctx context.Context, tx pgx.Tx, table string, columns []string,
	all []storedIntent, row func(int, storedIntent) []any,
) error {
	rows := pgx.CopyFromSlice(len(all), func(n int) ([]any, error) { return row(n, all[n]), nil })
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{table}, columns, rows); err != nil {
		return fmt.Errorf("store %s: %w", table, err)
	}
	return nil
}

// intent returns intent n, as if it had been created through the API.
func (g storing) intent(n int) (storedIntent, error) {
	id, event := g.creation(n)
	stored, err := domain.EncodeEvent(event)
	if err != nil {
		return storedIntent{}, err
	}
	payment, err := paymentRow(uuid.UUID(id), event)
	if err != nil {
		return storedIntent{}, err
	}
	return storedIntent{
		row:     projections.IntentOf(domain.Fold(id, []domain.Event{event})),
		payload: stored.Payload,
		payment: payment,
	}, nil
}

// creation returns the first event of intent n.
func (g storing) creation(n int) (domain.IntentID, domain.Created) {
	name := domain.MerchantReference(fmt.Sprintf("%s-%08d", g.named, n))
	id := g.shop.namespace.IntentID(name)
	var token [16]byte
	rand.Read(token[:])
	customer, address := fmt.Sprintf("customer-%d", n%100_000), fmt.Sprintf("https://shop.example/orders/%d", n)
	return id, domain.Created{
		At:                g.created(n).UTC().Truncate(time.Microsecond),
		Application:       g.shop.application.ID,
		MerchantReference: name,
		Reference:         domain.NewReference([7]byte(id[:7])),
		CheckoutToken:     domain.NewCheckoutToken(token),
		Amount:            domain.Money{Minor: 5000, Currency: domain.LYD},
		Description:       "Order 1042: coffee machine",
		CustomerID:        &customer,
		ReturnURL:         &address,
		ExpiresAt:         g.expires(n).UTC().Truncate(time.Microsecond),
	}
}

func (i storedIntent) intentRow() []any {
	r := i.row
	return []any{
		[16]byte(r.ID), [16]byte(r.Application), r.Version, string(r.Reference), string(r.MerchantReference),
		r.Amount.Minor, string(r.Amount.Currency), string(r.Status), r.Description,
		json.RawMessage(`{"external_id":"` + *r.CustomerID + `"}`),
		r.ReturnURL, nil, r.ExpiresAt, r.CheckoutPath, r.CreatedAt, r.UpdatedAt,
	}
}

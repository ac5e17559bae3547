package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/expiry"
	"daftar/ledger"
	"daftar/projections"
	"daftar/webhooks"
)

// storing describes intents that are stored without the server, as it would have stored them:
// the events, byte for byte as package domain writes them, at the next positions, and the rows
// that read models have of them.
type storing struct {
	intents int
	intent  func(n int) (domain.IntentID, []domain.Event)
	before  func(n int) int // how many events the first n intents have; nil: one each
	actor   string          // who created and paid them
	tables  []string        // that are written: of tableColumns
	batch   int             // intents that are written together; 0: storeBatch
}

const (
	storeBatch   = 20_000
	storeWorkers = 2
	// appendLock is the advisory lock under which package eventstore assigns positions.
	appendLock int64 = 8_712_000_001
)

// payments is the read model that the dashboard searches.
var payments = modelOf("payments")

func modelOf(name string) projections.Model {
	all := projections.Models()
	return all[slices.IndexFunc(all, func(m projections.Model) bool { return m.Name == name })]
}

// tableColumns are the tables that can be stored, with their columns.
var tableColumns = map[string][]string{
	"events": {
		"position", "stream_id", "version", "type", "schema_version", "payload", "metadata", "recorded_at",
	},
	"expiry_timers": {"intent_uuid", "due_at"},
	"intents":       modelOf("intents").Tables[0].Columns,
	"payments":      payments.Tables[0].Columns,
}

// openIntents are intents that were created and nothing more.
func openIntents(shop merchant, named string, intents int, created, expires func(n int) time.Time) storing {
	return storing{
		intents: intents, actor: shop.actor(), tables: []string{"events", "intents"},
		intent: func(n int) (domain.IntentID, []domain.Event) {
			id, event := shop.creation(fmt.Sprintf("%s-%08d", named, n), n, created(n), expires(n))
			return id, []domain.Event{event}
		},
	}
}

// creation is the first event of an intent.
func (m merchant) creation(reference string, n int, at, expires time.Time) (domain.IntentID, domain.Created) {
	name := domain.MerchantReference(reference)
	id := m.namespace.IntentID(name)
	customer, address := fmt.Sprintf("customer-%d", n%100_000), fmt.Sprintf("https://shop.example/orders/%d", n)
	return id, domain.Created{
		At: at.UTC().Truncate(time.Microsecond),
		Terms: domain.Terms{
			Application:       m.application.ID,
			MerchantReference: name,
			Reference:         domain.NewReference([7]byte(id[:7])),
			Amount:            domain.Money{Minor: 5000, Currency: domain.LYD},
			Description:       "Order 1042: coffee machine",
			CustomerID:        &customer,
			ReturnURL:         &address,
		},
		CheckoutToken: domain.NewCheckoutToken(uuid.New()),
		ExpiresAt:     expires.UTC().Truncate(time.Microsecond),
	}
}

// storeShared stores all in one batch while servers may run: under their append lock, so that
// positions have no gaps.
func (g storing) storeShared(ctx context.Context, pool *pgxpool.Pool) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, appendLock); err != nil {
			return fmt.Errorf("store intents: %w", err)
		}
		head, err := headOf(ctx, tx)
		if err != nil {
			return err
		}
		return g.copyBatch(ctx, tx, head, 0, g.intents)
	})
}

// storeAlone stores while nothing else appends: batches in parallel, each at its own positions,
// which have no gaps when all are written.
func (g storing) storeAlone(ctx context.Context, pool *pgxpool.Pool) error {
	head, err := headOf(ctx, pool)
	if err != nil {
		return err
	}
	batch := cmp.Or(g.batch, storeBatch)
	var done atomic.Int64
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(storeWorkers)
	for from := 0; from < g.intents && ctx.Err() == nil; from += batch {
		workers.Go(func() error {
			to := min(from+batch, g.intents)
			err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
				// After a crash the database would be made again anyway.
				if _, err := tx.Exec(ctx, `SET LOCAL synchronous_commit = off`); err != nil {
					return err
				}
				return g.copyBatch(ctx, tx, head, from, to)
			})
			if n := int(done.Add(int64(to - from))); n%(25*storeBatch) == 0 {
				fmt.Fprintf(os.Stderr, "  %d of %d intents\n", n, g.intents)
			}
			return err
		})
	}
	return workers.Wait()
}

// storeUnindexed stores while the tables have no indexes.
func (g storing) storeUnindexed(ctx context.Context, pool *pgxpool.Pool) error {
	return withoutIndexes(ctx, pool, g.tables, func() error { return g.storeAlone(ctx, pool) })
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// headOf is the last position of the log.
func headOf(ctx context.Context, db querier) (head int, err error) {
	err = db.QueryRow(ctx, `SELECT coalesce(max(position), 0) FROM events`).Scan(&head)
	return head, err
}

// moveGroups moves the offsets of all groups except transparency to the end of the log.
func moveGroups(ctx context.Context, pool *pgxpool.Pool) error {
	const moveSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
SELECT unnest($1::text[]), (SELECT max(position) FROM events), clock_timestamp()
ON CONFLICT (consumer_group)
DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`
	names := []string{
		expiry.GroupName, webhooks.Group().Name, projections.DashboardGroupName, projections.BooksGroupName,
	}
	if _, err := pool.Exec(ctx, moveSQL, names); err != nil {
		return fmt.Errorf("move the groups: %w", err)
	}
	return nil
}

// copyBatch writes some intents after the first head events of the log: first all creations, then
// each intent's second event, and so on. So the events of a stream lie apart, as they do where
// many customers pay at a time.
func (g storing) copyBatch(ctx context.Context, tx pgx.Tx, head, from, to int) error {
	rows := map[string][][]any{}
	var waves [][]eventstore.Recorded
	for n := from; n < to; n++ {
		id, events := g.intent(n)
		stream, err := record(id, events)
		if err != nil {
			return err
		}
		for k, e := range stream {
			if len(waves) == k {
				waves = append(waves, nil)
			}
			waves[k] = append(waves[k], e)
		}
		if slices.Contains(g.tables, "payments") {
			found, err := payments.Rows(stream)
			if err != nil {
				return fmt.Errorf("project intent: %w", err)
			}
			rows["payments"] = append(rows["payments"], found[0][0])
		}
		// The row of the read model, without decoding the events again.
		intent := projections.IntentOf(domain.Fold(id, events)).Arguments()
		rows["intents"] = append(rows["intents"], append([]any{[16]byte(id)}, intent...))
		if created, ok := events[0].(domain.Created); ok {
			rows["expiry_timers"] = append(rows["expiry_timers"], []any{[16]byte(id), created.ExpiresAt})
		}
	}
	creator, expiry := newOrigin(g.actor), newOrigin(ledger.ActorExpiry)
	position := head + from
	if g.before != nil {
		position = head + g.before(from)
	}
	for _, e := range slices.Concat(waves...) {
		position++
		by := creator
		if e.Type == domain.TypeExpired {
			by = expiry
		}
		rows["events"] = append(rows["events"], []any{
			position, [16]byte(e.Stream), e.Version, e.Type, e.SchemaVersion, string(e.Payload), by, e.RecordedAt,
		})
	}
	for _, table := range g.tables {
		all := pgx.CopyFromRows(rows[table])
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{table}, tableColumns[table], all); err != nil {
			return fmt.Errorf("store %s: %w", table, err)
		}
	}
	return nil
}

// record returns events as the log has them, but for their positions.
func record(id domain.IntentID, events []domain.Event) ([]eventstore.Recorded, error) {
	stream := make([]eventstore.Recorded, len(events))
	for n, e := range events {
		stored, err := domain.EncodeEvent(e)
		if err != nil {
			return nil, err
		}
		stream[n] = eventstore.Recorded{
			Position: 1, Stream: uuid.UUID(id), Version: n + 1, RecordedAt: e.OccurredAt(),
			Type: stored.Type, SchemaVersion: stored.SchemaVersion, Payload: stored.Payload,
		}
	}
	return stream, nil
}

// newOrigin is the metadata of events.
func newOrigin(actor string) string {
	text, _ := json.Marshal(eventstore.Metadata{ // strings can be encoded
		Actor: actor, RequestID: uuid.NewString(), CorrelationID: uuid.NewString(),
	})
	return string(text)
}

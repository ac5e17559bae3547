package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/primary"
	"daftar/internal/worker"
)

// ErrClosed says that Intents takes no more questions.
var ErrClosed = worker.ErrClosed

const (
	// maxQueries is how many queries are under way at a time. Two keep the database
	// busy while the answers of one are delivered.
	maxQueries = 2
	// maxTogether is how many ids one query looks up at most.
	maxTogether = 256
	// queryLimit bounds how long one query may take.
	queryLimit = 8 * time.Second
)

// Intents reads the table. Look-ups that come while a query is under way are
// combined in the next one. It is safe for concurrent use.
type Intents struct {
	pool    *pgxpool.Pool
	lists   *pgxpool.Pool
	lookups *worker.Coalescer[domain.IntentID, Found]
	bounds  listingBounds
}

// NewIntents reads through the pool, which stays the caller's. Close ends it.
func NewIntents(pool *pgxpool.Pool) *Intents {
	p := &Intents{pool: pool, lists: pool, bounds: defaultBounds}
	p.lookups = worker.NewCoalescer(maxQueries, maxTogether, queryLimit, p.findAll)
	return p
}

// WithLists makes List read through another pool: one whose sessions plan a statement with
// its arguments, which would slow down a look-up.
func (p *Intents) WithLists(pool *pgxpool.Pool) *Intents {
	p.lists = pool
	return p
}

// Close ends Intents when the queries under way have ended; waiting callers get ErrClosed.
func (p *Intents) Close() { p.lookups.Close() }

// Found is what Find saw in one snapshot.
type Found struct {
	Intent Intent
	Exists bool
	// Epoch is the credential epoch at the time when the row was read.
	Epoch int64
}

// Find reads one intent, and in the same snapshot the epoch, which shows whether
// the caller's credential is still valid. The query begins after the call, so it
// sees everything that was committed before. Errors: ErrClosed, the database's, or
// that of ctx.
func (p *Intents) Find(ctx context.Context, id domain.IntentID) (Found, error) {
	found, err := p.lookups.Ask(ctx, id)
	if err != nil {
		return Found{}, fmt.Errorf("find intent: %w", err)
	}
	return found, nil
}

// The epoch is in every row, and in a row by itself if no intent is found. Each id is looked up
// by key, whatever the table's statistics say: a subquery with an OFFSET is joined in no other
// way.
var findIntentsSQL = `
SELECT ` + intentColumns.List("i.") + `, c.epoch
FROM credential_epoch c
LEFT JOIN (
    ` + postgres.KeyRows("$1::uuid[]") + ` AS w(uuid)
    CROSS JOIN LATERAL (
        SELECT ` + intentColumns.List("") + `
        FROM intents
        WHERE uuid = w.uuid OFFSET 0
    ) i
) ON true`

// A lone look-up names no array: to read one, join its elements and keep them costs PostgreSQL as
// much as to find the row.
var findIntentSQL = `
SELECT ` + intentColumns.List("i.") + `, c.epoch
FROM credential_epoch c
LEFT JOIN intents i ON i.uuid = $1`

func (p *Intents) findAll(ctx context.Context, ids []domain.IntentID) (func(domain.IntentID) Found, error) {
	var epoch int64
	var all []Intent
	sql, arguments := findIntentsSQL, []any{ids}
	if len(ids) == 1 {
		sql, arguments = findIntentSQL, []any{[16]byte(ids[0])}
	}
	err := p.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) (err error) {
		all, err = postgres.List(ctx, conn, "read intents", func(row pgx.CollectableRow) (Intent, error) {
			return scanIntent(row, &epoch)
		}, sql, arguments...)
		if err != nil {
			return err
		}
		// A merchant acts upon what is found, and upon what is not.
		return primary.Check(ctx, conn.Conn())
	})
	if len(ids) == 1 && len(all) == 1 { // the usual case; a single id always gives one row
		return func(domain.IntentID) Found {
			return Found{Intent: all[0], Exists: all[0].Version > 0, Epoch: epoch}
		}, err
	}
	found := make(map[domain.IntentID]Intent, len(all))
	for _, i := range all {
		found[i.ID] = i
	}
	return func(id domain.IntentID) Found {
		i := found[id]
		return Found{Intent: i, Exists: i.Version > 0, Epoch: epoch}
	}, err
}

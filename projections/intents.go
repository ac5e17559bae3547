package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
)

// Intent is a row of the read model: an intent as merchants see it.
type Intent struct {
	ID      domain.IntentID
	Version int
	domain.Terms
	Status       domain.Status
	ExpiresAt    time.Time
	CheckoutPath string // below the public address
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// IntentOf is the row that shows an intent.
func IntentOf(i domain.Intent) Intent {
	return Intent{
		ID:           i.ID,
		Version:      i.Version,
		Terms:        i.Terms,
		Status:       i.Status,
		ExpiresAt:    i.ExpiresAt,
		CheckoutPath: CheckoutPath(i.ID, i.CheckoutToken),
		CreatedAt:    i.CreatedAt,
		UpdatedAt:    i.UpdatedAt,
	}
}

// CheckoutPath is where the checkout page of an intent is, below the public
// address. Only the token in it is secret.
func CheckoutPath(id domain.IntentID, token domain.CheckoutToken) string {
	return "/pay/" + id.String() + "/" + string(token)
}

// Overdue reports whether the intent must not be shown as it is: it has expired,
// and no event says so yet.
func (i Intent) Overdue(now time.Time) bool {
	return domain.Intent{Status: i.Status, ExpiresAt: i.ExpiresAt}.Overdue(now)
}

// Fields implements eventstore.Row for the statement of Inline.
func (i Intent) Fields() []any { return shownColumns.Fields(&i) }

// Arguments implements eventstore.Row.
func (i Intent) Arguments() []any { return shownColumns.Values(&i) }

var shownColumns = intentColumns[1:]

// Inline writes the intents table within the ledger's append statement. Each row
// is an Intent.
func Inline() *eventstore.Inline {
	return &eventstore.Inline{Columns: shownColumns, Statement: writeIntentsSQL, First: insertIntentsSQL + `)`}
}

var insertIntentsSQL = `shown_intents AS (
    INSERT INTO intents (` + intentColumns.List("") + `)
    SELECT s.stream_id, ` + shownColumns.List("s.") + `
    FROM shown s`

// The row of a later event carries all columns, of which only those that can
// change are written: no index covers them, so the update stays on its page.
var writeIntentsSQL = insertIntentsSQL + `
    ON CONFLICT (uuid) DO UPDATE
    SET version = excluded.version, status = excluded.status, updated_at = excluded.updated_at
    WHERE intents.version < excluded.version
)`

// writeIntentSQL writes one row without an append.
var writeIntentSQL = `
WITH shown AS (
    SELECT r.uuid AS stream_id, ` + shownColumns.List("r.") + `
    FROM (SELECT ` + intentColumns.Parameters(1) + `) r
), ` + writeIntentsSQL + `
SELECT count(*)
FROM shown`

// WriteIntent writes the row that results from the whole stream of an intent, after events
// were restored. The error is that of Replay or the database's.
func WriteIntent(ctx context.Context, tx pgx.Tx, stream []eventstore.Recorded) (Intent, error) {
	state, err := domain.Replay(domain.IntentID(stream[0].Stream), stream)
	if err != nil {
		return Intent{}, err
	}
	i := IntentOf(state)
	if _, err := tx.Exec(ctx, writeIntentSQL, intentColumns.Values(&i)...); err != nil {
		return Intent{}, fmt.Errorf("write the row of intent %s: %w", i.ID, err)
	}
	return i, nil
}

// intentsModel is the read model that the API serves.
var intentsModel = Model{
	Name: "intents", Version: 1, Only: domain.OfIntent,
	Tables: []Table{{Name: "intents", Columns: intentColumns.Names(), Key: 1, Title: "status"}},
	Counts: `
SELECT (SELECT (count(*), coalesce(sum(version), 0))::text
        FROM {intents}),
       (SELECT (count(*) FILTER (WHERE version = 1), count(*))::text
        FROM events
        WHERE position <= $1
          AND ` + ofIntents + `)`,
	Rows: intentsRows,
}

func intentsRows(stream []eventstore.Recorded) ([][]Row, error) {
	state, err := domain.Replay(domain.IntentID(stream[0].Stream), stream)
	if err != nil {
		return nil, err
	}
	i := IntentOf(state)
	return [][]Row{{intentColumns.Values(&i)}}, nil
}

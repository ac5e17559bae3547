package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
)

// Cursor is how far somebody has read an application's webhooks. The zero Cursor
// is before the first.
type Cursor struct {
	Position int64 // in the log
	Test     int64 // the ordinal of a test
}

// String writes the cursor as ParseCursor reads it.
func (c Cursor) String() string { return fmt.Sprintf("%d-%d", c.Position, c.Test) }

// ParseCursor reads a cursor.
func ParseCursor(s string) (Cursor, error) {
	var c Cursor
	if n, err := fmt.Sscanf(s, "%d-%d", &c.Position, &c.Test); n != 2 || err != nil || c.String() != s || c.Position < 0 || c.Test < 0 {
		return Cursor{}, fmt.Errorf("%q is not a cursor", s)
	}
	return c, nil
}

// Message is a webhook as an endpoint would get it now.
type Message struct {
	ID     string // the webhook-id
	Type   string
	Header http.Header // signed with the present secret, at the present time
	Body   []byte
}

const (
	lastTestSQL = `
SELECT coalesce(max(ordinal), 0) FROM webhook_deliveries WHERE application_uuid = $1 AND event = '` + TypeTest + `'`
	messagesSQL = `
SELECT e.position, e.stream_id, e.version, e.type, e.recorded_at, i.reference, i.merchant_reference
FROM events e JOIN intents i ON i.uuid = e.stream_id
WHERE e.position > $1 AND e.position <= $2 AND i.application_uuid = $3 AND e.type = ANY ($4)
ORDER BY e.position LIMIT $5`
	testsSQL = `
SELECT ordinal, uuid, occurred_at FROM webhook_deliveries
WHERE application_uuid = $1 AND event = '` + TypeTest + `' AND ordinal > $2 ORDER BY ordinal LIMIT $3`
)

// Latest is the cursor of what happens from now on. The error is
// ErrNoApplication where the tenant has no such application.
func (d *Deliveries) Latest(ctx context.Context, of Tenant, id domain.ApplicationID) (Cursor, error) {
	if _, err := d.endpoint(ctx, d.pool, of, id); err != nil {
		return Cursor{}, err
	}
	var c Cursor
	err := d.pool.QueryRow(ctx, lastTestSQL, [16]byte(id)).Scan(&c.Test)
	if err != nil {
		return Cursor{}, fmt.Errorf("find latest test: %w", err)
	}
	c.Position, err = d.head(ctx)
	return c, err
}

// Pending is what an endpoint of the application would be sent after the cursor:
// events in the order of the log, then tests. It reads the log rather than the
// deliveries, so it is for those too that have no URL yet, and changes nothing.
// At most limit events and as many tests come at a time, with the cursor to go
// on from; a call that comes back with none and another cursor has more to read.
// The error is ErrNoApplication where the tenant has no such application.
func (d *Deliveries) Pending(ctx context.Context, of Tenant, id domain.ApplicationID, after Cursor, limit int) ([]Message, Cursor, error) {
	if _, err := d.endpoint(ctx, d.pool, of, id); err != nil {
		return nil, after, err
	}
	head, err := d.head(ctx)
	if err != nil {
		return nil, after, err
	}
	upTo := max(min(after.Position+replayPositions, head), after.Position)
	found, next, err := d.messages(ctx, id, after, upTo, limit)
	if err != nil || len(found) == 0 {
		return nil, next, err
	}
	secret, err := d.accounts.WebhookSecret(ctx, id)
	if err != nil {
		return nil, after, err
	}
	by, err := newSigner(secret)
	if err != nil {
		return nil, after, err
	}
	all := make([]Message, len(found))
	for n, m := range found {
		text := m.body()
		header, err := by.headers(m, text, d.now())
		if err != nil {
			return nil, after, err
		}
		all[n] = Message{ID: m.ID.WebhookID(), Type: m.Event, Header: header, Body: text}
	}
	return all, next, nil
}

func (d *Deliveries) messages(ctx context.Context, id domain.ApplicationID, after Cursor, upTo int64, limit int) ([]message, Cursor, error) {
	names := make([]string, 0, len(webhookTypes))
	for name := range webhookTypes {
		names = append(names, name)
	}
	rows, err := d.pool.Query(ctx, messagesSQL, after.Position, upTo, [16]byte(id), names, limit)
	if err != nil {
		return nil, after, fmt.Errorf("read events: %w", err)
	}
	next := after
	var all []message
	var stream [16]byte
	var name string
	m := message{Application: id}
	_, err = pgx.ForEachRow(rows, []any{&next.Position, &stream, &m.Sequence, &name, &m.OccurredAt, &m.Reference, &m.MerchantReference}, func() error {
		m.ID, m.Intent, m.Event = IDOf(stream, m.Sequence), stream, webhookTypes[name]
		all = append(all, m)
		return nil
	})
	if err != nil {
		return nil, after, fmt.Errorf("read events: %w", err)
	}
	if len(all) < limit {
		next.Position = upTo
	}
	rows, err = d.pool.Query(ctx, testsSQL, [16]byte(id), after.Test, limit)
	if err != nil {
		return nil, after, fmt.Errorf("read tests: %w", err)
	}
	var test [16]byte
	var at time.Time
	_, err = pgx.ForEachRow(rows, []any{&next.Test, &test, &at}, func() error {
		all = append(all, message{ID: test, Application: id, Event: TypeTest, OccurredAt: at})
		return nil
	})
	if err != nil {
		return nil, after, fmt.Errorf("read tests: %w", err)
	}
	return all, next, nil
}

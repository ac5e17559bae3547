package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
)

// Cursor is a place in an application's webhooks. The zero Cursor is before the
// first.
type Cursor struct {
	Position int64 // in the log
	Test     int64 // the ordinal of a test
}

// String writes the cursor as ParseCursor reads it.
func (c Cursor) String() string { return fmt.Sprintf("%d-%d", c.Position, c.Test) }

// ParseCursor reads a cursor.
func ParseCursor(s string) (Cursor, error) {
	var c Cursor
	n, err := fmt.Sscanf(s, "%d-%d", &c.Position, &c.Test)
	if n != 2 || err != nil || c.String() != s || c.Position < 0 || c.Test < 0 {
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

var (
	lastTestSQL = `
SELECT coalesce(max(ordinal), 0)
FROM webhook_deliveries
WHERE application_uuid = $1
  AND event = '` + TypeTest + `'`
	messagesSQL = `
SELECT ` + eventColumns.List("e.") + `, i.reference, i.merchant_reference
FROM events e
CROSS JOIN LATERAL (
    SELECT reference, merchant_reference
    FROM intents
    WHERE uuid = e.stream_id
      AND application_uuid = $3
    OFFSET 0) i
WHERE e.position > $1
  AND e.position <= $2
  AND e.type = ANY ($4)
ORDER BY e.position
LIMIT $5`
	testsSQL = `
SELECT ordinal, uuid, occurred_at
FROM webhook_deliveries
WHERE application_uuid = $1
  AND event = '` + TypeTest + `'
  AND ordinal > $2
ORDER BY ordinal
LIMIT $3`
)

// Latest returns the cursor after everything that has happened so far. The error is
// ErrNoApplication where the tenant has no such application.
func (d *Deliveries) Latest(ctx context.Context, of Tenant, id domain.ApplicationID) (Cursor, error) {
	if _, err := d.endpoint(ctx, d.pool, of, id); err != nil {
		return Cursor{}, err
	}
	var c Cursor
	err := d.pool.QueryRow(ctx, lastTestSQL, id).Scan(&c.Test)
	if err != nil {
		return Cursor{}, fmt.Errorf("find latest test: %w", err)
	}
	c.Position, err = eventstore.NewReader(d.pool).Head(ctx)
	return c, err
}

// awaitEvery is the time between two reads of Await.
const awaitEvery = 250 * time.Millisecond

// Await returns what an endpoint of the application would be sent after the
// cursor: events in the order of the log, then tests. It reads the log and not the
// deliveries, so it works without a URL, and changes nothing. It returns at most
// limit events and as many tests, with the cursor for the next call.
//
// Where there is nothing it reads again until patience has passed. Then it returns no
// messages and the cursor that it has reached. It does the same for an error after
// some reading, so a caller far behind makes progress with every call. The error is
// ErrNoApplication where the tenant has no such application.
func (d *Deliveries) Await(ctx context.Context, of Tenant, id domain.ApplicationID, after Cursor, limit int,
	patience time.Duration,
) ([]Message, Cursor, error) {
	if _, err := d.endpoint(ctx, d.pool, of, id); err != nil {
		return nil, after, err
	}
	until := time.Now().Add(patience)
	look := time.NewTicker(awaitEvery)
	defer look.Stop()
	for reached := after; ; {
		found, next, err := d.messages(ctx, id, reached, limit)
		switch {
		case err != nil && reached != after:
			return nil, reached, nil // the next call meets the error, if it lasts
		case err != nil:
			return nil, after, err
		case len(found) > 0:
			signed, err := d.sign(ctx, id, found)
			if err != nil {
				return nil, reached, err // reached, so the next call returns these messages
			}
			return signed, next, nil
		}
		more := next.Position == reached.Position+replayPositions
		reached = next
		if !time.Now().Before(until) {
			return nil, reached, nil
		}
		if more {
			continue
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, reached, ctx.Err()
		}
	}
}

// AwaitTry waits until a delivery is no longer waiting for its first try, or patience has passed,
// and returns it as it is then. The error is ErrNoDelivery where the tenant has no such delivery.
func (d *Deliveries) AwaitTry(ctx context.Context, of Tenant, id DeliveryID,
	patience time.Duration,
) (Delivery, error) {
	until := time.Now().Add(patience)
	look := time.NewTicker(awaitEvery)
	defer look.Stop()
	for {
		v, err := d.Find(ctx, of, id)
		if err != nil || v.Attempts > 0 || v.State != StatePending || !time.Now().Before(until) {
			return v, err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return v, ctx.Err()
		}
	}
}

// sign signs each message as an endpoint would get it now.
func (d *Deliveries) sign(ctx context.Context, id domain.ApplicationID, found []message) ([]Message, error) {
	by, err := signerOf(ctx, d.accounts, id, nil)
	if err != nil {
		return nil, err
	}
	all := make([]Message, len(found))
	for n, m := range found {
		text := m.body()
		header, err := by.headers(m, text, d.now())
		if err != nil {
			return nil, err
		}
		all[n] = Message{ID: m.ID.WebhookID(), Type: m.Event, Header: header, Body: text}
	}
	return all, nil
}

// messages reads a range of the log, and tests, in one round trip. The cursor is
// where the next call starts: the end of the range where there may be more to read.
func (d *Deliveries) messages(ctx context.Context, id domain.ApplicationID, after Cursor,
	limit int,
) ([]message, Cursor, error) {
	upTo := after.Position + replayPositions
	var head int64
	var all, tests []message
	next := after
	var batch pgx.Batch
	// The head is read first: everything up to it is visible to the next statement.
	batch.Queue(eventstore.HeadSQL).QueryRow(func(row pgx.Row) error { return row.Scan(&head) })
	batch.Queue(messagesSQL, after.Position, upTo, id, facts.Stored(), limit).Query(func(rows pgx.Rows) error {
		var e eventstore.Recorded
		var reference, merchantReference string
		_, err := pgx.ForEachRow(rows, eventColumns.Fields(&e, &reference, &merchantReference), func() error {
			m, err := messageOf(e)
			m.Application, m.Reference, m.MerchantReference = id, reference, merchantReference
			all, next.Position = append(all, m), e.Position
			return err
		})
		return err
	})
	batch.Queue(testsSQL, id, after.Test, limit).Query(func(rows pgx.Rows) error {
		var test DeliveryID
		var at time.Time
		_, err := pgx.ForEachRow(rows, []any{&next.Test, &test, &at}, func() error {
			tests = append(tests, message{ID: test, Application: id, Event: TypeTest, OccurredAt: at})
			return nil
		})
		return err
	})
	if err := d.pool.SendBatch(ctx, &batch).Close(); err != nil {
		return nil, after, fmt.Errorf("read events and tests: %w", err)
	}
	if len(all) < limit {
		next.Position = max(next.Position, min(upTo, head))
	}
	return append(all, tests...), next, nil
}

package projections

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/eventstore/feed"
)

// TurnoverGroupName is under which name the place of the turnover group in the
// log is kept.
const TurnoverGroupName = "turnover"

// turnoverShare is what the dashboard's tables may cost while requests come in, in
// percent of the group's time. A row in four indexes costs about as much as the
// intent itself; the figures of a rush may be some seconds late.
const turnoverShare = 15

// TurnoverGroup is the feed's group that keeps payments, payment_exceptions and
// turnover. Every event that it takes twice leaves the tables as they were.
func TurnoverGroup() feed.Group {
	return feed.Group{Name: TurnoverGroupName, Handle: keepTurnover, OnFailure: feed.Halt, Share: turnoverShare}
}

// keepTurnover writes what a batch of events comes to: of each intent its last
// state, of each day one sum. The statements are five at most, whatever the size
// of the batch.
func keepTurnover(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) error {
	streams := streamsOf(events)
	entries, err := readEntries(ctx, tx, streams)
	if err != nil {
		return err
	}
	c := changes{sums: sums{}}
	known := make(map[uuid.UUID]int, len(entries)) // version before the batch
	for id, e := range entries {
		known[id] = e.version
		c.sums.count(e, -1)
	}
	for _, r := range events {
		e := entries[r.Stream]
		if e == nil {
			e = &entry{intent: r.Stream}
			entries[r.Stream] = e
		}
		x, err := e.apply(r)
		if err != nil {
			return err
		}
		if x != nil {
			c.exceptions = append(c.exceptions, *x)
			c.sums.countDuplicate(*x, 1)
		}
	}
	for _, id := range streams { // in the order of the log, which is that of created_at
		e := entries[id]
		c.sums.count(e, 1)
		switch before, existed := known[id]; {
		case !existed:
			c.created = append(c.created, e)
		case before != e.version:
			c.changed = append(c.changed, e)
		}
	}
	return c.write(ctx, tx)
}

func streamsOf(events []eventstore.Recorded) []uuid.UUID {
	seen := make(map[uuid.UUID]bool, len(events))
	streams := make([]uuid.UUID, 0, len(events))
	for _, e := range events {
		if !seen[e.Stream] {
			seen[e.Stream] = true
			streams = append(streams, e.Stream)
		}
	}
	return streams
}

// What cannot change once the intent exists is read only as far as the sums need
// it.
const readEntriesSQL = `
SELECT intent_uuid, application_uuid, version, state, attempting, amount, currency, succeeded_at, canceled_at, late, duplicates
FROM payments WHERE intent_uuid = ANY($1)`

// plannedAnew has a statement planned with its arguments each time. A plan that
// was made for any arguments while the table was small would read it from end to
// end, and be kept while the group works off a long log.
const plannedAnew = pgx.QueryExecModeCacheDescribe

// readEntries finds the rows of the given intents. The lock on the group's
// offset keeps everybody else from writing them.
func readEntries(ctx context.Context, tx *sql.Tx, ids []uuid.UUID) (map[uuid.UUID]*entry, error) {
	arguments := make([][16]byte, len(ids))
	for n, id := range ids {
		arguments[n] = id
	}
	rows, err := tx.QueryContext(ctx, readEntriesSQL, plannedAnew, arguments)
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has what went wrong
	entries := make(map[uuid.UUID]*entry, len(ids))
	for rows.Next() {
		var e entry
		var intent, application uuid.UUID
		if err := rows.Scan(&intent, &application, &e.version, &e.state, &e.attempting, &e.amount, &e.currency,
			&e.succeededAt, &e.canceledAt, &e.late, &e.duplicates); err != nil {
			return nil, fmt.Errorf("read payments: %w", err)
		}
		e.intent, e.application = intent, application
		entries[intent] = &e
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	return entries, nil
}

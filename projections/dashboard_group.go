package projections

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
)

// DashboardGroupName is under which name the place of the dashboard's group in
// the log is kept.
const DashboardGroupName = "dashboard"

// dashboardShare is what the dashboard's tables may cost while requests come in,
// in percent of the group's time. A row in four indexes costs about as much as the
// intent itself; the figures of a rush may be some seconds late.
const dashboardShare = 15

// dashboardStaleness is how late the tables are while requests come in: nobody reads a
// list faster.
const dashboardStaleness = 500 * time.Millisecond

// DashboardGroup is the feed's group that keeps payments, payment_exceptions and
// turnover. Every event that it takes twice leaves the tables as they were.
func DashboardGroup() feed.Group {
	return feed.Group{Name: DashboardGroupName, Handle: keepDashboard, OnFailure: feed.Halt, Share: dashboardShare, Staleness: dashboardStaleness}
}

// keepDashboard writes what a batch of events comes to: of each intent its last
// state, of each day one sum. The statements are five at most, whatever the size
// of the batch.
func keepDashboard(ctx context.Context, tx *sql.Tx, events []eventstore.Recorded) error {
	streams := streamsOf(events)
	payments, err := readPayments(ctx, tx, streams)
	if err != nil {
		return err
	}
	totals := sums{}
	known := make(map[[16]byte]int32, len(payments)) // version before the batch
	for id, p := range payments {
		known[id] = p.version
		totals.count(p, -1)
	}
	var exceptions []exceptionRow
	for _, r := range events {
		p := payments[r.Stream]
		if p == nil {
			p = &paymentRow{}
			payments[r.Stream] = p
		}
		c, err := p.apply(r)
		if err != nil {
			return err
		}
		totals.countOnce(c)
		if c.exception != nil {
			exceptions = append(exceptions, *c.exception)
		}
	}
	var created, changed []paymentRow
	for _, id := range streams { // in the order of the log, which is that of created_at
		p := payments[id]
		totals.count(p, 1)
		switch before, existed := known[id]; {
		case !existed:
			created = append(created, *p)
		case before != p.version:
			changed = append(changed, *p)
		}
	}
	return writeDashboard(ctx, tx, created, changed, exceptions, totals.rows())
}

func streamsOf(events []eventstore.Recorded) [][16]byte {
	seen := make(map[uuid.UUID]bool, len(events))
	streams := make([][16]byte, 0, len(events))
	for _, e := range events {
		if !seen[e.Stream] {
			seen[e.Stream] = true
			streams = append(streams, e.Stream)
		}
	}
	return streams
}

//nolint:gosec // names of columns
var readPaymentsSQL = `SELECT ` + paymentColumns.List("p.") + ` FROM unnest($1::uuid[]) AS w(uuid)
CROSS JOIN LATERAL (SELECT ` + paymentColumns.List("") + ` FROM payments WHERE intent_uuid = w.uuid OFFSET 0) p`

// readPayments finds the rows of the given intents. The lock on the group's
// offset keeps everybody else from writing them.
func readPayments(ctx context.Context, tx *sql.Tx, ids [][16]byte) (map[[16]byte]*paymentRow, error) {
	rows, err := tx.QueryContext(ctx, readPaymentsSQL, postgres.UUIDs(ids))
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	defer func() { _ = rows.Close() }() // rows.Err has what went wrong
	payments := make(map[[16]byte]*paymentRow, len(ids))
	for rows.Next() {
		var p paymentRow
		places := paymentColumns.Fields(&p)
		places[0], places[1] = (*uuid.UUID)(&p.intent), (*uuid.UUID)(&p.application) // database/sql scans no array
		if err := rows.Scan(places...); err != nil {
			return nil, fmt.Errorf("read payments: %w", err)
		}
		payments[p.intent] = &p
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	return payments, nil
}

// changingColumns are those of payments that a later event can change.
var changingColumns = paymentColumns.Only("version", "state", "attempting", "succeeded_at", "canceled_at", "late", "duplicates", "refunded", "terms")

var (
	insertPaymentsSQL = paymentColumns.InsertMany("payments")
	// The rows are there, and an INSERT finds them by their key.
	updatePaymentsSQL   = insertPaymentsSQL + ` ON CONFLICT (intent_uuid) DO UPDATE SET ` + changingColumns.Each("%[1]s = excluded.%[1]s")
	insertExceptionsSQL = exceptionColumns.InsertMany("payment_exceptions")
	addTurnoverSQL      = turnoverColumns.InsertMany("turnover AS t") +
		` ON CONFLICT (application_uuid, day, currency) DO UPDATE SET ` + figureColumns.Each("%[1]s = t.%[1]s + excluded.%[1]s")
)

func writeDashboard(ctx context.Context, tx *sql.Tx, created, changed []paymentRow, exceptions []exceptionRow, days []turnoverRow) error {
	for _, write := range []struct {
		what, sql string
		rows      int
		arrays    []any
	}{
		{"insert payments", insertPaymentsSQL, len(created), paymentColumns.Arrays(created)},
		{"update payments", updatePaymentsSQL, len(changed), paymentColumns.Arrays(changed)},
		{"insert exceptions", insertExceptionsSQL, len(exceptions), exceptionColumns.Arrays(exceptions)},
		{"add up turnover", addTurnoverSQL, len(days), turnoverColumns.Arrays(days)},
	} {
		if write.rows == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, write.sql, write.arrays...); err != nil {
			return fmt.Errorf("%s: %w", write.what, err)
		}
	}
	return nil
}

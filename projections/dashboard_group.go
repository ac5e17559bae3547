package projections

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/facts"
	"daftar/internal/postgres"
)

// DashboardGroupName is the feed group under which the dashboard's offset is stored.
const DashboardGroupName = "dashboard"

// dashboardShare is how much of its time the group may work while requests come in,
// in percent. A row in four indexes costs about as much as the
// intent itself; under load the figures may be some seconds late.
const dashboardShare = 25

// dashboardStaleness is the least time between two polls while requests come in.
const dashboardStaleness = 500 * time.Millisecond

// DashboardGroup is the feed's group that writes payments, payment_exceptions and
// turnover. An event that it handles twice changes the tables once. What people, payers and acquirers do
// is urgent: a person who did it looks at the list. What merchants' programs do shows within a second.
func DashboardGroup() feed.Group {
	return feed.Group{
		Name:      DashboardGroupName,
		Handle:    updateDashboard,
		OnFailure: feed.Halt,
		Only:      domain.OfIntent,
		Share:     dashboardShare,
		Staleness: dashboardStaleness,
		Urgent:    feed.ByPeople,
	}
}

// updateDashboard writes the results of a batch of events: of each intent its last
// state, of each day one sum.
func updateDashboard(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
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
	var refunded [][16]byte // intents with exceptions of which money was refunded
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
		if c.money == facts.Returned && (p.late || p.duplicates > 0) {
			refunded = append(refunded, p.intent)
		}
	}
	closed, err := readExceptions(ctx, tx, refunded, events[len(events)-1].Position)
	if err != nil {
		return err
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
	return writeDashboard(ctx, tx, created, changed, exceptions, closed, totals.rows())
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

var readPaymentsSQL = `
SELECT ` + paymentColumns.List("p.") + `
FROM unnest($1::uuid[]) AS w(uuid)
CROSS JOIN LATERAL (
    SELECT ` + paymentColumns.List("") + `
    FROM payments
    WHERE intent_uuid = w.uuid OFFSET 0
) p`

// readPayments reads the rows of the given intents. The lock on the group's
// offset keeps other servers from writing them.
func readPayments(ctx context.Context, tx pgx.Tx, ids [][16]byte) (map[[16]byte]*paymentRow, error) {
	rows, err := postgres.List(ctx, tx, "read payments", paymentColumns.Scan,
		readPaymentsSQL, ids)
	if err != nil {
		return nil, err
	}
	payments := make(map[[16]byte]*paymentRow, len(rows))
	for _, p := range rows {
		payments[p.intent] = &p
	}
	return payments, nil
}

const readEventsSQL = `
SELECT e.position, e.stream_id, e.version, e.type, e.schema_version, e.payload
FROM unnest($1::uuid[]) AS w(uuid)
CROSS JOIN LATERAL (
    SELECT position, stream_id, version, type, schema_version, payload
    FROM events
    WHERE stream_id = w.uuid
      AND position <= $2
    ORDER BY version OFFSET 0
) e
ORDER BY e.stream_id, e.version`

// readExceptions reads the exceptions of the given intents from the ledger, up to a position.
// What is left of an attempt's money is not summed up from batch to batch, because a server of
// the previous release may have handled one of them.
func readExceptions(
	ctx context.Context, tx pgx.Tx, ids [][16]byte, upTo int64,
) (all []exceptionRow, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	slices.SortFunc(ids, func(a, b [16]byte) int { return bytes.Compare(a[:], b[:]) })
	streams := map[uuid.UUID][]eventstore.Recorded{}
	var e eventstore.Recorded
	places := []any{&e.Position, (*[16]byte)(&e.Stream), &e.Version, &e.Type, &e.SchemaVersion, &e.Payload}
	// Its error comes again from the rows.
	rows, _ := tx.Query(ctx, readEventsSQL, slices.Compact(ids), upTo)
	_, err = pgx.ForEachRow(rows, places, func() error {
		streams[e.Stream] = append(streams[e.Stream], e)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read streams: %w", err)
	}
	for _, stream := range streams {
		_, exceptions, err := replayExceptions(stream)
		if err != nil {
			return nil, err
		}
		all = append(all, exceptions...)
	}
	return all, nil
}

// changingColumns are those of payments that a later event can change.
var changingColumns = paymentColumns.Only("version", "state", "attempting", "succeeded_at", "canceled_at",
	"late", "duplicates", "refunded", "terms")

var (
	insertPaymentsSQL = paymentColumns.InsertMany("payments")
	// The rows exist, and an INSERT finds them by their key.
	updatePaymentsSQL = insertPaymentsSQL + `
ON CONFLICT (intent_uuid) DO UPDATE
SET ` + changingColumns.Each("%[1]s = excluded.%[1]s")
	insertExceptionsSQL = exceptionColumns.InsertMany("payment_exceptions")
	closeExceptionsSQL  = insertExceptionsSQL + `
ON CONFLICT (intent_uuid, version) DO UPDATE
SET closed_at = excluded.closed_at, closed_by = excluded.closed_by`
	addTurnoverSQL = turnoverColumns.InsertMany("turnover AS t") + `
ON CONFLICT (application_uuid, day, currency) DO UPDATE
SET ` + figureColumns.Each("%[1]s = t.%[1]s + excluded.%[1]s")
)

func writeDashboard(
	ctx context.Context, tx pgx.Tx, created, changed []paymentRow, exceptions, closed []exceptionRow,
	days []turnoverRow,
) error {
	for _, w := range slices.Concat(
		inParts("insert payments", insertPaymentsSQL, paymentColumns, created),
		inParts("update payments", updatePaymentsSQL, paymentColumns, changed),
		inParts("insert exceptions", insertExceptionsSQL, exceptionColumns, exceptions),
		inParts("close exceptions", closeExceptionsSQL, exceptionColumns, closed),
		inParts("add up turnover", addTurnoverSQL, turnoverColumns, days),
	) {
		if _, err := tx.Exec(ctx, w.sql, w.arrays...); err != nil {
			return fmt.Errorf("%s: %w", w.what, err)
		}
	}
	return nil
}

// write is a statement that writes rows.
type write struct {
	what, sql string
	arrays    []any
}

// partRows is how many rows a statement writes: one of some hundred would hold a core for several
// milliseconds, while requests wait for it.
const partRows = 96

func inParts[T any](what, sql string, columns postgres.Columns[T], rows []T) (parts []write) {
	for part := range slices.Chunk(rows, partRows) {
		parts = append(parts, write{what, sql, columns.Arrays(part)})
	}
	return parts
}

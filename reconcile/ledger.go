package reconcile

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
	"daftar/internal/postgres"
)

// Entry is a payment or a refund of the acquirer in the ledger.
type Entry struct {
	Event             string // the stored name of the event that recorded it
	Intent            domain.IntentID
	Attempt           domain.AttemptID
	Refund            domain.RefundID // zero: it is a payment
	ProviderReference string          // the provider's own number; empty where a person settled the attempt
	Method            string          // by which the attempt was paid
	Amount            int64           // in dirham, negative where money went back
	At                time.Time
	version           int // of the event in its stream
	line              int // of the statement; none: not found
}

func (e *Entry) isRefund() bool { return e.Amount < 0 }

// moneyEvents are the stored names of the events that entryOf accepts.
var moneyEvents = facts.Moving(facts.Received, facts.ReceivedAgain, facts.Returned)

// entryOf is the entry of one of moneyEvents. Money that went back is a negative entry of its
// attempt.
func entryOf(id domain.IntentID, s domain.StoredEvent) (Entry, error) {
	event, err := domain.DecodeEvent(s)
	if err != nil {
		return Entry{}, fmt.Errorf("intent %s: %w", id, err)
	}
	kind := facts.Of(event)
	details := kind.Details(event)
	entry := Entry{
		Event:             s.Type,
		Intent:            id,
		Attempt:           details.Attempt,
		Refund:            details.Refund,
		ProviderReference: details.ProviderReference,
		Amount:            details.Amount.Minor,
		At:                event.OccurredAt(),
		line:              none,
	}
	if kind.Money == facts.Returned {
		entry.Amount = -entry.Amount
	}
	return entry, nil
}

// Scope selects the payments that are compared. The zero Scope selects none.
type Scope struct {
	everything   bool
	applications [][16]byte
}

// Everything selects the payments of all applications.
func Everything() Scope { return Scope{everything: true} }

// Of selects the payments of these applications only.
func Of(applications ...domain.ApplicationID) Scope {
	s := Scope{applications: make([][16]byte, len(applications))}
	for n, id := range applications {
		s.applications[n] = id
	}
	return s
}

// ledger reads the ledger's side. It needs SELECT on events; find needs more.
type ledger struct {
	q        postgres.Querier
	acquirer string
	of       Scope
	limit    int // of entries
}

const (
	// rangeLength is the number of events that one query scans.
	rangeLength = 20_000
	// near is how far outside the span the other side of a pair is searched for.
	near = 24 * time.Hour
	// outOfOrder is longer than the time between the decision on an event and its position
	// in the log, which it gets when it is written.
	outOfOrder = time.Hour
)

// entriesSQL selects events about money by the acquirer of their attempt and the application
// of their intent. The subqueries are look-ups in the event's own stream; for a join the
// planner would scan the whole log.
const entriesSQL = `
SELECT e.stream_id, e.version, e.type, e.schema_version, e.payload, a.method
FROM events e
CROSS JOIN LATERAL (
    SELECT s.payload::json->>'acquirer' AS acquirer, s.payload::json->>'method' AS method
    FROM events s
    WHERE s.stream_id = e.stream_id
      AND s.version < e.version
      AND s.type = '` + domain.TypeAttemptStarted + `'
      AND s.payload::json->>'attempt' = e.payload::json->>'attempt'
    LIMIT 1
) a
WHERE e.type = ANY($1)
  AND a.acquirer = $2
  AND ($3 OR (SELECT (f.payload::json->>'application')::uuid
              FROM events f
              WHERE f.stream_id = e.stream_id
                AND f.version = 1) = ANY($4::uuid[]))`

const (
	entriesInRangeSQL = entriesSQL + `
  AND e.position > $5
  AND e.position <= $6
ORDER BY e.position`
	entriesOfSQL = entriesSQL + `
  AND e.stream_id = ANY($5::uuid[])
ORDER BY e.position`
)

func (l ledger) entries(ctx context.Context, sql string, args ...any) ([]Entry, error) {
	args = append([]any{
		postgres.PlanEachTime, moneyEvents, l.acquirer, l.of.everything, l.of.applications,
	}, args...)
	rows, err := l.q.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	var all []Entry
	var id [16]byte
	var version int
	var method string
	var s domain.StoredEvent
	columns := []any{&id, &version, &s.Type, &s.SchemaVersion, &s.Payload, &method}
	_, err = pgx.ForEachRow(rows, columns, func() error {
		e, err := entryOf(domain.IntentID(id), s)
		e.version, e.Method = version, method
		all = append(all, e)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	return all, nil
}

// inSpan reads the entries in a span, one range of the log after the other.
func (l ledger) inSpan(ctx context.Context, s Span, progress func(done, total int64)) ([]Entry, error) {
	head, err := postgres.Find(ctx, l.q, "read head of the log", nil, pgx.RowTo[int64], eventstore.HeadSQL)
	if err != nil {
		return nil, err
	}
	first, err := eventstore.FirstAt(ctx, l.q, timeAtSQL, head, s.From.Add(-outOfOrder))
	if err != nil {
		return nil, err
	}
	end, err := eventstore.FirstAt(ctx, l.q, timeAtSQL, head, s.To.Add(outOfOrder))
	if err != nil {
		return nil, err
	}
	var all []Entry
	for after := first - 1; after < end-1; after += rangeLength {
		upTo := min(after+rangeLength, end-1)
		part, err := l.entries(ctx, entriesInRangeSQL, after, upTo)
		if err != nil {
			return nil, err
		}
		for _, e := range part {
			if s.Has(e.At) {
				all = append(all, e)
			}
		}
		if len(all) > l.limit {
			return nil, ErrTooMany
		}
		progress(upTo-first+1, end-first)
	}
	return all, nil
}

// timeAtSQL reads the time of an event. Times grow with positions, up to outOfOrder.
const timeAtSQL = `
SELECT (payload::json->>'at')::timestamptz
FROM events
WHERE position = $1`

// found is an attempt, or a refund of it, that a line of the statement names.
type found struct {
	Reference string // of the line, as a key
	Attempt   domain.AttemptID
	Intent    domain.IntentID
	Stage     string          // of the attempt, or the state of the refund
	Amount    domain.Money    // of the intent, or of the refund
	Refund    domain.RefundID // zero: it is the attempt
}

// intentSQL adds the intents of attempts. A reference is the beginning of one id only, but the planner
// takes it for that of many, and would read all intents for a join.
const intentSQL = `
CROSS JOIN LATERAL (
    SELECT amount, currency, application_uuid
    FROM intents
    WHERE uuid = a.intent_uuid OFFSET 0
) i`

// noRefund is the zero domain.RefundID.
const noRefund = `'00000000-0000-0000-0000-000000000000'::uuid`

var (
	canReadSQL = `
SELECT has_table_privilege('checkout_attempts', 'SELECT')
   AND has_table_privilege('refunds', 'SELECT')`
	findAttemptsSQL = `
SELECT r.reference, a.attempt, a.intent_uuid, a.stage, i.amount, i.currency, ` + noRefund + `
FROM unnest($1::text[]) AS r(reference)
JOIN checkout_attempts a
  ON ` + postgres.HasPrefix("a.attempt", "r.reference") + intentSQL + `
WHERE a.acquirer = $2
  AND ($3 OR i.application_uuid = ANY($4::uuid[]))`
	findRefundsSQL = `
SELECT r.reference, f.attempt, f.intent_uuid, f.state, f.amount, f.currency, f.uuid
FROM unnest($1::text[]) AS r(reference)
JOIN refunds f
  ON f.ended_at IS NULL
 AND ` + postgres.HasPrefix("f.attempt", "r.reference") + `
WHERE f.acquirer = $2
  AND ($3 OR f.application_uuid = ANY($4::uuid[]))`
)

// atOnce is the number of references or intents in one query.
const atOnce = 1000

// canRead reports whether the rights cover find.
func (l ledger) canRead(ctx context.Context) (bool, error) {
	return postgres.Find(ctx, l.q, "look for the right to read attempts", nil, pgx.RowTo[bool], canReadSQL)
}

// find adds the acquirer's attempts with the references by findAttemptsSQL, or refunds of theirs that
// are under way by findRefundsSQL.
func (l ledger) find(
	ctx context.Context, sql string, p Profile, references []string, to *namedAttempts,
) error {
	for part := range slices.Chunk(references, atOnce) {
		some, err := postgres.List(ctx, l.q, "find attempts", scanFound, sql, postgres.PlanEachTime,
			part, l.acquirer, l.of.everything, l.of.applications)
		if err != nil {
			return err
		}
		for _, f := range some {
			if p.key(string(f.Attempt)) == f.Reference {
				to.add(f)
			}
		}
	}
	return nil
}

func scanFound(row pgx.CollectableRow) (found, error) {
	var f found
	err := row.Scan(f.columns()...)
	return f, err
}

// columns are what the queries of attempts and refunds select.
func (f *found) columns() []any {
	return []any{
		&f.Reference, &f.Attempt, (*[16]byte)(&f.Intent), &f.Stage, &f.Amount.Minor, &f.Amount.Currency,
		(*[16]byte)(&f.Refund),
	}
}

// ofIntents reads the entries of some intents, of any time.
func (l ledger) ofIntents(ctx context.Context, ids []domain.IntentID) ([]Entry, error) {
	var all []Entry
	for part := range slices.Chunk(ids, atOnce) {
		raw := make([][16]byte, len(part))
		for n, id := range part {
			raw[n] = id
		}
		some, err := l.entries(ctx, entriesOfSQL, raw)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

package projections

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
)

// Books reads the books of tenants.
type Books struct{ q postgres.Querier }

// NewBooks reads through q, which the caller still owns.
func NewBooks(q postgres.Querier) *Books { return &Books{q} }

// BookBalance is what an account of the books has, in dirhams; a debit is positive.
type BookBalance struct {
	Acquirer string
	Account  books.Account
	Amount   int64
}

// BookEntry is an entry of the journal with the place of its event in the log.
type BookEntry struct {
	books.Entry
	Position int64
	At       time.Time // when the event was recorded
	Stream   uuid.UUID // the payment intent, or the provider account
}

// The buckets before $3, or its own where it is in the second half, as far as the group has handled them
// wholly. Sums and offset are of one moment, because one statement reads both.
const bookSumsSQL = `
WITH kept AS MATERIALIZED (
    SELECT least((coalesce(max(position), 0) + 1) >> $5, (($3 >> ($5 - 1)) + 1) >> 1) AS buckets
    FROM consumer_offsets
    WHERE consumer_group = $6
), owners AS MATERIALIZED (
    SELECT uuid
    FROM applications
    WHERE organization_uuid = $1
      AND mode = $2
    UNION ALL
    SELECT $4
)
SELECT k.buckets, coalesce(s.acquirer, ''), coalesce(s.account, ''), coalesce(s.amount, 0)
FROM kept k
CROSS JOIN owners o
LEFT JOIN LATERAL (
    SELECT acquirer, account, sum(amount)::int8 AS amount
    FROM book_sums
    WHERE owner = o.uuid
      AND bucket < k.buckets
    GROUP BY acquirer, account
    OFFSET 0
) s ON true`

// Balance is what the tenant's accounts have after the event at a position, without those that have 0, by
// account and acquirer. Whole buckets come from book_sums, and from the log what follows, or what is too
// much: at most half a bucket, and what the group has not handled.
func (b *Books) Balance(ctx context.Context, tenant domain.Tenant, at int64) ([]BookBalance, error) {
	var buckets int64
	kept, err := postgres.List(ctx, b.q, "read sums of books",
		func(row pgx.CollectableRow) (s BookBalance, err error) {
			err = row.Scan(&buckets, &s.Acquirer, &s.Account, &s.Amount)
			return s, err
		}, bookSumsSQL, postgres.PlanEachTime, tenant.Organization, tenant.Mode, at, books.TenantID(tenant),
		bucketBits, BooksGroupName)
	if err != nil {
		return nil, err
	}
	type account struct {
		books.Account
		acquirer string
	}
	amounts := map[account]int64{}
	for _, s := range kept {
		amounts[account{s.Account, s.Acquirer}] += s.Amount
	}
	after, upTo, sign := buckets<<bucketBits-1, at, int64(1)
	if after > upTo {
		after, upTo, sign = upTo, after, -1
	}
	err = b.Journal(ctx, tenant, after, upTo, func(e BookEntry) error {
		for _, l := range e.Lines {
			amounts[account{l.Account, e.Acquirer}] += sign * l.Amount
		}
		return nil
	})
	var all []BookBalance
	for a, amount := range amounts {
		if amount != 0 {
			all = append(all, BookBalance{a.acquirer, a.Account, amount})
		}
	}
	slices.SortFunc(all, func(a, b BookBalance) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Acquirer, b.Acquirer))
	})
	return all, err
}

// Journal calls do with each of the tenant's entries after one position up to another, in their order.
func (b *Books) Journal(
	ctx context.Context, tenant domain.Tenant, after, upTo int64, do func(BookEntry) error,
) error {
	head, err := postgres.Find(ctx, b.q, "read head of the log", nil, pgx.RowTo[int64], eventstore.HeadSQL)
	if err != nil {
		return err
	}
	const page = 1 << bucketBits // positions: their entries are kept in memory
	for upTo = min(upTo, head); after < upTo; after += page {
		entries, err := b.page(ctx, tenant, after, min(after+page, upTo))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := do(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// bookEventsSQL reads the tenant's events that books are made of. The subquery is one look-up for each event
// of an intent; for a join the planner would choose a scan.
const bookEventsSQL = `
SELECT e.position, e.stream_id, e.version, e.type, e.schema_version, e.payload, e.recorded_at
FROM events e
WHERE e.position > $3
  AND e.position <= $4
  AND CASE WHEN e.type = ANY($5)
           THEN (SELECT i.application_uuid
                 FROM intents i
                 WHERE i.uuid = e.stream_id) = ANY(ARRAY(SELECT a.uuid
                                                         FROM applications a
                                                         WHERE a.organization_uuid = $1
                                                           AND a.mode = $2))
           ELSE e.type = ANY($6)
            AND e.payload::json->>'organization' = $1::uuid::text
            AND e.payload::json->>'mode' = $2 END
ORDER BY e.position`

// The stored names of the events that books are made of.
var (
	intentTypes   = slices.DeleteFunc(books.Types(), books.Has)
	providerTypes = slices.DeleteFunc(books.Types(), domain.OfIntent)
)

// page are the tenant's entries after one position up to another.
func (b *Books) page(ctx context.Context, tenant domain.Tenant, after, upTo int64) ([]BookEntry, error) {
	var all []BookEntry
	add := func(stream []eventstore.Recorded) error {
		entries, err := books.Entries(stream)
		for _, one := range entries {
			if e := stream[one.Event]; e.Position > after && e.Position <= upTo {
				all = append(all, BookEntry{one, e.Position, e.RecordedAt.UTC(), e.Stream})
			}
		}
		return err
	}
	streams := map[uuid.UUID][]eventstore.Recorded{}
	var e eventstore.Recorded
	// Its error comes again from the rows.
	rows, _ := b.q.Query(ctx, bookEventsSQL, postgres.PlanEachTime,
		tenant.Organization, tenant.Mode, after, upTo, intentTypes, providerTypes)
	_, err := pgx.ForEachRow(rows, []any{
		&e.Position, (*[16]byte)(&e.Stream), &e.Version, &e.Type, &e.SchemaVersion, &e.Payload, &e.RecordedAt,
	}, func() error {
		if books.Has(e.Type) {
			return add([]eventstore.Recorded{e}) // its entry needs no other event
		}
		streams[e.Stream] = append(streams[e.Stream], e)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read books: %w", err)
	}
	var begun []uuid.UUID
	for id, stream := range streams {
		// Where the second event of a stream is here, an attempt, all that follow are.
		if stream[0].Version > 2 && slices.ContainsFunc(stream, isMoney) {
			begun = append(begun, id)
		}
	}
	whole, err := readBookStreams(ctx, b.q, begun)
	if err != nil {
		return nil, err
	}
	maps.Copy(streams, whole)
	for _, stream := range streams {
		if err := add(stream); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b BookEntry) int { return cmp.Compare(a.Position, b.Position) })
	return all, nil
}

const recordedAtSQL = `SELECT recorded_at FROM events WHERE position = $1`

// PositionAt is the position of the last event that was recorded by a time; 0: there is none.
func (b *Books) PositionAt(ctx context.Context, t time.Time) (int64, error) {
	head, err := postgres.Find(ctx, b.q, "read head of the log", nil, pgx.RowTo[int64], eventstore.HeadSQL)
	if err != nil {
		return 0, err
	}
	after, err := eventstore.FirstAt(ctx, b.q, recordedAtSQL, head, t.Add(time.Microsecond))
	return after - 1, err
}

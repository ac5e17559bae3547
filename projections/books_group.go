package projections

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/facts"
	"daftar/internal/postgres"
)

// BooksGroupName is the feed group under which the offset of book_sums is stored.
const BooksGroupName = "books"

// BooksGroup is the feed's group that adds up book_sums, each second, and gives way like the dashboard's.
// The sums commit together with the offset, so each event counts once whatever happens in between. The
// group halts before an event of an unknown kind, which may move money.
func BooksGroup() feed.Group {
	return feed.Group{
		Name:      BooksGroupName,
		Handle:    updateBooks,
		OnFailure: feed.Halt,
		Only:      func(stored string) bool { return domain.OfIntent(stored) || books.Has(stored) },
		Share:     dashboardShare,
		Staleness: dashboardStaleness,
		Urgent:    feed.Nothing,
	}
}

var addBookSumsSQL = bookColumns.InsertMany("book_sums AS s") + `
ON CONFLICT (owner, acquirer, account, bucket, day) DO UPDATE
SET amount = s.amount + excluded.amount`

// updateBooks adds the entries of a batch of events. It takes two statements whatever the size of the
// batch, and none if no money moved.
func updateBooks(ctx context.Context, tx pgx.Tx, events []eventstore.Recorded) error {
	totals, handled := bookSums{}, map[int64]bool{}
	var intents []uuid.UUID // of which money moved
	for n, e := range events {
		handled[e.Position] = true
		moves, err := movesMoney(e)
		switch {
		case err != nil:
			return err
		case books.Has(e.Type): // its entry needs no other event
			if err := totals.add(events[n:n+1], nil); err != nil {
				return err
			}
		case moves:
			intents = append(intents, e.Stream)
		}
	}
	streams, err := readBookStreams(ctx, tx, intents, domain.TypeCreated)
	if err != nil {
		return err
	}
	for _, stream := range streams {
		if err := totals.add(stream, handled); err != nil {
			return err
		}
	}
	rows := totals.rows()
	if len(rows) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, addBookSumsSQL, bookColumns.Arrays(rows)...); err != nil {
		return fmt.Errorf("add up books: %w", err)
	}
	return nil
}

// isMoney reports whether an event of an intent moved money.
func isMoney(e eventstore.Recorded) bool {
	kind, known := facts.Named(e.Type)
	return known && kind.Money != facts.NoMoney
}

// movesMoney reports whether an event may have an entry. The error is domain.ErrUnknownEvent for events of
// an intent of a kind that this version does not know; package books knows those of provider accounts.
func movesMoney(e eventstore.Recorded) (bool, error) {
	if _, known := facts.Named(e.Type); !known && domain.OfIntent(e.Type) {
		return false, fmt.Errorf("keep books of %s: %w", e.Type, domain.ErrUnknownEvent)
	}
	return books.Has(e.Type) || isMoney(e), nil
}

// readBookStreams reads of some intents the events that books are made of, and those of more types.
func readBookStreams(
	ctx context.Context, q postgres.Querier, intents []uuid.UUID, more ...string,
) (map[uuid.UUID][]eventstore.Recorded, error) {
	if len(intents) == 0 {
		return nil, nil
	}
	slices.SortFunc(intents, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	all, err := eventstore.ReadStreams(ctx, q, slices.Compact(intents), append(more, books.Types()...)...)
	return eventstore.ByStream(all), err
}

// bucketBits are the lowest bits of a position, which the bucket of its sums does not have.
const bucketBits = 13

// bookRow is a row of book_sums.
type bookRow struct {
	bookKey

	amount int64
}

// bookKey identifies a row of book_sums.
type bookKey struct {
	owner             [16]byte
	acquirer, account string
	bucket            int64
	day               time.Time // a date
}

var bookColumns = postgres.Columns[bookRow]{
	postgres.Typed("owner", "uuid", func(r *bookRow) *[16]byte { return &r.owner }),
	postgres.Typed("acquirer", "text", func(r *bookRow) *string { return &r.acquirer }),
	postgres.Typed("account", "text", func(r *bookRow) *string { return &r.account }),
	postgres.Typed("bucket", "int8", func(r *bookRow) *int64 { return &r.bucket }),
	postgres.Typed("day", "date", func(r *bookRow) *time.Time { return &r.day }),
	postgres.Typed("amount", "int8", func(r *bookRow) *int64 { return &r.amount }),
}

// bookSums are amounts by the row that they belong to.
type bookSums map[bookKey]int64

// add adds the entries of a stream, whose first event is the first of all, at the given positions; nil:
// all of them.
func (s bookSums) add(stream []eventstore.Recorded, at map[int64]bool) error {
	entries, err := books.Entries(stream)
	if err != nil || len(entries) == 0 {
		return err
	}
	owner, err := books.Owner(stream[0])
	if err != nil {
		return err
	}
	for _, e := range entries {
		position := stream[e.Event].Position
		if at != nil && !at[position] {
			continue
		}
		add := func(a books.Account, on domain.Day, amount int64) {
			s[bookKey{owner, e.Acquirer, string(a), position >> bucketBits, on.Date()}] += amount
		}
		for _, t := range e.Taken {
			add(books.Due, t.On, t.Amount)
		}
		for _, l := range e.Lines {
			if l.Account != books.Due {
				add(l.Account, e.Day, l.Amount)
			}
		}
	}
	return nil
}

// rows are the sums that change something.
func (s bookSums) rows() []bookRow {
	var all []bookRow
	for key, amount := range s {
		if amount != 0 {
			all = append(all, bookRow{key, amount})
		}
	}
	return all
}

// booksModel is what the accounts of the books moved by. Its counts are what is due from all providers:
// taken, less what was given back and settled.
var booksModel = Model{
	Name: "books", Group: BooksGroupName, Version: 1,
	Tables: []Table{{Name: "book_sums", Columns: bookColumns.Names(), Key: 5, Sums: true}},
	Counts: `
SELECT (SELECT coalesce(sum(amount), 0)::text FROM {book_sums} WHERE account = '` + string(books.Due) + `'),
       (SELECT coalesce(sum(CASE
                   WHEN type = ANY(ARRAY['` + domain.TypeSucceeded + `', '` + domain.TypeLateSucceeded + `',
                                         '` + domain.TypeDuplicatePayment + `'])
                   THEN (payload::json->>'amount')::int8
                   WHEN type = '` + domain.TypeRefundRecorded + `'
                   THEN -(payload::json->>'amount')::int8
                   WHEN type = '` + books.TypeSettlementRecorded + `'
                   THEN -(payload::json->>'gross')::int8
                   WHEN type = '` + books.TypeSettlementCorrected + `'
                   THEN (payload::json->>'gross_before')::int8 - (payload::json->>'gross')::int8
               END), 0)::text
        FROM events
        WHERE position <= $1)`,
	Rows: bookRows,
}

func bookRows(stream []eventstore.Recorded) ([][]Row, error) {
	moved := false
	for _, e := range stream {
		moves, err := movesMoney(e)
		if err != nil {
			return nil, err
		}
		moved = moved || moves
	}
	totals := bookSums{}
	if moved { // most of the time goes into reading payloads
		if err := totals.add(stream, nil); err != nil {
			return nil, err
		}
	}
	sums := totals.rows()
	rows := make([]Row, len(sums))
	for n := range sums {
		rows[n] = bookColumns.Values(&sums[n])
	}
	return [][]Row{rows}, nil
}

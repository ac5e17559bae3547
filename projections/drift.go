package projections

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
)

// Drift is a difference between a read model and what the events say.
type Drift struct {
	UUID     string `json:"uuid"`
	Field    string `json:"field"` // empty where the whole row is missing or too much
	Stored   string `json:"stored"`
	Replayed string `json:"replayed"`
}

// Report is the outcome of a verification or a rebuild.
type Report struct {
	Name    string  `json:"name"`
	Events  int64   `json:"events"` // that were replayed
	Seconds float64 `json:"seconds"`
	Drift   []Drift `json:"drift"` // at most maxDrift of them
	OK      bool    `json:"ok"`
	// Pause is how long a rebuild kept others waiting for its exchange of the
	// tables, at most: those who write, or, where a group keeps the read model,
	// those who read; 0: it exchanged nothing.
	Pause time.Duration `json:"-"`
}

// maxDrift bounds a report: whoever has more needs a rebuild and no longer list.
const maxDrift = 1000

// readTogether is how many events a verification replays at a time, about.
const readTogether = 5000

// Progress is told how many of all events have been replayed.
type Progress func(done, total int64)

// absent stands in a Drift for a row that is not there.
const absent = "(no row)"

const rowsBetweenSQL = `
SELECT i.uuid, i.application_uuid, i.version, i.reference, i.merchant_reference, i.amount, i.currency,
       i.status, i.description, i.customer, i.return_url, i.metadata, i.expires_at, i.checkout_url,
       i.created_at, i.updated_at
FROM intents i WHERE i.uuid BETWEEN $1 AND $2 ORDER BY i.uuid`

var lastUUID = uuid.Max

// span is a part of all intents: their ids, both ends included, and their events
// up to some position, sorted by stream and version.
type span struct {
	from, upTo uuid.UUID
	events     []eventstore.Recorded
}

// walk reads the log up to a position, stream by stream, and hands it to visit in
// spans that follow each other without a gap, from the first uuid to the last. It
// returns how many events it read.
func walk(ctx context.Context, reader *eventstore.Reader, position int64, progress Progress, visit func(span) error) (int64, error) {
	var done int64
	after, from := uuid.Nil, uuid.Nil // streams after, rows from: a forged row may have the nil uuid
	for {
		events, err := reader.ReadStreams(ctx, after, readTogether)
		if err != nil {
			return done, err
		}
		upTo := lastUUID
		if len(events) > 0 {
			upTo = events[len(events)-1].Stream
		}
		events = slices.DeleteFunc(events, func(e eventstore.Recorded) bool { return e.Position > position })
		if err := visit(span{from, upTo, events}); err != nil {
			return done, err
		}
		done += int64(len(events))
		progress(done, position)
		if upTo == lastUUID {
			return done, nil
		}
		after, from = upTo, successor(upTo)
	}
}

// compare replays every stream within the transaction's snapshot and reports
// where the table differs.
func compare(ctx context.Context, tx pgx.Tx, progress Progress) (Report, error) {
	report := Report{Name: nameIntents, Drift: []Drift{}}
	reader := eventstore.NewReader(tx)
	head, err := reader.Head(ctx)
	if err != nil {
		return report, err
	}
	report.Events, err = walk(ctx, reader, head, progress, func(s span) error {
		replayed, err := replayAll(s.events)
		if err != nil {
			return err
		}
		stored, err := rowsBetween(ctx, tx, s.from, s.upTo)
		if err != nil {
			return err
		}
		report.note(diff(stored, replayed))
		return nil
	})
	report.OK = len(report.Drift) == 0
	return report, err
}

// successor is the next uuid in the order of the table.
func successor(id uuid.UUID) uuid.UUID {
	for n := len(id) - 1; n >= 0; n-- {
		if id[n]++; id[n] != 0 {
			break
		}
	}
	return id
}

func (r *Report) note(found []Drift) {
	r.Drift = append(r.Drift, found[:min(len(found), maxDrift-len(r.Drift))]...)
}

// replayAll folds events that are sorted by stream and version into rows sorted
// by id.
func replayAll(events []eventstore.Recorded) ([]Intent, error) {
	var rows []Intent
	for stream := range streamsIn(events) {
		i, err := Replay(domain.IntentID(stream[0].Stream), stream)
		if err != nil {
			return nil, err
		}
		rows = append(rows, IntentOf(i))
	}
	return rows, nil
}

// streamsIn cuts events that are sorted by stream into streams.
func streamsIn(events []eventstore.Recorded) iter.Seq[[]eventstore.Recorded] {
	return func(yield func([]eventstore.Recorded) bool) {
		for len(events) > 0 {
			stream := events[0].Stream
			n := slices.IndexFunc(events, func(e eventstore.Recorded) bool { return e.Stream != stream })
			if n < 0 {
				n = len(events)
			}
			if !yield(events[:n]) {
				return
			}
			events = events[n:]
		}
	}
}

func rowsBetween(ctx context.Context, q eventstore.Querier, from, upTo uuid.UUID) ([]stored, error) {
	return storedRows(ctx, q, rowsBetweenSQL, [16]byte(from), [16]byte(upTo))
}

func storedRows(ctx context.Context, q eventstore.Querier, sql string, args ...any) ([]stored, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read intents: %w", err)
	}
	intents, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (stored, error) {
		var id [16]byte
		s, err := scanStored(row, &id)
		s.ID = id
		return s, err
	})
	if err != nil {
		return nil, fmt.Errorf("read intents: %w", err)
	}
	return intents, nil
}

// diff walks two lists that are sorted by id.
func diff(rows []stored, replayed []Intent) []Drift {
	var found []Drift
	merge(rows, replayed, func(row stored, i Intent) int { return slices.Compare(row.ID[:], i.ID[:]) }, func(row *stored, i *Intent) {
		switch {
		case i == nil:
			found = append(found, Drift{UUID: row.ID.String(), Stored: string(row.Status), Replayed: absent})
		case row == nil:
			found = append(found, Drift{UUID: i.ID.String(), Stored: absent, Replayed: string(i.Status)})
		default:
			found = append(found, differences(*row, *i)...)
		}
	})
	return found
}

// merge walks two lists that are sorted in the same order and hands over what
// belongs together; nil stands for what one of them lacks.
func merge[S, R any](rows []S, replayed []R, order func(S, R) int, visit func(*S, *R)) {
	for len(rows) > 0 || len(replayed) > 0 {
		var n int
		switch {
		case len(rows) == 0:
			n = 1
		case len(replayed) == 0:
			n = -1
		default:
			n = order(rows[0], replayed[0])
		}
		switch {
		case n < 0:
			visit(&rows[0], nil)
			rows = rows[1:]
		case n > 0:
			visit(nil, &replayed[0])
			replayed = replayed[1:]
		default:
			visit(&rows[0], &replayed[0])
			rows, replayed = rows[1:], replayed[1:]
		}
	}
}

// differences compares two rows of one intent field by field, under the names of
// the columns.
func differences(row stored, replayed Intent) []Drift {
	var found []Drift
	should := replayed.columns([]byte(replayed.customerJSON()), replayed.metadataText())
	for n, column := range row.columns(row.customer, row.metadata) {
		if column != should[n] {
			found = append(found, Drift{UUID: row.ID.String(), Field: column.name, Stored: column.value, Replayed: should[n].value})
		}
	}
	return found
}

type column struct{ name, value string }

// columns takes the JSON columns as text: what was written there is one text,
// and one that cannot be read is a difference like any other.
func (i Intent) columns(customer, metadata []byte) []column {
	if metadata == nil {
		metadata = []byte("null")
	}
	returnURL := "null"
	if i.ReturnURL != nil {
		returnURL = mustJSON(*i.ReturnURL)
	}
	moment := func(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
	return []column{
		{"application_uuid", i.Application.String()},
		{"version", fmt.Sprint(i.Version)},
		{"reference", string(i.Reference)},
		{"merchant_reference", string(i.MerchantReference)},
		{"amount", fmt.Sprint(i.Amount.Minor)},
		{"currency", string(i.Amount.Currency)},
		{"status", string(i.Status)},
		{"description", i.Description},
		{"customer", string(customer)},
		{"return_url", returnURL},
		{"metadata", string(metadata)},
		{"expires_at", moment(i.ExpiresAt)},
		{"checkout_url", i.CheckoutPath},
		{"created_at", moment(i.CreatedAt)},
		{"updated_at", moment(i.UpdatedAt)},
	}
}

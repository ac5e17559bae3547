package projections

import (
	"context"
	"fmt"
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
}

// maxDrift bounds a report: whoever has more needs a rebuild and no longer list.
const maxDrift = 1000

// chunk is how many events are replayed at a time, about.
const chunk = 5000

// Progress is told how many of all events have been replayed.
type Progress func(done, total int64)

// absent stands in a Drift for a row that is not there.
const absent = "(no row)"

// rowsBetweenSQL reads the table that it is given, in the order of the streams.
const rowsBetweenSQL = `
SELECT i.uuid, i.application_uuid, i.version, i.reference, i.merchant_reference, i.amount, i.currency,
       i.status, i.description, i.customer, i.return_url, i.metadata, i.expires_at, i.checkout_url,
       i.created_at, i.updated_at
FROM intents i WHERE i.uuid BETWEEN $1 AND $2 ORDER BY i.uuid`

var lastUUID = uuid.Max

// compare replays every stream within the transaction's snapshot, hands each
// replayed row to visit, and reports where the table differs.
func compare(ctx context.Context, tx pgx.Tx, visit func([]Intent) error, progress Progress) (Report, error) {
	report := Report{Name: "intents", Drift: []Drift{}}
	reader := eventstore.NewReader(tx)
	total, err := reader.Head(ctx)
	if err != nil {
		return report, err
	}
	after, from := uuid.Nil, uuid.Nil // streams after, rows from: a forged row may have the nil uuid
	for {
		events, err := reader.ReadStreams(ctx, after, chunk)
		if err != nil {
			return report, err
		}
		upTo := lastUUID
		if len(events) > 0 {
			upTo = events[len(events)-1].Stream
		}
		replayed, err := replayAll(events)
		if err != nil {
			return report, err
		}
		stored, err := rowsBetween(ctx, tx, from, upTo)
		if err != nil {
			return report, err
		}
		report.note(diff(stored, replayed))
		if err := visit(replayed); err != nil {
			return report, err
		}
		report.Events += int64(len(events))
		progress(report.Events, total)
		if upTo == lastUUID {
			report.OK = len(report.Drift) == 0
			return report, nil
		}
		after, from = upTo, successor(upTo)
	}
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
	for len(events) > 0 {
		stream := events[0].Stream
		n := slices.IndexFunc(events, func(e eventstore.Recorded) bool { return e.Stream != stream })
		if n < 0 {
			n = len(events)
		}
		i, err := Replay(domain.IntentID(stream), events[:n])
		if err != nil {
			return nil, err
		}
		rows = append(rows, IntentOf(i))
		events = events[n:]
	}
	return rows, nil
}

func rowsBetween(ctx context.Context, q eventstore.Querier, from, upTo uuid.UUID) ([]stored, error) {
	rows, err := q.Query(ctx, rowsBetweenSQL, [16]byte(from), [16]byte(upTo))
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
	for len(rows) > 0 || len(replayed) > 0 {
		var order int
		switch {
		case len(rows) == 0:
			order = 1
		case len(replayed) == 0:
			order = -1
		default:
			order = slices.Compare(rows[0].ID[:], replayed[0].ID[:])
		}
		switch {
		case order < 0:
			found = append(found, Drift{UUID: rows[0].ID.String(), Stored: string(rows[0].Status), Replayed: absent})
			rows = rows[1:]
		case order > 0:
			found = append(found, Drift{UUID: replayed[0].ID.String(), Stored: absent, Replayed: string(replayed[0].Status)})
			replayed = replayed[1:]
		default:
			found = append(found, differences(rows[0], replayed[0])...)
			rows, replayed = rows[1:], replayed[1:]
		}
	}
	return found
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

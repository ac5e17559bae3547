package eventstore_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

const manyEventsSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT n, md5((n % $1)::text)::uuid, n / $1 + 1, 'x', 1,
       '{"application":"7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b"}', '{}', now()
FROM generate_series(1, 3 * $1::int - 1) n`

// The history of one intent is found through the index, however many there are,
// and a part of the log too.
func TestHistoryIsAnIndexLookup(t *testing.T) {
	t.Parallel()
	historyIsAnIndexLookup(t, 4_000)
}

// firstStream is the stream of n = 0: the md5 of 0.
var firstStream = uuid.MustParse("cfcd2084-95d5-65ef-66e7-dff9f98764da")

func historyIsAnIndexLookup(t *testing.T, streams int) *pgtest.DB {
	t.Helper()
	db := pgtest.Database(t)
	owner := db.OwnerPool(t)
	if _, err := owner.Exec(t.Context(), manyEventsSQL, streams); err != nil {
		t.Fatal(err)
	}
	if _, err := owner.Exec(t.Context(), `ANALYZE events`); err != nil {
		t.Fatal(err)
	}
	from, upTo := int64(streams*3/2), int64(streams*31/20)
	for name, q := range map[string]struct {
		sql  string
		args []any
	}{
		"history": {eventstore.ReadStreamSQL, []any{[16]byte(firstStream)}},
		"range":   {eventstore.ReadRangeSQL, []any{from, upTo, 2000}},
		"places":  {eventstore.ReadPlacesSQL, []any{[][16]byte{firstStream}, []int32{2}}},
		"range of an organisation": {
			eventstore.ReadRangeStartedSQL, []any{from, upTo, "application", [][16]byte{firstStream}},
		},
	} {
		rows, err := owner.Query(t.Context(), "EXPLAIN "+q.sql, q.args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var plan []string
		for rows.Next() {
			var row string
			if err := rows.Scan(&row); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, row)
		}
		text := strings.Join(plan, "\n")
		if rows.Err() != nil || strings.Contains(text, "Seq Scan") || !strings.Contains(text, "Index") {
			t.Errorf("%s (%v):\n%s", name, rows.Err(), text)
		}
	}
	events, err := eventstore.NewReader(db.Pool(t)).ReadStream(t.Context(), firstStream)
	if err != nil || len(events) != 2 {
		t.Errorf("%d events, %v", len(events), err)
	}
	return db
}

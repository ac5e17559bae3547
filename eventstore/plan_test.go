package eventstore_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

const manyEventsSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT n, md5((n % 40000)::text)::uuid, n / 40000 + 1, 'x', 1, '{"application":"7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b"}', '{}', now()
FROM generate_series(1, 119999) n`

// The history of one intent is found through the index, however many there are,
// and a part of the log too.
func TestHistoryIsAnIndexLookup(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	owner := db.OwnerPool(t)
	for _, statement := range []string{manyEventsSQL, `ANALYZE events`} {
		if _, err := owner.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	stream := uuid.MustParse("cfcd2084-95d5-65ef-66e7-dff9f98764da") // md5 of 0
	for name, q := range map[string]struct {
		sql  string
		args []any
	}{
		"history": {eventstore.ReadStreamSQL, []any{[16]byte(stream)}},
		"range":   {eventstore.ReadRangeSQL, []any{int64(60_000), int64(62_000), 2000}},
		"range of an organisation": {
			eventstore.ReadRangeStartedSQL, []any{int64(60_000), int64(62_000), "application", [][16]byte{stream}},
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
		if text := strings.Join(plan, "\n"); rows.Err() != nil || strings.Contains(text, "Seq Scan") || !strings.Contains(text, "Index") {
			t.Errorf("%s (%v):\n%s", name, rows.Err(), text)
		}
	}
	reader := eventstore.NewReader(db.Pool(t))
	best := time.Hour
	for range 20 {
		began := time.Now()
		events, err := reader.ReadStream(t.Context(), stream)
		if err != nil || len(events) != 2 {
			t.Fatalf("%d events, %v", len(events), err)
		}
		best = min(best, time.Since(began))
	}
	if best > 10*time.Millisecond {
		t.Errorf("the history of one intent took %v at best, want 10 ms at most", best)
	}
}

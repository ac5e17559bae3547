package eventstore_test

import (
	"testing"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres"
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
	pool := pgtest.Open(t, db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 1})
	scans := func() (whole, indexed int64) {
		t.Helper()
		_, err := pool.Exec(t.Context(), `SELECT pg_stat_force_next_flush()`)
		if err == nil {
			err = pool.QueryRow(t.Context(), `
				SELECT seq_scan, idx_scan
				FROM pg_stat_user_tables
				WHERE relname = 'events'`).Scan(&whole, &indexed)
		}
		if err != nil {
			t.Fatal(err)
		}
		return whole, indexed
	}
	reader, ctx := eventstore.NewReader(pool), t.Context()
	for name, read := range map[string]func() ([]eventstore.Recorded, error){
		"history": func() ([]eventstore.Recorded, error) { return reader.ReadStream(ctx, firstStream) },
		"range":   func() ([]eventstore.Recorded, error) { return reader.ReadRange(ctx, from, upTo, 2000) },
		"places": func() ([]eventstore.Recorded, error) {
			return reader.ReadPlaces(ctx, []eventstore.Place{{Stream: firstStream, Version: 2}})
		},
		"range of an organisation": func() ([]eventstore.Recorded, error) {
			return reader.ReadRangeStarted(ctx, from, upTo, []string{"application"}, []uuid.UUID{firstStream})
		},
	} {
		wholeBefore, indexedBefore := scans()
		if _, err := read(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if whole, indexed := scans(); whole != wholeBefore || indexed == indexedBefore {
			t.Errorf("%s: %d scans of all events, %d of an index", name, whole-wholeBefore, indexed-indexedBefore)
		}
	}
	events, err := reader.ReadStream(ctx, firstStream)
	if err != nil || len(events) != 2 {
		t.Errorf("%d events, %v", len(events), err)
	}
	return db
}

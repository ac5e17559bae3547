package transparency_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/transparency"
)

func manyEvents(n int) []eventstore.Recorded {
	all := make([]eventstore.Recorded, n)
	for k := range all {
		all[k] = eventstore.Recorded{
			Position: int64(k + 1), Stream: uuid.New(), Version: 1, Type: "intent.created", SchemaVersion: 1,
			Payload:  fmt.Appendf(nil, `{"n":%d,"filler":"%0400d"}`, k, 7),
			Metadata: []byte(`{"actor":"application:0194e2f4-7d3a-5c1e-9b0a-6f2d8c4e1a55","request_id":"x"}`),
		}
	}
	return all
}

// BenchmarkHandler measures a batch, with the database; the feed reads the events and commits.
func BenchmarkHandler(b *testing.B) {
	for _, size := range []int{20, 100, 1000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			pool := pgtest.Database(b).Pool(b)
			all := manyEvents(size)
			next := int64(1)
			for b.Loop() {
				for k := range all {
					all[k].Position = next
					next++
				}
				err := pgx.BeginFunc(b.Context(), pool, func(tx pgx.Tx) error {
					if _, err := tx.Exec(b.Context(), `SET LOCAL synchronous_commit = off`); err != nil {
						return err
					}
					return transparency.Group().Handle(b.Context(), tx, all)
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/event")
		})
	}
}

const fillSQL = `
INSERT INTO events
SELECT n, gen_random_uuid(), 1, 'intent.created', 1,
       '{"n":' || n || ',"filler":"' || repeat('x', 400) || '"}',
       '{"actor":"application:0194e2f4-7d3a-5c1e-9b0a-6f2d8c4e1a55","request_id":"' || n || '"}', now()
FROM generate_series(1, 200000) n`

// BenchmarkVerify measures a complete verification.
func BenchmarkVerify(b *testing.B) {
	db := pgtest.Database(b)
	super := pgtest.Open(b, db.SuperuserURL(), postgres.Options{MaxConns: 4})
	if _, err := super.Exec(b.Context(), fillSQL); err != nil {
		b.Fatal(err)
	}
	follow(b, db, transparency.Group(), 1000)
	pgtest.WaitFor(b, "the tree", func() bool {
		var size int64
		err := super.QueryRow(b.Context(), `SELECT size FROM transparency_tree`).Scan(&size)
		return err == nil && size == 200_000
	})
	if _, err := super.Exec(b.Context(), `VACUUM ANALYZE events`); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := transparency.Verify(b.Context(), super, transparency.VerifyOptions{})
		if err != nil || !r.OK || r.Size != 200_000 {
			b.Fatalf("%+v, %v", r, err)
		}
	}
	b.ReportMetric(float64(b.N)*200_000/b.Elapsed().Seconds(), "events/s")
}

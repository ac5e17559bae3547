package projections_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
)

// fillSQL stores the events of $1 intents of application $2 from $3 on, $5 apart. Where $4 is above 0, each
// is attempted and paid, with that many events of other intents in between, so that
// each of its events comes in a separate batch.
const fillSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT row_number() OVER (ORDER BY at + (version - 1) * $4::int, at), stream, version, type, 1, payload,
       '{"actor":"application:0a000000-0000-0000-0000-000000000000",' ||
       '"request_id":"0a000000-0000-0000-0000-000000000000"}',
       $3::timestamptz + (at + (version - 1) * $4::int) * $5::interval
FROM (
    SELECT n AS at, md5('intent' || n)::uuid AS stream,
           to_char($3::timestamptz + n * $5::interval, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS time,
           to_char($3::timestamptz + n * $5::interval + interval '1 day',
                   'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS later
    FROM generate_series(1, $1::int) n
) i
CROSS JOIN LATERAL (VALUES
    (1, 'intent.created',
     format('{"at":"%s","application":"%s","merchant_reference":"order-%s","reference":"%s",' ||
            '"checkout_token":"00000000000000000000000000","amount":%s,"currency":"LYD",' ||
            '"description":"Order 1042: coffee machine","customer_external_id":"customer-%s",' ||
            '"return_url":"https://shop.example/orders/1000","metadata":{"cart":"1000"},"expires_at":"%s"}',
            time, $2::text, at, left(md5('reference' || at), 10), 1000 + at % 9000, at % 1000, later)),
    (2, 'intent.attempt_started',
     format('{"at":"%s","attempt":"a%s","acquirer":"sandbox","method":"wallet","payer":"09•••01"}',
            time, at)),
    (3, 'intent.succeeded',
     format('{"at":"%s","attempt":"a%s","amount":%s,"currency":"LYD","provider_reference":"p%s"}',
            time, at, 1000 + at % 9000, at))
) e(version, type, payload)
WHERE version = 1 OR $4::int > 0`

// How many events a second the group turns into rows, through the feed.
func BenchmarkDashboardGroup(b *testing.B) {
	for _, bench := range []struct {
		name           string
		intents, apart int
	}{{"created", 150_000, 0}, {"created, attempted and paid", 60_000, 5000}} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				// Like the cluster of tools/bench, and unlike that of the tests.
				cluster := pgtest.NewCluster(b, map[string]string{"shared_buffers": "256MB", "max_wal_size": "2GB"})
				ownerURL, serviceURL := cluster.Database(b, "speed")
				owner := pgtest.Open(b, ownerURL, postgres.Options{})
				_, err := owner.Exec(b.Context(), fillSQL, bench.intents, "0a000000-0000-0000-0000-000000000000",
					time.Now().UTC(), bench.apart, time.Second)
				if err != nil {
					b.Fatal(err)
				}
				var total int64
				if err := owner.QueryRow(b.Context(), `SELECT max(position) FROM events`).Scan(&total); err != nil {
					b.Fatal(err)
				}
				if _, err := owner.Exec(b.Context(), `VACUUM ANALYZE events`); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				started := time.Now()
				follow(b, serviceURL, projections.DashboardGroup(), total)
				b.ReportMetric(float64(total)/time.Since(started).Seconds(), "events/s")
			}
		})
	}
}

// follow runs the feed until the group is done with the given position.
func follow(t testing.TB, url string, group feed.Group, upTo int64) {
	t.Helper()
	pool := pgtest.Open(t, url, postgres.Options{
		SetServiceRole: true, MaxConns: 4,
		RuntimeParams: map[string]string{"synchronous_commit": "off", "jit": "off"},
	})
	f, err := feed.New(feed.Config{Pool: pool, Log: zerolog.Nop(), Groups: []feed.Group{group}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	for at := int64(0); at < upTo; {
		before := at
		pgtest.WaitFor(t, fmt.Sprintf("the group to get beyond event %d of %d", at, upTo), func() bool {
			const positionSQL = `SELECT position FROM consumer_offsets WHERE consumer_group = $1`
			_ = pool.QueryRow(ctx, positionSQL, group.Name).Scan(&at)
			return at > before
		})
	}
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

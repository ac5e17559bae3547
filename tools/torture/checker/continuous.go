package checker

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
)

// newest is how many of the newest events Continuous checks.
const newest = 20_000

// A snapshot is consistent: an append and its row are one transaction, and so are a group's
// tables and its offset.
var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

const (
	// The lock keeps a rebuild from swapping tables: the snapshot does not see the rows of a
	// table that was swapped in after it.
	keepIntentsSQL = `LOCK TABLE intents IN ACCESS SHARE MODE`
	newestSQL      = `
WITH recent AS MATERIALIZED (
    SELECT position, stream_id, version, type
    FROM events
    ORDER BY position DESC
    LIMIT $1
), streams AS MATERIALIZED (
    SELECT stream_id, max(version) AS version, min(version) AS first, count(*) AS n,
           count(*) FILTER (WHERE type = $2) AS created,
           bool_or(type = $2 AND version <> 1) AS misplaced,
           count(*) FILTER (WHERE type = ANY ($3)) AS won,
           bool_or(type <> ALL ($4)) AS strange,
           (array_agg(type ORDER BY version DESC))[1] AS last
    FROM recent
    GROUP BY stream_id
)
SELECT (SELECT count(*) FROM recent),
       (SELECT coalesce(max(position) - min(position) + 1, 0) FROM recent),
       (SELECT count(*) FROM streams WHERE version - first + 1 <> n),
       (SELECT count(*) FROM streams WHERE created > 1 OR misplaced OR won > 1),
       (SELECT count(*)
        FROM streams s
        LEFT JOIN intents i ON i.uuid = s.stream_id
        WHERE NOT s.strange
          AND i.version IS DISTINCT FROM s.version),
       (SELECT count(*)
        FROM streams s
        JOIN intents i ON i.uuid = s.stream_id
        JOIN events e ON e.stream_id = s.stream_id AND e.version = 1
        WHERE s.first = 1
          AND (i.application_uuid <> (e.payload::json->>'application')::uuid
               OR i.merchant_reference <> (e.payload::json->>'merchant_reference') COLLATE "C")),
       (SELECT count(*)
        FROM consumer_offsets
        WHERE position > (SELECT max(position) FROM recent)),
       (SELECT count(*)
        FROM streams s
        JOIN intents i ON i.uuid = s.stream_id
        WHERE NOT s.strange
          AND i.status IS DISTINCT FROM
              CASE s.last
              WHEN 'intent.created' THEN 'requires_payment_method'
              WHEN 'intent.attempt_started' THEN 'processing'
              WHEN 'intent.attempt_failed' THEN 'requires_payment_method'
              WHEN 'intent.expired' THEN 'canceled'
              ELSE 'succeeded' END)`
)

// Continuous checks the newest events while the run continues. It takes some milliseconds,
// one connection and no lock that blocks clients. Streams with events of unknown types, which
// a fault adds on purpose, are not compared with their rows.
func Continuous(ctx context.Context, owner *pgxpool.Pool) ([]Verdict, error) {
	var n, span, gaps, doubled, stale, strangers, ahead, untrue int64
	err := pgx.BeginTxFunc(ctx, owner, snapshot, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, keepIntentsSQL); err != nil {
			return err
		}
		kinds := slices.Collect(maps.Keys(transitions))
		return tx.QueryRow(ctx, newestSQL, newest, domain.TypeCreated, success, kinds).
			Scan(&n, &span, &gaps, &doubled, &stale, &strangers, &ahead, &untrue)
	})
	if err != nil {
		return nil, fmt.Errorf("look at the newest events: %w", err)
	}
	var all []Verdict
	add := func(id, name string, wrong int64, what string) {
		f := finding{looked: n, count: wrong}
		if wrong > 0 {
			f.named = []string{what}
		}
		v := f.verdict(id, name)
		v.OK = wrong == 0 // an empty log is no fault yet
		all = append(all, v)
	}
	add("I1", "new intents have a row", stale, "streams whose row in intents is missing or of another version")
	add("I2", "new intents are whose they were created for", strangers,
		"rows with another owner or reference than their event")
	add("I3", "new events continue their streams", gaps+doubled,
		"streams with a gap, two creations or two successes")
	add("I5", "new rows show their last event", untrue, "rows with another status than their last event leaves")
	add("I6", "new positions have no gap, no group is ahead", (span-n)+ahead,
		"positions missing, or groups ahead of the log")
	return all, nil
}

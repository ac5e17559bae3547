package requestlog

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// newColumns are the columns of a row that is written.
var newColumns = postgres.Columns[Request]{
	postgres.Typed("application_uuid", "uuid", func(r *Request) *[16]byte {
		return (*[16]byte)(&r.Application)
	}),
	postgres.Typed("at", "timestamptz", func(r *Request) *time.Time { return &r.At }),
	postgres.Typed("nanos", "int8", func(r *Request) *int64 { return (*int64)(&r.Took) }),
	postgres.Typed("request_id", "text", func(r *Request) *string { return &r.ID }),
	postgres.Typed("method", "text", func(r *Request) *string { return &r.Method }),
	postgres.Typed("route", "text", func(r *Request) *string { return &r.Route }),
	postgres.Typed("intent_uuid", "uuid", func(r *Request) *[16]byte { return (*[16]byte)(&r.Intent) }),
	postgres.Typed("query", "text", func(r *Request) *string { return &r.Query }),
	postgres.Typed("status", "int2", func(r *Request) *int { return &r.Status }),
	postgres.Typed("replayed", "bool", func(r *Request) *bool { return &r.Replayed }),
	postgres.Typed("error", "text", func(r *Request) *string { return &r.Error }),
	postgres.Typed("skipped", "int4", func(r *Request) *int { return &r.Skipped }),
}

// The order is that in which rows get their ordinals.
var insertSQL = `
INSERT INTO api_requests (application_uuid, at, micros, request_id, method, route, intent_uuid, query,
    status, replayed, error, skipped)
SELECT n.application_uuid, n.at, least(n.nanos / 1000, 2147483647), n.request_id, n.method, n.route,
       nullif(n.intent_uuid, '00000000-0000-0000-0000-000000000000'), n.query, n.status, n.replayed,
       n.error, n.skipped
FROM ` + newColumns.Unnest(1) + ` WITH ORDINALITY AS n(` + newColumns.List("") + `, place)
ORDER BY n.place`

// trimLock is the first half of the advisory lock of a deletion; the other is the application.
const trimLock = 0x72657175 // "requ"

const (
	// Only one server at a time deletes rows of an application: two statements could lock the
	// same rows in different orders and deadlock.
	lockTrimSQL = `SELECT pg_advisory_xact_lock($1, hashtext($2::uuid::text))`
	trimSQL     = `
DELETE FROM api_requests
WHERE application_uuid = $1
  AND ordinal <= (
      SELECT ordinal
      FROM api_requests
      WHERE application_uuid = $1
      ORDER BY ordinal DESC
      OFFSET $2
      LIMIT 1)`
	latestSQL = `
SELECT r.ordinal, r.at, r.micros, r.request_id, r.method, r.route, r.intent_uuid, r.query, r.status,
       r.replayed, r.error, r.skipped
FROM (SELECT uuid
      FROM applications
      WHERE uuid = $1
        AND organization_uuid = $2
      OFFSET 0) a
     CROSS JOIN LATERAL (
         SELECT ordinal, at, micros, request_id, method, route, intent_uuid, query, status, replayed,
                error, skipped
         FROM api_requests
         WHERE application_uuid = a.uuid
         ORDER BY ordinal DESC
         LIMIT $3
     ) r
ORDER BY r.at DESC, r.ordinal DESC`
)

// Requests reads the log.
type Requests struct {
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
}

// NewRequests reads the log in the pool's database, which must be the primary: a standby
// does not have it.
func NewRequests(pool *pgxpool.Pool, a *accounts.Accounts) *Requests { return &Requests{pool, a} }

// Latest are the last Kept requests of an application, the latest first. It needs
// SeeDevelopers. An application of another organisation has none.
func (q *Requests) Latest(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	id domain.ApplicationID,
) ([]Request, error) {
	if err := q.accounts.Authorize(ctx, by, of, accounts.SeeDevelopers); err != nil {
		return nil, err
	}
	return postgres.List(ctx, q.pool, "list requests", func(row pgx.CollectableRow) (Request, error) {
		r := Request{Application: id}
		var micros int64
		err := row.Scan(&r.Ordinal, &r.At, &micros, &r.ID, &r.Method, &r.Route,
			(*zeronull.UUID)(&r.Intent), &r.Query, &r.Status, &r.Replayed, &r.Error, &r.Skipped)
		r.Took = time.Duration(micros) * time.Microsecond
		return r, err
	}, latestSQL, id, of, Kept)
}

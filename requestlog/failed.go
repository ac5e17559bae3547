package requestlog

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres"
)

// Failed counts the kept requests of an application whose status is of one class of errors.
type Failed struct {
	Application domain.ApplicationID
	Class       int // the first digit of the status: 4 or 5
	Count       int
}

// Of each application the index gives the last; no more are kept, but for a while after a burst.
const failedSQL = `
SELECT a.uuid, r.status / 100, count(*)
FROM applications a
CROSS JOIN LATERAL (
    SELECT at, status
    FROM api_requests
    WHERE application_uuid = a.uuid
    ORDER BY ordinal DESC
    LIMIT $4
) r
WHERE a.organization_uuid = $1
  AND a.mode = $2
  AND r.status >= 400
  AND r.at > $3
GROUP BY 1, 2
ORDER BY 2 DESC, 3 DESC, 1`

// Failed counts the requests of a tenant's applications since a time that were answered with an
// error, those of the server first. It needs SeeDevelopers.
func (q *Requests) Failed(
	ctx context.Context, by accounts.Actor, of domain.Tenant, since time.Time,
) ([]Failed, error) {
	err := q.accounts.Authorize(ctx, by, accounts.OrganizationID(of.Organization), accounts.SeeDevelopers)
	if err != nil {
		return nil, err
	}
	scan := func(row pgx.CollectableRow) (f Failed, err error) {
		err = row.Scan(&f.Application, &f.Class, &f.Count)
		return f, err
	}
	return postgres.List(ctx, q.pool, "count failed requests", scan, failedSQL,
		of.Organization, of.Mode, since, Kept)
}

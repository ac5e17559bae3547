package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Counts are how many payments there are of each status.
type Counts struct {
	Waiting, Processing, Succeeded, Late, Canceled int // those that are late are among Succeeded
	// AtLeast is true if there may be more of each, OpenAtLeast if there may be more of Waiting
	// and Processing: only so many were read.
	AtLeast, OpenAtLeast bool
}

// All is how many payments there are.
func (c Counts) All() int { return c.Waiting + c.Processing + c.Succeeded + c.Canceled }

func countPlaces(c *Counts) []any {
	return []any{&c.Waiting, &c.Processing, &c.Succeeded, &c.Late, &c.Canceled}
}

func countIn(c *Counts, p Payment) {
	switch p.Status {
	case domain.StatusRequiresPaymentMethod:
		c.Waiting++
	case domain.StatusProcessing:
		c.Processing++
	case domain.StatusSucceeded:
		c.Succeeded++
	case domain.StatusCanceled:
		c.Canceled++
	}
	if p.Late {
		c.Late++
	}
}

// Finished payments are counted in turnover; open ones are counted here, up to a limit.
const totalsSQL = `
SELECT count(*) FILTER (WHERE NOT o.attempting),
       count(*) FILTER (WHERE o.attempting),
       e.succeeded, e.late, e.canceled, count(o.attempting) >= $2
FROM (
    SELECT coalesce(sum(t.succeeded_count), 0)::int8 AS succeeded,
           coalesce(sum(t.late_count), 0)::int8 AS late,
           coalesce(sum(t.canceled_count), 0)::int8 AS canceled
    FROM unnest($1::uuid[]) AS a(uuid)
    JOIN turnover t ON t.application_uuid = a.uuid
) e
LEFT JOIN (
    SELECT p.attempting
    FROM unnest($1::uuid[]) AS a(uuid)
    CROSS JOIN LATERAL (
        SELECT q.attempting
        FROM payments q
        WHERE q.application_uuid = a.uuid
          AND q.state = 'open'
        ORDER BY q.created_at DESC
        LIMIT $2
    ) p
    LIMIT $2
) o ON true
GROUP BY e.succeeded, e.late, e.canceled`

// totals are the counts of all payments of some applications.
func (p *Payments) totals(ctx context.Context, applications []domain.ApplicationID) (Counts, error) {
	return postgres.Find(ctx, p.q, "add up payments", nil, func(row pgx.CollectableRow) (c Counts, err error) {
		err = row.Scan(append(countPlaces(&c), &c.OpenAtLeast)...)
		return c, err
	}, totalsSQL, postgres.PlanEachTime, applications, min(p.MaxFound, minBranch))
}

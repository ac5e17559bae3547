package projections

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/facts"
	"daftar/internal/postgres"
)

// DayTakings is what a tenant took on one day.
type DayTakings struct {
	Totals  []CurrencyFigures // one for each currency
	Methods []MethodTakings   // the largest first; together they are Figures.Succeeded of Totals
}

// MethodTakings is what was paid by a method of an acquirer.
type MethodTakings struct {
	Acquirer, Method string
	Currency         domain.Currency
	Total
}

// No index has the payments by the time of their success, which would cost each payment more than this
// saves: nearly all are paid soon after they were created.
const takingsSQL = `
WITH paid AS MATERIALIZED (
    SELECT p.intent_uuid, p.amount, p.currency
    FROM applications a
    CROSS JOIN LATERAL (
        SELECT q.intent_uuid, q.amount, q.currency
        FROM payments q
        WHERE q.application_uuid = a.uuid
          AND q.state = 'succeeded'
          AND q.created_at >= $3
          AND q.created_at < $5
          AND q.succeeded_at >= $4
          AND q.succeeded_at < $5
        OFFSET 0
    ) p
    WHERE a.organization_uuid = $1
      AND a.mode = $2
)
SELECT coalesce(b.acquirer, ''), coalesce(b.method, ''), p.currency, count(*), sum(p.amount)::int8
FROM paid p
LEFT JOIN LATERAL (
    SELECT payload::json->>'attempt' AS attempt
    FROM events
    WHERE stream_id = p.intent_uuid
      AND type = ANY($6)
    OFFSET 0
) e ON true
LEFT JOIN LATERAL (
    SELECT payload::json->>'acquirer' AS acquirer, payload::json->>'method' AS method
    FROM events
    WHERE stream_id = p.intent_uuid
      AND type = $7
      AND payload::json->>'attempt' = e.attempt
    OFFSET 0
) b ON true
GROUP BY 1, 2, 3`

// takingsSince are how many days before the day an intent may have been created: more of them are read only
// if the figures of the day say that some are missing.
var takingsSince = []int{1, 10, 100}

// Day adds up what the tenant took on a day, with the methods by which it was paid.
func (p *Payments) Day(ctx context.Context, tenant domain.Tenant, day domain.Day) (d DayTakings, err error) {
	turnover, err := p.Turnover(ctx, tenant, nil, day, day)
	if err != nil {
		return d, err
	}
	d.Totals = turnover.Totals
	var expected int64
	for _, t := range d.Totals {
		expected += t.Succeeded.Count
	}
	if expected == 0 {
		return d, nil
	}
	for _, days := range takingsSince {
		d.Methods, err = p.takings(ctx, tenant, day, day.Add(-days).Start())
		if err != nil || countAll(d.Methods) >= expected {
			return d, err
		}
	}
	d.Methods, err = p.takings(ctx, tenant, day, time.Time{})
	return d, err
}

func countAll(methods []MethodTakings) (n int64) {
	for _, m := range methods {
		n += m.Count
	}
	return n
}

// takings reads what was paid on a day of intents that were created since a time.
func (p *Payments) takings(
	ctx context.Context, tenant domain.Tenant, day domain.Day, since time.Time,
) ([]MethodTakings, error) {
	all, err := postgres.List(ctx, p.q, "read takings of a day",
		func(row pgx.CollectableRow) (m MethodTakings, err error) {
			err = row.Scan(&m.Acquirer, &m.Method, &m.Currency, &m.Count, &m.Sum)
			return m, err
		}, takingsSQL, postgres.PlanEachTime, tenant.Organization, tenant.Mode, since, day.Start(),
		day.Add(1).Start(), facts.Moving(facts.Received), domain.TypeAttemptStarted)
	slices.SortFunc(all, func(a, b MethodTakings) int {
		return cmp.Or(cmp.Compare(b.Sum, a.Sum), cmp.Compare(a.Acquirer, b.Acquirer),
			cmp.Compare(a.Method, b.Method))
	})
	return all, err
}

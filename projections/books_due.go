package projections

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/books"
	"daftar/domain"
	"daftar/internal/postgres"
)

// DueDay is what a provider still owes of the money that it took on a day, less what it gave back.
type DueDay struct {
	Acquirer string
	Day      domain.Day
	Amount   int64
}

const dueSQL = `
SELECT s.acquirer, s.day, sum(s.amount)::int8
FROM (
    SELECT uuid
    FROM applications
    WHERE organization_uuid = $1
      AND mode = $2
    UNION ALL
    SELECT $3
) o
CROSS JOIN LATERAL (
    SELECT acquirer, day, sum(amount) AS amount
    FROM book_sums
    WHERE owner = o.uuid
      AND account = $4
    GROUP BY acquirer, day
    OFFSET 0
) s
GROUP BY s.acquirer, s.day
HAVING sum(s.amount) <> 0
ORDER BY s.acquirer, s.day`

// Due is what providers owe the tenant, by provider and day, as the group has it.
func (b *Books) Due(ctx context.Context, tenant domain.Tenant) ([]DueDay, error) {
	return postgres.List(ctx, b.q, "read what is due", func(row pgx.CollectableRow) (d DueDay, err error) {
		var day time.Time
		err = row.Scan(&d.Acquirer, &day, &d.Amount)
		d.Day = domain.DayIn(day)
		return d, err
	}, dueSQL, postgres.PlanEachTime, tenant.Organization, tenant.Mode, books.TenantID(tenant), books.Due)
}

// habitOf is of how many settlements a provider's habit is measured: the newest.
const habitOf = 30

// A settlement that was corrected or withdrawn since counts too: the provider paid when it paid.
const settledSQL = `
SELECT payload::json->>'value_date', payload::json->'taken', (payload::json->>'net')::int8,
       (payload::json->>'fees')::int8, (payload::json->>'expected_fees')::int8
FROM events
WHERE stream_id = $1
  AND type = $2
ORDER BY version DESC
LIMIT $3`

// Habit is what the newest settlements of an account at a provider say of it.
func (b *Books) Habit(ctx context.Context, of books.Key) (books.Habit, error) {
	paid, err := postgres.List(ctx, b.q, "read settlements", scanPaid,
		settledSQL, [16]byte(of.StreamID()), books.TypeSettlementRecorded, habitOf)
	return books.HabitOf(paid), err
}

func scanPaid(row pgx.CollectableRow) (p books.Paid, err error) {
	var date string
	var taken []byte
	if err = row.Scan(&date, &taken, &p.Net, &p.Fees, &p.ExpectedFees); err == nil {
		p.ValueDate, err = domain.ParseDay(date)
	}
	if err == nil {
		err = json.Unmarshal(taken, &p.Taken)
	}
	return p, err
}

package projections

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Turnover is what some applications took in some days.
type Turnover struct {
	Days   []DayFigures      // in their order, without days on which nothing happened
	Totals []CurrencyFigures // one for each currency
}

// DayFigures are the figures of one day in one currency.
type DayFigures struct {
	Day      domain.Day
	Currency domain.Currency
	Figures
}

// CurrencyFigures are the figures of all days in one currency.
type CurrencyFigures struct {
	Currency domain.Currency
	Figures
}

var turnoverSQL = `
SELECT ` + figureColumns.Each("sum(t.%s)::int8") + `, t.day, t.currency
FROM applications a
JOIN turnover t ON t.application_uuid = a.uuid
WHERE a.organization_uuid = $1
  AND a.mode = $5
  AND (cardinality($2::uuid[]) = 0 OR a.uuid = ANY($2))
  AND t.day BETWEEN $3 AND $4
GROUP BY t.day, t.currency
ORDER BY t.day, t.currency`

// Turnover adds up the tenant's days from one to another, both included, of
// the given applications or, where none is given, of all.
func (p *Payments) Turnover(
	ctx context.Context, tenant domain.Tenant, applications []domain.ApplicationID, from, to domain.Day,
) (Turnover, error) {
	wanted := append([]domain.ApplicationID{}, applications...) // not nil, which would be null
	days, err := postgres.List(ctx, p.q, "read turnover", func(row pgx.CollectableRow) (DayFigures, error) {
		var r turnoverRow
		err := row.Scan(figureColumns.Fields(&r, &r.day, &r.currency)...)
		return DayFigures{domain.DayIn(r.day), domain.Currency(r.currency), r.Figures}, err
	}, turnoverSQL, tenant.Organization, wanted, from.Date(), to.Date(), tenant.Mode)
	if err != nil {
		return Turnover{}, err
	}
	var t Turnover
	for _, d := range days {
		if d.Figures == (Figures{}) {
			continue
		}
		t.Days = append(t.Days, d)
		n := slices.IndexFunc(t.Totals, func(c CurrencyFigures) bool { return c.Currency == d.Currency })
		if n < 0 {
			n, t.Totals = len(t.Totals), append(t.Totals, CurrencyFigures{Currency: d.Currency})
		}
		t.Totals[n].Add(d.Figures)
	}
	return t, nil
}

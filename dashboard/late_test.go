package dashboard_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/dashboard"
	"daftar/internal/postgres"
	"daftar/payments/decisions"
	"daftar/projections"
)

// counted is a connection to the database that counts the queries.
type counted struct {
	postgres.Querier

	queries atomic.Int64
}

func (c *counted) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	c.queries.Add(1)
	return c.Querier.Query(ctx, sql, args...)
}

// Lists, figures and exports are read from the standby, and show the time up to which they are
// complete. A payment, and what waits for a decision, are read from the primary.
func TestReadsFromTheStandby(t *testing.T) {
	t.Parallel()
	var primary, standby counted
	asOf := time.Date(2026, 11, 24, 11, 3, 5, 0, time.UTC)
	w := newWorld(t, func(c *dashboard.Config) {
		primary.Querier, standby.Querier = c.Pool, c.Pool
		c.Payments, c.Decisions = projections.NewPayments(&primary), decisions.New(&primary)
		c.Late = dashboard.Late{
			Payments: projections.NewPayments(&standby), Decisions: decisions.New(&standby),
			Books: projections.NewBooks(&standby),
			AsOf:  func() *time.Time { return &asOf },
		}
	})
	sold := w.sale(t, w.ours, 0, nil, paid("0123456789abcdef", 5000)...)
	w.project(t)
	c := w.viewer(t)
	for _, path := range []string{"payments", "payments?q=order", "money", "payments.csv", "money.csv"} {
		before := standby.queries.Load()
		a := c.get(w.ours.path(path)).is(t, http.StatusOK)
		if standby.queries.Load() == before {
			t.Errorf("%s is not read from the standby", path)
		}
		if strings.HasSuffix(path, ".csv") {
			if got := a.header.Get("Daftar-As-Of"); got != "2026-11-24T11:03:05Z" {
				t.Errorf("%s is as of %q", path, got)
			}
			continue
		}
		if !strings.Contains(a.body, `id="as-of"`) || !strings.Contains(a.body, "2026-11-24T13:03:05+02:00") {
			t.Errorf("%s does not show up to when it is complete:\n%s", path, a.text())
		}
	}
	for _, path := range []string{"payments/" + sold.ID.String(), "decisions"} {
		before, late := primary.queries.Load(), standby.queries.Load()
		a := c.get(w.ours.path(path)).is(t, http.StatusOK)
		if primary.queries.Load() == before || standby.queries.Load() != late {
			t.Errorf("%s is not read from the primary only", path)
		}
		if strings.Contains(a.body, `id="as-of"`) {
			t.Errorf("%s says as of when it is", path)
		}
	}
}

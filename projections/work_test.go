package projections_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
)

// These store $3 intents of an application, one a minute before a time, the older
// the larger; one in a thousand is canceled and one in ten thousand being paid.
const (
	manyIntentsSQL = `
INSERT INTO intents
SELECT md5($1::text || n)::uuid, $1::uuid, 1, left(md5(n::text), 10), 'order-' || n, 1000 + n, 'LYD',
       CASE WHEN n % 1000 = 7 THEN 'canceled'
            WHEN n % 10000 = 9 THEN 'processing'
            WHEN n % 3 = 0 THEN 'requires_payment_method'
            ELSE 'succeeded' END,
       'd', '{"external_id":null}', '', NULL, $2, '/pay', $2::timestamptz - n * interval '1 minute', $2
FROM generate_series(1, $3::int) n`
	manyPaymentsSQL = `
INSERT INTO payments
SELECT uuid, application_uuid, 1,
       CASE status WHEN 'succeeded' THEN status WHEN 'canceled' THEN status ELSE 'open' END,
       status = 'processing', amount, currency, reference, amount % 5000, created_at, NULL, now(), false, 0
FROM intents
WHERE application_uuid = $1`
	workSQL = `
SELECT sum(coalesce(seq_scan, 0))::int8 AS scans,
       sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int8 AS rows
FROM pg_stat_user_tables
WHERE relname IN ('payments', 'intents', 'payment_exceptions')`
)

// work is what the database did for a query: scans of whole tables, and rows that it fetched.
func work(t *testing.T, asked, other *pgxpool.Pool, ask func()) (scans, rows int64) {
	t.Helper()
	read := func() (scans, rows int64) {
		exec(t, asked, `SELECT pg_stat_force_next_flush()`)
		if err := other.QueryRow(t.Context(), workSQL).Scan(&scans, &rows); err != nil {
			t.Fatal(err)
		}
		return scans, rows
	}
	scansBefore, rowsBefore := read()
	ask()
	scans, rows = read()
	return scans - scansBefore, rows - rowsBefore
}

// However many intents there are, no page reads the tables from end to end, and each fetches a
// number of rows that is bounded by its size and the limit of a search, also if almost nothing
// matches.
func TestPagesAreBoundedWork(t *testing.T) {
	t.Parallel()
	pagesAreBoundedWork(t, 15_000, 5_000)
}

// pagesAreBoundedWork reads pages of two of three applications with so many intents each; maxScan
// is that of Payments.
func pagesAreBoundedWork(t *testing.T, each int, maxScan int64) {
	t.Helper()
	d := openWorld(t)
	// One connection does the work, so that its statistics are known to be complete.
	asking := pgtest.Open(t, d.db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 1})
	payments := projections.NewPayments(asking)
	payments.MaxScan = int(maxScan)
	first := d.shop(t, uuid.Nil)
	second, neighbour := d.shop(t, first.organization), d.shop(t, uuid.Nil)
	for _, s := range []shop{first, second, neighbour} {
		exec(t, d.pool, manyIntentsSQL, s.id.String(), midnight, each)
		exec(t, d.pool, manyPaymentsSQL, s.id)
	}
	superuser := d.superuser(t)
	exec(t, superuser, `ANALYZE`)

	// Rows are read in growing steps, so that the last may exceed the limit.
	most := maxScan + 6_500
	never, day := int64(1), domain.DayOf(midnight.Add(-time.Duration(each/2)*time.Minute))
	middle := d.firstPage(t, payments, first, projections.Filter{To: day}).Older
	const limit = 50
	page := func(f projections.Filter, from string) func() int {
		return func() int {
			p, err := payments.List(t.Context(), live(first.organization), f, projections.NewestFirst, from, limit)
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Payments) < limit && p.Older != "" && !p.Partial {
				t.Errorf("%+v: %d payments and a next page", f, len(p.Payments))
			}
			return len(p.Payments)
		}
	}
	search := func(text string) func() int {
		return func() int {
			found, err := payments.Search(t.Context(), live(first.organization),
				projections.Query{Text: text, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			return len(found.Matches)
		}
	}
	for _, row := range []struct {
		what string
		ask  func() int
		find int
		rows int64
	}{
		{"the newest page", page(projections.Filter{}, ""), limit, 500},
		{"a page in the middle", page(projections.Filter{}, middle), limit, 500},
		{"an application", page(projections.Filter{Application: &first.id}, ""), limit, 300},
		{"a rare status", page(projections.Filter{Status: domain.StatusCanceled}, ""),
			min(limit, 2*each/1000), 300},
		{"a day long ago", page(projections.Filter{From: day, To: day}, ""), limit, 500},
		{"attempts under way", page(projections.Filter{Status: domain.StatusProcessing}, ""), 0, most},
		{"an amount that no payment has", page(projections.Filter{MaxAmount: &never}, ""), 0, most},
		{"an amount, of one application", page(projections.Filter{Application: &first.id, MaxAmount: &never},
			""), 0, most},
		{"a uuid", search(uuid.NewString()), 0, 10},
		{"a reference", search("c4ca4238a0"), 2, 20},
	} {
		var found int
		scans, rows := work(t, asking, superuser, func() { found = row.ask() })
		if scans != 0 || rows > row.rows {
			t.Errorf("%s: %d scans of a table, %d rows fetched; want none and at most %d",
				row.what, scans, rows, row.rows)
		}
		if found < row.find {
			t.Errorf("%s: %d found, want %d", row.what, found, row.find)
		}
	}
	d.walkPartial(t, payments, first)
	exec(t, superuser, `TRUNCATE intents`) // rows without events are drift
}

func (d *world) firstPage(
	t *testing.T, p *projections.Payments, s shop, f projections.Filter,
) projections.Page {
	t.Helper()
	page, err := p.List(t.Context(), live(s.organization), f, projections.NewestFirst, "", 50)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// walkPartial continues a search that stops at its limit, until it has found the few matches,
// forward and back.
func (d *world) walkPartial(t *testing.T, p *projections.Payments, s shop) {
	t.Helper()
	// The amounts grow with the age.
	least := value[int64](t, d.pool, `SELECT max(amount) - 5 FROM intents`)
	const want = 6
	f := projections.Filter{Application: &s.id, MinAmount: &least}
	var found []projections.Payment
	pages, from, reached := 0, "", midnight
	var last projections.Page
	for {
		page, err := p.List(t.Context(), live(s.organization), f, projections.NewestFirst, from, 50)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		found = append(found, page.Payments...)
		if page.Partial && !page.SearchedTo.Before(reached) {
			t.Errorf("page %d was searched to %s, after one to %s", pages, page.SearchedTo, reached)
		}
		if last = page; page.Older == "" {
			break
		}
		reached, from = page.SearchedTo, page.Older
	}
	if len(found) != want || pages < 2 {
		t.Errorf("%d found on %d pages, want %d on two or more", len(found), pages, want)
	}
	back := len(last.Payments)
	for from = last.Newer; from != ""; {
		page, err := p.List(t.Context(), live(s.organization), f, projections.NewestFirst, from, 50)
		if err != nil {
			t.Fatal(err)
		}
		back += len(page.Payments)
		from = page.Newer
		if page.Newer == "" {
			break
		}
	}
	if back < want {
		t.Errorf("%d found on the way back, want %d", back, want)
	}
}

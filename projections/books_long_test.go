//go:build long

package projections_test

import (
	"context"
	"math/rand/v2"
	"runtime/debug"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/books"
	"daftar/books/bookstest"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/projections/rebuild"
)

// Over a million payments, made within a year and settled: a balance at any instant, the journal of a
// month, and all sums made again. Other processes make them slower and never faster, so the best of some
// rounds counts.
func TestLongMeasuredBooks(t *testing.T) {
	const (
		payments, rounds, instants = 1_000_000, 4, 50
		mostBalance, mostJournal   = 100 * time.Millisecond, 3 * time.Second
		leastRebuild               = 60_000 // events a second
	)
	debug.SetGCPercent(400) // as the program does
	cluster := pgtest.NewCluster(t, map[string]string{"shared_buffers": "256MB", "max_wal_size": "2GB"})
	ownerURL, serviceURL := cluster.Database(t, "books")
	owner := pgtest.Open(t, ownerURL, postgres.Options{})
	pool := pgtest.Open(t, serviceURL, postgres.Options{
		SetServiceRole: true, RuntimeParams: map[string]string{"jit": "off"},
	})
	apart := 365 * 24 * time.Hour / payments
	began := time.Now().UTC().Add(-366 * 24 * time.Hour).Truncate(time.Second)
	tenant := manyPayments(t, owner, payments, began, apart)
	settleSome(t, pool, tenant)
	head := value[int64](t, owner, eventstore.HeadSQL)
	started := time.Now()
	follow(t, serviceURL, projections.BooksGroup(), head)
	t.Logf("the group: %.0f events/s", float64(head)/time.Since(started).Seconds())
	exec(t, owner, `VACUUM ANALYZE`)

	book := projections.NewBooks(pool)
	at := func(instant time.Time) int64 {
		first, err := eventstore.FirstAt(t.Context(), pool, `SELECT recorded_at FROM events WHERE position = $1`,
			head, instant)
		if err != nil {
			t.Fatal(err)
		}
		return first - 1
	}
	best := time.Hour
	for round := 0; round < rounds && best > mostBalance; round++ {
		slowest := time.Duration(0)
		for range instants {
			instant := began.Add(rand.N(366 * 24 * time.Hour))
			start := time.Now()
			if _, err := book.Balance(t.Context(), tenant, at(instant)); err != nil {
				t.Fatal(err)
			}
			slowest = max(slowest, time.Since(start))
		}
		t.Logf("the slowest of %d balances: %v", instants, slowest)
		best = min(best, slowest)
	}
	if best > mostBalance {
		t.Errorf("a balance took %v, at most %v", best, mostBalance)
	}
	best = time.Hour
	for round := 0; round < rounds && best > mostJournal; round++ {
		entries, start := 0, time.Now()
		month := began.AddDate(0, round+1, 0)
		err := book.Journal(t.Context(), tenant, at(month), at(month.AddDate(0, 1, 0)),
			func(projections.BookEntry) error {
				entries++
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		t.Logf("the journal of a month, %d entries: %v", entries, took)
		best = min(best, took)
		if entries < payments/13 {
			t.Errorf("%d entries in a month", entries)
		}
	}
	if best > mostJournal {
		t.Errorf("the journal of a month took %v, at most %v", best, mostJournal)
	}
	most := 0.0
	for round := 0; round < rounds && most < leastRebuild; round++ {
		report, err := rebuild.Replace(t.Context(), owner, model(t, "books").Model, rebuild.Options{})
		if err != nil || !report.OK {
			t.Fatalf("rebuild: %+v, %v", report, err)
		}
		rate := float64(report.Events) / report.Seconds
		t.Logf("rebuild: %.0f events/s, %d events", rate, report.Events)
		most = max(most, rate)
	}
	if most < leastRebuild {
		t.Errorf("a rebuild replayed %.0f events/s, at least %d", most, leastRebuild)
	}
}

// manyPayments stores payments of a tenant's application.
func manyPayments(
	t *testing.T, owner *pgxpool.Pool, payments int, began time.Time, apart time.Duration,
) domain.Tenant {
	t.Helper()
	tenant, application := live(uuid.New()), uuid.New()
	exec(t, owner, `INSERT INTO organizations (uuid, name, created_at) VALUES ($1, 'متجر', now())`,
		tenant.Organization)
	exec(t, owner, `
		INSERT INTO applications (uuid, organization_uuid, name, active, namespace, api_key_hash,
		                          api_key_ending, api_key_rolled_at, webhook_secret,
		                          webhook_secret_rolled_at, created_at)
		VALUES ($1, $2, 'shop', true, $1, sha256($3), 'abcd', now(), '', now(), now())`,
		application, tenant.Organization, application[:])
	exec(t, owner, fillSQL, payments, application.String(), began, 5, apart)
	exec(t, owner, `VACUUM ANALYZE events`)
	_, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
	if err != nil {
		t.Fatal(err)
	}
	return tenant
}

// settleSome records settlements, each of a thousand payments, at the end of the log.
func settleSome(t *testing.T, pool *pgxpool.Pool, tenant domain.Tenant) {
	t.Helper()
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	defer func() { _ = store.Close(context.WithoutCancel(t.Context())) }()
	l := ledger.New(store, projections.NewIntents(pool))
	for range 30 {
		s := books.NewSettlement{ID: uuid.New(), ValueDate: domain.DayOf(time.Now()), Net: 5_000_000}
		for range 1_000 {
			s.Shares = append(s.Shares, books.Share{Intent: uuid.New(), Attempt: "a", Amount: 5_500})
		}
		s.Taken = bookstest.TakenOn(s.ValueDate, s.Shares...)
		_, err := l.Book(t.Context(), books.KeyOf(tenant, "sandbox"),
			books.RecordStatement{Settlements: []books.NewSettlement{s}}, ledger.Origin{Actor: "user:test"})
		if err != nil {
			t.Fatal(err)
		}
	}
}

package main_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/expiry"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/projections/rebuild"
	bench "daftar/tools/bench"
	"daftar/transparency"
	"daftar/webhooks"
)

// What -growth stores without the server is what the server would have stored: every read
// model that is derived from the events is the same, the groups have nothing left to do,
// and appends continue at the end of the log.
func TestStoredIntentsAreThoseOfTheService(t *testing.T) {
	t.Parallel()
	storedAreThoseOfTheService(t, 234, 32, 100)
}

// storedAreThoseOfTheService stores more than a batch where no server runs, and less than
// one where servers may run.
func storedAreThoseOfTheService(t *testing.T, alone, shared int64, batch int) {
	t.Helper()
	db := pgtest.Database(t)
	super := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 4})
	a, err := bench.Accounts(super)
	if err != nil {
		t.Fatal(err)
	}
	shop, err := bench.NewMerchant(t.Context(), super, a, "")
	if err != nil {
		t.Fatal(err)
	}
	const indexes = `
SELECT hashtext(string_agg(indexdef, ';' ORDER BY indexdef))
FROM pg_indexes
WHERE schemaname = 'public'`
	const triggers = `
SELECT hashtext(string_agg(concat(tgrelid, tgname, tgenabled), ';' ORDER BY tgrelid, tgname))
FROM pg_trigger
WHERE NOT tgisinternal`
	before, checked := count(t, super, indexes), count(t, super, triggers)
	if err := bench.Store(t.Context(), super, shop, "alone", int(alone), batch, true); err != nil {
		t.Fatal(err)
	}
	if count(t, super, indexes) != before {
		t.Error("the indexes are not those of the migrations any more")
	}
	if count(t, super, triggers) != checked {
		t.Error("the triggers are not those of the migrations any more")
	}
	const handled = `
SELECT count(*)
FROM consumer_offsets
WHERE position = (SELECT max(position) FROM events)`
	if n := count(t, super, handled); n != 4 {
		t.Errorf("%d groups are at the end of the log, want all but transparency: 4", n)
	}
	const timers = `
SELECT count(*)
FROM expiry_timers
JOIN intents ON uuid = intent_uuid AND expires_at = due_at`
	if n := count(t, super, timers); n != alone {
		t.Errorf("%d timers, want %d", n, alone)
	}
	if err := bench.Store(t.Context(), super, shop, "shared", int(shared), batch, false); err != nil {
		t.Fatal(err)
	}
	repeatCreate(t, db, shop)
	follow(t, db, alone+shared)

	const gaps = `
SELECT count(*)
FROM (SELECT position, row_number() OVER (ORDER BY position) n FROM events) e
WHERE position <> n`
	if n := count(t, super, gaps); n != 0 {
		t.Errorf("%d positions are out of place", n)
	}
	for _, m := range projections.Models() {
		report, err := rebuild.Verify(t.Context(), super, m, func(int64, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK || report.Events != alone+shared {
			t.Errorf("%s: %d events, drift %+v", report.Name, report.Events, report.Drift)
		}
	}
	report, err := transparency.Verify(t.Context(), super, transparency.VerifyOptions{})
	if err != nil || !report.OK || report.Size != alone+shared {
		t.Errorf("audit: %+v, %v", report, err)
	}
}

// The log that -scaling makes is complete: positions without gaps, lives that ended as planned, and rows of
// intents that match their events; and the groups handle all of it.
func TestLivesAreAWholeLog(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	super := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 4})
	a, err := bench.Accounts(super)
	if err != nil {
		t.Fatal(err)
	}
	shop, err := bench.NewMerchant(t.Context(), super, a, "")
	if err != nil {
		t.Fatal(err)
	}
	intents, events, err := bench.StoreLives(t.Context(), super, shop, 1000)
	if err != nil {
		t.Fatal(err)
	}
	n := count(t, super, `SELECT count(*) FROM events`)
	last := count(t, super, `SELECT max(position) FROM events`)
	if n != events || n != last {
		t.Errorf("%d events, the last at position %d, want %d", n, last, events)
	}
	for status, want := range map[string]int64{
		"succeeded": 152, "canceled": 48, "requires_payment_method": 100,
	} {
		if n := count(t, super, `SELECT count(*) FROM intents WHERE status = $1`, status); n != want {
			t.Errorf("%d of %d intents are %s, want %d", n, intents, status, want)
		}
	}
	follow(t, db, events)
	for _, m := range projections.Models() {
		report, err := rebuild.Verify(t.Context(), super, m, func(int64, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK || report.Events != events {
			t.Errorf("%s: %d events, drift %+v", report.Name, report.Events, report.Drift)
		}
	}
}

// repeatCreate checks that a create whose reference was stored finds that intent.
func repeatCreate(t *testing.T, db *pgtest.DB, shop bench.Merchant) {
	t.Helper()
	pool := db.Pool(t)
	intents := projections.NewIntents(pool)
	defer intents.Close()
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline()})
	defer func() { _ = store.Close(context.WithoutCancel(t.Context())) }()
	again := domain.Create{Terms: domain.Terms{
		Application:       bench.ApplicationOf(shop),
		MerchantReference: "alone-00000017",
		Amount:            domain.Money{Minor: 7000, Currency: domain.LYD},
		Description:       "again",
	}}
	origin := ledger.Origin{Actor: "application:" + uuid.NewString()}
	i, created, err := ledger.New(store, intents).Create(t.Context(), again, bench.NamespaceOf(shop), origin)
	if err != nil || created || i.Amount.Minor != 5000 {
		t.Errorf("created %v, %+v, %v; want the one that was stored", created, i, err)
	}
}

// follow runs the groups until all have handled the log up to a position.
func follow(t *testing.T, db *pgtest.DB, upTo int64) {
	t.Helper()
	pool := pgtest.Open(t, db.ServiceURL(), postgres.Options{SetServiceRole: true, MaxConns: 8})
	f, err := feed.New(feed.Config{
		Pool: pool,
		Log:  zerolog.New(os.Stderr).Level(zerolog.WarnLevel),
		Groups: []feed.Group{
			expiry.Group(), webhooks.Group(), projections.DashboardGroup(), projections.BooksGroup(),
			transparency.Group(),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	pgtest.WaitFor(t, "the groups", func() bool {
		return count(t, pool, `SELECT count(*) FROM consumer_offsets WHERE position >= $1`, upTo) == 5
	})
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) int64 {
	t.Helper()
	var n int64
	if err := pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

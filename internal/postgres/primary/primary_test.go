package primary_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/postgres/primary"
)

// timelineOf is that of the server that a pool leads to; 0: none.
func timelineOf(ctx context.Context, pool *pgxpool.Pool) (timeline int) {
	const sql = `SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int`
	if pool.QueryRow(ctx, sql).Scan(&timeline) != nil {
		return 0
	}
	return timeline
}

// The primary is killed and the standby promoted. A pool switches to the new primary without
// Watch, whichever host its URL names first.
func TestPoolFollowsAPromotion(t *testing.T) {
	t.Parallel()
	r := pgtest.NewReplicated(t, nil)
	first := pgtest.Open(t, r.URL(pgtest.Service), postgres.Options{SetServiceRole: true})
	standbyFirst := pgtest.Hosts(
		r.Standby.URL(r.Database, pgtest.Service), r.Primary.URL(r.Database, pgtest.Service))
	last := pgtest.Open(t, standbyFirst, postgres.Options{})
	for _, pool := range []*pgxpool.Pool{first, last} {
		if got := timelineOf(t.Context(), pool); got != 1 {
			t.Fatalf("timeline %d before the promotion, want 1", got)
		}
	}
	r.Primary.Kill()
	r.Promote(t)
	for _, pool := range []*pgxpool.Pool{first, last} {
		pgtest.WaitFor(t, "the pool to find the new primary", func() bool {
			return timelineOf(t.Context(), pool) == 2
		})
	}
}

// The primary hangs, its standby is promoted, and the old primary wakes up: two servers accept
// writes. Statements that waited for the old one fail, and no connection is made to it again.
func TestOldPrimaryIsLeft(t *testing.T) {
	t.Parallel()
	r := pgtest.NewReplicated(t, nil)
	leader, err := postgres.NewPrimary(r.URL(pgtest.Service), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer leader.Watch()()
	pool := pgtest.Open(t, r.URL(pgtest.Service), postgres.Options{Primary: leader, MaxConns: 3})
	idle := func() {
		if got := timelineOf(t.Context(), pool); got != 1 {
			t.Fatalf("timeline %d before the promotion, want 1", got)
		}
	}
	idle()
	old, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer old.Release()
	if err := primary.Check(t.Context(), old.Conn()); err != nil {
		t.Errorf("what the only primary shows: %v", err)
	}
	waits := make(chan error, 1)
	go func() { _, err := pool.Exec(context.Background(), `SELECT pg_sleep(600)`); waits <- err }()
	pgtest.WaitFor(t, "the statement to wait", func() bool { return pool.Stat().AcquiredConns() == 2 })
	idle()

	if err := r.Primary.Pause(); err != nil {
		t.Fatal(err)
	}
	r.Promote(t)
	if err := <-waits; postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("a statement at the old primary: %v, want it unavailable", err)
	}
	// Before the old primary counts as silent, and after.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 2 {
		if err := primary.Check(ctx, old.Conn()); !errors.Is(err, primary.ErrOld) {
			t.Errorf("what the old primary shows: %v, want it old", err)
		}
		pgtest.WaitFor(t, "the old primary to be silent", leader.HasSilentHost)
	}
	if got := timelineOf(t.Context(), pool); got != 2 {
		t.Errorf("timeline %d after the promotion, want 2", got)
	}
	if err := r.Primary.Resume(); err != nil {
		t.Fatal(err)
	}
	alone := pgtest.Open(t, r.Primary.URL(r.Database, pgtest.Service), postgres.Options{})
	if got := timelineOf(t.Context(), alone); got != 1 {
		t.Fatalf("the old primary is on timeline %d: the test shows nothing", got)
	}
	pool.Reset()
	if got := timelineOf(t.Context(), pool); got != 2 {
		t.Errorf("timeline %d next to the old primary, want 2", got)
	}
	// A process that has not seen the promotion, with a URL that names the old primary first.
	unaware := pgtest.Open(t, r.URL(pgtest.Service), postgres.Options{})
	if got := timelineOf(t.Context(), unaware); got != 2 {
		t.Errorf("a new process uses timeline %d, want 2", got)
	}
	aware := pgtest.Open(t, r.URL(pgtest.Service), postgres.Options{Primary: leader})
	if got := timelineOf(t.Context(), aware); got != 2 {
		t.Errorf("a new pool uses timeline %d, want 2", got)
	}
}

// With one host there is nothing to find, and nothing waits.
func TestPrimaryOfOneHost(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	leader, err := postgres.NewPrimary(db.URL(), zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	defer leader.Watch()()
	pool := pgtest.Open(t, db.URL(), postgres.Options{Primary: leader})
	err = pool.AcquireFunc(t.Context(), func(conn *pgxpool.Conn) error {
		return primary.Check(t.Context(), conn.Conn())
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := postgres.NewPrimary("postgres://%", zerolog.Nop()); !errors.Is(err, postgres.ErrBadURL) {
		t.Errorf("a URL that cannot be read: %v", err)
	}
}

// waitsForStandby reports whether a commit waits for the standby.
func waitsForStandby(t *testing.T, pool *pgxpool.Pool) bool {
	t.Helper()
	var n int
	const sql = `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
	if err := pool.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n == 1
}

// An operator cancels a commit that waits for the standby. PostgreSQL answers COMMIT; that is no
// success. A caller that leaves cancels nothing if the pool has NeverCancel: so no other session
// sees what no standby has.
func TestCommitThatNoStandbyConfirms(t *testing.T) {
	t.Parallel()
	r := pgtest.NewReplicated(t, nil)
	admin := pgtest.Open(t, r.Primary.URL(r.Database, "postgres"), postgres.Options{})
	if _, err := admin.Exec(t.Context(), `CREATE TABLE notes (n int)`); err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		if err := admin.QueryRow(t.Context(), `SELECT count(*) FROM notes`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	pool := pgtest.Open(t, r.Primary.URL(r.Database, "postgres"),
		postgres.Options{NeverCancel: true, StatementTimeout: time.Minute})
	const warnSQL = `DO $$ BEGIN RAISE WARNING USING MESSAGE = 'no data', ERRCODE = '02000'; END $$`
	if _, err := pool.Exec(t.Context(), warnSQL); err != nil {
		t.Errorf("another warning: %v", err)
	}
	if err := r.Standby.Pause(); err != nil {
		t.Fatal(err)
	}
	write := func(ctx context.Context) <-chan error {
		done := make(chan error, 1)
		go func() { _, err := pool.Exec(ctx, `INSERT INTO notes VALUES (1)`); done <- err }()
		pgtest.WaitFor(t, "the commit to wait", func() bool { return waitsForStandby(t, admin) })
		return done
	}
	canceled := write(t.Context())
	const cancelSQL = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
	if _, err := admin.Exec(t.Context(), cancelSQL); err != nil {
		t.Fatal(err)
	}
	if err := <-canceled; postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("a commit that no standby has confirmed: %v, want it unavailable", err)
	}
	// PostgreSQL sends the warning before other sessions see the row.
	pgtest.WaitFor(t, "the commit with the warning", func() bool { return count() == 1 })
	ctx, cancel := context.WithCancel(t.Context())
	left := write(ctx)
	cancel()
	if err := <-left; postgres.Classify(err) != postgres.Canceled {
		t.Errorf("a caller that left: %v", err)
	}
	pgtest.WaitFor(t, "the connection to be given up", func() bool { return pool.Stat().TotalConns() == 0 })
	if n := count(); n != 1 || !waitsForStandby(t, admin) {
		t.Errorf("%d rows, want 1: what no standby has can be seen", n)
	}
	if err := r.Standby.Resume(); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the commit to be confirmed", func() bool { return count() == 2 })
}

//go:build long

package acceptance_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"daftar/internal/pgcluster/patroni"
	"daftar/internal/postgres/pgtest"
)

// The primary's PostgreSQL dies; its machine hangs until the standby has been promoted and then
// continues; its machine dies and comes back. Each time Patroni promotes the standby under load.
// Servers switch by themselves, no acknowledged write is lost, and requests that cannot be served
// get a 503.
func TestLongPatroniPromotes(t *testing.T) {
	t.Parallel()
	c, database := newPatroni(t)
	who := newShop(t, []string{"DAFTAR_DATABASE_URL=" + database, "DAFTAR_SECRET_KEY=" + secretKey})
	server := newRolling(t, database)
	l := startLoad(t, server.base, who)
	for _, f := range []failure{
		{"PostgreSQL dies", (*patroni.Node).KillPostgres, mustSucceed(func(*patroni.Node) {})},
		{"the machine hangs", mustSucceed((*patroni.Node).Pause), mustSucceed((*patroni.Node).Resume)},
		{"the machine dies", mustSucceed((*patroni.Node).Kill), (*patroni.Node).Start},
	} {
		l.awaitMore(t, 50)
		l.since()
		f.happen(t, c, l)
		l.awaitMore(t, 50)
		m := l.since()
		t.Logf("%-25s %s", f.name, m)
		for _, failed := range m.failed {
			if !strings.HasPrefix(failed, "503") {
				t.Errorf("%s: %s", f.name, failed)
			}
		}
	}
	l.stop()
	l.check(t, c.SuperuserURL("daftar"))
	if v := answer[verified](t, server.env, "audit", "verify"); !v.OK {
		t.Errorf("verify: %+v", v)
	}
}

// failure is what happens to the primary, and how it recovers.
type failure struct {
	name     string
	do, undo func(*patroni.Node) error
}

// happen returns when the former primary is a standby again.
func (f failure) happen(t *testing.T, c *patroni.Cluster, l *load) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
	defer cancel()
	old := c.Primary(ctx)
	if err := f.do(old); err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	if _, err := c.AwaitPrimary(ctx, old); err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	acknowledged := len(l.acknowledged())
	pgtest.WaitFor(t, "creates after the promotion", func() bool {
		return len(l.acknowledged()) > acknowledged+20
	})
	if err := f.undo(old); err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	if err := c.AwaitStandbys(ctx); err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
}

// mustSucceed runs a step that must not fail.
func mustSucceed(do func(*patroni.Node)) func(*patroni.Node) error {
	return func(n *patroni.Node) error {
		do(n)
		return nil
	}
}

// check checks that the database has every acknowledged create, once.
func (l *load) check(t *testing.T, database string) {
	t.Helper()
	pool := pgtest.Open(t, database, superuserOptions)
	var stored, acknowledged int
	err := pool.QueryRow(t.Context(), `
		SELECT count(*), count(*) FILTER (WHERE uuid::text = ANY ($1))
		FROM intents`, l.acknowledged()).Scan(&stored, &acknowledged)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(l.acknowledged()); acknowledged != n || n == 0 {
		t.Errorf("%d of %d acknowledged creates are stored", acknowledged, n)
	}
	var references int
	err = pool.QueryRow(t.Context(), `SELECT count(DISTINCT merchant_reference) FROM intents`).Scan(&references)
	if err != nil || references != stored {
		t.Errorf("%d intents of %d references, %v", stored, references, err)
	}
	fmt.Fprintf(t.Output(), "%d acknowledged, %d stored\n", acknowledged, stored)
}

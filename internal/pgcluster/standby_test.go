package pgcluster_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// Two servers change places twice. The primary is killed and its standby promoted. The old
// primary, which has written something that the standby does not have, is rewound and follows.
// Then it is promoted again.
func TestStandbyTakesOverAndBack(t *testing.T) {
	t.Parallel()
	r := pgtest.NewReplicated(t, nil)
	a, b := r.Primary, r.Standby
	write := func(on *pgtest.Cluster, statement string) {
		t.Helper()
		pool := pgtest.Open(t, on.URL("postgres", "postgres"), postgres.Options{MaxConns: 1})
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	count := func(on *pgtest.Cluster) (n int) {
		t.Helper()
		pool := pgtest.Open(t, on.URL("postgres", "postgres"), postgres.Options{MaxConns: 1})
		if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM notes`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	write(a, `CREATE TABLE notes AS SELECT 1 AS n`)
	// This one waits for no standby, and is the last before the crash.
	b.Kill()
	write(a, `SET synchronous_commit = local; INSERT INTO notes VALUES (2)`)
	a.Kill()
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.Promote(t)
	write(b, `INSERT INTO notes VALUES (3)`)

	up := pgcluster.Upstream{Of: b.Cluster, Name: "standby"}
	if err := b.Rewind(t.Context(), up); !errors.Is(err, pgcluster.ErrRunning) {
		t.Errorf("rewind of a cluster that runs: %v, want %v", err, pgcluster.ErrRunning)
	}
	if err := a.Rewind(t.Context(), up); err != nil {
		t.Fatal(err)
	}
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	back := &pgtest.Replicated{Primary: b, Standby: a}
	back.Synchronous(t)
	write(b, `SET synchronous_commit = remote_apply; INSERT INTO notes VALUES (4)`)
	if n := count(a); n != 3 {
		t.Errorf("the one that was rewound has %d rows, want 1, 3 and 4", n)
	}
	b.Kill()
	back.Promote(t)
	write(a, `INSERT INTO notes VALUES (5)`)
	if n := count(a); n != 4 {
		t.Errorf("%d rows after the way back, want 4", n)
	}
}

// A paused server keeps its connections and does not answer; after Resume it does. A paused
// server can be killed.
func TestPause(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, nil)
	conn, err := pgx.Connect(t.Context(), cluster.URL("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.Pause(); err != nil {
		t.Fatal(err)
	}
	answered := make(chan error, 1)
	go func() { answered <- conn.Ping(context.Background()) }()
	select {
	case err := <-answered:
		t.Errorf("a paused server answers: %v", err)
	default:
	}
	if err := cluster.Resume(); err != nil {
		t.Fatal(err)
	}
	if err := <-answered; err != nil {
		t.Errorf("after the pause: %v", err)
	}
	if err := cluster.Pause(); err != nil {
		t.Fatal(err)
	}
	cluster.Kill()
	if err := conn.Ping(t.Context()); err == nil {
		t.Error("a server that was killed answers")
	}
	if err := cluster.Resume(); !errors.Is(err, pgcluster.ErrNotRunning) {
		t.Errorf("resume of a server that is gone: %v, want %v", err, pgcluster.ErrNotRunning)
	}
}

package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/internal/logtest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// measured runs a Replica until the test ends.
func measured(
	t *testing.T, url string, primary *pgxpool.Pool, limit time.Duration, log *logtest.Log,
) *postgres.Replica {
	t.Helper()
	r := postgres.NewReplica(url, postgres.Options{MaxConns: 2}, primary, zerolog.New(log))
	if limit > 0 {
		r.Limit(limit)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	return r
}

// isStandby reports whether a query runs on a standby.
func isStandby(t *testing.T, q postgres.Querier) bool {
	t.Helper()
	at, err := postgres.Find(t.Context(), q, "ask", nil, pgx.RowTo[bool], `SELECT pg_is_in_recovery()`)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestReplica(t *testing.T) {
	t.Parallel()
	r := pgtest.NewReplicated(t, nil)
	primary := pgtest.Open(t, r.Primary.URL(r.Database, "postgres"), postgres.Options{})
	standby := pgtest.Open(t, r.Standby.URL(r.Database, "postgres"), postgres.Options{})
	url := r.Standby.URL(r.Database, pgtest.Service)
	replica := measured(t, url, primary, 0, &logtest.Log{})
	began := time.Now()
	pgtest.WaitFor(t, "the standby to be read", func() bool {
		at := replica.AsOf()
		return at != nil && at.After(began)
	})
	if !isStandby(t, replica) {
		t.Error("the primary is read although the standby has everything")
	}
	for _, c := range []struct {
		url     string
		limit   time.Duration
		trouble string
	}{
		{"", 0, ""},
		{r.Primary.URL(r.Database, pgtest.Service), 0, postgres.ErrNoStandby.Error()},
		{url, time.Nanosecond, "more than 1ns behind"},
		{pgtest.Database(t).ServiceURL(), 0, postgres.ErrOtherCluster.Error()},
	} {
		var log logtest.Log
		none := measured(t, c.url, primary, c.limit, &log)
		pgtest.WaitFor(t, "the trouble to be known: "+c.trouble, func() bool {
			return strings.Contains(log.String(), c.trouble)
		})
		if isStandby(t, none) || none.AsOf() != nil {
			t.Errorf("a standby is read, as of %v, in spite of: %s", none.AsOf(), c.trouble)
		}
	}

	if _, err := postgres.CatchUp(t.Context(), standby, primary, time.Minute); err != nil {
		t.Errorf("a standby that has everything: %v", err)
	}
	if _, err := standby.Exec(t.Context(), `SELECT pg_wal_replay_pause()`); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "the standby to pause", func() bool {
		state, err := postgres.Find(t.Context(), standby, "ask", nil, pgx.RowTo[string],
			`SELECT pg_get_wal_replay_pause_state()`)
		return err == nil && state == "paused"
	})
	if _, err := primary.Exec(t.Context(), `CREATE TABLE late ()`); err != nil {
		t.Fatal(err)
	}
	behind, err := postgres.CatchUp(t.Context(), standby, primary, 0)
	if !errors.Is(err, postgres.ErrBehind) || postgres.Classify(err) != postgres.Unavailable || behind == 0 {
		t.Errorf("a paused standby: %d bytes, %v", behind, err)
	}
	written := time.Now()
	if _, err := standby.Exec(t.Context(), `SELECT pg_wal_replay_resume()`); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.CatchUp(t.Context(), standby, primary, time.Minute); err != nil {
		t.Errorf("a resumed standby: %v", err)
	}
	pgtest.WaitFor(t, "the standby to be known to have it", func() bool {
		at := replica.AsOf()
		return at != nil && at.After(written)
	})

	_, err = postgres.CatchUp(t.Context(), primary, primary, time.Minute)
	if !errors.Is(err, postgres.ErrNoStandby) {
		t.Errorf("a primary in place of a standby: %v", err)
	}
	if err := postgres.SameCluster(t.Context(), standby, primary); err != nil {
		t.Errorf("the servers of one cluster: %v", err)
	}
	other := pgtest.Database(t).Pool(t)
	if err := postgres.SameCluster(t.Context(), other, primary); !errors.Is(err, postgres.ErrOtherCluster) {
		t.Errorf("servers of two clusters: %v", err)
	}

	if err := r.Primary.Set(t.Context(), map[string]string{"synchronous_standby_names": ""}); err != nil {
		t.Fatal(err)
	}
	r.Standby.Kill()
	pgtest.WaitFor(t, "the primary to be read", func() bool {
		in, err := postgres.Find(t.Context(), replica, "ask", nil, pgx.RowTo[bool], `SELECT pg_is_in_recovery()`)
		return err == nil && !in
	})
	pgtest.WaitFor(t, "the standby to be known to be gone", func() bool { return replica.AsOf() == nil })
}

package queue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/internal/logtest"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/queue"
	"daftar/internal/worker"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// noon is when the jobs were queued.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// leases are the columns that may hold the lease: a separate one, or that of the due time.
var leases = map[string]string{"a column for the lease": "busy", "the due time": "due"}

// job is a row that was claimed.
type job struct{ ID, Tries int }

// world has a table of jobs.
type world struct {
	t       *testing.T
	pool    *pgxpool.Pool
	table   queue.Table
	putBack string
}

// forEachTable runs a test with jobs 1 to n in both tables; job 1 has waited longest.
func forEachTable(t *testing.T, n int, test func(t *testing.T, w *world)) {
	t.Helper()
	for name, lease := range leases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := queue.Table{
				Name: "jobs", Key: "id", Due: "due", Lease: lease, Where: "NOT done",
				Set: ", tries = tries + 1",
			}
			w := &world{t: t, pool: pgtest.Database(t).OwnerPool(t), table: table, putBack: table.PutBack("")}
			w.exec(`
CREATE TABLE jobs (
    id int PRIMARY KEY, due timestamptz NOT NULL, busy timestamptz,
    tries int NOT NULL DEFAULT 0, done bool NOT NULL DEFAULT false)`)
			w.exec(`CREATE INDEX jobs_due ON jobs (due) WHERE NOT done`)
			w.exec(`
INSERT INTO jobs
SELECT n, $1::timestamptz + n * interval '1 millisecond'
FROM generate_series(1, $2) n`, noon, n)
			test(t, w)
		})
	}
}

func (w *world) exec(sql string, arguments ...any) {
	w.t.Helper()
	if _, err := w.pool.Exec(w.t.Context(), sql, arguments...); err != nil {
		w.t.Fatal(err)
	}
}

// claim leases up to so many jobs.
func (w *world) claim(q postgres.Querier, most int, now, until time.Time) []int {
	w.t.Helper()
	ids, err := postgres.List(w.t.Context(), q, "claim", pgx.RowTo[int],
		w.table.Claim(most, "id"), now, until)
	if err != nil {
		w.t.Fatal(err)
	}
	slices.Sort(ids)
	return ids
}

// The job that has waited longest is claimed first, by one server until its lease ends; no claim waits
// for another.
func TestClaim(t *testing.T) {
	t.Parallel()
	forEachTable(t, 5, func(t *testing.T, w *world) {
		now := noon.Add(time.Second)
		until := now.Add(time.Minute)
		expect := func(when string, got []int, want ...int) {
			t.Helper()
			if !slices.Equal(got, want) {
				t.Errorf("%s: claimed %v, want %v", when, got, want)
			}
		}
		expect("before any is due", w.claim(w.pool, 5, noon, until))
		tx, err := w.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
		expect("first", w.claim(tx, 2, now, until), 1, 2)
		expect("while those are locked", w.claim(w.pool, 2, now, until), 3, 4)
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect("then", w.claim(w.pool, 9, now, until), 5)
		expect("while all are leased", w.claim(w.pool, 9, until.Add(-time.Microsecond), until))
		expect("after a server died", w.claim(w.pool, 9, until, until.Add(time.Minute)), 1, 2, 3, 4, 5)
	})
}

// A server whose lease has lapsed does not put a row back that another server has claimed since.
func TestPutBackKeepsTheClaimOfAnother(t *testing.T) {
	t.Parallel()
	forEachTable(t, 1, func(t *testing.T, w *world) {
		now := noon.Add(time.Second)
		first, second := now.Add(time.Minute), now.Add(2*time.Minute)
		putBack := func(until, next time.Time) error {
			return postgres.One(w.pool.Exec(t.Context(), w.putBack, 1, until, next))
		}
		w.claim(w.pool, 1, now, first)
		if got := w.claim(w.pool, 1, first, second); len(got) != 1 {
			t.Fatal("the lease does not lapse")
		}
		if err := putBack(first, now); !errors.Is(err, postgres.ErrNotOne) {
			t.Errorf("by the first: %v", err)
		}
		if got := w.claim(w.pool, 1, second.Add(-time.Second), second); len(got) != 0 {
			t.Error("the second has lost its claim")
		}
		next := second.Add(time.Hour)
		if err := putBack(second, next); err != nil {
			t.Error(err)
		}
		if got := w.claim(w.pool, 1, next.Add(-time.Second), next); len(got) != 0 {
			t.Error("claimed before its turn")
		}
		if got := w.claim(w.pool, 1, next, next.Add(time.Second)); len(got) != 1 {
			t.Error("not claimed at its turn")
		}
	})
}

const doneSQL = `UPDATE jobs SET done = true WHERE id = $1 AND NOT done`

// A tenth of many jobs always fails. Two servers share the others, and each of those is done once; the
// failing ones get further turns, after longer and longer pauses.
func TestFailingRowsKeepNoOtherWaiting(t *testing.T) {
	t.Parallel()
	const jobs, failing = 300, 30
	forEachTable(t, jobs, func(t *testing.T, w *world) {
		claim, retry := w.table.Claim(1, "id, tries"), worker.Backoff{First: time.Second, Longest: time.Hour}
		var clock, left atomic.Int64 // a claim takes a second
		left.Store(jobs - failing)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var both, running sync.WaitGroup
		var done [2]atomic.Int64
		var log logtest.Log
		both.Add(2)
		for server := range done {
			meet := sync.OnceFunc(func() { both.Done(); both.Wait() }) // each has one that can be done
			step := func(context.Context) (bool, error) {
				now := noon.Add(time.Duration(clock.Add(1)) * time.Second)
				until := now.Add(24 * time.Hour)
				j, err := postgres.Find(t.Context(), w.pool, "claim", nil, pgx.RowToStructByPos[job],
					claim, now, until)
				if err != nil || j.ID == 0 {
					return false, err
				}
				if j.ID <= failing { // those that were first
					next := now.Add(retry.Pause(j.Tries - 1))
					err := postgres.One(w.pool.Exec(t.Context(), w.putBack, j.ID, until, next))
					if err != nil {
						t.Errorf("put job %d back: %v", j.ID, err)
					}
					return true, fmt.Errorf("%w: job %d", queue.ErrRow, j.ID)
				}
				meet()
				if err := postgres.One(w.pool.Exec(t.Context(), doneSQL, j.ID)); err != nil {
					t.Errorf("job %d: %v", j.ID, err)
				}
				done[server].Add(1)
				if left.Add(-1) == 0 {
					stop()
				}
				return true, nil
			}
			loop := queue.Loop{Poll: time.Hour, Failing: "jobs wait", Log: zerolog.New(&log)}
			running.Go(func() { loop.Run(ctx, step) })
		}
		running.Wait()
		most := 0
		if err := w.pool.QueryRow(t.Context(), `SELECT max(tries) FROM jobs`).Scan(&most); err != nil {
			t.Fatal(err)
		}
		// After the n-th failure a job waits 2ⁿ⁻¹ claims, so ten turns take more than five hundred.
		if most < 2 || most > 10 || clock.Load() > jobs+10*failing {
			t.Errorf("%d claims for %d jobs; one that fails had %d turns", clock.Load(), jobs, most)
		}
		if a, b := done[0].Load(), done[1].Load(); a+b != jobs-failing || a == 0 || b == 0 {
			t.Errorf("the servers did %d and %d jobs", a, b)
		}
		if strings.Contains(log.String(), "failures") || !strings.Contains(log.String(), "one row: job 1") {
			t.Errorf("logged:\n%s", log.String())
		}
	})
}

package eventstore_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// The database is killed and comes back. Appends in between fail as unavailable
// or unknown, never silently; afterwards the store works as before, and every
// append that was acknowledged is there.
func TestDatabaseKilledAndBack(t *testing.T) {
	t.Parallel()
	databaseKilledAndBack(t, 1)
}

func databaseKilledAndBack(t *testing.T, times int) {
	t.Helper()
	cluster := pgtest.NewCluster(t, nil)
	_, url := cluster.Database(t, "crash")
	pool := pgtest.Open(t, url, postgres.Options{MaxConns: 4})
	s := eventstore.New(pool, pool, eventstore.Options{})
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
		checkLog(t, pool)
	})
	type patience struct {
		context.Context
		end context.CancelFunc
	}
	var current atomic.Pointer[patience]
	// renew ends the contexts of all callers.
	renew := func() {
		ctx, cancel := context.WithCancel(t.Context())
		if old := current.Swap(&patience{ctx, cancel}); old != nil {
			old.end()
		}
	}
	renew()
	var acknowledged sync.Map
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var failed atomic.Int64
	for range 8 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				stream := uuid.New()
				if _, err := s.Append(current.Load(), one(stream, 0, `1`)); err == nil {
					acknowledged.Store(stream, true)
				} else {
					failed.Add(1)
				}
			}
		})
	}
	acks := func() (n int) {
		acknowledged.Range(func(any, any) bool { n++; return true })
		return n
	}
	for range times {
		before, errs := acks(), failed.Load()
		pgtest.WaitFor(t, "appends to go through", func() bool { return acks() > before+50 })
		cluster.Kill()
		renew()
		pgtest.WaitFor(t, "appends to fail", func() bool { return failed.Load() > errs })
		if err := cluster.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	before := acks()
	pgtest.WaitFor(t, "appends to go through again", func() bool { return acks() > before+50 })
	close(stop)
	wg.Wait()
	stored := storedStreams(t, pool)
	acknowledged.Range(func(stream, _ any) bool {
		if id, ok := stream.(uuid.UUID); !ok || !stored[id] {
			t.Errorf("acknowledged append to %v is not in the log", stream)
		}
		return true
	})
}

func storedStreams(t *testing.T, pool *pgxpool.Pool) map[[16]byte]bool {
	t.Helper()
	rows, err := pool.Query(t.Context(), `SELECT stream_id FROM events`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	stored := make(map[[16]byte]bool)
	for rows.Next() {
		var stream [16]byte
		if err := rows.Scan(&stream); err != nil {
			t.Fatal(err)
		}
		stored[stream] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return stored
}

package eventstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// throughProxy opens a store whose writes go through a proxy, and warms its
// statements up so that the next Sync is the one that commits.
func throughProxy(t *testing.T) (*eventstore.Store, *pgtest.ProxyServer, *pgtest.DB) {
	t.Helper()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	pool := pgtest.Open(t, proxy.URL(), postgres.Options{MaxConns: 2, NeverCancel: true})
	s := open(t, pool, db, eventstore.Options{})
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"warm"`)); err != nil {
		t.Fatalf("warm up: %v", err)
	}
	return s, proxy, db
}

// The connection is cut at COMMIT, once before the server received it and once after it was
// executed. In both cases the caller gets a true answer and the log has one copy.
func TestConnectionCutAtCommit(t *testing.T) {
	t.Parallel()
	type proxy = *pgtest.ProxyServer
	for name, cut := range map[string]func(proxy) <-chan struct{}{
		"committed, answer lost": func(p proxy) <-chan struct{} { return p.LoseReply(pgtest.IsSync) },
		"request lost":           func(p proxy) <-chan struct{} { return p.LoseRequest(pgtest.IsSync) },
		"request cut in half":    func(p proxy) <-chan struct{} { return p.LoseHalf(pgtest.Contains("cut me")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, proxy, db := throughProxy(t)
			happened := cut(proxy)

			stream := uuid.New()
			got, err := s.Append(t.Context(), one(stream, 0, `"cut me"`))
			if err != nil {
				t.Fatalf("append: %v", err)
			}
			select {
			case <-happened:
			default:
				t.Fatal("the connection was not cut: the test shows nothing")
			}
			read, err := s.ReadStream(t.Context(), stream)
			if err != nil || len(read) != 1 {
				t.Fatalf("stream has %d events, %v; want 1", len(read), err)
			}
			if got.Position != read[0].Position || got.Version != 1 {
				t.Errorf("answered %+v, stored at %d", got, read[0].Position)
			}
			if n := count(t, db); n != 2 {
				t.Errorf("%d events, want 2", n)
			}
		})
	}
}

// The answer to a batch is lost of which some appends were accepted and some not. Each still gets
// its own true answer.
func TestLostAnswerToMixedBatch(t *testing.T) {
	t.Parallel()
	s, proxy, db := throughProxy(t)
	taken := uuid.New()
	if _, err := s.Append(t.Context(), one(taken, 0, `"winner"`)); err != nil {
		t.Fatal(err)
	}
	// The first append keeps the committer busy while the others gather.
	release := hold(t, db, s)
	var wg sync.WaitGroup
	var accepted, conflicts atomic.Int64
	for n := range 40 {
		wg.Go(func() {
			stream, payload := uuid.New(), fmt.Sprint(n)
			if n%4 == 0 {
				stream, payload = taken, fmt.Sprintf(`"loser %d"`, n)
			}
			_, err := s.Append(t.Context(), one(stream, 0, payload))
			var conflict *eventstore.Conflict
			switch {
			case err == nil && n%4 != 0:
				accepted.Add(1)
			case errors.As(err, &conflict) && n%4 == 0:
				conflicts.Add(1)
			default:
				t.Errorf("append %d: %v", n, err)
			}
		})
	}
	pgtest.WaitFor(t, "appends to gather", func() bool { return s.Stats().Waiting == 40 })
	happened := proxy.LoseReply(pgtest.IsSync) // the held append's has been sent already
	release()
	wg.Wait()
	select {
	case <-happened:
	default:
		t.Fatal("no answer was lost: the test shows nothing")
	}
	if batches := s.Stats().Batches; batches != 4 {
		t.Errorf("%d batches, want 4: warm-up, winner, held, and the forty together", batches)
	}
	if accepted.Load() != 30 || conflicts.Load() != 10 {
		t.Errorf("%d accepted and %d conflicts, want 30 and 10", accepted.Load(), conflicts.Load())
	}
}

// The request is lost and its copy is refused for its data: the outcome is certain, and appends
// that wait for that batch do not wait until the resolve limit.
func TestLostAppendWithBadData(t *testing.T) {
	t.Parallel()
	s, proxy, db := throughProxy(t)
	_, err := db.OwnerPool(t).Exec(t.Context(), `ALTER TABLE events ADD CHECK (payload <> 'poison')`)
	if err != nil {
		t.Fatal(err)
	}
	happened := proxy.LoseRequest(pgtest.IsSync)
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, "poison")); !errors.Is(err, eventstore.ErrInvalid) {
		t.Errorf("append: %v, want ErrInvalid", err)
	}
	select {
	case <-happened:
	default:
		t.Fatal("no request was lost: the test shows nothing")
	}
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
		t.Errorf("the next append: %v", err)
	}
	if n := count(t, db); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
}

// The advisory locks of the committers; servers of different versions share them.
const (
	appendLock int64 = 8_712_000_001
	turnLock   int64 = 8_712_000_002
	lockSQL          = `SELECT pg_advisory_xact_lock($1)`
)

// waitForLock waits until n sessions wait for the append lock.
func waitForLock(t *testing.T, db *pgtest.DB, want int) {
	t.Helper()
	pool := db.Pool(t)
	pgtest.WaitFor(t, "so many to wait for the lock", func() bool { return waitingForLock(t, pool) == want })
}

func waitingForLock(t *testing.T, pool *pgxpool.Pool) (n int) {
	t.Helper()
	err := pool.QueryRow(t.Context(), `
		SELECT count(*)
		FROM pg_locks l
		JOIN pg_database d ON d.oid = l.database
		WHERE l.locktype = 'advisory'
		  AND NOT l.granted
		  AND d.datname = current_database()`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// One of the waiting requests is canceled before its turn. It is never written
// and the others do not notice.
func TestCanceledWhileWaiting(t *testing.T) {
	t.Parallel()
	s, _, db := throughProxy(t)
	release := hold(t, db, s)
	canceled, kept := uuid.New(), uuid.New()
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 2)
	go func() { _, err := s.Append(ctx, one(canceled, 0, `1`)); errs <- err }()
	go func() { _, err := s.Append(t.Context(), one(kept, 0, `1`)); errs <- err }()
	pgtest.WaitFor(t, "both to wait", func() bool { return s.Stats().Waiting == 2 })

	cancel()
	if err := <-errs; !errors.Is(err, context.Canceled) || errors.Is(err, eventstore.ErrOutcomeUnknown) {
		t.Errorf("canceled append: %v, want a plain context.Canceled", err)
	}
	release()
	if err := <-errs; err != nil {
		t.Errorf("the other append: %v", err)
	}
	if read, err := s.ReadStream(t.Context(), canceled); err != nil || len(read) != 0 {
		t.Errorf("the canceled append left %d events, %v", len(read), err)
	}
	if n := count(t, db); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}

func TestFullQueueTurnsAway(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{Queue: 4})
	release := hold(t, db, s)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
				t.Errorf("append that found room: %v", err)
			}
		})
	}
	pgtest.WaitFor(t, "the queue to fill", func() bool { return s.Stats().Waiting == 4 })
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); !errors.Is(err, eventstore.ErrOverloaded) {
		t.Errorf("append to a full queue: %v, want ErrOverloaded", err)
	}
	release()
	wg.Wait()
	if n := count(t, db); n != 5 {
		t.Errorf("%d events, want 5", n)
	}
}

func TestCloseCommitsWhatWaitsAndTakesNoMore(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	release := hold(t, db, s)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
				t.Errorf("append before close: %v", err)
			}
		})
	}
	pgtest.WaitFor(t, "the appends to wait", func() bool { return s.Stats().Waiting == 10 })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("close that may not wait: %v", err)
	}
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); !errors.Is(err, eventstore.ErrClosed) {
		t.Errorf("append after close: %v, want ErrClosed", err)
	}
	release()
	wg.Wait()
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("close: %v", err)
	}
	if n := count(t, db); n != 11 {
		t.Errorf("%d events, want 11", n)
	}
}

// OnCommit is called for each batch that wrote something, also for one whose
// answer was lost.
func TestOnCommit(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	var calls atomic.Int64
	s := open(t, pgtest.Open(t, proxy.URL(), postgres.Options{MaxConns: 2}), db, eventstore.Options{
		OnCommit: func([]eventstore.Recorded) { calls.Add(1) },
	})
	// The hook comes after the answer; the next answer is after the hook.
	want := func(n int64, after string) {
		t.Helper()
		pgtest.WaitFor(t, "the hook after "+after, func() bool { return calls.Load() >= n })
		if got := calls.Load(); got != n {
			t.Errorf("%d calls after %s, want %d", got, after, n)
		}
	}
	stream := uuid.New()
	if _, err := s.Append(t.Context(), one(stream, 0, `1`)); err != nil {
		t.Fatal(err)
	}
	want(1, "an append")
	var conflict *eventstore.Conflict
	if _, err := s.Append(t.Context(), one(stream, 0, `2`)); !errors.As(err, &conflict) {
		t.Fatalf("append: %v, want a conflict", err)
	}
	lost := proxy.LoseReply(pgtest.IsSync)
	if _, err := s.Append(t.Context(), one(stream, 1, `3`)); err != nil {
		t.Fatal(err)
	}
	<-lost
	want(2, "a conflict and a lost answer")
}

// OnCommit gets the events that the log has, also if the batch had to be written twice because the
// first request was lost.
func TestOnCommitTellsWhatTheLogHas(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	proxy := pgtest.Proxy(t, db.ServiceURL())
	reported := make(chan []eventstore.Recorded, 8)
	s := open(t, pgtest.Open(t, proxy.URL(), postgres.Options{MaxConns: 2}), db, eventstore.Options{
		OnCommit: func(committed []eventstore.Recorded) { reported <- committed },
	})
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"whole"`)); err != nil {
		t.Fatal(err)
	}
	lost := proxy.LoseRequest(pgtest.IsSync)
	if _, err := s.Append(t.Context(), one(uuid.New(), 0, `"lost on its way"`)); err != nil {
		t.Fatal(err)
	}
	<-lost
	log, err := s.ReadRange(t.Context(), 0, 10, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(log, append(<-reported, <-reported...)); diff != "" || len(log) != 2 {
		t.Errorf("%d events; reported otherwise than in the log:\n%s", len(log), diff)
	}
}

package eventstore_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

// hold keeps the committer waiting for the append lock until release is called.
func hold(t *testing.T, db *pgtest.DB, s *eventstore.Store) (release func()) {
	t.Helper()
	return holdWith(t, db, s, one(uuid.New(), 0, `"held"`))
}

// holdWith is hold with a given append.
func holdWith(t *testing.T, db *pgtest.DB, s *eventstore.Store, a eventstore.Append) (release func()) {
	t.Helper()
	tx, err := db.Pool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), lockSQL, appendLock); err != nil {
		t.Fatal(err)
	}
	released := make(chan struct{})
	go func() {
		defer close(released)
		if _, err := s.Append(context.Background(), a); err != nil {
			t.Errorf("held append: %v", err)
		}
	}()
	waitForLock(t, db, 1)
	return func() {
		if err := tx.Rollback(context.Background()); err != nil {
			t.Errorf("release: %v", err)
		}
		<-released
	}
}

// crowded is a store that believes that another server appends: its last batch had to wait.
func crowded(t *testing.T) (*eventstore.Store, *pgtest.DB) {
	t.Helper()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	hold(t, db, s)()
	if !s.Contended() {
		t.Fatal("a batch waited at the append lock, and the next one takes no turn")
	}
	return s, db
}

// A server queues for its turn as long as others append, and no longer.
func TestQueuesWhileOthersAppend(t *testing.T) {
	t.Parallel()
	s, db := crowded(t)
	appended := 1 // by hold
	for ; s.Contended() && appended < 100; appended++ {
		if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
			t.Fatal(err)
		}
	}
	if s.Contended() || appended < eventstore.UncontendedAfter {
		t.Errorf("after %d appends: contended %v", appended, s.Contended())
	}
	if n := count(t, db); n != appended {
		t.Errorf("%d events, want %d", n, appended)
	}
	var left int
	err := db.Pool(t).QueryRow(t.Context(), `
		SELECT count(*)
		FROM pg_locks
		WHERE locktype = 'advisory'
		  AND objid = $1
		  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
		turnLock&0xffffffff).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d sessions stayed in the queue (%v)", left, err)
	}
}

// The server that had the turn has died without releasing it. The others continue without turns.
func TestQueueThatDoesNotMove(t *testing.T) {
	t.Parallel()
	s, db := crowded(t)
	dead, err := db.Pool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dead.Rollback(context.Background()) }()
	if _, err := dead.Exec(t.Context(), lockSQL, turnLock); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
			t.Errorf("append: %v", err)
		}
		if s.Contended() {
			t.Error("it waits in a queue that does not move")
		}
	}
}

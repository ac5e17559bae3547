package eventstore_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"daftar/eventstore"
	"daftar/internal/postgres/pgtest"
)

// crowded is a store that believes that another server appends: its last batch had to wait.
func crowded(t *testing.T) (*eventstore.Store, *pgtest.DB) {
	t.Helper()
	db := pgtest.Database(t)
	s := open(t, db.Pool(t), db, eventstore.Options{})
	hold(t, s)()
	if !s.InLine() {
		t.Fatal("a batch waited at the append lock, and the next one does not stand in line")
	}
	return s, db
}

// A server stands in line as long as others append, and no longer.
func TestStandsInLineWhileOthersAppend(t *testing.T) {
	t.Parallel()
	s, db := crowded(t)
	appended := 1 // by hold
	for ; s.InLine() && appended < 100; appended++ {
		if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
			t.Fatal(err)
		}
	}
	if s.InLine() || appended < eventstore.AloneAfter {
		t.Errorf("after %d appends: in line %v", appended, s.InLine())
	}
	if n := count(t, db); n != appended {
		t.Errorf("%d events, want %d", n, appended)
	}
	var left int
	err := s.ReadPool().QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = $1
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, eventstore.LineLock&0xffffffff).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d sessions stayed in line (%v)", left, err)
	}
}

// The first in line has died without leaving. The others go on without the line.
func TestLineThatDoesNotMove(t *testing.T) {
	t.Parallel()
	s, db := crowded(t)
	dead, err := db.Pool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dead.Rollback(context.Background()) }()
	if _, err := dead.Exec(t.Context(), eventstore.LockSQL, eventstore.LineLock); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Append(t.Context(), one(uuid.New(), 0, `1`)); err != nil {
			t.Errorf("append: %v", err)
		}
		if s.InLine() {
			t.Error("it stands in a line that does not move")
		}
	}
}

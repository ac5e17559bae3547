package feed_test

import (
	"context"
	"testing"

	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// A read that fails before it has a row, such as while it waits for the lock of a migration or on a
// connection that breaks, is an error like others. It once ended the whole server.
func TestReadThatFailsBeforeItsFirstRow(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	pool := pgtest.Open(t, w.db.ServiceURL(), postgres.Options{
		SetServiceRole: true, MaxConns: 1, RuntimeParams: map[string]string{"lock_timeout": "20ms"},
	})
	db := feed.OpenDB(pool)
	defer func() { _ = db.Close() }()
	read := func() error {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		rows, err := tx.QueryContext(t.Context(), `SELECT position FROM parked_events`)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		return rows.Err()
	}
	if err := read(); err != nil { // from now on the statement is prepared, and fails when it is bound
		t.Fatal(err)
	}

	migration, err := w.super.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = migration.Rollback(context.Background()) }()
	if _, err := migration.Exec(t.Context(), `LOCK TABLE parked_events`); err != nil {
		t.Fatal(err)
	}
	if err := read(); postgres.Classify(err) != postgres.Retryable {
		t.Errorf("read of a locked table: %v, want a timeout", err)
	}
	if err := migration.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := read(); err != nil {
		t.Errorf("read after the lock: %v", err)
	}
}

package feed

import (
	"context"
	"testing"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// A read that fails before it has a row, such as while it waits for the lock of a migration or on a
// connection that breaks, is an error like others. It once ended the whole server.
func TestReadThatFailsBeforeItsFirstRow(t *testing.T) {
	t.Parallel()
	database := pgtest.Database(t)
	pool := pgtest.Open(t, database.ServiceURL(), postgres.Options{
		SetServiceRole: true, MaxConns: 1, RuntimeParams: map[string]string{"lock_timeout": "20ms"},
	})
	db := openDB(pool, func(*session) {})
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

	migration, err := pgtest.Open(t, database.SuperuserURL(), postgres.Options{MaxConns: 1}).Begin(t.Context())
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

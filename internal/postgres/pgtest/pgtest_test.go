package pgtest_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/migrations"
)

func TestDatabaseIsMigratedAndPrivate(t *testing.T) {
	t.Parallel()
	first, second := pgtest.Database(t), pgtest.Database(t)
	ctx := t.Context()
	if err := migrations.Check(ctx, first.Pool(t)); err != nil {
		t.Errorf("the service user finds the database not migrated: %v", err)
	}
	if _, err := first.OwnerPool(t).Exec(ctx, `CREATE TABLE only_here ()`); err != nil {
		t.Fatalf("owner cannot create a table: %v", err)
	}
	_, err := second.OwnerPool(t).Exec(ctx, `SELECT FROM only_here`)
	if postgres.Classify(err) != postgres.OutOfDate {
		t.Errorf("a table of one test's database is seen in another's: %v", err)
	}
}

func TestServiceUserOwnsNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.Pool(t)
	var user, role string
	var super, creates bool
	err := pool.QueryRow(t.Context(), `
		SELECT session_user, current_user, rolsuper, rolcreaterole OR rolcreatedb
		FROM pg_roles
		WHERE rolname = session_user`).
		Scan(&user, &role, &super, &creates)
	if err != nil {
		t.Fatal(err)
	}
	if user != pgtest.Service || role != postgres.ServiceRole || super || creates {
		t.Errorf("session of %s runs as %s (superuser %t, creates roles or databases %t)",
			user, role, super, creates)
	}
	_, err = pool.Exec(t.Context(), `CREATE TABLE mine ()`)
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "42501" {
		t.Errorf("service user may create tables: %v", err)
	}
}

func TestEmptyDatabaseHasNoTables(t *testing.T) {
	t.Parallel()
	var tables int
	pool := pgtest.EmptyDatabase(t).OwnerPool(t)
	err := pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_tables WHERE schemaname = 'public'`).
		Scan(&tables)
	if err != nil {
		t.Fatal(err)
	}
	if tables != 0 {
		t.Errorf("an empty database has %d tables", tables)
	}
}

func BenchmarkDatabase(b *testing.B) {
	for b.Loop() {
		pgtest.Database(b)
	}
}

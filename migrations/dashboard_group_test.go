package migrations_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"daftar/internal/postgres/pgtest"
	"daftar/migrations"
)

// upTo brings a database to the schema before a migration.
func upTo(t *testing.T, db *pgtest.DB, number string) {
	t.Helper()
	before := fstest.MapFS{}
	for _, name := range names(t) {
		if name < number {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				t.Fatal(err)
			}
			before[name] = &fstest.MapFile{Data: text}
		}
	}
	if _, err := migrations.UpFiles(t.Context(), db.URL(), before); err != nil {
		t.Fatal(err)
	}
}

// The group's offset is renamed while a server of the previous version runs: a batch that
// is under way is included, and later batches find no offset under the old name.
func TestDashboardGroupTakesItsPlaceAlong(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	ctx, pool := t.Context(), db.OwnerPool(t)
	upTo(t, db, "00017")
	const oldSQL = `
INSERT INTO consumer_offsets (consumer_group, position, updated_at)
VALUES ('turnover', 7, now()), ('expiry', 8, now());
INSERT INTO projection_runs (name, version, tables, structure, phase, h0, position, host, pid)
VALUES ('payments', 1, '{payments}', 'as it was', 'copying', 7, 0, 'old', 1)`
	if _, err := pool.Exec(ctx, oldSQL); err != nil {
		t.Fatal(err)
	}
	batch, err := pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const moveSQL = `UPDATE consumer_offsets SET position = 9 WHERE consumer_group = 'turnover'`
	if _, err := batch.Exec(ctx, moveSQL); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := migrations.Up(ctx, db.URL())
		done <- err
	}()
	pgtest.WaitFor(t, "the migration to wait for the batch", func() (waits bool) {
		const waitsSQL = `
			SELECT EXISTS (SELECT
			               FROM pg_stat_activity
			               WHERE datname = current_database()
			                 AND wait_event_type = 'Lock'
			                 AND query LIKE '%dashboard%')`
		return pool.QueryRow(ctx, waitsSQL).Scan(&waits) == nil && waits
	})
	if err := batch.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	var groups, structure string
	err = pool.QueryRow(ctx, `
		SELECT (SELECT string_agg(consumer_group || ' ' || position, ', ' ORDER BY consumer_group)
		        FROM consumer_offsets), structure
		FROM projection_runs`).Scan(&groups, &structure)
	if err != nil || groups != "dashboard 9, expiry 8" || structure != "" {
		t.Errorf("groups %s, structure %q, %v", groups, structure, err)
	}
}

package migrations_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/migrations"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// files has the migrations.
var files = os.DirFS(".")

func names(t *testing.T) []string {
	t.Helper()
	all, err := fs.Glob(files, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Two branches that both add number N+1 must fail here, not in production.
func TestNumbersAreContiguous(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^(\d{5})_[a-z][a-z0-9_]*\.sql$`)
	all := names(t)
	if len(all) == 0 {
		t.Fatal("no migrations are embedded")
	}
	for i, name := range all {
		match := form.FindStringSubmatch(name)
		if match == nil {
			t.Errorf("%s is not named NNNNN_words.sql", name)
			continue
		}
		if want := fmt.Sprintf("%05d", i+1); match[1] != want {
			t.Errorf("%s is at the place of number %s", name, want)
		}
	}
}

func TestMigrationsGoForwardOnly(t *testing.T) {
	t.Parallel()
	for _, name := range names(t) {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "-- +goose Up\n") {
			t.Errorf("%s does not begin with -- +goose Up", name)
		}
		if strings.Contains(string(text), "+goose Down") {
			t.Errorf("%s has a way down", name)
		}
	}
}

func TestUpBringsAnEmptyDatabaseToDate(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	ctx, all := t.Context(), names(t)
	if err := migrations.Check(ctx, db.OwnerPool(t)); !errors.Is(err, migrations.ErrOutOfDate) {
		t.Errorf("an empty database: %v, want %v", err, migrations.ErrOutOfDate)
	}
	before, err := migrations.Status(ctx, db.URL())
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range before {
		if m.Name != all[i] || m.Version != int64(i+1) || m.AppliedAt != nil {
			t.Errorf("before Up: %+v, want %s, not applied", m, all[i])
		}
	}
	start := time.Now().Add(-time.Minute)
	applied, err := migrations.Up(ctx, db.URL())
	if err != nil || !slices.Equal(applied, all) {
		t.Fatalf("Up applied %v (%v), want %v", applied, err, all)
	}
	if applied, err := migrations.Up(ctx, db.URL()); err != nil || len(applied) != 0 {
		t.Errorf("a second Up applied %v (%v), want nothing", applied, err)
	}
	after, err := migrations.Status(ctx, db.URL())
	if err != nil || len(after) != len(all) {
		t.Fatalf("status has %d of %d migrations, %v", len(after), len(all), err)
	}
	for _, m := range after {
		if m.AppliedAt == nil || m.AppliedAt.Before(start) || m.AppliedAt.After(time.Now().Add(time.Minute)) {
			t.Errorf("%s was applied at %v, want about now", m.Name, m.AppliedAt)
		}
	}
	if err := migrations.Check(ctx, db.OwnerPool(t)); err != nil {
		t.Errorf("after Up: %v", err)
	}
}

func TestServiceRoleMayCheck(t *testing.T) {
	t.Parallel()
	if err := migrations.Check(t.Context(), pgtest.Database(t).Pool(t)); err != nil {
		t.Error(err)
	}
}

func TestServersMigrateInTurn(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyDatabase(t).URL()
	var (
		wait    sync.WaitGroup
		mu      sync.Mutex
		applied []string
	)
	for range 3 {
		wait.Go(func() {
			mine, err := migrations.Up(t.Context(), url)
			mu.Lock()
			defer mu.Unlock()
			applied = append(applied, mine...)
			if err != nil {
				t.Errorf("one of several servers: %v", err)
			}
		})
	}
	wait.Wait()
	slices.Sort(applied)
	if all := names(t); !slices.Equal(applied, all) {
		t.Errorf("together they applied %v, want each of %v once", applied, all)
	}
}

func sql(text string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("-- +goose Up\n" + text)}
}

func TestCheckDistinguishesBehindFromAhead(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	ctx, pool := t.Context(), db.OwnerPool(t)
	two := fstest.MapFS{"00001_a.sql": sql(`CREATE TABLE a ();`), "00002_b.sql": sql(`CREATE TABLE b ();`)}
	one := fstest.MapFS{"00001_a.sql": two["00001_a.sql"]}
	three := fstest.MapFS{"00001_a.sql": two["00001_a.sql"], "00002_b.sql": two["00002_b.sql"],
		"00003_c.sql": sql(`CREATE TABLE c ();`)}

	if _, err := migrations.UpFiles(ctx, db.URL(), two); err != nil {
		t.Fatal(err)
	}
	if err := migrations.CheckFiles(ctx, pool, two); err != nil {
		t.Errorf("the same files: %v", err)
	}
	err := migrations.CheckFiles(ctx, pool, three)
	if !errors.Is(err, migrations.ErrOutOfDate) || !strings.Contains(err.Error(), "00003_c.sql") {
		t.Errorf("behind: %v, want it to name 00003_c.sql", err)
	}
	err = migrations.CheckFiles(ctx, pool, one)
	if !errors.Is(err, migrations.ErrNewer) || errors.Is(err, migrations.ErrOutOfDate) ||
		!strings.Contains(err.Error(), "version 2") {
		t.Errorf("ahead: %v, want it to name version 2", err)
	}
	status, err := migrations.StatusFiles(ctx, db.URL(), one)
	if err != nil || len(status) != 2 || status[1].Version != 2 || status[1].Name != "" {
		t.Errorf("status of a newer database: %+v, %v", status, err)
	}
}

func TestFailedMigrationLeavesNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	ctx, pool := t.Context(), db.OwnerPool(t)
	files := fstest.MapFS{
		"00001_good.sql": sql(`CREATE TABLE good ();`),
		"00002_bad.sql":  sql("CREATE TABLE half ();\nSELECT 1 / 0;"),
	}
	applied, err := migrations.UpFiles(ctx, db.URL(), files)
	if !slices.Equal(applied, []string{"00001_good.sql"}) || postgres.Classify(err) != postgres.BadData {
		t.Errorf("applied %v, %v; want the good one, and the division by zero", applied, err)
	}
	if _, err := pool.Exec(ctx, `SELECT FROM half`); postgres.Classify(err) != postgres.OutOfDate {
		t.Errorf("half of the bad migration was applied: %v", err)
	}
	files["00002_bad.sql"] = sql(`CREATE TABLE half ();`)
	if applied, err := migrations.UpFiles(ctx, db.URL(), files); err != nil || len(applied) != 1 {
		t.Errorf("mended: applied %v, %v", applied, err)
	}
}

func TestErrorsOfAnUnreachableDatabase(t *testing.T) {
	t.Parallel()
	const nobody = "postgres://daftar:hunter2@127.0.0.1:1/daftar"
	_, errUp := migrations.Up(t.Context(), nobody)
	_, errStatus := migrations.Status(t.Context(), nobody)
	for _, err := range []error{errUp, errStatus} {
		if postgres.Classify(err) != postgres.Unavailable || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v: want unavailable, and no password", err)
		}
	}
	if _, err := migrations.Up(t.Context(), "postgres://a:b/c@d"); !errors.Is(err, postgres.ErrBadURL) {
		t.Errorf("a malformed URL: %v", err)
	}
}

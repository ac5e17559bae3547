package pgtest

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/migrations"
)

// Two processes use one cluster: their databases have different names, each process drops
// its own at its end, and the cluster stays.
//
//nolint:tparallel // the tests of the first process are over before it ends
func TestProcessesShareACluster(t *testing.T) {
	t.Parallel()
	admin := Open(t, running.address, postgres.Options{})
	process := func() *server {
		t.Helper()
		s, err := open(t.Context(), running.address)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ending, staying := process(), process()
	t.Cleanup(func() { // after the drop of its database, which stop waits for
		if err := staying.stop(); err != nil {
			t.Error(err)
		}
	})
	other := staying.create(t, template)
	var dropped string
	t.Run("tests of the process that ends", func(t *testing.T) {
		db := ending.create(t, template)
		if dropped = db.Name(); dropped == other.Name() {
			t.Errorf("both have the database %s", dropped)
		}
		if err := migrations.Check(t.Context(), db.Pool(t)); err != nil {
			t.Error(err)
		}
		// A connection that a test does not close does not keep the database.
		if _, err := pgx.Connect(t.Context(), db.URL()); err != nil {
			t.Fatal(err)
		}
	})
	if err := ending.stop(); err != nil {
		t.Fatal(err)
	}
	if exists(t, admin, dropped) {
		t.Errorf("%s is there after the end of its process", dropped)
	}
	if err := migrations.Check(t.Context(), other.Pool(t)); err != nil {
		t.Errorf("the database of the process that still runs: %v", err)
	}
}

func exists(t *testing.T, admin *pgxpool.Pool, database string) bool {
	t.Helper()
	const sql = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`
	var found bool
	if err := admin.QueryRow(context.Background(), sql, database).Scan(&found); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAddressThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	if _, err := open(t.Context(), "postgres://postgres@127.0.0.1:1/postgres"); err == nil {
		t.Error("a missing cluster is no error")
	}
}

// onDisk is the folder for clusters that do not fit into memory.
var onDisk = os.TempDir()

func TestClustersAreKeptInMemoryWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	memory := t.TempDir()
	for name, c := range map[string]struct {
		memory string
		wanted uint64
		want   string
	}{
		"room":          {memory, 1, memory},
		"no room":       {memory, math.MaxUint64, onDisk},
		"there is none": {filepath.Join(memory, "missing"), 1, onDisk},
	} {
		if got := parentDir(c.memory, c.wanted); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// Start starts a cluster with the roles of production and the migrated template
// from which Database makes databases. The caller ends it with Abort and Remove.
func Start(ctx context.Context) (*pgcluster.Cluster, error) {
	cluster, err := startCluster(ctx, os.Getenv(BinVariable), nil)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, cluster, template); err != nil {
		return nil, errors.Join(err, remove(cluster))
	}
	return cluster, nil
}

func remove(cluster *pgcluster.Cluster) error {
	cluster.Abort()
	return cluster.Remove()
}

// startCluster starts a cluster with the roles of production. The owner has the rights
// that an operator would give it, so that a migration that needs more fails here.
func startCluster(ctx context.Context, bin string, settings map[string]string) (*pgcluster.Cluster, error) {
	config, err := configOf(settings)
	if err != nil {
		return nil, err
	}
	config.Bin = bin
	cluster, err := pgcluster.Start(ctx, config)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(config.Dir))
	}
	err = errors.Join(cluster.EnsureRole(ctx, Owner, true), cluster.EnsureRole(ctx, Service, false))
	if err != nil {
		return nil, errors.Join(err, remove(cluster))
	}
	return cluster, nil
}

// configOf makes a directory for a cluster with these settings in addition to those of every test.
func configOf(settings map[string]string) (pgcluster.Config, error) {
	parent := parentDir(memory, memoryWanted)
	sweep(parent)
	dir, err := os.MkdirTemp(parent, dirPrefix)
	if err != nil {
		return pgcluster.Config{}, fmt.Errorf("create cluster directory: %w", err)
	}
	all := map[string]string{
		"shared_buffers":   "64MB",
		"max_wal_size":     "512MB",
		"max_connections":  "300",   // several servers to a test, and many tests at a time
		"log_min_messages": "fatal", // refused statements are what tests provoke
		// In the cluster's folder, which is removed: a killed server does not remove its
		// shared memory.
		"dynamic_shared_memory_type": "mmap",
		// SCRAM takes 10 ms of processor for each connection, under the race detector.
		"password_encryption": "md5",
	}
	maps.Copy(all, settings)
	return pgcluster.Config{Dir: dir, Settings: all, Authentication: "md5"}, nil
}

const (
	memory = "/dev/shm"
	// memoryWanted is what the databases of all tests under way, the log and what a
	// test stores need at most, in bytes.
	memoryWanted = 4 << 30
)

// parentDir is the folder of clusters: in memory if that has so many bytes free, since
// each database is hundreds of files, and no test cuts the machine's power.
func parentDir(memory string, wanted uint64) string {
	var room syscall.Statfs_t
	if err := syscall.Statfs(memory, &room); err == nil && room.Bavail*uint64(room.Bsize) >= wanted {
		return memory
	}
	return os.TempDir()
}

// migrate makes a migrated database and gives the service user its rights.
func migrate(ctx context.Context, cluster *pgcluster.Cluster, database string) error {
	if err := cluster.EnsureDatabase(ctx, database, Owner); err != nil {
		return err
	}
	if _, err := migrations.Up(ctx, cluster.URL(database, Owner)); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, cluster.URL(superuser, superuser))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, grantService); err != nil {
		return fmt.Errorf("grant service role: %w", err)
	}
	return nil
}

const grantService = `GRANT ` + postgres.ServiceRole + ` TO ` + Service

// Cluster is a server that belongs to one test.
type Cluster struct {
	*pgcluster.Cluster
}

// NewCluster starts a server with the roles of production, for tests that kill
// it or change its settings; it is removed when the test ends. Starting one
// takes a second or two: a test that does not break the server uses Database.
func NewCluster(t testing.TB, settings map[string]string) *Cluster {
	t.Helper()
	return NewClusterOf(t, os.Getenv(BinVariable), settings)
}

// NewInstalledCluster is NewCluster of the installed PostgreSQL, also if the tests run against
// another: for tests that copy or dump it, with the programs that are installed with it.
func NewInstalledCluster(t testing.TB, settings map[string]string) *Cluster {
	t.Helper()
	return NewClusterOf(t, "", settings)
}

// NewClusterOf is NewCluster of the PostgreSQL in a directory.
func NewClusterOf(t testing.TB, bin string, settings map[string]string) *Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	cluster, err := startCluster(ctx, bin, settings)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if err := remove(cluster); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return &Cluster{cluster}
}

// Database makes a migrated database on the cluster and returns the URLs of its
// owner and of the service user. They hold over Kill and Start.
func (c *Cluster) Database(t testing.TB, name string) (ownerURL, serviceURL string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	if err := migrate(ctx, c.Cluster, name); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return c.URL(name, Owner), c.URL(name, Service)
}

// DB is Database as a DB, which tests on the shared server have.
func (c *Cluster) DB(t testing.TB, name string) *DB {
	t.Helper()
	c.Database(t, name)
	return &DB{s: &server{address: c.URL(superuser, superuser)}, name: name}
}

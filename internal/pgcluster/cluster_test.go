package pgcluster_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

func TestFindBinariesFindsAServer(t *testing.T) {
	t.Parallel()
	dir, err := pgcluster.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestClusterKeepsWhatItAcknowledged(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, nil)
	url := cluster.URL("postgres", "postgres")
	pool := pgtest.Open(t, url, postgres.Options{})
	if _, err := pool.Exec(t.Context(), `CREATE TABLE notes (n int)`); err != nil {
		t.Fatal(err)
	}
	stops := []struct {
		name string
		stop func()
	}{
		{"killed", cluster.Kill},
		{"aborted", cluster.Abort},
		{"stopped", func() {
			if err := cluster.Stop(t.Context()); err != nil {
				t.Errorf("stop: %v", err)
			}
		}},
	}
	for i, s := range stops {
		if _, err := pool.Exec(t.Context(), `INSERT INTO notes VALUES ($1)`, i); err != nil {
			t.Fatalf("before it was %s: %v", s.name, err)
		}
		s.stop()
		if _, err := pgx.Connect(t.Context(), url); postgres.Classify(err) != postgres.Unavailable {
			t.Errorf("%s: something still answers: %v", s.name, err)
		}
		if err := cluster.Start(t.Context()); err != nil {
			t.Fatalf("start after it was %s: %v", s.name, err)
		}
		if now := cluster.URL("postgres", "postgres"); now != url {
			t.Errorf("%s: the address changed from %s to %s", s.name, url, now)
		}
		pool.Reset() // connections to the server before
		var stored int
		if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM notes`).Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if stored != i+1 {
			t.Errorf("%s: %d rows, want %d", s.name, stored, i+1)
		}
	}
	if err := cluster.Start(t.Context()); !errors.Is(err, pgcluster.ErrRunning) {
		t.Errorf("start of a running cluster: %v", err)
	}
}

// The checks of a running server share one: starting a server takes longer than all of
// them.
func TestRunningCluster(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, nil)
	requiresThePassword(t, cluster)
	keepsItsPort(t, cluster)
	hasOneOwner(t, cluster)
}

func requiresThePassword(t *testing.T, cluster *pgtest.Cluster) {
	t.Helper()
	for _, url := range []string{
		"postgres://postgres@" + cluster.Addr() + "/postgres?sslmode=disable",
		"postgres://postgres:guess@" + cluster.Addr() + "/postgres?sslmode=disable",
	} {
		if conn, err := pgx.Connect(t.Context(), url); err == nil {
			_ = conn.Close(t.Context())
			t.Errorf("%s gets in", url)
		}
	}
	for path, forbidden := range map[string]os.FileMode{"password": 0o177, "data": 0o077, "lock": 0o177} {
		info, err := os.Stat(filepath.Join(cluster.Dir(), path))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&forbidden != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
	}
	var sockets string
	pool := pgtest.Open(t, cluster.URL("postgres", "postgres"), postgres.Options{})
	err := pool.QueryRow(t.Context(), `SELECT current_setting('unix_socket_directories')`).Scan(&sockets)
	if err != nil {
		t.Fatal(err)
	}
	if sockets != "" {
		t.Errorf("there are sockets in %q", sockets)
	}
}

// A clone in a directory made by mktemp -d by root: the server's user may not
// even enter it.
func TestClusterInAClosedDirectory(t *testing.T) {
	t.Parallel()
	closed := closedDirectory(t)
	config := pgcluster.Config{Dir: filepath.Join(closed, "var", "post gres's")}
	cluster, err := pgcluster.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Abort)
	if !strings.HasPrefix(cluster.Dir(), closed) {
		t.Errorf("the data is in %s, not in %s", cluster.Dir(), closed)
	}
	if err := cluster.EnsureRole(t.Context(), "daftar", true); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second finds what the first made
		if err := cluster.EnsureDatabase(t.Context(), "daftar", "daftar"); err != nil {
			t.Fatal(err)
		}
	}
	pool := pgtest.Open(t, cluster.URL("daftar", "daftar"), postgres.Options{})
	if _, err := pool.Exec(t.Context(), `CREATE TABLE notes ()`); err != nil {
		t.Error(err)
	}
}

func closedDirectory(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func hasOneOwner(t *testing.T, cluster *pgtest.Cluster) {
	t.Helper()
	config := pgcluster.Config{Dir: cluster.Dir()}
	if _, err := pgcluster.Start(t.Context(), config); !errors.Is(err, pgcluster.ErrInUse) {
		t.Errorf("a second owner: %v, want %v", err, pgcluster.ErrInUse)
	}
	// Without the lock, the server's own file still shows that it runs. The server of an
	// earlier owner gets some time to end; here it gets none.
	over, cancel := context.WithCancel(t.Context())
	cancel()
	err := pgcluster.AwaitPredecessor(over, filepath.Join(cluster.Dir(), "data"))
	if !errors.Is(err, pgcluster.ErrInUse) {
		t.Errorf("a second owner without the lock: %v, want %v", err, pgcluster.ErrInUse)
	}
}

// After a crash the number in postmaster.pid may belong to any other process.
func TestClusterStartsNextToAnotherProcessWithItsNumber(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, nil)
	cluster.Kill()
	ctx, cancel := context.WithCancel(t.Context())
	stranger, err := pgcluster.ServerProcess(ctx, "/bin/sleep", "600")
	if err != nil {
		t.Fatal(err)
	}
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = stranger.Wait() }()

	path := filepath.Join(cluster.Dir(), "data", "postmaster.pid")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("a killed postmaster leaves its file: %v", err)
	}
	_, rest, _ := strings.Cut(string(content), "\n")
	if err := os.WriteFile(path, []byte(strconv.Itoa(stranger.Process.Pid)+"\n"+rest), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Start(t.Context()); err != nil {
		t.Errorf("a stale postmaster.pid keeps the cluster down: %v", err)
	}
}

func TestClusterSaysWhyItDoesNotStart(t *testing.T) {
	t.Parallel()
	_, err := pgcluster.Start(t.Context(), pgcluster.Config{
		Dir:      filepath.Join(t.TempDir(), "postgres"),
		Settings: map[string]string{"shared_buffers": "plenty"},
	})
	if err == nil || !strings.Contains(err.Error(), "shared_buffers") {
		t.Errorf("error %v does not contain the server's message", err)
	}
}

func keepsItsPort(t *testing.T, first *pgtest.Cluster) {
	t.Helper()
	_, port, _ := strings.Cut(first.Addr(), ":")
	config := pgcluster.Config{
		Dir: filepath.Join(t.TempDir(), "postgres"), Settings: map[string]string{"port": port},
	}
	if _, err := pgcluster.Start(t.Context(), config); err == nil {
		t.Fatal("two clusters on one port")
	}
}

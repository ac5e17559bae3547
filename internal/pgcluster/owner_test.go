package pgcluster_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

const ownerEnv = "DAFTAR_TEST_OWN_CLUSTER"

// ownCluster is the main function of the process that TestServerDiesWithItsOwner kills.
func ownCluster(dir string) {
	ctx := context.Background()
	cluster, err := pgcluster.Start(ctx, pgcluster.Config{Dir: dir})
	if err == nil {
		var conn *pgx.Conn
		if conn, err = pgx.Connect(ctx, cluster.URL("postgres", "postgres")); err == nil {
			_, err = conn.Exec(ctx, `CREATE TABLE notes AS SELECT 42 AS n`)
		}
	}
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(cluster.URL("postgres", "postgres"))
	select {}
}

func TestServerDiesWithItsOwner(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "postgres")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	owner := exec.Command(self)
	owner.Env = append(os.Environ(), ownerEnv+"="+dir)
	output, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	url := strings.TrimSpace(line)
	if err != nil || !strings.HasPrefix(url, "postgres://") {
		t.Fatalf("the owner said %q, %v", line, err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait()

	pgtest.WaitFor(t, "the server to end after its owner", func() bool {
		conn, err := pgx.Connect(t.Context(), url)
		if err == nil {
			_ = conn.Close(t.Context())
		}
		return err != nil
	})
	cluster, err := pgcluster.Start(t.Context(), pgcluster.Config{Dir: dir})
	if err != nil {
		t.Fatalf("start after the owner was killed: %v", err)
	}
	t.Cleanup(cluster.Abort)
	pool := pgtest.Open(t, cluster.URL("postgres", "postgres"), postgres.Options{})
	var n int
	if err := pool.QueryRow(t.Context(), `SELECT n FROM notes`).Scan(&n); err != nil || n != 42 {
		t.Errorf("what the killed owner stored: %d, %v", n, err)
	}
}

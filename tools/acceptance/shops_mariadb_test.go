//go:build shops

package acceptance_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// initMariaDB makes the empty database of a shop and its user.
const initMariaDB = `CREATE DATABASE shop;
CREATE USER shop@127.0.0.1 IDENTIFIED BY 'shop';
GRANT ALL ON shop.* TO shop@127.0.0.1;
`

// startMariaDB starts a server that listens on this machine alone, as the user that PostgreSQL runs as
// if this process is root, and returns its variables for plugins/woocommerce/tests/real.
func startMariaDB(t *testing.T) []string {
	t.Helper()
	dir, err := os.MkdirTemp("", "daftar-mariadb-") //nolint:usetesting // the server's own user must get to it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := pgcluster.Give(dir); err != nil {
		t.Fatal(err)
	}
	data, initFile := filepath.Join(dir, "data"), filepath.Join(dir, "init.sql")
	if err := os.WriteFile(initFile, []byte(initMariaDB), 0o644); err != nil {
		t.Fatal(err)
	}
	command := func(name string, args ...string) *exec.Cmd {
		c, err := pgcluster.Command(t.Context(), name, append([]string{"--no-defaults", "--datadir=" + data,
			"--innodb-log-file-size=8M"}, args...)...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	install := command("mariadb-install-db", "--auth-root-authentication-method=normal", "--skip-test-db",
		"--skip-name-resolve")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("mariadb-install-db: %v\n%s", err, out)
	}
	listen := address(t)
	_, port, _ := net.SplitHostPort(listen)
	server := programtest.Start(t, command("/usr/sbin/mariadbd", "--bind-address=127.0.0.1", "--port="+port,
		"--socket="+filepath.Join(dir, "socket"), "--skip-name-resolve", "--init-file="+initFile,
		"--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=64M"))
	pgtest.WaitFor(t, "MariaDB", func() bool {
		if server.Ended() {
			t.Fatal("MariaDB ended before it was ready")
		}
		connection, err := net.Dial("tcp", listen)
		return err == nil && connection.Close() == nil
	})
	return []string{"DB=" + listen + "/shop", "DB_USER=shop", "DB_PASSWORD=shop"}
}

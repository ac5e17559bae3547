package patroni

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"daftar/internal/pgcluster"
)

//go:embed machine.py
var machine string

// python is Debian's, which has the modules of Debian's Patroni; another one in PATH may lack
// them.
const python = "/usr/bin/python3"

// Node is a machine with PostgreSQL and Patroni.
type Node struct {
	Name string
	Addr string // of PostgreSQL

	cluster *Cluster
	api     string // of Patroni
	dir     string
	process *process // nil: the machine is off
}

// environment is what differs from node to node, and what is secret.
func (n *Node) environment() []string {
	c := n.cluster
	return append(c.environment(),
		"PATRONI_NAME="+n.Name,
		"PATRONI_RESTAPI_LISTEN="+n.api, "PATRONI_RESTAPI_CONNECT_ADDRESS="+n.api,
		"PATRONI_POSTGRESQL_LISTEN="+n.Addr, "PATRONI_POSTGRESQL_CONNECT_ADDRESS="+n.Addr,
		"PATRONI_POSTGRESQL_BIN_DIR="+c.bin,
		"PATRONI_POSTGRESQL_DATA_DIR="+filepath.Join(n.dir, "data"),
		"PATRONI_POSTGRESQL_PGPASS="+filepath.Join(n.dir, "pgpass"),
		"PATRONI_SUPERUSER_USERNAME="+superuser, "PATRONI_SUPERUSER_PASSWORD="+c.password,
		"PATRONI_REPLICATION_USERNAME=replicator", "PATRONI_REPLICATION_PASSWORD="+c.password,
	)
}

// Start switches the machine on. It does not wait for PostgreSQL.
func (n *Node) Start() error {
	cmd, err := pgcluster.Command(context.Background(), python, "-c", machine, n.cluster.patroni, n.cluster.file)
	if err != nil {
		return err
	}
	cmd.Env = n.environment()
	n.process, err = start(cmd, n.cluster.log)
	return err
}

// Kill ends everything on the machine at once.
func (n *Node) Kill() {
	if n.process != nil {
		n.process.killChildren()
		n.process = nil
	}
}

// KillPostgres ends PostgreSQL alone, as a kernel that is out of memory does.
func (n *Node) KillPostgres() error {
	text, err := os.ReadFile(filepath.Join(n.dir, "data", "postmaster.pid"))
	if err != nil {
		return fmt.Errorf("read the postmaster's number on %s: %w", n.Name, err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil {
		return fmt.Errorf("read the postmaster's number on %s: %w", n.Name, err)
	}
	if err := syscall.Kill(postmaster, syscall.SIGKILL); err != nil {
		return fmt.Errorf("kill PostgreSQL on %s: %w", n.Name, err)
	}
	return nil
}

// Pause freezes everything on the machine, as a hypervisor does. After Resume it continues
// without knowing what happened meanwhile.
func (n *Node) Pause() { n.process.signalTree(syscall.SIGSTOP) }

// Resume ends Pause.
func (n *Node) Resume() { n.process.signalTree(syscall.SIGCONT) }

func (n *Node) stop() {
	if n.process != nil {
		n.process.stop()
		n.process = nil
	}
}

// is asks Patroni whether the node has a role: primary, replica, sync.
func (n *Node) is(ctx context.Context, role string) bool {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.api+"/"+role, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	return err == nil && response.StatusCode == http.StatusOK
}

func (n *Node) makeFolder() error {
	if err := os.Mkdir(n.dir, 0o700); err != nil {
		return fmt.Errorf("make folder of %s: %w", n.Name, err)
	}
	return pgcluster.Give(n.dir)
}

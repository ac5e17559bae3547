//go:build long

package acceptance_test

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"daftar/internal/pgcluster"
	"daftar/internal/pgcluster/patroni"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/programtest"
)

// rolling is a server that is stopped and started again at the same addresses.
type rolling struct {
	*service

	listen, ops, database string
}

func newRolling(t *testing.T, database string) *rolling {
	t.Helper()
	r := &rolling{listen: address(t), ops: address(t), database: database}
	r.start(t)
	return r
}

func (r *rolling) start(t *testing.T) {
	t.Helper()
	r.service = serveAt(t, programtest.Daftar(t), r.listen, r.ops, r.database, "DAFTAR_DRAIN_DELAY=3s",
		"DAFTAR_TRUSTED_PROXIES=127.0.0.1")
}

// restart does what systemctl restart does.
func (r *rolling) restart(t *testing.T) {
	t.Helper()
	r.Stop(t, syscall.SIGTERM)
	if code := r.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d", code)
	}
	r.start(t)
}

// The runbook's rolling restart of servers and of haproxy, under load. No request fails.
func TestLongMeasuredRollingRestart(t *testing.T) { // alone: it measures
	db := pgtest.Database(t)
	who := newShop(t, []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey})
	a, b := newRolling(t, db.ServiceURL()), newRolling(t, db.ServiceURL())
	front := balance(t, a, b)
	l := startLoad(t, front.base, who)
	var whole measured
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"nothing happens", func() { l.awaitMore(t, 200) }},
		{"server a restarts", func() { front.restart(t, a, "a") }},
		{"server b restarts", func() { front.restart(t, b, "b") }},
		{"haproxy reloads", func() { front.reload(t) }},
	} {
		step.do()
		l.awaitMore(t, 100)
		m := l.since()
		t.Logf("%-20s %s", step.name, m)
		whole = whole.and(m)
	}
	l.stop()
	t.Logf("%-20s %s", "all of it", whole)
	if len(whole.failed) > 0 {
		first := whole.failed[:min(5, len(whole.failed))]
		t.Errorf("%d requests failed: %s", len(whole.failed), strings.Join(first, "; "))
	}
	if p99 := whole.quantile(0.99); p99 > 250*time.Millisecond {
		t.Errorf("p99 is %v; the mark is 250ms", p99)
	}
	l.check(t, db.URL())
}

// newPatroni starts the cluster of deploy/cluster with the roles and the schema, and returns the
// database URL of servers.
func newPatroni(t *testing.T) (c *patroni.Cluster, service string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "daftar-patroni-") //nolint:usetesting // the server's own user must get to it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := pgcluster.Give(dir); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(dir + ".log")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = log.Close()
		if !t.Failed() {
			_ = os.Remove(log.Name())
		}
	})
	t.Logf("the cluster's log: %s", log.Name())
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	c, err = patroni.Start(ctx, patroni.Config{
		Dir: dir, File: "../../deploy/cluster/patroni.yml", Names: []string{"postgres-a", "postgres-b"}, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	tool(t, "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--set=owner_password=owners", "--set=password=servers",
		"--file=../../deploy/cluster/roles.sql", c.SuperuserURL("postgres"))
	r := call(t, []string{"DAFTAR_DATABASE_URL=" + c.URL("daftar", "daftar_owner", "owners")}, "migrate", "up")
	if r.code != 0 {
		t.Fatalf("migrate up: exit %d: %s%s", r.code, r.out, r.errors)
	}
	service = c.URL("daftar", "daftar", "servers")
	return c, service
}

// control runs a line of the runbook, and waits until all standbys are back.
func control(t *testing.T, c *patroni.Cluster, line string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	command, err := c.Control(ctx, line)
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", line, err, out)
	}
	if err := c.AwaitStandbys(ctx); err != nil {
		t.Fatal(err)
	}
}

// The database nodes are restarted with the runbook's commands, under load. During the switchover
// requests wait. None fails, and no acknowledged write is lost.
func TestLongDatabaseNodesRestart(t *testing.T) {
	t.Parallel()
	c, database := newPatroni(t)
	who := newShop(t, []string{"DAFTAR_DATABASE_URL=" + database, "DAFTAR_SECRET_KEY=" + secretKey})
	a, b := newRolling(t, database), newRolling(t, database)
	l := startLoad(t, balance(t, a, b).base, who)
	old := c.Primary(t.Context())
	standby := c.Nodes[0]
	if standby == old {
		standby = c.Nodes[1]
	}
	page := blocks(t, "../../docs/runbook/cluster.md", "sh")
	lines := strings.Split(strings.TrimSpace(page[len(page)-1]), "\n")
	if len(lines) != 4 {
		t.Fatalf("the page restarts the nodes by %q", lines)
	}
	l.awaitMore(t, 100)
	l.since()
	for _, line := range lines {
		line = strings.NewReplacer("STANDBY", standby.Name, "OLD", old.Name).Replace(line)
		control(t, c, line)
		l.awaitMore(t, 100)
		m := l.since()
		t.Logf("%s: %s", line, m)
		if len(m.failed) > 0 {
			t.Errorf("%s: %d requests failed: %s", line, len(m.failed), m.failed[0])
		}
	}
	if now := c.Primary(t.Context()); now != standby {
		t.Errorf("the primary is %v", now)
	}
	l.stop()
	l.check(t, c.SuperuserURL("daftar"))
	if v := answer[verified](t, a.env, "audit", "verify"); !v.OK {
		t.Errorf("verify: %+v", v)
	}
}

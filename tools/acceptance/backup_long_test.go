//go:build long

package acceptance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// backedUp is a shop whose database was copied under load.
type backedUp struct {
	shop
	cluster *pgtest.Cluster
	env     []string // of the original
	folder  string   // to which checkpoints are published
	kept    string   // a checkpoint from before the copy, as a file
	known   string   // an intent from before the copy
}

// backUp creates payments, makes a copy meanwhile, creates more, and stops the server.
func backUp(t *testing.T, settings map[string]string, copyOf func(c *pgtest.Cluster)) backedUp {
	t.Helper()
	cluster := pgtest.NewInstalledCluster(t, settings)
	_, database := cluster.Database(t, "daftar")
	b := backedUp{cluster: cluster, folder: t.TempDir()}
	s := serve(t, database, "DAFTAR_CHECKPOINT_DIR="+b.folder)
	b.env, b.shop = s.env, newShop(t, s.env)
	b.known = s.ask(t, b.shop, http.MethodPost, "/payment-intents", order("known")).data.UUID
	b.kept = write(t, t.TempDir(), "kept", awaitCheckpoint(t, s.env, "1"))

	var created atomic.Int64
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			status, err := s.tryCreate(t, b.shop, fmt.Sprintf("b-%d", n))
			if err != nil || status != http.StatusCreated {
				t.Errorf("create during the backup: %d %v", status, err)
				return
			}
			created.Add(1)
		}
	})
	pgtest.WaitFor(t, "trade", func() bool { return created.Load() > 20 })
	copyOf(cluster)
	after := created.Load()
	pgtest.WaitFor(t, "trade after the backup", func() bool { return created.Load() > after+20 })
	close(done)
	wg.Wait()
	s.caughtUp(t)
	last := awaitCheckpoint(t, s.env, fmt.Sprint(created.Load()+1))
	pgtest.WaitFor(t, "the last checkpoint's file", func() bool {
		text, err := os.ReadFile(filepath.Join(b.folder, "latest"))
		return err == nil && string(text) == last
	})
	s.Stop(t, syscall.SIGTERM)
	return b
}

// caughtUp waits until every group has processed the whole log.
func (s *service) caughtUp(t *testing.T) {
	t.Helper()
	type status struct {
		Groups []struct {
			Group               string
			Position, Head, Lag int64
			Parked              int
			Halted              string
		}
	}
	pgtest.WaitFor(t, "the groups", func() bool {
		all := answer[status](t, s.env, "feed", "status").Groups
		for _, g := range all {
			if g.Lag != 0 || g.Parked != 0 || g.Halted != "" {
				return false
			}
		}
		return len(all) == 5
	})
}

// keepsWorking checks that the copy is a complete ledger on which payments continue.
func (b backedUp) keepsWorking(t *testing.T, database, superuser string) {
	t.Helper()
	env := []string{"DAFTAR_DATABASE_URL=" + database, "DAFTAR_SECRET_KEY=" + secretKey}
	// Events that were published after the backup keep a server from starting.
	listening := []string{
		"DAFTAR_LISTEN=" + address(t), "DAFTAR_OPS_LISTEN=" + address(t), "DAFTAR_CHECKPOINT_DIR=" + b.folder,
	}
	r := call(t, append(listening, env...), "serve")
	if r.code != 1 || !strings.Contains(r.errors, "events were published, the log has") {
		t.Errorf("a server on a log older than what was published: exit %d, %s", r.code, r.errors)
	}
	s := serve(t, database)
	if got := s.ask(t, b.shop, http.MethodGet, "/payment-intents/"+b.known, ""); got.status != http.StatusOK {
		t.Errorf("an intent from before: %d %s", got.status, got.body)
	}
	got := s.ask(t, b.shop, http.MethodPost, "/payment-intents", order("after the restore"))
	if got.status != http.StatusCreated {
		t.Errorf("create: %d %s", got.status, got.body)
	}
	s.caughtUp(t)
	size := answer[verified](t, s.env, "audit", "verify").Size
	pgtest.WaitFor(t, "a checkpoint over all events", func() bool {
		v := answer[verified](t, s.env, "audit", "verify", "--checkpoint", b.kept)
		return v.OK && v.Size >= size
	})
	projections := answer[struct{ Projections []struct{ Name string } }](t, s.env, "projections", "status")
	for _, m := range projections.Projections {
		if v := answer[struct{ OK bool }](t, s.env, "projections", "verify", m.Name); !v.OK {
			t.Errorf("%s differs from its events", m.Name)
		}
	}
	r = call(t, s.env, "doctor")
	if !regexp.MustCompile(`(?m)^ok +append-only`).MatchString(r.out) ||
		!regexp.MustCompile(`(?m)^ok +positions`).MatchString(r.out) {
		t.Errorf("the doctor says %s", r.out)
	}
	s.Stop(t, syscall.SIGTERM)

	// A group's offset is past the end of the log.
	pool := pgtest.Open(t, superuser, postgres.Options{MaxConns: 1})
	_, err := pool.Exec(t.Context(),
		`UPDATE consumer_offsets SET position = position + 7 WHERE consumer_group = 'webhooks'`)
	if err != nil {
		t.Fatal(err)
	}
	r = call(t, s.env, "serve")
	if r.code != 1 || !strings.Contains(r.errors, "ahead of the log") ||
		!strings.Contains(r.errors, "webhooks") {
		t.Errorf("a server whose group is ahead of the log: exit %d, %s", r.code, r.errors)
	}
}

// tool runs a program of PostgreSQL.
func tool(t *testing.T, name string, args ...string) {
	t.Helper()
	bin, err := pgcluster.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), filepath.Join(bin, name), args...)
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, text)
	}
}

// A copy of the server's files, made while it runs.
func TestLongRestoreFromABaseBackup(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "daftar-restored-") //nolint:usetesting // the server's own user must get to it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	data := filepath.Join(dir, "data")
	b := backUp(t, nil, func(c *pgtest.Cluster) {
		tool(t, "pg_basebackup", "--pgdata="+data, "--wal-method=stream", "--checkpoint=fast",
			"--dbname="+c.URL("postgres", "postgres"))
		tool(t, "pg_verifybackup", "--quiet", data)
	})
	write(t, dir, "password", read(t, filepath.Join(b.cluster.Dir(), "password")))
	giveOwner(t, filepath.Join(b.cluster.Dir(), "data"), dir)
	b.cluster.Kill() // the disk is lost
	// md5 is the form in which its passwords are stored.
	restored, err := pgcluster.Start(t.Context(), pgcluster.Config{Dir: dir, Authentication: "md5"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { restored.Abort() })
	b.keepsWorking(t, restored.URL("daftar", pgtest.Service), restored.URL("daftar", "postgres"))
}

// giveOwner gives a folder and its contents the owner of the model.
func giveOwner(t *testing.T, model, dir string) {
	t.Helper()
	info, err := os.Stat(model)
	if err != nil {
		t.Fatal(err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		t.Fatal("no owner")
	}
	err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, int(owner.Uid), int(owner.Gid)))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A dump is restored into another server, whose transaction numbers start again.
func TestLongRestoreFromADump(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "daftar.dump")
	b := backUp(t, nil, func(c *pgtest.Cluster) {
		tool(t, "pg_dump", "--format=custom", "--file="+file, c.URL("daftar", pgtest.Owner))
	})
	b.cluster.Kill()
	other := pgtest.NewInstalledCluster(t, nil)
	admin := pgtest.Open(t, other.URL("postgres", "postgres"), postgres.Options{MaxConns: 1})
	_, err := admin.Exec(t.Context(), `
CREATE ROLE daftar_service NOLOGIN; CREATE ROLE daftar_auditor NOLOGIN;
GRANT daftar_service TO `+pgtest.Service+`, `+pgtest.Owner)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.EnsureDatabase(context.WithoutCancel(t.Context()), "daftar", pgtest.Owner); err != nil {
		t.Fatal(err)
	}
	superuser := other.URL("daftar", "postgres")
	tool(t, "pg_restore", "--exit-on-error", "--single-transaction", "--dbname="+superuser, file)
	b.keepsWorking(t, other.URL("daftar", pgtest.Service), superuser)
}

//go:build long

package acceptance_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

const recoveryPage = "../../docs/runbook/point-in-time.md"

// blocks are the code blocks of a page in a language, in order.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	var all []string
	block := regexp.MustCompile("(?s)```" + language + "\n(.*?)```")
	for _, m := range block.FindAllStringSubmatch(read(t, page), -1) {
		all = append(all, m[1])
	}
	return all
}

// rehearsal runs the commands of a runbook page.
type rehearsal struct {
	dir      string
	cluster  *pgtest.Cluster
	services map[string]func() // of systemctl, by "stop daftar"
	daftar   []string          // the environment of commands
	words    map[string]string // the replacements of the words in capitals
	typed    int
}

// file is a file in the folder of the rehearsal, which belongs to the server's user.
func (r *rehearsal) file(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := pgcluster.Give(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// setUp uses the page's pgbackrest.conf with the folders and the port of this cluster, and the
// page's settings in PostgreSQL.
func (r *rehearsal) setUp(t *testing.T, c *pgtest.Cluster) {
	t.Helper()
	r.cluster = c
	_, port, err := net.SplitHostPort(c.Addr())
	if err != nil {
		t.Fatal(err)
	}
	conf := strings.NewReplacer(
		"/var/lib/pgbackrest", r.dir+"/repository",
		"/var/lib/postgresql/15/main", filepath.Join(c.Dir(), "data")+"\npg1-port="+port,
		"[global]", "[global]\nlog-path="+r.dir+"/log\nlock-path="+r.dir+"/lock\nspool-path="+r.dir+"/spool",
	).Replace(blocks(t, recoveryPage, "ini")[0])
	name := r.file(t, "pgbackrest.conf", conf, 0o600)
	// The commands that PostgreSQL runs have the environment of this process, in which other tests
	// run.
	wrapper := r.file(t, "pgbackrest", "#!/bin/sh\nexec /usr/bin/pgbackrest --config="+name+" \"$@\"\n", 0o700)
	settings := map[string]string{}
	setting, page := regexp.MustCompile(`(?m)^(\w+) = '?(.*?)'?$`), blocks(t, recoveryPage, "conf")[0]
	for _, m := range setting.FindAllStringSubmatch(page, -1) {
		settings[m[1]] = strings.Replace(m[2], "pgbackrest ", wrapper+" ", 1)
	}
	if settings["archive_mode"] != "on" {
		t.Fatalf("the page sets %v", settings)
	}
	delete(settings, "archive_mode") // from the start
	settings["archive_timeout"] = "1min"
	if err := c.Set(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
}

// do runs each line of a block unchanged, except for the words in capitals.
func (r *rehearsal) do(t *testing.T, block string) {
	t.Helper()
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		for word, value := range r.words {
			line = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllString(line, value)
		}
		r.typed++
		if command, ours := strings.CutPrefix(line, "daftar "); ours {
			if answer := call(t, r.daftar, strings.Fields(command)...); answer.code != 0 {
				t.Fatalf("%s: exit %d: %s%s", line, answer.code, answer.out, answer.errors)
			}
			continue
		}
		if service, ok := strings.CutPrefix(line, "systemctl "); ok {
			r.services[service]()
			continue
		}
		r.shell(t, line)
	}
}

// shell runs a line as the server's user, whom psql lets in as the superuser.
func (r *rehearsal) shell(t *testing.T, line string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	c, err := pgcluster.Command(ctx, "/bin/sh", "-c", strings.ReplaceAll(line, "sudo -u postgres ", ""))
	if err != nil {
		t.Fatal(err)
	}
	host, port, err := net.SplitHostPort(r.cluster.Addr())
	if err != nil {
		t.Fatal(err)
	}
	c.Env = []string{
		"PATH=" + r.dir + ":" + os.Getenv("PATH"), "PGHOST=" + host, "PGPORT=" + port, "PGUSER=postgres",
		"PGDATABASE=postgres",
		"PGPASSWORD=" + strings.TrimSpace(read(t, filepath.Join(r.cluster.Dir(), "password"))),
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", line, err, out)
	}
}

func newRehearsal(t *testing.T) *rehearsal {
	t.Helper()
	if _, err := exec.LookPath("pgbackrest"); err != nil {
		t.Fatalf("%v; make deps-torture installs it", err)
	}
	r := &rehearsal{words: map[string]string{}}
	var err error
	r.dir, err = os.MkdirTemp("", "daftar-pgbackrest-") //nolint:usetesting // the server's user must reach it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(r.dir) })
	if err := pgcluster.Give(r.dir); err != nil {
		t.Fatal(err)
	}
	return r
}

// eventsOf is the number of events in a cluster's log.
func eventsOf(t *testing.T, c *pgtest.Cluster) (n int64) {
	t.Helper()
	pool := pgtest.Open(t, c.URL("daftar", "postgres"), postgres.Options{MaxConns: 1})
	defer pool.Close()
	if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM events`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// An operator drops the ledger. The runbook's commands restore it to its state a second before,
// under load: it has every payment that was acknowledged until then, none of the later ones, and
// everything that was signed.
func TestLongRecoveryToAPointInTime(t *testing.T) {
	t.Parallel()
	r := newRehearsal(t)
	page := blocks(t, recoveryPage, "sh")
	if len(page) != 5 {
		t.Fatalf("the page has %d blocks: set up, each night, restore, verify, resume", len(page))
	}
	var moment time.Time
	var least, most int64 // the number of payments at that moment
	b := backUp(t, map[string]string{"archive_mode": "on"}, func(c *pgtest.Cluster) {
		r.setUp(t, c)
		r.do(t, page[0])
		r.do(t, page[1])
		env := []string{"DAFTAR_DATABASE_URL=" + c.URL("daftar", pgtest.Service)}
		backedUp, kept := eventsOf(t, c), ""
		pgtest.WaitFor(t, "a checkpoint of trade after the backup", func() bool {
			var signed int64
			kept = call(t, env, "audit", "checkpoint").out
			_, err := fmt.Sscanf(kept, "%s\n%d\n", new(string), &signed)
			return err == nil && signed > backedUp+20
		})
		r.words["KEPT"] = write(t, t.TempDir(), "newest", kept)
		r.words["KEY"] = answer[struct{ Keys []string }](t, env, "audit", "key").Keys[0]
		least, moment = eventsOf(t, c), time.Now()
		most = eventsOf(t, c)
		pgtest.WaitFor(t, "a second to pass", func() bool { return time.Since(moment) > time.Second })
	})
	owner := pgtest.Open(t, b.cluster.URL("daftar", pgtest.Owner), postgres.Options{MaxConns: 1})
	if _, err := owner.Exec(t.Context(), `DROP TABLE events CASCADE`); err != nil {
		t.Fatal(err)
	}
	owner.Close()

	r.words["TIME"] = moment.UTC().Format("2006-01-02 15:04:05.999999+00")
	r.daftar = []string{
		"DAFTAR_DATABASE_URL=" + b.cluster.URL("daftar", pgtest.Service), "DAFTAR_SECRET_KEY=" + secretKey,
	}
	r.services = map[string]func(){
		"stop daftar": func() {}, // backUp has stopped it
		"stop postgresql": func() {
			if err := b.cluster.Stop(context.WithoutCancel(t.Context())); err != nil {
				t.Fatal(err)
			}
		},
		"start postgresql": func() {
			if err := b.cluster.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
		},
		"start daftar": func() {
			b.keepsWorking(t, b.cluster.URL("daftar", pgtest.Service), b.cluster.URL("daftar", "postgres"))
		},
	}
	r.do(t, page[2])
	r.do(t, page[3])
	if now := eventsOf(t, b.cluster); now < least || now > most {
		t.Errorf("the restored log has %d events; at %s it had %d to %d", now, r.words["TIME"], least, most)
	}
	latest := call(t, r.daftar, "audit", "verify", "--checkpoint", filepath.Join(b.folder, "latest"))
	if latest.code != 1 {
		t.Errorf("verified against a checkpoint of what was lost: exit %d: %s", latest.code, latest.out)
	}
	r.do(t, page[4])
	if r.typed < 12 {
		t.Errorf("the page has %d commands; were they moved where this test does not look?", r.typed)
	}
}

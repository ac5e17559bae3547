package acceptance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres/pgtest"
)

// rebuildStatus is what projections status says of intents.
type rebuildStatus struct {
	Projections []struct {
		Name    string        `json:"name"`
		Version int           `json:"version"`
		Rebuild *rebuildState `json:"rebuild"`
	} `json:"projections"`
}

type rebuildState struct {
	State   string  `json:"state"`
	Phase   string  `json:"phase"`
	Percent float64 `json:"percent"`
	PID     int     `json:"pid"`
}

type rebuildReport struct {
	Name   string `json:"name"`
	Events int64  `json:"events"`
	OK     bool   `json:"ok"`
}

// rebuilt reads what a rebuild with --json said: lines of progress, and the report
// as the last one.
func rebuilt(t *testing.T, r run) (report rebuildReport, phases []string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	for n, line := range lines {
		if n == len(lines)-1 {
			if err := json.Unmarshal([]byte(line), &report); err != nil {
				t.Fatalf("last line %q: %v (%s)", line, err, r.errors)
			}
			return report, phases
		}
		var step struct {
			Phase string `json:"phase"`
		}
		if err := json.Unmarshal([]byte(line), &step); err != nil || step.Phase == "" {
			t.Fatalf("line of progress %q: %v", line, err)
		}
		if len(phases) == 0 || phases[len(phases)-1] != step.Phase {
			phases = append(phases, step.Phase)
		}
	}
	return report, phases
}

func rowsOfIntents(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `SELECT i::text FROM intents i ORDER BY uuid`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A rebuild that is killed in any phase goes on where it was, and its result is
// what the service wrote, to the byte.
func TestRebuildKilledInEachPhase(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		phase string
		hold  string // how a session holds the new table, so that the phase lasts
		new   int    // intents that are created while it is being filled
	}{
		{phase: "copying"},
		{phase: "indexing"},
		{phase: "catching_up", hold: "SHARE", new: 3},
		{phase: "verifying", hold: "ACCESS EXCLUSIVE"},
		{phase: "swapping"},
	} {
		t.Run(row.phase, func(t *testing.T) {
			t.Parallel()
			k := newKilling(t)
			k.create(t, 40)
			p := k.killIn(t, row.phase, row.hold, row.new)
			if s := k.status(t); s.State == "running" && s.PID != p.Process.Pid {
				t.Errorf("status after the kill: %+v", s)
			}
			k.create(t, 2)
			k.finish(t)
		})
	}
}

// killing is a service whose read model is made anew by processes that get killed.
type killing struct {
	*service
	db     *pgtest.DB
	owner  *pgxpool.Pool
	who    shop
	env    []string // of the owner
	serial int
}

func newKilling(t *testing.T) *killing {
	t.Helper()
	db := pgtest.Database(t)
	k := &killing{service: serve(t, db.ServiceURL()), db: db, owner: db.OwnerPool(t), env: []string{"DAFTAR_DATABASE_URL=" + db.URL()}}
	k.who = newShop(t, k.service.env)
	return k
}

func (k *killing) create(t *testing.T, n int) {
	t.Helper()
	for range n {
		k.serial++
		if r := k.ask(t, k.who, http.MethodPost, "/payment-intents", order(fmt.Sprint("order-", k.serial))); r.status != http.StatusCreated {
			t.Fatalf("create: %d %s", r.status, r.body)
		}
	}
}

// status is what an auditor on another machine would be told.
func (k *killing) status(t *testing.T) (s rebuildState) {
	t.Helper()
	for _, m := range answer[rebuildStatus](t, k.env, "projections", "status").Projections {
		if m.Name == "intents" && m.Rebuild != nil {
			s = *m.Rebuild
		}
	}
	return s
}

func (k *killing) await(t *testing.T, what, sql string, args ...any) {
	t.Helper()
	pgtest.WaitFor(t, what, func() (so bool) {
		_ = k.owner.QueryRow(t.Context(), sql, args...).Scan(&so)
		return so
	})
}

// session holds a lock on a table until it is closed.
func (k *killing) session(t *testing.T, table, mode string) (locked <-chan error, release func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), k.db.URL())
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := conn.Exec(t.Context(), "BEGIN; LOCK TABLE "+table+" IN "+mode+" MODE")
		done <- err
	}()
	return done, func() { _ = conn.Close(t.Context()) }
}

const (
	phaseSQL   = `SELECT EXISTS (SELECT FROM projection_runs WHERE finished_at IS NULL AND phase = $1)`
	waitingSQL = `SELECT count(*) >= $2 FROM pg_locks WHERE relation = $1::text::regclass AND NOT granted AND database = ` + thisDatabase
	// Databases of the other tests have tables with the same oid.
	thisDatabase = `(SELECT oid FROM pg_database WHERE datname = current_database())`
)

const gateSQL = `
CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$;
CREATE TRIGGER gate BEFORE UPDATE ON projection_runs FOR EACH ROW EXECUTE FUNCTION gate();
SELECT pg_advisory_lock(1)`

// gate keeps a rebuild from ending its first chunk until it is opened.
func (k *killing) gate(t *testing.T) (open func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), k.db.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), gateSQL); err != nil {
		t.Fatal(err)
	}
	return func() { _ = conn.Close(context.WithoutCancel(t.Context())) }
}

// rebuild starts one in the background.
func (k *killing) rebuild(t *testing.T) process {
	t.Helper()
	p, out := start(t, t.TempDir(), k.env, "projections", "rebuild", "intents", "--json")
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return p
}

// killIn starts a rebuild and kills it in a phase, which locks make last.
func (k *killing) killIn(t *testing.T, phase, hold string, created int) process {
	t.Helper()
	switch phase {
	case "copying":
		defer k.gate(t)()
		p := k.rebuild(t)
		k.await(t, "the copying", phaseSQL, phase)
		p.Stop(t, syscall.SIGKILL)
		return p
	case "swapping":
		locked, release := k.session(t, "intents", "ACCESS SHARE")
		defer release()
		if err := <-locked; err != nil {
			t.Fatal(err)
		}
		p := k.rebuild(t)
		k.await(t, "the swap", phaseSQL, phase)
		p.Stop(t, syscall.SIGKILL)
		return p
	}
	const table = "intents_r1"
	open := k.gate(t)
	defer open()
	p := k.rebuild(t)
	k.await(t, "the copying", phaseSQL, "copying")
	// Rows may be copied into the new table; its indexes have to wait.
	locked, release := k.session(t, table, "ACCESS SHARE")
	defer release()
	if err := <-locked; err != nil {
		t.Fatal(err)
	}
	k.create(t, created)
	open()
	k.await(t, "the indexes to wait", waitingSQL, table, 1)
	if phase == "indexing" {
		p.Stop(t, syscall.SIGKILL)
		return p
	}
	// Next in the queue, behind the indexes and before what follows them.
	locked, releaseNext := k.session(t, table, hold)
	defer releaseNext()
	k.await(t, "the next lock", waitingSQL, table, 2)
	release()
	if err := <-locked; err != nil {
		t.Fatal(err)
	}
	k.await(t, "the phase", phaseSQL, phase)
	k.await(t, "the rebuild to wait", waitingSQL, table, 1)
	p.Stop(t, syscall.SIGKILL)
	return p
}

// finish lets another process end the rebuild.
func (k *killing) finish(t *testing.T) {
	t.Helper()
	before := rowsOfIntents(t, k.owner)
	var r run
	pgtest.WaitFor(t, "the session of the one that was killed", func() bool {
		r = call(t, k.env, "projections", "rebuild", "intents", "--json")
		return r.code == 0 || !strings.Contains(r.errors, "another rebuild")
	})
	if r.code != 0 {
		t.Fatalf("rebuild afterwards: exit %d: %s%s", r.code, r.out, r.errors)
	}
	report, phases := rebuilt(t, r)
	if !report.OK || report.Name != "intents" || report.Events != int64(len(before)) || len(phases) == 0 || phases[len(phases)-1] != "done" {
		t.Errorf("rebuild afterwards: %+v, phases %v", report, phases)
	}
	if diff := cmp.Diff(before, rowsOfIntents(t, k.owner)); diff != "" {
		t.Errorf("rows (-inline +rebuilt):\n%s", diff)
	}
	var runs int
	if err := k.owner.QueryRow(t.Context(), `SELECT count(*) FROM projection_runs`).Scan(&runs); err != nil || runs != 1 {
		t.Errorf("%d runs, %v; want one run that was resumed", runs, err)
	}
	if s := k.status(t); s.State != "" {
		t.Errorf("status after all: %+v", s)
	}
}

// Ctrl-C leaves a run that the next call finishes.
func TestRebuildInterrupted(t *testing.T) {
	t.Parallel()
	k := newKilling(t)
	k.create(t, 40)
	open := k.gate(t)
	p, _ := start(t, t.TempDir(), k.env, "projections", "rebuild", "intents")
	k.await(t, "the copying", phaseSQL, "copying")
	if s := k.status(t); s.State != "running" || s.Phase != "copying" || s.PID != p.Process.Pid {
		t.Errorf("status: %+v", s)
	}
	p.Stop(t, syscall.SIGINT)
	open()
	if code := p.ProcessState.ExitCode(); code != 1 || !strings.Contains(p.Logged(), "projections rebuild intents") {
		t.Errorf("exit %d, log %s; want 1 and how to go on", code, p.Logged())
	}
	k.await(t, "the lock", `SELECT NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 871200002 AND database = `+thisDatabase+`)`)
	if s := k.status(t); s.State != "interrupted" || s.Phase != "copying" {
		t.Errorf("status: %+v", s)
	}
	k.finish(t)
}

// While the table is made anew, again and again, merchants create and read through
// the API: no request fails, nothing that was created is ever missing, and the
// rebuilt table is what the service wrote.
func TestNobodyNoticesARebuild(t *testing.T) {
	t.Parallel()
	nobodyNotices(t, 2)
}

func nobodyNotices(t *testing.T, rebuilds int) {
	t.Helper()
	k := newKilling(t)
	k.create(t, 50)
	stop := make(chan struct{})
	var requests, wrong atomic.Int64
	var wg sync.WaitGroup
	for client := range 6 {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				made := k.ask(t, k.who, http.MethodPost, "/payment-intents", order(fmt.Sprintf("beside-%d-%d", client, n)))
				read := k.ask(t, k.who, http.MethodGet, "/payment-intents/"+made.data.UUID, "")
				requests.Add(2)
				if made.status != http.StatusCreated || read.status != http.StatusOK {
					wrong.Add(1)
					t.Errorf("create %d %s, read %d %s", made.status, made.body, read.status, read.body)
					return
				}
			}
		})
	}
	for range rebuilds {
		before := requests.Load()
		pgtest.WaitFor(t, "requests", func() bool { return requests.Load() > before+100 || wrong.Load() > 0 })
		if report, _ := rebuilt(t, call(t, k.env, "projections", "rebuild", "intents", "--json")); !report.OK || report.Events == 0 {
			t.Errorf("rebuild: %+v", report)
		}
	}
	close(stop)
	wg.Wait()
	before := rowsOfIntents(t, k.owner)
	if report, _ := rebuilt(t, call(t, k.env, "projections", "rebuild", "intents", "--json")); !report.OK {
		t.Errorf("rebuild: %+v", report)
	}
	if diff := cmp.Diff(before, rowsOfIntents(t, k.owner)); diff != "" {
		t.Errorf("rows (-inline +rebuilt):\n%s", diff)
	}
	dropped := answer[struct {
		Dropped []string `json:"dropped"`
	}](t, k.env, "projections", "clean", "--older-than", "0s").Dropped
	if len(dropped) != rebuilds+1 || !strings.HasPrefix(dropped[0], "intents_old_") {
		t.Errorf("clean dropped %v", dropped)
	}
}

package acceptance_test

import (
	"encoding/json"
	"fmt"
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

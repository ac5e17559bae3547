package acceptance_test

import (
	"encoding/json"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// rebuildStatus is the part of projections status about intents.
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

// parseRebuild parses the output of a rebuild with --json: lines of progress, with the report as the
// last one.
func parseRebuild(t *testing.T, r run) (report rebuildReport, phases []string) {
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

// Ctrl-C interrupts a rebuild, which the next call completes.
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
	code := p.ProcessState.ExitCode()
	if code != 1 || !strings.Contains(p.Logged(), "projections rebuild intents") {
		t.Errorf("exit %d, log %s; want 1 and how to continue", code, p.Logged())
	}
	k.await(t, "the lock", `SELECT NOT EXISTS (
		SELECT FROM pg_locks
		WHERE locktype = 'advisory'
		AND classid = 871200002
		AND database = `+thisDatabase+`)`)
	if s := k.status(t); s.State != "interrupted" || s.Phase != "copying" {
		t.Errorf("status: %+v", s)
	}
	k.completeRebuild(t)
}

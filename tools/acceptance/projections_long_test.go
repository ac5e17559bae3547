//go:build long

package acceptance_test

import (
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

	"daftar/internal/postgres/pgtest"
)

const waitingSQL = `
	SELECT count(*) >= $2
	FROM pg_locks
	WHERE relation = $1::text::regclass
	AND NOT granted
	AND database = ` + thisDatabase

// A rebuild that is killed in any phase continues where it was, and its result is what the service
// wrote, byte for byte.
func TestLongRebuildKilledInEachPhase(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		phase string
		hold  string // how a session locks the new table, so that the phase lasts
		new   int    // intents that are created while it is filled
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
			k.completeRebuild(t)
		})
	}
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

// rebuild starts a rebuild in the background.
func (k *killing) rebuild(t *testing.T) process {
	t.Helper()
	p, out := start(t, t.TempDir(), k.env, "projections", "rebuild", "intents", "--json")
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return p
}

// killIn starts a rebuild and kills it in a phase, which locks prolong.
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
	// Rows may be copied into the new table; its indexes must wait.
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
	// Next in the queue: after the indexes and before the following steps.
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

// While the table is rebuilt repeatedly, merchants create and read through the API: no request
// fails, nothing that was created is ever missing, and the rebuilt table is what the service wrote.
func TestLongNobodyNoticesARebuild(t *testing.T) {
	t.Parallel()
	const rebuilds = 10
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
				made := k.ask(t, k.who, http.MethodPost, "/payment-intents",
					order(fmt.Sprintf("meanwhile-%d-%d", client, n)))
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
		report, _ := parseRebuild(t, call(t, k.env, "projections", "rebuild", "intents", "--json"))
		if !report.OK || report.Events == 0 {
			t.Errorf("rebuild: %+v", report)
		}
	}
	close(stop)
	wg.Wait()
	before := rowsOfIntents(t, k.owner)
	if report, _ := parseRebuild(t, call(t, k.env, "projections", "rebuild", "intents", "--json")); !report.OK {
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

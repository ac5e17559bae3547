package projections_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/projections/rebuild"
)

// Replaced tables are kept for a day, or until an operator cleans up.
func TestReplacedTablesAreKeptForAWhile(t *testing.T) {
	t.Parallel()
	d := openWorld(t)
	d.stock(t)
	owner, auditor := d.db.OwnerPool(t), d.login(t, "daftar_auditor")
	kept := func() []string {
		return list(t, owner, `
			SELECT relname::text
			FROM pg_class
			WHERE relkind = 'r'
			  AND relname ~ '_old_[0-9]+$'
			ORDER BY 1`)
	}
	check := func(when string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, kept()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	remake := func(name string) {
		t.Helper()
		if report, err := model(t, name).Rebuild(t.Context(), owner, rebuild.Options{}); err != nil || !report.OK {
			t.Fatalf("rebuild %s: %+v, %v", name, report, err)
		}
	}
	before := rowsOf(t, owner)
	remake("payments")
	remake("payments")
	check("two rebuilds",
		"payment_exceptions_old_1", "payment_exceptions_old_2", "payments_old_1", "payments_old_2")
	s := statusOf(t, auditor, "payments")
	if len(s.Replaced) != 2 ||
		!slices.Equal(s.Replaced[0].Tables, []string{"payments_old_1", "payment_exceptions_old_1"}) {
		t.Errorf("status tells an auditor of %+v", s.Replaced)
	}
	exec(t, owner, `UPDATE projection_runs SET finished_at = finished_at - interval '25 hours' WHERE id = 1`)
	remake("payments")
	check("a day later",
		"payment_exceptions_old_2", "payment_exceptions_old_3", "payments_old_2", "payments_old_3")
	dropped, err := rebuild.Clean(t.Context(), owner, rebuild.KeepReplaced, true)
	if err != nil || len(dropped) != 0 {
		t.Errorf("clean: %v, %v", dropped, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, _ = model(t, "turnover").Rebuild(ctx, owner, rebuild.Options{Progress: func(rebuild.Step) { cancel() }})
	awaitCutOff(t, owner)
	dropped, err = rebuild.Clean(t.Context(), owner, 0, true)
	if err != nil || len(dropped) != 5 || !slices.Contains(dropped, "turnover_r4") {
		t.Errorf("clean all: %v, %v", dropped, err)
	}
	if diff := cmp.Diff([]string{}, append([]string{}, kept()...)); diff != "" {
		t.Errorf("after all (-want +got):\n%s", diff)
	}
	noShadow(t, owner)
	if diff := cmp.Diff(before, rowsOf(t, owner)); diff != "" {
		t.Errorf("rows (-before +after):\n%s", diff)
	}
	d.checkModels(t)
}

// The log has as many events as positions. If one is missing, the tables are not replaced.
func TestRebuildOfALogWithAHole(t *testing.T) {
	t.Parallel()
	b := open(t, true)
	b.stored(t, 10)
	superuser, owner := b.superuser(t), b.db.OwnerPool(t)
	exec(t, superuser, `ALTER TABLE events DISABLE TRIGGER USER`)
	exec(t, superuser, `DELETE FROM events WHERE stream_id = (SELECT stream_id FROM events WHERE position = 1)`)
	old := table(t, owner)
	report, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
	if err == nil {
		t.Errorf("rebuild: %+v", report)
	}
	if table(t, owner) != old {
		t.Error("the table was swapped")
	}
}

// Events that are appended while old and new are compared, which takes time, are replayed before
// the writers are stopped and not while they wait.
func TestNothingIsLeftForTheLock(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	b.create(t, b.plain())
	other := b.db.OwnerPool(t)
	var looked, behind int64
	appended := false // progress within the phase is reported as well
	pool := watched(t, b.db.URL(), func(_ context.Context, sql string) {
		if strings.Contains(sql, "pg_advisory_xact_lock") {
			looked++
			behind = value[int64](t, other,
				`SELECT (SELECT max(position) FROM events) - (SELECT max(position) FROM projection_runs)`)
		}
	})
	report, err := model(t, "intents").Rebuild(t.Context(), pool,
		rebuild.Options{Progress: func(s rebuild.Step) {
			if s.Phase == rebuild.PhaseSwapping && !appended {
				appended = true
				for range 20 {
					b.create(t, b.plain())
				}
			}
		}})
	if err != nil || !report.OK || report.Events != 21 || looked != 1 || behind != 0 {
		t.Errorf("rebuild: %+v, %v; locked %d times, %d events behind", report, err, looked, behind)
	}
}

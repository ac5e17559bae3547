package projections_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
	"daftar/projections/rebuild"
)

// contents are all rows of the table as text.
func contents(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	return list(t, pool, `SELECT i::text FROM intents i ORDER BY uuid`)
}

func list(t *testing.T, pool *pgxpool.Pool, sql string) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func table(t *testing.T, pool *pgxpool.Pool) uint32 {
	t.Helper()
	return value[uint32](t, pool, `SELECT 'intents'::regclass::oid`)
}

// halfDone is how many tables of unfinished rebuilds there are next to those that are served.
func halfDone(t *testing.T, pool *pgxpool.Pool) int {
	t.Helper()
	return value[int](t, pool, `SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '_r[0-9]+$'`)
}

// noShadow fails if a rebuild has not dropped its table.
func noShadow(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	if n := halfDone(t, pool); n != 0 {
		t.Errorf("%d tables of a rebuild are still there", n)
	}
}

func TestRebuildMakesTheSameTable(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	owner := b.db.OwnerPool(t)
	for _, text := range odd {
		c := b.plain()
		c.Description, c.CustomerID, c.ReturnURL = visible(text), &text, &text
		c.Metadata = domain.Metadata{{Key: "z", Value: text}, {Key: "a", Value: text}}
		i := b.create(t, c)
		b.execute(t, i.ID, domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet"})
		c = b.plain()
		c.Metadata = domain.Metadata{}
		b.create(t, c)
	}
	before, old := contents(t, owner), table(t, owner)
	var done, total int64
	report, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{
		Progress: func(s rebuild.Step) { done, total = s.Done, s.Total },
	})
	if err != nil || !report.OK || report.Name != "intents" || len(report.Drift) != 0 || report.Seconds <= 0 {
		t.Errorf("rebuild: %+v, %v", report, err)
	}
	if want := int64(3 * len(odd)); report.Events != want || done != want || total != want {
		t.Errorf("%d events, progress %d of %d; want %d", report.Events, done, total, want)
	}
	if diff := cmp.Diff(before, contents(t, owner)); diff != "" {
		t.Errorf("table (-before +after):\n%s", diff)
	}
	if table(t, owner) == old {
		t.Error("it is the old table")
	}
	noShadow(t, owner)
}

// structureSQL describes the table apart from its rows.
const structureSQL = `
SELECT 'column ' || a.attnum || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || ' not null ' || a.attnotnull || ' collation ' || a.attcollation
       || ' storage ' || a.attstorage::text || ' comment '
       || coalesce(col_description(a.attrelid, a.attnum), '-')
FROM pg_attribute a
WHERE a.attrelid = 'intents'::regclass
  AND a.attnum > 0
UNION ALL
SELECT 'owner ' || relowner::regrole || ' options ' || coalesce(reloptions::text, '-') || ' comment '
       || coalesce(obj_description(oid), '-')
FROM pg_class
WHERE oid = 'intents'::regclass
UNION ALL
SELECT 'index ' || indexdef
FROM pg_indexes
WHERE tablename = 'intents'
UNION ALL
SELECT 'constraint ' || conname || ' ' || pg_get_constraintdef(oid)
FROM pg_constraint
WHERE conrelid = 'intents'::regclass
UNION ALL
SELECT 'right of ' || CASE a.grantee WHEN 0 THEN 'all' ELSE a.grantee::regrole::text END || ' '
       || a.privilege_type || ' ' || a.is_grantable
FROM pg_class, aclexplode(relacl) a
WHERE oid = 'intents'::regclass
  AND a.grantee <> relowner
UNION ALL
SELECT 'right of ' || a.grantee::regrole || ' on ' || attname || ' ' || a.privilege_type || ' '
       || a.is_grantable
FROM pg_attribute, aclexplode(attacl) a
WHERE attrelid = 'intents'::regclass
ORDER BY 1`

// After a rebuild the table has the same columns, comments, settings, owner, index and rights, also
// those that an operator has added, whichever role rebuilt it. The service continues to write and
// auditors to read.
func TestRebuildKeepsRightsAndSettings(t *testing.T) {
	t.Parallel()
	b := open(t, false)
	owner, auditor := b.db.OwnerPool(t), b.login(t, "daftar_auditor")
	superuser := b.superuser(t)
	role := b.role(t, "reports of "+b.db.Name(), "")
	exec(t, owner, `GRANT SELECT (uuid, status) ON intents TO `+role)
	exec(t, owner, `GRANT DELETE ON intents TO `+role+` WITH GRANT OPTION`)
	exec(t, owner, `GRANT REFERENCES ON intents TO PUBLIC`)
	i := b.create(t, b.plain())
	before := list(t, owner, structureSQL)
	for who, pool := range map[string]*pgxpool.Pool{"owner": owner, "superuser": superuser} {
		report, err := model(t, "intents").Rebuild(t.Context(), pool, rebuild.Options{})
		if err != nil || !report.OK {
			t.Fatalf("rebuild by the %s: %+v, %v", who, report, err)
		}
		if diff := cmp.Diff(before, list(t, owner, structureSQL)); diff != "" {
			t.Errorf("after a rebuild by the %s (-before +after):\n%s", who, diff)
		}
		b.create(t, b.plain())
		if report, err := model(t, "intents").Verify(t.Context(), auditor, quiet); err != nil || !report.OK {
			t.Errorf("verify by an auditor: %+v, %v", report, err)
		}
	}
	b.execute(t, i.ID, domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet"})
	if got := b.find(t, i.ID).Intent.Status; got != domain.StatusProcessing {
		t.Errorf("status after a command is %s", got)
	}
}

// A table that differs from the events is evidence: it stays until an operator accepts the loss of
// it.
func TestRebuildRefusesDriftUntilItIsAccepted(t *testing.T) {
	t.Parallel()
	// One of each kind: a field, one that cannot be read, and rows.
	var some []tamper
	for _, row := range tampering {
		switch row.what {
		case "amount", "metadata that cannot be read", "a missing row", "a row too much":
			some = append(some, row)
		}
	}
	if len(some) != 4 {
		t.Fatalf("%d ways to tamper were chosen, want 4", len(some))
	}
	rebuildRefusesDrift(t, some)
}

func rebuildRefusesDrift(t *testing.T, tampering []tamper) {
	t.Helper()
	b, i := tampered(t, `SELECT 1`)
	owner, superuser := b.db.OwnerPool(t), b.superuser(t)
	for _, row := range tampering {
		exec(t, superuser, row.sql)
		found, old := contents(t, owner), table(t, owner)
		verified, err := model(t, "intents").Verify(t.Context(), owner, quiet)
		if err != nil {
			t.Fatal(err)
		}
		refused, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{})
		if err != nil || refused.OK {
			t.Errorf("%s: rebuild: %+v, %v; want it refused", row.what, refused, err)
		}
		if diff := cmp.Diff(verified.Drift, refused.Drift); diff != "" || len(refused.Drift) == 0 {
			t.Errorf("%s: drift (-verify +rebuild):\n%s", row.what, diff)
		}
		if diff := cmp.Diff(found, contents(t, owner)); diff != "" || table(t, owner) != old {
			t.Errorf("%s: the old table was touched (-before +after):\n%s", row.what, diff)
		}
		if n := halfDone(t, owner); n != 1 {
			t.Errorf("%s: %d new tables wait to be accepted, want one", row.what, n)
		}

		accepted, err := model(t, "intents").Rebuild(t.Context(), owner, rebuild.Options{AcceptDrift: true})
		if err != nil || !accepted.OK {
			t.Errorf("%s: rebuild that accepts drift: %+v, %v", row.what, accepted, err)
		}
		if diff := cmp.Diff(verified.Drift, accepted.Drift); diff != "" {
			t.Errorf("%s: accepted drift (-verify +rebuild):\n%s", row.what, diff)
		}
		noShadow(t, owner)
		b.checkVerified(t)
		state, err := b.Load(t.Context(), i.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(projections.IntentOf(state), b.find(t, i.ID).Intent); diff != "" {
			t.Errorf("%s: row (-events +found):\n%s", row.what, diff)
		}
	}
}

// Writers write and readers read while the table is rebuilt, again and again. Acknowledged writes
// are visible, at once and afterwards.
func TestRebuildBesideWriters(t *testing.T) {
	t.Parallel()
	rebuildWithWriters(t, 2, 1, 1)
}

func rebuildWithWriters(t *testing.T, rebuilds, writers, readers int) {
	t.Helper()
	b := open(t, false)
	owner := b.db.OwnerPool(t)
	stop := make(chan struct{})
	var created, read atomic.Int64
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() { b.write(t, stop, &created) })
	}
	for range readers {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				i, _, err := b.Create(t.Context(), b.plain(), b.namespace, ledger.Origin{Actor: "application:test"})
				if err != nil {
					t.Errorf("create: %v", err)
					return
				}
				found, err := b.intents.Find(t.Context(), i.ID)
				if err != nil || !found.Exists || found.Intent.Reference != i.Reference {
					t.Errorf("what was written is read as %+v, %v", found, err)
				}
				read.Add(1)
			}
		})
	}
	for range rebuilds {
		before, reads := created.Load(), read.Load()
		pgtest.WaitFor(t, "more intents", func() bool {
			return created.Load() > before+5 && read.Load() > reads+5 || t.Failed()
		})
		old := table(t, owner)
		waited := map[rebuild.Phase]bool{rebuild.PhaseDone: true}
		report, err := model(t, "intents").Rebuild(t.Context(), owner,
			rebuild.Options{Progress: func(s rebuild.Step) {
				// Writes in any phase have to be caught up with. One in each phase: a rebuild with a write at
				// every step would have more and more to replay.
				if !waited[s.Phase] {
					waited[s.Phase] = true
					before := created.Load()
					pgtest.WaitFor(t, "intents during the rebuild", func() bool {
						return created.Load() > before+5 || t.Failed()
					})
				}
			}})
		if err != nil || !report.OK || table(t, owner) == old {
			t.Errorf("rebuild with concurrent writers: %+v, %v", report, err)
		}
		b.checkVerified(t)
	}
	close(stop)
	wg.Wait()
	if rows, intents := len(contents(t, owner)), created.Load()+read.Load(); int64(rows) != intents {
		t.Errorf("%d rows for %d intents", rows, intents)
	}
}

package acceptance_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres/pgtest"
)

// killing is a service whose read model is rebuilt by processes that are killed.
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
	k := &killing{
		service: serve(t, db.ServiceURL()), db: db, owner: db.OwnerPool(t),
		env: []string{"DAFTAR_DATABASE_URL=" + db.URL()},
	}
	k.who = newShop(t, k.service.env)
	return k
}

func (k *killing) create(t *testing.T, n int) {
	t.Helper()
	for range n {
		k.serial++
		r := k.ask(t, k.who, http.MethodPost, "/payment-intents", order(fmt.Sprint("order-", k.serial)))
		if r.status != http.StatusCreated {
			t.Fatalf("create: %d %s", r.status, r.body)
		}
	}
}

// status is the status that an auditor on another machine would get.
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

const (
	phaseSQL = `SELECT EXISTS (SELECT FROM projection_runs WHERE finished_at IS NULL AND phase = $1)`
	// Databases of other tests have tables with the same oid.
	thisDatabase = `(SELECT oid FROM pg_database WHERE datname = current_database())`
)

const gateSQL = `
	CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM pg_advisory_xact_lock_shared(1);
		RETURN NEW;
	END $$;
CREATE TRIGGER gate BEFORE UPDATE ON projection_runs FOR EACH ROW EXECUTE FUNCTION gate();
SELECT pg_advisory_lock(1)`

// gate keeps a rebuild from finishing its first chunk until it is opened.
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

// completeRebuild lets another process complete the rebuild.
func (k *killing) completeRebuild(t *testing.T) {
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
	report, phases := parseRebuild(t, r)
	if !report.OK || report.Name != "intents" || report.Events != int64(len(before)) || len(phases) == 0 ||
		phases[len(phases)-1] != "done" {
		t.Errorf("rebuild afterwards: %+v, phases %v", report, phases)
	}
	if diff := cmp.Diff(before, rowsOfIntents(t, k.owner)); diff != "" {
		t.Errorf("rows (-inline +rebuilt):\n%s", diff)
	}
	var runs int
	err := k.owner.QueryRow(t.Context(), `SELECT count(*) FROM projection_runs`).Scan(&runs)
	if err != nil || runs != 1 {
		t.Errorf("%d runs, %v; want one run that was resumed", runs, err)
	}
	if s := k.status(t); s.State != "" {
		t.Errorf("status after all: %+v", s)
	}
}

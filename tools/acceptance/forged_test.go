package acceptance_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// The doctor reports rows that no server wrote, with the page that describes what to do. Everything
// else continues: payments, signing up to the first gap, and the start.
func TestDoctorNamesForgedRows(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	who := newShop(t, s.env)
	for _, reference := range []string{"f-1", "f-2", "f-3"} {
		s.ask(t, who, http.MethodPost, "/payment-intents", order(reference))
	}
	awaitCheckpoint(t, s.env, "3")
	if f := examined(t, s.env, "transparency"); !f.OK {
		t.Fatalf("before: %+v", f)
	}

	// With the service's password: a checkpoint of a size that was not signed. A larger one is
	// refused.
	s.Stop(t, syscall.SIGTERM)
	role := pgtest.Open(t, db.ServiceURL(), postgres.Options{MaxConns: 1})
	_, err := role.Exec(t.Context(), `
		INSERT INTO events
		SELECT 4, gen_random_uuid(), 1, type, schema_version, payload, metadata, recorded_at
		FROM events
		WHERE position = 1`)
	if err != nil {
		t.Fatal(err) // the role can write a false event at the end
	}
	const forge = `
		INSERT INTO transparency_checkpoints
		VALUES ($1, decode(repeat('ab', 32), 'hex'), 'forged', now())`
	if _, err := role.Exec(t.Context(), forge, 4); err != nil {
		t.Fatal(err)
	}
	if _, err := role.Exec(t.Context(), forge, 5); err == nil {
		t.Error("a checkpoint beyond the log is taken")
	}
	f := examined(t, s.env, "transparency")
	if f.OK || !strings.Contains(f.Detail, "forged") ||
		!strings.Contains(f.Detail, "docs/runbook/forged-rows.md") {
		t.Errorf("the doctor says %+v", f)
	}
	again := serve(t, db.ServiceURL())
	again.ask(t, who, http.MethodPost, "/payment-intents", order("f-5"))
	awaitCheckpoint(t, again.env, "5")
	r := call(t, again.env, "audit", "verify", "--json")
	if r.code != 1 || parse[verified](t, r.out).FirstWrong.Kind != "checkpoint" ||
		parse[verified](t, r.out).Size != 5 {
		t.Errorf("verify: exit %d, %s", r.code, r.out)
	}

	// As a superuser: an event far after the last one.
	tamper(t, db, `
		INSERT INTO events
		SELECT 1000, gen_random_uuid(), 1, type, schema_version, payload, metadata, recorded_at
		FROM events
		WHERE position = 1`)
	a := again.ask(t, who, http.MethodPost, "/payment-intents", order("f-6"))
	if a.status != http.StatusCreated {
		t.Errorf("after the gap: %d %s", a.status, a.body)
	}
	f = examined(t, again.env, "positions")
	if f.OK || !strings.Contains(f.Detail, "between the positions 5 and 1000") ||
		!strings.Contains(f.Detail, "docs/runbook/forged-rows.md") {
		t.Errorf("the doctor says %+v", f)
	}
	if f := examined(t, again.env, "append-only"); f.OK {
		t.Errorf("with the triggers off the doctor says %+v", f)
	}
	again.Stop(t, syscall.SIGTERM)
	last := serve(t, db.ServiceURL())
	if a := last.ask(t, who, http.MethodPost, "/payment-intents", order("f-6")); a.status != http.StatusOK {
		t.Errorf("after a start: %d %s", a.status, a.body)
	}
}

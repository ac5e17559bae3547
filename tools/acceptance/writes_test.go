package acceptance_test

import (
	"net/http"
	"strings"
	"testing"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// While the database is read-only, /readyz says so and stays 200, because reads work; the gauge is
// 1. Both return to normal once it accepts writes again.
func TestReadyWhileNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	who := newShop(t, s.env)
	made := s.ask(t, who, http.MethodPost, "/payment-intents", order("before"))
	says := func(when, wrong string) {
		t.Helper()
		body, gauge := fetch(t, s.ops+"/readyz"), "daftar_append_refused 0"
		if wrong != "" {
			gauge = "daftar_append_refused 1"
		}
		if !strings.Contains(body, `"status":"ready"`) ||
			strings.Contains(body, `"degraded":{"writes":`) != (wrong != "") || !strings.Contains(body, wrong) {
			t.Errorf("%s /readyz says %s", when, body)
		}
		if !strings.Contains(fetch(t, s.ops+"/metrics"), gauge) {
			t.Errorf("%s the gauge is not %q", when, gauge)
		}
		if got := s.status("/readyz"); got != http.StatusOK {
			t.Errorf("%s /readyz: %d", when, got)
		}
		if r := s.ask(t, who, http.MethodGet, "/payment-intents/"+made.data.UUID, ""); r.status != http.StatusOK {
			t.Errorf("%s a read: %d", when, r.status)
		}
	}
	says("before,", "")
	admin := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1})
	for _, sql := range []string{
		`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		 BEGIN
			RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full';
		 END $$`,
		`CREATE TRIGGER refused BEFORE INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
	} {
		if _, err := admin.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	r := s.ask(t, who, http.MethodPost, "/payment-intents", order("full"))
	if r.status != http.StatusServiceUnavailable {
		t.Errorf("a create: %d", r.status)
	}
	says("with a full disk,", "its disk is full (SQLSTATE 53100)")
	if _, err := admin.Exec(t.Context(), `DROP TRIGGER refused ON events`); err != nil {
		t.Fatal(err)
	}
	if r := s.ask(t, who, http.MethodPost, "/payment-intents", order("full")); r.status != http.StatusCreated {
		t.Errorf("a create with room again: %d", r.status)
	}
	says("afterwards", "")
}

// A host that makes the database read-only, as many do when its disk is nearly full, is noticed
// before the first create; a server that starts then reports why it does not.
func TestReadyOnAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, nil)
	_, address := cluster.Database(t, "readonly")
	s := serve(t, address)
	set := func(value string) {
		t.Helper()
		if err := cluster.Set(t.Context(), map[string]string{"default_transaction_read_only": value}); err != nil {
			t.Fatal(err)
		}
	}
	degraded := func() bool { return strings.Contains(fetch(t, s.ops+"/readyz"), "read-only") }
	set("on")
	pgtest.WaitFor(t, "/readyz to say that the database is read-only", degraded)
	if got := s.status("/readyz"); got != http.StatusOK {
		t.Errorf("/readyz: %d", got)
	}
	r := call(t, s.env, "serve")
	if r.code != 1 || !strings.Contains(r.errors, "default_transaction_read_only is on") ||
		!strings.Contains(r.errors, "ALTER SYSTEM RESET") {
		t.Errorf("a start: exit %d: %s", r.code, r.errors)
	}
	set("off")
	pgtest.WaitFor(t, "/readyz to be as before", func() bool { return !degraded() })
}

package acceptance_test

import (
	"net/http"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// What reads the log from end to end does so at the standby, which is first given the time
// to have all that was there, and says how far it was behind.
func TestReadingFromAStandby(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	late := "DAFTAR_DATABASE_READ_URL=" + p.Standby.URL(p.Database, pgtest.Service)
	s := serve(t, p.url, late)
	if r := s.ask(t, p.who, http.MethodPost, "/payment-intents", order("read late")); r.status != http.StatusCreated {
		t.Fatalf("create: %d %s", r.status, r.body)
	}
	standby := p.on(t, p.Standby)
	pgtest.WaitFor(t, "the server to be connected to the standby", func() bool {
		var n int
		err := standby.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'daftar late'`).Scan(&n)
		return err == nil && n > 0
	})
	env := append([]string{late}, p.env...)
	all := []string{"audit verify", "events export", "projections verify intents", "projections verify payments"}
	each := func(env []string, code int, says, when string) {
		t.Helper()
		for _, args := range all {
			if r := call(t, env, strings.Fields(args)...); r.code != code || !strings.Contains(r.errors, says) {
				t.Errorf("daftar %s %s: exit %d, want %d and %q: %s%s", args, when, r.code, code, says, r.out, r.errors)
			}
		}
	}
	each(env, 0, "Read from a standby that was", "with a standby")
	if f := examined(t, env, "late reads"); !f.OK || f.Warning || !strings.Contains(f.Detail, "from a standby that") {
		t.Errorf("the doctor says %+v", f)
	}
	if f := examined(t, env, "standbys"); !f.OK || f.Warning || f.Detail != "commits wait for standby; 2 hosts to choose from" {
		t.Errorf("the doctor says %+v", f)
	}

	other := "DAFTAR_DATABASE_READ_URL=" + pgtest.Database(t).ServiceURL()
	each(append([]string{other}, p.env...), 2, "DAFTAR_DATABASE_READ_URL: the standby is one of another database cluster", "with a stranger")
	if f := examined(t, append([]string{other}, p.env...), "late reads"); f.OK || !strings.Contains(f.Detail, "another database cluster") {
		t.Errorf("the doctor says %+v of a stranger", f)
	}
	itself := append([]string{"DAFTAR_DATABASE_READ_URL=" + p.Primary.URL(p.Database, pgtest.Service)}, p.env...)
	each(itself, 0, "DAFTAR_DATABASE_READ_URL leads to a primary", "with the primary")
	if f := examined(t, itself, "late reads"); !f.OK || !f.Warning {
		t.Errorf("the doctor says %+v of the primary", f)
	}
	if f := examined(t, []string{"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL()}, "late reads"); !f.OK || f.Warning {
		t.Errorf("the doctor says %+v where there is no standby", f)
	}

	p.Primary.Kill()
	each(env, 0, "the primary is out of reach", "without a primary")
	p.Standby.Kill()
	each(env, 3, "", "without a standby")
}

// A standby that is away is no reason not to start: the primary is read.
func TestServeWithoutItsStandby(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), "DAFTAR_DATABASE_READ_URL=postgres://u:p@"+address(t)+"/daftar")
	s.awaitLog(t, "where reads go that may be late has changed")
	if strings.Contains(s.Logged(), "u:p@") {
		t.Error("the log has the password")
	}
}

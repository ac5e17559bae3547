package acceptance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// doctor is the doctor's output, with the exit code.
func doctor(t *testing.T, env []string) (found []finding, code int) {
	t.Helper()
	var all struct{ Checks []finding }
	r := call(t, env, "doctor", "--json")
	if err := json.Unmarshal([]byte(r.out), &all); err != nil {
		t.Fatalf("the doctor says %s%s: %v", r.out, r.errors, err)
	}
	return all.Checks, r.code
}

// On an empty database the doctor reports one fault, and how to fix it. A fresh installation is
// sound: an application without an acquirer account is no fault, but an unreachable acquirer is.
func TestDoctorOfAFreshInstallation(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey}
	found, code := doctor(t, env)
	for _, f := range found {
		if f.OK != (f.Name != "schema") {
			t.Errorf("on an empty database: %+v", f)
		}
		if f.Name == "schema" && !strings.Contains(f.Detail, "the database is empty; run daftar migrate up") {
			t.Errorf("the schema: %s", f.Detail)
		}
	}
	if code != 1 {
		t.Errorf("on an empty database: exit %d", code)
	}
	r := call(t, env, "org", "list")
	if r.code != 1 || !strings.Contains(r.errors, "the database is empty") ||
		!strings.Contains(r.errors, "Run daftar migrate up.") {
		t.Errorf("a command on an empty database: exit %d: %s", r.code, r.errors)
	}
	if r := call(t, env, "migrate", "up"); r.code != 0 || r.errors != "" {
		t.Fatalf("migrate: exit %d: %s", r.code, r.errors)
	}
	if found, code := doctor(t, env); code != 0 {
		t.Errorf("of a fresh installation: exit %d: %+v", code, found)
	}
	f := examined(t, env, "acquirers")
	if !f.OK || !f.Warning || !strings.Contains(f.Detail, "daftar acquirer set") {
		t.Errorf("without an acquirer: %+v", f)
	}
	away := []string{
		env[0], env[1], "DAFTAR_SANDBOX_URL=http://127.0.0.1:1", "DAFTAR_SANDBOX_SECRET=" + sandboxSecret,
	}
	if _, code := doctor(t, away); code != 1 {
		t.Errorf("with an acquirer out of reach: exit %d", code)
	}
}

package acceptance_test

import (
	"strings"
	"syscall"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// The doctor and every start warn of settings that are fine for a trial and wrong with real money,
// and say how to fix them. They do not prevent the start.
func TestCarelessSettingsAreNamed(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	careless := []string{
		"DAFTAR_SECRET_KEY=" + strings.Repeat("0", 64), "DAFTAR_SANDBOX_URL=http://127.0.0.1:1",
		"DAFTAR_SANDBOX_SECRET=short", "DAFTAR_PUBLIC_URL=http://pay.example", "DAFTAR_OPS_LISTEN=0.0.0.0:0",
		"DAFTAR_CLOCK_OFFSET=1h",
	}
	named := []string{
		"DAFTAR_SECRET_KEY", "daftar rekey", "DAFTAR_SANDBOX_SECRET", "openssl rand", "DAFTAR_PUBLIC_URL",
		"TLS", "DAFTAR_OPS_LISTEN", "DAFTAR_CLOCK_OFFSET",
	}

	found := examined(t, append(careless, "DAFTAR_DATABASE_URL="+db.URL()), "settings")
	login := examined(t, append(careless, "DAFTAR_DATABASE_URL="+db.URL()), "database login")
	for _, part := range named {
		if !strings.Contains(found.Detail, part) {
			t.Errorf("the doctor does not name %s: %s", part, found.Detail)
		}
	}
	if !found.OK || !found.Warning || !login.Warning || !strings.Contains(login.Detail, "owns the tables") ||
		!strings.Contains(login.Detail, "GRANT daftar_service TO") {
		t.Errorf("%+v, %+v", found, login)
	}
	super := examined(t, []string{"DAFTAR_DATABASE_URL=" + db.SuperuserURL()}, "database login")
	if !super.Warning || !strings.Contains(super.Detail, "is a superuser") {
		t.Errorf("of a superuser: %+v", super)
	}
	careful := []string{
		"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey[:63] + "7",
		"DAFTAR_PUBLIC_URL=https://pay.example",
	}
	for _, name := range []string{"settings", "database login"} {
		if f := examined(t, careful, name); f.Warning || !f.OK {
			t.Errorf("of careful settings: %+v", f)
		}
	}

	// Play money on this machine only is no warning.
	for address, warned := range map[string]bool{"https://pay.example": true, "http://pay.example": true,
		"http://127.0.0.1:8080": false, "https://localhost:8443": false} {
		for _, c := range []struct{ named, also string }{
			{"DAFTAR_WEBHOOK_ALLOW_PRIVATE", "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true"},
			{"DAFTAR_PLUTU_URL", "DAFTAR_PLUTU_URL=http://127.0.0.1:1"},
			{"DAFTAR_LYPAY_URL", "DAFTAR_LYPAY_URL=http://localhost:1/api"},
		} {
			env := []string{
				careful[0], careful[1], "DAFTAR_SANDBOX_SECRET=" + sandboxSecret, "DAFTAR_PUBLIC_URL=" + address,
				c.also,
			}
			if f := examined(t, env, "settings"); !f.OK || strings.Contains(f.Detail, c.named) != warned {
				t.Errorf("%s at %s: %+v", c.also, address, f)
			}
		}
	}

	s := serve(t, db.URL(), append(careless[:4:4], "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")...)
	s.Stop(t, syscall.SIGTERM)
	for _, part := range append(named[:6:6],
		"the sandbox is offered to test applications alone", "DAFTAR_WEBHOOK_ALLOW_PRIVATE", "owns the tables") {
		if !strings.Contains(s.Logged(), part) {
			t.Errorf("serve does not name %s:\n%s", part, s.Logged())
		}
	}
}

package acceptance_test

import (
	"strings"
	"testing"
)

const natsPassword = "password-of-the-exporter"

type finding struct {
	Name        string
	OK, Warning bool
	Detail      string
}

// examined is one finding of the doctor.
func examined(t *testing.T, env []string, name string) finding {
	t.Helper()
	all, _ := doctor(t, env)
	for _, f := range all {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("the doctor does not look at %s: %+v", name, all)
	return finding{}
}

// All mistakes in the export's settings are reported, without a password.
func TestExportMisuse(t *testing.T) {
	t.Parallel()
	env := []string{
		"DAFTAR_DATABASE_URL=postgres://127.0.0.1:1/x", "DAFTAR_SECRET_KEY=" + secretKey,
		"DAFTAR_NATS_URL=nats://a:4222,http://user:" + natsPassword + "@b", "DAFTAR_NATS_STREAM=a.b",
		"DAFTAR_NATS_SUBJECTS=a.*", "DAFTAR_NATS_CREDENTIALS=/nowhere/a.creds",
		"DAFTAR_NATS_CA=/nowhere/ca.pem",
	}
	r := call(t, env, "serve")
	for _, name := range []string{
		"DAFTAR_NATS_URL: address 2", "DAFTAR_NATS_STREAM", "DAFTAR_NATS_SUBJECTS", "DAFTAR_NATS_CREDENTIALS",
		"DAFTAR_NATS_CA",
	} {
		if !strings.Contains(r.errors, name) {
			t.Errorf("%s is not named:\n%s", name, r.errors)
		}
	}
	if r.code != 2 || strings.Contains(r.errors, natsPassword) {
		t.Errorf("exit %d: %s", r.code, r.errors)
	}
	// Without an address the other settings are ignored.
	if r := call(t, []string{env[0], env[1], env[3]}, "serve"); r.code != 3 {
		t.Errorf("exit %d: %s", r.code, r.errors)
	}
}

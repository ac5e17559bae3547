package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// An invalid flag, variable or address is reported in a sentence, and the exit code is 2.
func TestMisuse(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	database := "DAFTAR_DATABASE_URL=" + db.URL()
	nowhere := "DAFTAR_DATABASE_URL=postgres://127.0.0.1:1/daftar" // usage errors are found without it
	key := "DAFTAR_SECRET_KEY=" + secretKey
	taken := address(t)
	for _, c := range []struct {
		name string
		env  []string
		args string
		says []string
	}{
		{"no such command", nil, "pay", []string{"pay"}},
		{"no such subcommand", nil, "app sell", []string{"sell"}},
		{"a group alone", nil, "app", []string{"subcommand"}},
		{"no such flag", nil, "migrate up --fast", []string{"--fast"}},
		{"too many arguments", []string{database}, "migrate up now", []string{"now"}},
		{"a flag is missing", []string{database, key}, "app create --name x", []string{"org"}},
		{"no uuid", []string{database, key}, "app create --org 7 --name x", []string{"--org", `"7"`}},
		{"no uuid of an application", []string{database}, "app roll-key 7", []string{`"7"`}},
		{"no uuid of an intent", []string{database}, "events history 7", []string{`"7"`}},
		{"no time", []string{database},
			"token create --org 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b --name x --expires-at tomorrow",
			[]string{"--expires-at"}},
		{"a time that has passed", []string{database},
			"token create --org 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b --name x --expires-at 2020-01-01T00:00:00Z",
			[]string{"expired"}},
		{"an empty name", []string{database}, "org create --name=", []string{"name"}},
		{"two places in time", []string{database},
			"events replay 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b --at-version 1 --at 2026-01-01T00:00:00Z",
			[]string{"at-version"}},
		{"no such read model", []string{database}, "projections verify takings",
			[]string{"takings", "intents", "turnover"}},
		{"a webhook URL of another kind", []string{database, key},
			"app set-webhook-url 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b ftp://x", []string{"webhook URL"}},
		{"no position", []string{nowhere}, "feed release webhooks zero", []string{`"zero"`}},
		{"a group that runs", []string{nowhere}, "feed forget webhooks", []string{"webhooks"}},
		{"an end before the beginning", []string{nowhere}, "events export --from 5 --until 3",
			[]string{"--from", "--until"}},
		{"a required flag is empty", []string{nowhere},
			"webhooks replay --application= --since=2026-01-01T00:00:00Z", []string{"--application"}},
		{"no database named", nil, "migrate up", []string{"DAFTAR_DATABASE_URL"}},
		{
			"everything wrong at once",
			[]string{
				"DAFTAR_DATABASE_URL=mysql://x", "DAFTAR_DATABASE_READ_URL=mysql://y", "DAFTAR_LISTEN=8080",
				"DAFTAR_PUBLIC_URL=shop.ly", "DAFTAR_LOG_LEVEL=loud", "DAFTAR_SECRET_KEY=abc",
				"DAFTAR_WEBHOOK_ALLOW_PRIVATE=maybe", "DAFTAR_ACQUIRERS=sandbox,moneybag",
				"DAFTAR_CLOCK_OFFSET=tomorrow", "DAFTAR_OPS_LISTEN=nowhere", "DAFTAR_RATE_LIMIT=fast",
				"DAFTAR_TRUSTED_PROXIES=proxy", "DAFTAR_SMTP_SERVER=mail.example", "DAFTAR_SMTP_USER=daftar",
				"DAFTAR_DRAIN_DELAY=2m", "DAFTAR_IDLE_TIMEOUT=never",
			},
			"serve",
			[]string{
				"DAFTAR_DATABASE_URL", "DAFTAR_DATABASE_READ_URL", "DAFTAR_LISTEN", "DAFTAR_PUBLIC_URL",
				"DAFTAR_LOG_LEVEL", "DAFTAR_SECRET_KEY", "DAFTAR_WEBHOOK_ALLOW_PRIVATE", "moneybag",
				"DAFTAR_SANDBOX_URL", "DAFTAR_SANDBOX_SECRET", "DAFTAR_CLOCK_OFFSET", "DAFTAR_OPS_LISTEN",
				"DAFTAR_RATE_LIMIT", "DAFTAR_TRUSTED_PROXIES", "DAFTAR_DRAIN_DELAY", "DAFTAR_IDLE_TIMEOUT",
				"DAFTAR_SMTP_SERVER: \"mail.example\"", "DAFTAR_SMTP_FROM is missing", "DAFTAR_SMTP_PASSWORD",
			},
		},
		{"half the world is a proxy", []string{nowhere, key, "DAFTAR_TRUSTED_PROXIES=10.0.0.0/8,0.0.0.0/1"},
			"serve", []string{"DAFTAR_TRUSTED_PROXIES", `"0.0.0.0/1"`, "wider than /8"}},
		{"a sender without a domain",
			[]string{nowhere, key, "DAFTAR_SMTP_SERVER=mail.example:587", "DAFTAR_SMTP_FROM=nobody"}, "serve",
			[]string{"DAFTAR_SMTP_FROM", `"nobody"`}},
		{"a support address without a domain", []string{nowhere, key, "DAFTAR_SUPPORT_EMAIL=nobody"}, "serve",
			[]string{"DAFTAR_SUPPORT_EMAIL"}},
		{"mail without a server", []string{nowhere, key, "DAFTAR_SMTP_FROM=a@b.example"}, "serve",
			[]string{"DAFTAR_SMTP_SERVER is missing"}},
		{"two things missing", nil, "serve", []string{"DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY"}},
		{"a secret's file that is not there", []string{"DAFTAR_DATABASE_URL_FILE=/nowhere"}, "migrate up",
			[]string{"DAFTAR_DATABASE_URL_FILE", "/nowhere"}},
		{"a secret given twice", []string{database, "DAFTAR_DATABASE_URL_FILE=/nowhere"}, "migrate up",
			[]string{"both set"}},
		{"a sandbox without its secret", nil, "sandbox-acquirer", []string{"DAFTAR_SANDBOX_SECRET"}},
		{"an address of another machine",
			[]string{database, key, "DAFTAR_LISTEN=192.0.2.1:80", "DAFTAR_OPS_LISTEN=" + taken}, "serve",
			[]string{"DAFTAR_LISTEN", "192.0.2.1:80"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := call(t, c.env, strings.Fields(c.args)...)
			if r.code != 2 || r.out != "" {
				t.Errorf("exit %d, output %q; want exit 2 and no output", r.code, r.out)
			}
			for _, word := range c.says {
				if !strings.Contains(r.errors, word) {
					t.Errorf("does not name %s:\n%s", word, r.errors)
				}
			}
			if strings.Contains(r.errors, "goroutine") || strings.Contains(r.errors, secretKey) {
				t.Errorf("says too much:\n%s", r.errors)
			}
		})
	}
}

func TestUnreachableDatabaseIsExit3(t *testing.T) {
	t.Parallel()
	nobody := "DAFTAR_DATABASE_URL=postgres://u:very-secret@" + address(t) + "/daftar"
	for _, args := range [][]string{
		{"migrate", "up"}, {"migrate", "status"}, {"serve"}, {"doctor"}, {"org", "create", "--name", "x"},
		{"events", "history", "7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b"}, {"projections", "verify", "intents"},
	} {
		r := call(t, []string{nobody, "DAFTAR_SECRET_KEY=" + secretKey}, args...)
		if r.code != 3 || strings.Contains(r.errors+r.out, "very-secret") || r.errors == "" {
			t.Errorf("daftar %v: exit %d, %q; want 3, a message, and no password", args, r.code, r.errors)
		}
	}
}

// A schema of another version is refused, with the command that migrates it.
func TestOutOfDateSchema(t *testing.T) {
	t.Parallel()
	db := pgtest.EmptyDatabase(t)
	env := []string{
		"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey, "DAFTAR_LISTEN=" + address(t),
		"DAFTAR_OPS_LISTEN=" + address(t),
	}
	for _, args := range [][]string{{"serve"}, {"org", "create", "--name", "x"}, {"projections", "status"}} {
		if r := call(t, env, args...); r.code != 1 || !strings.Contains(r.errors, "migrate up") {
			t.Errorf("daftar %v: exit %d: %s; want 1 and the command to run", args, r.code, r.errors)
		}
	}
	if r := call(t, env, "migrate", "status"); r.code != 1 || !strings.Contains(r.out, "00001_events") {
		t.Errorf("migrate status: exit %d: %s", r.code, r.out)
	}
	type applied struct {
		Applied []string `json:"applied"`
	}
	if a := answer[applied](t, env, "migrate", "up"); len(a.Applied) == 0 {
		t.Error("nothing was applied")
	}
	if a := answer[applied](t, env, "migrate", "up"); a.Applied == nil || len(a.Applied) != 0 {
		t.Errorf("applied again: %v", a.Applied)
	}
	if r := call(t, env, "migrate", "status"); r.code != 0 {
		t.Errorf("migrate status: exit %d: %s", r.code, r.out)
	}
}

func TestSecretsFromFiles(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	dir := t.TempDir()
	for name, content := range map[string]string{"url": db.URL() + "\n", "key": secretKey + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	newShop(t, []string{
		"DAFTAR_DATABASE_URL_FILE=" + filepath.Join(dir, "url"),
		"DAFTAR_SECRET_KEY_FILE=" + filepath.Join(dir, "key"),
	})
}

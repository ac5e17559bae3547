package acceptance_test

import (
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// A new secret key takes effect while servers run: servers with both keys work before and after,
// and what merchants and auditors have stays valid.
func TestRekeyWithoutInterruption(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	before, after := randomKey(), randomKey()
	env := func(url, key, old string) []string {
		return []string{
			"DAFTAR_DATABASE_URL=" + url, "DAFTAR_SECRET_KEY=" + key, "DAFTAR_SECRET_KEY_OLD=" + old,
			"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		}
	}
	first := serve(t, db.ServiceURL(), env(db.ServiceURL(), before, "")...)
	who := newShop(t, first.env)
	hook := newEndpoint(t, &who.secret)
	answer[map[string]any](t, first.env, "app", "set-webhook-url", who.app, hook.URL)
	created := first.ask(t, who, http.MethodPost, "/payment-intents", order("o-1"))
	if created.status != http.StatusCreated {
		t.Fatalf("create: %d %s", created.status, created.body)
	}
	kept := awaitCheckpoint(t, first.env, "1")
	pgtest.WaitFor(t, "a webhook of the first server", func() bool { return len(hook.got()) == 1 })
	both := serve(t, db.ServiceURL(), env(db.ServiceURL(), after, before)...)
	first.Stop(t, syscall.SIGTERM)
	both.ask(t, who, http.MethodPost, "/payment-intents", order("o-2"))
	pgtest.WaitFor(t, "a webhook that the old key signs", func() bool { return len(hook.got()) == 2 })

	for what, row := range map[string]struct {
		env  []string
		code int
		says string
	}{
		"no old key":        {env(db.URL(), after, ""), 2, "DAFTAR_SECRET_KEY_OLD is missing"},
		"bad old key":       {env(db.URL(), after, "5a"), 2, "DAFTAR_SECRET_KEY_OLD: a secret key is 64"},
		"wrong old key":     {env(db.URL(), after, randomKey()), 1, "nothing was changed"},
		"no owner's rights": {env(db.ServiceURL(), after, before), 1, "nothing was changed"},
	} {
		r := call(t, row.env, "rekey")
		if r.code != row.code || !strings.Contains(r.errors, row.says) || strings.Contains(r.errors, before) {
			t.Errorf("%s: exit %d, %s%s", what, r.code, r.out, r.errors)
		}
	}
	type rekeyed struct {
		Secrets     int `json:"secrets"`
		SigningKeys int `json:"signing_keys"`
	}
	owner := env(db.URL(), after, before)
	if got := answer[rekeyed](t, owner, "rekey"); got != (rekeyed{1, 1}) {
		t.Errorf("%+v, want one secret and one signing key", got)
	}
	if got := answer[rekeyed](t, owner, "rekey"); got != (rekeyed{}) {
		t.Errorf("again: %+v", got)
	}
	both.ask(t, who, http.MethodPost, "/payment-intents", order("o-3"))
	pgtest.WaitFor(t, "a webhook that the new key signs", func() bool { return len(hook.got()) == 3 })
	both.Stop(t, syscall.SIGTERM)

	// The last server has only the new key. The log's signing key is unchanged, so an older
	// checkpoint still verifies.
	last := serve(t, db.ServiceURL(), env(db.ServiceURL(), after, "")...)
	last.ask(t, who, http.MethodPost, "/payment-intents", order("o-4"))
	pgtest.WaitFor(t, "a webhook afterwards", func() bool { return len(hook.got()) == 4 })
	awaitCheckpoint(t, last.env, "4")
	v := answer[verified](t, last.env, "audit", "verify", "--checkpoint", write(t, t.TempDir(), "kept", kept))
	if !v.OK {
		t.Errorf("verify: %+v", v)
	}
	var keys int
	err := pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1}).QueryRow(t.Context(),
		`SELECT count(*) FROM transparency_keys`).Scan(&keys)
	if err != nil || keys != 1 {
		t.Errorf("%d signing keys, %v", keys, err)
	}
	old := append(env(db.ServiceURL(), before, ""), "DAFTAR_LISTEN="+address(t), "DAFTAR_OPS_LISTEN="+address(t))
	r := call(t, old, "serve")
	if r.code != 1 || !strings.Contains(fmt.Sprint(r.errors), "load signing key") {
		t.Errorf("a server with the old key: exit %d, %s", r.code, r.errors)
	}
}

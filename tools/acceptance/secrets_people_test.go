package acceptance_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// people use the dashboard: they sign in by every method, create and roll credentials, invite a
// person, and make every mistake, too.
func (w *bazaar) people() {
	t := w.t
	t.Helper()
	root := strings.TrimSuffix(w.served.base, "/api/v1") + "/dashboard"
	v := w.visitor("dashboard")
	w.addSecret("mistyped password", "seven grey camels at nooon")
	v.ask(http.MethodPost, root+"/sign-in?lang=en",
		url.Values{"email": {w.email}, "password": {"seven grey camels at nooon"}}, nil)
	v.ask(http.MethodPost, root+"/sign-in?lang=en", url.Values{"email": {w.email}, "password": {w.who.key}}, nil)
	v.ask(http.MethodPost, root+"/sign-in?lang=en",
		url.Values{"email": {"nobody@shop.example"}, "password": {w.word}}, nil)
	signIn := url.Values{"email": {w.email}, "password": {w.word}}
	v.must(http.StatusSeeOther, http.MethodPost, root+"/sign-in?lang=en", signIn)
	w.enrol(v, root)
	v.must(http.StatusSeeOther, http.MethodPost, root+"/sign-out", url.Values{})

	v = w.visitor("dashboard")
	v.must(http.StatusSeeOther, http.MethodPost, root+"/sign-in?lang=en", signIn)
	v.ask(http.MethodPost, root+"/code", url.Values{"code": {w.codes[1] + "X"}}, nil)
	v.must(http.StatusSeeOther, http.MethodPost, root+"/code?lang=en", url.Values{"code": {w.codes[0]}})

	in := root + "/" + w.org
	body, at, _ := v.must(http.StatusOK, http.MethodPost, in+"/tokens?lang=en",
		url.Values{"name": {"from the dashboard"}})
	w.issue(at, "token of the dashboard", w.found(`id="token"[^>]*>(at_\w+)<`, body))
	body, at, _ = v.must(http.StatusOK, http.MethodPost, in+"/applications?lang=en",
		url.Values{"name": {"Second shop"}})
	w.issue(at, "API key of the dashboard", w.found(`(pk_[0-9a-f]{64})`, body))
	w.issue(at, "webhook secret of the dashboard", html.UnescapeString(w.found(`(whsec_[^<]+)<`, body)))
	for _, what := range []struct{ path, form, field string }{
		{"/roll-key", `(pk_[0-9a-f]{64})`, "since"}, {"/roll-webhook-secret", `(whsec_[^<]+)<`, "since"},
	} {
		page, _, _ := v.must(http.StatusOK, http.MethodGet, in+"/applications/"+w.who.app+"?lang=en", nil)
		since := w.found(`action="[^"]*`+what.path+`[^"]*"><input type="hidden" name="since" value="([^"]*)"`, page)
		body, at, _ = v.must(http.StatusOK, http.MethodPost, in+"/applications/"+w.who.app+what.path+"?lang=en",
			url.Values{"since": {html.UnescapeString(since)}})
		value := html.UnescapeString(w.found(what.form, body))
		w.issue(at, "credential that was rolled in the dashboard", value)
		if strings.HasPrefix(value, "pk_") {
			w.who.key = value
		}
	}
	w.invite(v, root, in)
	for _, path := range []string{
		"", "/applications", "/applications/" + w.who.app, "/applications/" + w.who.app + "/acquirers",
		"/tokens", "/people", "/payments", "/audit", "/webhooks", "/developers", "/money", "/decisions",
		"/decisions/decided", "/decisions.csv", "/payments.csv",
	} {
		v.ask(http.MethodGet, in+path+"?lang=en", nil, nil)
	}
	w.reflectedSecrets(v, in)
	v.ask(http.MethodGet, root+"/account?lang=en", nil, nil)
	w.addSecret("next password", "eight brown horses by night")
	v.must(http.StatusSeeOther, http.MethodPost, root+"/account/password?lang=en", url.Values{
		"present": {w.word}, "password": {"eight brown horses by night"}, "again": {"eight brown horses by night"},
	})
	if v.names == "" {
		t.Error("no cookie was set: nothing was signed in to")
	}
}

// reflectedSecrets are pages whose address contained a secret: the person who typed it sees it again, in the
// links to the other language, and no other person does.
func (w *bazaar) reflectedSecrets(v *visitor, in string) {
	v.kind = "echo"
	for _, value := range []string{w.who.key, w.who.token} {
		w.addSecret("credential in an address", value, "echo")
		for _, path := range []string{
			"/" + value, "/applications/" + value, "/payments?q=" + value, "/payments/" + value,
			"/audit?actor=" + value,
		} {
			v.ask(http.MethodGet, in+path, nil, nil)
		}
	}
	v.kind = "dashboard"
}

// enrol turns on the second factor, after a wrong code.
func (w *bazaar) enrol(v *visitor, root string) {
	w.t.Helper()
	body, at, _ := v.must(http.StatusOK, http.MethodPost, root+"/account/second-factor?lang=en", url.Values{})
	uri := html.UnescapeString(w.found(`name="uri" value="([^"]+)"`, body))
	parsed, err := url.Parse(uri)
	if err != nil {
		w.t.Fatal(err)
	}
	w.totp = parsed.Query().Get("secret")
	w.issue(at, "secret of the authenticator", w.totp, "enrolment")
	// After a wrong code the page shows the secret again.
	v.kind = "enrolment"
	v.ask(http.MethodPost, root+"/account/second-factor/confirm?lang=en",
		url.Values{"uri": {uri}, "code": {"12345x"}}, nil)
	v.kind = "dashboard"
	for range 2 { // the time step may end meanwhile
		status, page, at, _ := v.ask(http.MethodPost, root+"/account/second-factor/confirm?lang=en",
			url.Values{"uri": {uri}, "code": {authenticator(w.t, w.totp, 0)}}, nil)
		for _, m := range regexp.MustCompile(`[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}`).FindAllString(page, -1) {
			w.issue(at, "recovery code", m)
			w.issue(at, "recovery code without hyphens", strings.ReplaceAll(m, "-", ""))
			w.codes = append(w.codes, m)
		}
		if status == http.StatusOK && len(w.codes) >= 10 {
			return
		}
	}
	w.t.Fatalf("%d recovery codes", len(w.codes))
}

// invite sends a link; the invited person accepts it with a new password.
func (w *bazaar) invite(v *visitor, root, in string) {
	w.t.Helper()
	body, at, _ := v.must(http.StatusOK, http.MethodPost, in+"/people/invite?lang=en",
		url.Values{"email": {"new@shop.example"}, "role": {"viewer"}})
	token := w.found(`/invitations/([A-Za-z0-9_-]{40,})`, body)
	w.issue(at, "token of an invitation", token, "invitation")
	guest := w.visitor("invitation") // whose page may contain the link
	guest.must(http.StatusOK, http.MethodGet, root+"/invitations/"+token+"?lang=en", nil)
	w.addSecret("password of the invited", "twelve small boats at dawn")
	guest.ask(http.MethodPost, root+"/invitations/"+token+"?lang=en",
		url.Values{"password": {"short"}, "again": {"short"}}, nil)
	guest.must(http.StatusOK, http.MethodPost, root+"/invitations/"+token+"?lang=en",
		url.Values{"password": {"twelve small boats at dawn"}, "again": {"twelve small boats at dawn"}})
	guest.must(http.StatusSeeOther, http.MethodPost, root+"/sign-in?lang=en",
		url.Values{"email": {"new@shop.example"}, "password": {"twelve small boats at dawn"},
			"next": {"/dashboard/invitations/" + token}})
	guest.must(http.StatusSeeOther, http.MethodPost, root+"/invitations/"+token+"?lang=en", url.Values{})
	guest.kind = "dashboard"
	guest.ask(http.MethodGet, in+"/people?lang=en", nil, nil)
}

// causeErrors causes errors in requests that carry secrets: the tables that they need are renamed.
func (w *bazaar) causeErrors() {
	t := w.t
	t.Helper()
	root := strings.TrimSuffix(w.served.base, "/api/v1")
	fresh := w.who
	fresh.token = answer[struct {
		AccessToken string `json:"access_token"`
	}](t, w.env, "token", "create", "--org", w.org, "--name", "of the troubles").AccessToken
	w.addSecret("token in an error", fresh.token)
	for _, table := range []string{"access_tokens", "users", "sessions", "events"} {
		if _, err := w.super.Exec(t.Context(), `ALTER TABLE `+table+` RENAME TO renamed`); err != nil {
			t.Fatal(err)
		}
		v := w.visitor("error page")
		r := w.served.ask(t, fresh, http.MethodPost, "/payment-intents", order("in "+table))
		w.addPlace("error page", "create without "+table, r.body)
		v.ask(http.MethodPost, root+"/dashboard/sign-in?lang=en",
			url.Values{"email": {w.email}, "password": {"eight brown horses by night"}}, nil)
		v.kind = "echo"
		v.ask(http.MethodGet, root+"/dashboard/"+w.org+"/payments?q="+w.who.key, nil,
			http.Header{"Cookie": {"daftar=" + w.who.token}})
		if _, err := w.super.Exec(t.Context(), `ALTER TABLE renamed RENAME TO `+table); err != nil {
			t.Fatal(err)
		}
	}
	pgtest.WaitFor(t, "the server to be well again", func() bool {
		return w.served.ask(t, fresh, http.MethodPost, "/payment-intents",
			order("well")).status < http.StatusMultipleChoices
	})
}

// operators run every command that shows the state of a running server.
func (w *bazaar) operators(link string) {
	t := w.t
	t.Helper()
	v := w.visitor("metrics")
	v.must(http.StatusOK, http.MethodGet, w.served.ops+"/metrics", nil)
	v.kind = "profile"
	for _, path := range []string{
		"/healthz", "/readyz", "/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/goroutine?debug=2",
		"/debug/pprof/heap?debug=1", "/debug/vars", "/" + w.who.key,
	} {
		v.ask(http.MethodGet, w.served.ops+path, nil, nil)
	}
	w.addPlace("process", "serve", processOf(t, w.served.Process.Pid))
	id := w.found(`/pay/([0-9a-f-]{36})/`, link)
	for _, args := range []string{
		"doctor", "migrate status", "user list --org " + w.org, "events history " + id, "events replay " + id,
		"events tail --from 1 --json",
		"events export --org " + w.org, "webhooks deliveries", "feed status", "feed parked", "projections status",
		"projections verify intents", "books journal --org " + w.org, "books export --format csv --org " + w.org,
		"audit checkpoint", "attempts list", "webhooks test --application " + w.who.app,
		"app deactivate " + w.who.app, "app activate " + w.who.app,
		"user reset-second-factor " + w.email, "token revoke " + w.who.tokenID, "token revoke " + w.who.token,
		"app roll-key " + w.who.key,
	} {
		r := call(t, w.env, strings.Fields(args)...)
		if strings.Contains(args, w.who.token) || strings.Contains(args, w.who.key) {
			r.errors, r.out = "", "" // a command may repeat the caller's own input
		}
		w.addPlace("command", args, r.out)
		w.addPlace("log", args, r.errors)
	}
	pgtest.WaitFor(t, "the test webhook", func() bool {
		return strings.Contains(w.hooks.text(), "webhook.test")
	})
}

// misuse runs a program with wrong secrets, which it must not print.
func (w *bazaar) misuse() {
	t := w.t
	t.Helper()
	bad := "5a" + randomKey() + "zz"
	w.addSecret("secret key that is none", bad)
	w.addSecret("password of another database", "Swordfish-of-the-test")
	for what, env := range map[string][]string{
		"bad key": {
			"DAFTAR_DATABASE_URL=" + w.db.ServiceURL(),
			"DAFTAR_SECRET_KEY=" + bad, "DAFTAR_SECRET_KEY_OLD=" + bad,
		},
		"bad password": {
			"DAFTAR_DATABASE_URL=postgres://daftar_app:Swordfish-of-the-test@127.0.0.1:1/x",
			"DAFTAR_SECRET_KEY=" + randomKey(),
		},
		"bad address": {
			"DAFTAR_DATABASE_URL=postgres://daftar_app:Swordfish-of-the-test@127.0.0.1:port/x?sslmode=never",
			"DAFTAR_SECRET_KEY=" + randomKey(),
		},
		"wrong user": {
			"DAFTAR_DATABASE_URL=" +
				strings.Replace(w.db.ServiceURL(), "daftar_app:", "daftar_app:Swordfish-of-the-test", 1),
			"DAFTAR_SECRET_KEY=" + randomKey(),
		},
		"bad signing": {
			"DAFTAR_DATABASE_URL=" + w.db.ServiceURL(),
			"DAFTAR_SECRET_KEY=" + randomKey(), "DAFTAR_TRANSPARENCY_KEY=PRIVATE+KEY+" + bad,
		},
	} {
		for _, command := range []string{"serve", "doctor", "migrate up", "sandbox-acquirer"} {
			if command == "serve" {
				env = append(env, "DAFTAR_LISTEN="+address(t), "DAFTAR_OPS_LISTEN="+address(t))
			}
			began := time.Now()
			r := call(t, env, strings.Fields(command)...)
			if r.code == 0 && command != "migrate up" {
				t.Errorf("%s: %s is taken after %v", what, command, time.Since(began))
			}
			w.addPlace("log", what+": "+command, r.out+r.errors)
		}
	}
}

// authenticator returns an app's code, some steps of half a minute from now.
func authenticator(t *testing.T, secret string, steps int64) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(time.Now().Unix()/30+steps))
	mac := hmac.New(sha1.New, key)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fff_ffff%1_000_000)
}

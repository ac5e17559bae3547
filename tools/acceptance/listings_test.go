package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// scopedToken is an access token as token create and token list show it.
type scopedToken struct {
	UUID, Name, State, Ending string
	Scopes, Networks          []string
}

// Every uuid that an operator needs can be listed; an empty list says that it is empty.
func TestListCommands(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	for args, want := range map[string][2]string{
		"org list":            {"No organizations.\n", `{"organizations":[]}` + "\n"},
		"webhooks deliveries": {"No deliveries.\n", `{"deliveries":[]}` + "\n"},
		"attempts list":       {"No attempts.\n", `{"attempts":[]}` + "\n"},
		"refunds list":        {"No refunds.\n", `{"refunds":[]}` + "\n"},
		"feed parked":         {"No event is parked.\n", `{"parked":[]}` + "\n"},
		"feed status":         {"No group has followed the log yet: daftar serve does.\n", `{"groups":[]}` + "\n"},
	} {
		for n, form := range [][]string{strings.Fields(args), append(strings.Fields(args), "--json")} {
			if r := call(t, env, form...); r.code != 0 || r.out != want[n] {
				t.Errorf("daftar %v: exit %d: %q, want %q", form, r.code, r.out, want[n])
			}
		}
	}

	who := newShop(t, env)
	bound := answer[scopedToken](t, env, "token", "create", "--org", who.org, "--name", "old",
		"--scope", "refunds,read,refunds", "--from", "192.0.2.7,41.252.3.4/16")
	revoked := bound.UUID
	if !slices.Equal(bound.Scopes, []string{"read", "refunds"}) ||
		!slices.Equal(bound.Networks, []string{"41.252.0.0/16", "192.0.2.7/32"}) {
		t.Errorf("created %+v", bound)
	}
	answer[map[string]any](t, env, "token", "revoke", revoked)
	play := answer[struct {
		Application struct{ UUID, Mode string }
	}](t, env, "app", "create", "--org", who.org, "--name", "تجارب", "--mode", "test")
	if play.Application.Mode != "test" {
		t.Errorf("created %+v for tests", play)
	}
	for _, args := range [][]string{
		{"app", "create", "--org", who.org, "--name", "x", "--mode", "play"},
		{"token", "create", "--org", who.org, "--name", "x", "--scope", "people"},
		{"token", "create", "--org", who.org, "--name", "x", "--from", "0.0.0.0/0"},
		{"acquirer", "set", "--app", play.Application.UUID, "plutu", "--settings-stdin"},
	} {
		r := call(t, append(env, "DAFTAR_PLUTU_URL=http://127.0.0.1:1"), args...)
		if r.code != 2 {
			t.Errorf("%v: exit %d: %s", args, r.code, r.errors)
		}
	}
	type organizations struct {
		Organizations []struct {
			UUID, Name string
			Live       int `json:"live_applications"`
			Test       int `json:"test_applications"`
		}
	}
	if got := answer[organizations](t, env, "org", "list").Organizations; len(got) != 1 ||
		got[0].UUID != who.org || got[0].Name != "مقهى الميدان" || got[0].Live != 1 || got[0].Test != 1 {
		t.Errorf("organisations %+v", got)
	}
	type applications struct {
		Applications []struct {
			UUID, Name   string
			Mode         string
			Organization string `json:"organization_uuid"`
			Active       bool
			Ending       string  `json:"api_key_ending"`
			WebhookURL   *string `json:"webhook_url"`
			LastUsed     *string `json:"api_key_last_used_at"`
		}
	}
	got := answer[applications](t, env, "app", "list", "--org", who.org).Applications
	if len(got) != 2 || got[1].UUID != play.Application.UUID || got[1].Mode != "test" ||
		got[0].Mode != "live" || got[0].UUID != who.app || got[0].Organization != who.org || !got[0].Active ||
		got[0].WebhookURL == nil || got[0].LastUsed != nil ||
		got[0].Ending == "" || !strings.HasSuffix(who.key, got[0].Ending) {
		t.Errorf("applications %+v", got)
	}
	type tokens struct {
		Tokens []scopedToken `json:"access_tokens"`
	}
	listed := answer[tokens](t, env, "token", "list", "--org", who.org).Tokens
	if len(listed) != 2 || listed[0].UUID != who.tokenID || listed[0].State != "active" ||
		!strings.HasSuffix(who.token, listed[0].Ending) ||
		!slices.Equal(listed[0].Scopes, []string{"payments"}) || len(listed[0].Networks) != 0 ||
		listed[1].UUID != revoked || listed[1].State != "revoked" ||
		!slices.Equal(listed[1].Scopes, bound.Scopes) || !slices.Equal(listed[1].Networks, bound.Networks) {
		t.Errorf("tokens %+v", listed)
	}
	if r := call(t, env, "user", "list", "--org", who.org); r.code != 0 || r.out != "No users.\n" {
		t.Errorf("users: exit %d: %s", r.code, r.out)
	}
	for _, list := range []string{"app list", "token list"} {
		r := call(t, env, strings.Fields(list+" --org "+who.org)...)
		if strings.Contains(r.out, who.key) || strings.Contains(r.out, who.token) {
			t.Errorf("%s shows a credential", list)
		}
		r = call(t, env, strings.Fields(list+" --org 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b")...)
		if r.code != 1 || !strings.Contains(r.errors, "no such organisation") {
			t.Errorf("%s of none: exit %d: %s", list, r.code, r.errors)
		}
		if r := call(t, env, strings.Fields(list)...); r.code != 2 {
			t.Errorf("%s of nothing: exit %d: %s", list, r.code, r.errors)
		}
	}
}

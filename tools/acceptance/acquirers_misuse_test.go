package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// mistake is an invalid call of `acquirer`.
type mistake struct {
	env         []string
	args, input string
	code        int
	says        string
}

// wantMistakes makes the calls. No setting's value may appear in an answer or in a log, at any log
// level.
func (g *gateways) wantMistakes(t *testing.T, all map[string]mistake) {
	t.Helper()
	for what, c := range all {
		r := callWith(t, c.env, c.input, append([]string{"acquirer"}, strings.Fields(c.args)...)...)
		if r.code != c.code || r.out != "" || !strings.Contains(r.errors, c.says) {
			t.Errorf("%s: exit %d, output %q, %q; want %d, none, and %s",
				what, r.code, r.out, r.errors, c.code, c.says)
		}
		g.keepsSecrets(t, what, r.errors)
	}
}

// An invalid call reports what is wrong with it.
func TestAcquirerMisuse(t *testing.T) {
	t.Parallel()
	g := newGateways(t)
	base := []string{"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL(), "DAFTAR_LOG_LEVEL=trace"}
	key := []string{"DAFTAR_SECRET_KEY=" + secretKey}
	env := slices.Concat(base, g.env, key)
	app := newShop(t, env).app
	secret := g.secrets["Plutu's API key"]
	set := func(name string) string { return "set " + name + " --settings-stdin --app " + app }
	plutu := g.with(t, "plutu")
	g.wantMistakes(t, map[string]mistake{
		"no such acquirer": {env, set("moneybag"), plutu, 2,
			`"moneybag" is none of the acquirers that have an address (plutu, moamalat`},
		"an acquirer without an address": {slices.Concat(base, key), set("lypay"), g.with(t, "lypay"), 2,
			"DAFTAR_LYPAY_URL"},
		"no application named": {env, "set plutu --settings-stdin", plutu, 2, `"app"`},
		"an empty application": {env, "set plutu --settings-stdin --app=", plutu, 2, "--app"},
		"no flag for settings": {env, "set plutu --app " + app, plutu, 2, "settings-stdin"},
		"settings from a file": {env, "set plutu --settings-stdin=false --app " + app, plutu, 2,
			"standard input only"},
		"no acquirer named":     {env, "set --settings-stdin --app " + app, plutu, 2, "arg"},
		"settings as arguments": {env, set("plutu") + " " + secret[:4], plutu, 2, "arg"},
		"no uuid":               {env, "set plutu --settings-stdin --app 7", plutu, 2, `"7"`},
		"no secret key":         {slices.Concat(base, g.env), set("plutu"), plutu, 2, "DAFTAR_SECRET_KEY"},
		"an unknown application": {env,
			"set plutu --settings-stdin --app 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b", plutu, 1, "no such application"},
		"the list of none": {env, "list --app 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b", "", 1,
			"no such application"},
		"a check, no application": {env, "check plutu --app 7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b", "", 1,
			"no such application"},
		"none to be disabled": {slices.Concat(base, key), "disable lypay --app " + app, "", 1,
			"no account with this acquirer"},
		"none to be removed": {slices.Concat(base, key), "remove lypay --app " + app, "", 1,
			"no account with this acquirer"},
		"a list without a name": {env, "list", "", 2, `"app"`},
	})
}

// A mistake in the settings is reported with the setting's name, and nothing is stored.
func TestAcquirerSettingsAreChecked(t *testing.T) {
	t.Parallel()
	g := newGateways(t)
	env := slices.Concat(g.env, []string{
		"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL(),
		"DAFTAR_SECRET_KEY=" + secretKey,
		"DAFTAR_LOG_LEVEL=trace",
	})
	app := newShop(t, env).app
	secret := g.secrets["Plutu's API key"]
	set := func(name string) string { return "set " + name + " --settings-stdin --app " + app }
	plutu := func(changes ...any) string { return g.with(t, "plutu", changes...) }
	g.secrets["number"] = "77001122"
	g.secrets["IBAN"] = "LY68099001000000000012354"
	g.secrets["name of a shop"] = "متجر"
	g.wantMistakes(t, map[string]mistake{
		"nothing":       {env, set("plutu"), "", 2, "plutu: settings: are not a JSON object"},
		"a bare secret": {env, set("plutu"), secret, 2, "plutu: settings: are not a JSON object"},
		"half of it":    {env, set("plutu"), plutu()[:100], 2, "plutu: settings: are not a JSON object"},
		"more after it": {env, set("plutu"), plutu() + secret, 2, "plutu: settings: are not a JSON object"},
		"a list": {env, set("plutu"), `["` + secret + `"]`, 2,
			"plutu: settings: are not a JSON object"},
		"too much": {env, set("plutu"), plutu("api_key", strings.Repeat(secret, 300)), 2,
			"settings: more than 16384 bytes"},
		"an unknown setting": {env, set("plutu"), plutu("api_kye", secret), 2,
			"plutu: settings: api_kye is not known"},
		"a secret for a name": {env, set("plutu"), `{"` + secret + `":"api_key"}`, 2,
			"plutu: settings: have a name that is not known"},
		"a setting twice": {env, set("plutu"), `{"api_key":"` + secret + `","api_key":"` + secret + `"}`, 2,
			"plutu: settings: api_key stands there twice"},
		"a number for a key": {env, set("plutu"), plutu("api_key", 77001122), 2,
			"plutu: settings: api_key has the wrong type"},
		"an object for a key": {env, set("plutu"), plutu("api_key", map[string]any{"is": secret}), 2,
			"plutu: settings: api_key has the wrong type"},
		"a word for a list": {env, set("plutu"), plutu("methods", secret), 2,
			"plutu: settings: methods has the wrong type"},
		"a missing setting": {env, set("plutu"), plutu("access_token", nil), 2,
			"plutu: settings: access_token is missing"},
		"an empty setting": {env, set("plutu"), plutu("secret_key", ""), 2,
			"plutu: settings: secret_key is missing"},
		"a line break": {env, set("plutu"), plutu("secret_key", secret+"\n"), 2,
			"plutu: settings: secret_key is not printable"},
		"no methods": {env, set("plutu"), plutu("methods", []string{}), 2,
			"plutu: settings: methods is empty"},
		"a secret as a method": {env, set("plutu"), plutu("methods", []string{secret}), 2,
			"plutu: settings: methods"},
		"another's settings": {env, set("moamalat"), plutu(), 2, "is not known"},
		"no hexadecimal key": {env, set("moamalat"), g.with(t, "moamalat", "secure_key", secret[1:]), 2,
			"moamalat: settings: secure_key"},
		"a terminal too long": {env, set("moamalat"), g.with(t, "moamalat", "terminal_id", secret), 2,
			"moamalat: settings: terminal_id"},
		"a wrong IBAN": {env, set("lypay"), g.with(t, "lypay", "iban", "LY68099001000000000012354"), 2,
			"lypay: settings: iban"},
		"an Arabic name": {env, set("lypay"), g.with(t, "lypay", "merchant_name", "متجر"), 2,
			"lypay: settings: merchant_name"},
	})
	if r := call(t, env, "acquirer", "list", "--app", app, "--json"); r.out != "{\"acquirers\":[]}\n" {
		t.Errorf("afterwards there are accounts: %s", r.out)
	}
}

package acceptance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
	lypayfake "daftar/payments/acquirer/lypay/fake"
	moamalatfake "daftar/payments/acquirer/moamalat/fake"
	plutufake "daftar/payments/acquirer/plutu/fake"
	"daftar/tools/acceptance/programtest"
)

// gateways are the acquirers' fakes, with account settings that they accept.
type gateways struct {
	env      []string // their addresses
	settings map[string]map[string]any
	secrets  map[string]string // the values of settings that must stay secret, by name
}

func newGateways(t *testing.T) *gateways {
	t.Helper()
	g := &gateways{secrets: map[string]string{}}
	draw := func(name string) string {
		g.secrets[name] = randomKey()
		return g.secrets[name]
	}
	m := moamalatfake.Merchant{
		MerchantID: "80000000002", TerminalID: "80000002", SecureKey: draw("Moamalat's secure key"),
		NotificationKey: draw("Moamalat's notification key"),
	}
	p := plutufake.Config{
		APIKey: draw("Plutu's API key"), AccessToken: draw("Plutu's access token"),
		SecretKey: draw("Plutu's secret key"),
	}
	l := lypayfake.Config{Token: draw("LYPay's token"), WebhookKey: draw("LYPay's webhook key")}
	g.settings = map[string]map[string]any{
		"plutu": {"api_key": p.APIKey, "access_token": p.AccessToken, "secret_key": p.SecretKey,
			"methods": []string{"adfali", "cards"}},
		"moamalat": {"merchant_id": m.MerchantID, "terminal_id": m.TerminalID, "secure_key": m.SecureKey,
			"notification_key": m.NotificationKey},
		"lypay": {"token": l.Token, "webhook_key": l.WebhookKey, "iban": "LY68099001000000000012345",
			"merchant_name": "TEST SHOP"},
	}
	start := func(variable string, h interface {
		http.Handler
		Close()
	},
	) {
		server := httptest.NewServer(h)
		t.Cleanup(func() {
			h.Close()
			server.Close()
		})
		g.env = append(g.env, variable+"="+server.URL)
	}
	start("DAFTAR_PLUTU_URL", plutufake.New(p))
	start("DAFTAR_MOAMALAT_URL", moamalatfake.New(moamalatfake.Config{Merchants: []moamalatfake.Merchant{m}}))
	start("DAFTAR_LYPAY_URL", lypayfake.New(l))
	return g
}

// with returns an account's settings as JSON, with some of them changed; nil omits one.
func (g *gateways) with(t *testing.T, name string, changes ...any) string {
	t.Helper()
	settings := maps.Clone(g.settings[name])
	for n := 0; n < len(changes); n += 2 {
		key := changes[n].(string)
		settings[key] = changes[n+1]
		if changes[n+1] == nil {
			delete(settings, key)
		}
	}
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// control tells an acquirer's fake what to do.
func (g *gateways) control(t *testing.T, name, what string, body any) {
	t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post("http://"+g.host(t, name)+"/control/"+what, "application/json",
		bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusNoContent {
		t.Fatalf("%s of %s: %d", what, name, answer.StatusCode)
	}
}

// keepsSecrets fails the test if a text contains a setting's value or a part of it.
func (g *gateways) keepsSecrets(t *testing.T, what, text string) {
	t.Helper()
	for name, value := range g.secrets {
		if len(value) > 24 {
			value = value[4:24]
		}
		if strings.Contains(text, value) {
			t.Errorf("%s: %s is shown:\n%s", what, name, text)
		}
	}
}

// set gives an application an account.
func (g *gateways) set(t *testing.T, env []string, app, name string, changes ...any) {
	t.Helper()
	r := callWith(t, env, g.with(t, name, changes...),
		"acquirer", "set", name, "--app", app, "--settings-stdin", "--json")
	if r.code != 0 {
		t.Fatalf("set %s: exit %d: %s%s", name, r.code, r.out, r.errors)
	}
	g.keepsSecrets(t, "set "+name, r.out+r.errors)
}

// setByProgram is set through the binary, which reads the settings from a pipe.
func (g *gateways) setByProgram(t *testing.T, env []string, app, name string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), programtest.Daftar(t),
		"acquirer", "set", name, "--app", app, "--settings-stdin")
	c.Env = env
	settings, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(settings, g.with(t, name)); err != nil {
		t.Error(err)
	}
	if err := settings.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Wait(); err != nil || !strings.Contains(said.String(), name) {
		t.Fatalf("set %s: %v: %s", name, err, said.String())
	}
	g.keepsSecrets(t, "set "+name, said.String())
}

// An application's accounts, from the first one to their removal. Scripts read the list as JSON.
func TestAcquirerAccounts(t *testing.T) {
	t.Parallel()
	g := newGateways(t)
	base := []string{
		"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL(), "DAFTAR_PUBLIC_URL=https://pay.example.ly",
	}
	env := slices.Concat(base, g.env, []string{"DAFTAR_SECRET_KEY=" + secretKey})
	app := newShop(t, env).app
	account := func(name, methods string, enabled bool) string {
		return fmt.Sprintf(`{"name":%q,"methods":[%s],"enabled":%v,`+
			`"notify_url":"https://pay.example.ly/acquirers/%s/%s/notifications","limits":{}}`,
			name, methods, enabled, name, app)
	}
	wantList := func(accounts ...string) {
		t.Helper()
		r := call(t, base, "acquirer", "list", "--app", app, "--json") // needs neither key nor address
		if want := `{"acquirers":[` + strings.Join(accounts, ",") + "]}\n"; r.code != 0 || r.out != want {
			t.Errorf("list: exit %d: %s (-want +got):\n%s", r.code, r.errors, cmp.Diff(want, r.out))
		}
	}
	change := func(want string, args ...string) {
		t.Helper()
		r := call(t, env, append([]string{"acquirer"}, append(args, "--app", app, "--json")...)...)
		if r.code != 0 || r.out != want+"\n" {
			t.Errorf("%v: exit %d: %s%s; want %s", args, r.code, r.out, r.errors, want)
		}
	}
	wantList()
	for _, name := range []string{"plutu", "moamalat", "lypay"} {
		g.set(t, env, app, name)
	}
	moamalat, lypay := account("moamalat", `"moamalat"`, true), account("lypay", `"lypay"`, true)
	wantList(account("plutu", `"adfali","cards"`, true), moamalat, lypay)
	change(`{"acquirer":`+account("plutu", `"adfali","cards"`, false)+`}`, "disable", "plutu")
	g.set(t, env, app, "plutu", "methods", []string{"tlync", "sadad"})
	wantList(account("plutu", `"tlync","sadad"`, false), moamalat, lypay)
	g.set(t, env, app, "plutu", "methods", nil)
	change(`{"acquirer":`+account("plutu", `"adfali","sadad","cards","tlync"`, true)+`}`, "enable", "plutu")
	people := call(t, base, "acquirer", "list", "--app", app)
	for _, word := range []string{
		"plutu", "tlync", "moamalat", "lypay", "https://pay.example.ly/acquirers/lypay/" + app,
	} {
		if !strings.Contains(people.out, word) {
			t.Errorf("the list for people lacks %s:\n%s%s", word, people.out, people.errors)
		}
	}
	change(`{"name":"moamalat","removed":true}`, "remove", "moamalat")
	wantList(account("plutu", `"adfali","sadad","cards","tlync"`, true), lypay)
	for _, what := range []string{"remove", "disable", "enable", "check"} {
		r := call(t, env, "acquirer", what, "moamalat", "--app", app)
		if r.code != 1 || r.out != "" || !strings.Contains(r.errors, "no account with this acquirer") {
			t.Errorf("%s of none: exit %d: %s%s", what, r.code, r.out, r.errors)
		}
	}
}

// A check reports whether the acquirer accepts the credentials. A refusal and an unreachable
// acquirer are different results.
func TestAcquirerCheck(t *testing.T) {
	t.Parallel()
	g := newGateways(t)
	base := []string{
		"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL(),
		"DAFTAR_SECRET_KEY=" + secretKey,
		"DAFTAR_LOG_LEVEL=trace",
	}
	env := slices.Concat(base, g.env)
	app := newShop(t, env).app
	wrong := randomKey()
	for name, credential := range map[string]string{
		"plutu": "access_token", "moamalat": "secure_key", "lypay": "token",
	} {
		check := []string{"acquirer", "check", name, "--app", app, "--json"}
		g.set(t, env, app, name)
		r := call(t, env, check...)
		if r.code != 0 || r.out != fmt.Sprintf("{\"name\":%q,\"result\":\"accepted\"}\n", name) {
			t.Errorf("%s: exit %d: %s%s", name, r.code, r.out, r.errors)
		}
		away := slices.Concat(base, []string{"DAFTAR_" + strings.ToUpper(name) + "_URL=http://" + address(t)})
		r = call(t, away, check...)
		if r.code != 3 || r.out != "" || strings.Contains(r.errors, "refuses the merchant") ||
			!strings.Contains(r.errors, "refused") {
			t.Errorf("%s, out of reach: exit %d: %s%s", name, r.code, r.out, r.errors)
		}
		g.set(t, env, app, name, credential, wrong)
		r = call(t, env, check...)
		if r.code != 1 || r.out != "" || !strings.Contains(r.errors, "acquirer refuses the merchant's account") ||
			strings.Contains(r.errors, wrong) {
			t.Errorf("%s, with another's credential: exit %d: %s%s", name, r.code, r.out, r.errors)
		}
		g.keepsSecrets(t, "check "+name, r.errors)
	}
	g.set(t, env, app, "plutu", "methods", []string{"cards", "tlync"})
	r := call(t, env, "acquirer", "check", "plutu", "--app", app, "--json")
	if r.code != 0 || r.out != "{\"name\":\"plutu\",\"result\":\"unprovable\"}\n" {
		t.Errorf("with pages alone: exit %d: %s%s", r.code, r.out, r.errors)
	}
	another := slices.Concat(g.env, base[:1], []string{"DAFTAR_SECRET_KEY=" + wrong})
	r = call(t, another, "acquirer", "check", "lypay", "--app", app)
	if r.code != 1 || !strings.Contains(r.errors, "settings of lypay") {
		t.Errorf("under another secret key: exit %d: %s%s", r.code, r.out, r.errors)
	}
}

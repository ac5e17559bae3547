//go:build long

package acceptance_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// Behind the guide's proxies a sandbox has its API and its page at its own name, and nobody who comes
// through them decides payments.
func TestLongSandboxBehindProxies(t *testing.T) {
	t.Parallel()
	for name, startBefore := range map[string]func(*testing.T, *proxy){
		"nginx": func(t *testing.T, p *proxy) {
			t.Helper()
			sites := read(t, "../../deploy/nginx/daftar.conf") + read(t, "../../deploy/nginx/daftar-sandbox.conf")
			startNginxWith(t, p, write(t, t.TempDir(), "sites", sites), address(t))
		},
		"Caddy": func(t *testing.T, p *proxy) {
			t.Helper()
			sites := read(t, "../../deploy/caddy/Caddyfile") + read(t, "../../deploy/caddy/sandbox.Caddyfile")
			startCaddyWith(t, p, write(t, t.TempDir(), "sites", sites), portOf(address(t)), address(t))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProxy(t)
			p.sandbox = address(t)
			env := []string{
				"DAFTAR_SANDBOX_LISTEN=" + p.sandbox, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret,
				"DAFTAR_SANDBOX_URL=https://" + sandboxExample,
			}
			start(t, t.TempDir(), env, "sandbox-acquirer")
			local := "http://" + p.sandbox
			pgtest.WaitFor(t, "the sandbox", func() bool {
				answer, err := trySend(t, http.DefaultClient, http.MethodGet, local+"/control/ledger", nil, nil)
				return err == nil && answer.status == http.StatusOK
			})
			startBefore(t, p)
			payInSandbox(t, p)
		})
	}
}

// payInSandbox opens a payment as a server does and pays it as a payer, both through a proxy.
func payInSandbox(t *testing.T, p *proxy) {
	t.Helper()
	client, public := p.from("127.0.0.7"), "https://"+sandboxExample
	const order = `{"id":"0123456789abcdefghjkmnpqrs","intent":"6ba7b810-9dad-51d1-80b4-00c04fd430c8",` +
		`"method":"card","amount":5000,"currency":"LYD","return_url":"https://pay.example/"}`
	signed := http.Header{"Authorization": {"Bearer " + sandboxSecret}, "Content-Type": {"application/json"}}
	opened := send(t, client, http.MethodPost, public+"/v1/payments", signed, strings.NewReader(order))
	var payment struct{ Next struct{ URL string } }
	err := json.Unmarshal([]byte(opened.body), &payment)
	if err != nil || !strings.HasPrefix(payment.Next.URL, public+"/bank/") {
		t.Fatalf("a payment: %d %s (%v)", opened.status, opened.body, err)
	}
	for _, path := range []string{payment.Next.URL, public + "/bank.css"} {
		if got := send(t, client, http.MethodGet, path, nil, nil); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	for _, path := range []string{"/control/ledger", "/control/payments"} {
		// Whatever the client says of itself, it comes from elsewhere.
		for _, header := range []http.Header{nil, {"X-Forwarded-For": {""}}, {"X-Forwarded-For": {"127.0.0.1"}}} {
			if got := send(t, client, http.MethodGet, public+path, header, nil); got.status != http.StatusForbidden {
				t.Errorf("%s with %v: %d %s", path, header, got.status, got.body)
			}
		}
	}
	form := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	paid := send(t, client, http.MethodPost, payment.Next.URL, form, strings.NewReader("action=pay"))
	asked := send(t, client, http.MethodGet, public+"/v1/payments/0123456789abcdefghjkmnpqrs", signed, nil)
	if !strings.Contains(asked.body, `"state":"paid"`) {
		t.Errorf("after the payer's press (%d): %s", paid.status, asked.body)
	}
}

package acceptance_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/tools/acceptance/programtest"
)

// Every request of the SDKs has a Content-Length, also a POST without a body: proxies and
// firewalls answer 411 otherwise. A request without a body has no Content-Type.
func TestSDKsSayHowLongARequestIs(t *testing.T) {
	t.Parallel()
	intent := uuid.NewString()
	for _, k := range []struct {
		name    string
		program []string
	}{
		{"PHP", []string{
			"php", "-r",
			`require $argv[1]; Daftar\Client::fromEnvironment()->expirePaymentIntent($argv[2]);`,
			"--", inRepository(t, "sdk/php/autoload.php"), intent,
		}},
		{"TypeScript", []string{
			// A framework's cache must store none of our answers.
			"node", "--input-type=module", "-e", `
			const own = fetch;
			globalThis.fetch = (to, of) => of.cache === 'no-store' ? own(to, of) : Promise.reject(of.cache);
			const { Daftar } = await import(process.argv[1]);
			await Daftar.fromEnvironment().expirePaymentIntent(process.argv[2])`,
			inRepository(t, "sdk/typescript/dist/index.js"), intent,
		}},
		{"TypeScript, required", []string{
			"node", "-e", `require(process.argv[1]).Daftar.fromEnvironment().expirePaymentIntent(process.argv[2])`,
			inRepository(t, "sdk/typescript"), intent,
		}},
		{"Python", []string{
			"python3", "-B", "-c", `
import sys
sys.path.insert(0, sys.argv[1])
from daftar import Client
Client.from_environment().expire_payment_intent(sys.argv[2])`,
			inRepository(t, "sdk/python"), intent,
		}},
		{"Go", []string{programtest.Merchant(t, "testdata/sdk/go", "expire"), intent}},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan *http.Request, 10)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked <- r
				w.Header().Set("Content-Type", "application/json")
				// The fields that the SDKs require.
				_, _ = w.Write([]byte(`{"data":{"uuid":"` + intent + `","reference":null,` +
					`"merchant_reference":null,"amount":5000,"currency":"LYD","status":"canceled",` +
					`"description":null,"customer":{"external_id":null},"return_url":null,` +
					`"metadata":null,"expires_at":null,"checkout_url":"https://pay.example/",` +
					`"created_at":null,"updated_at":null}}`))
			}))
			t.Cleanup(server.Close)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			c := exec.CommandContext(ctx, k.program[0], k.program[1:]...)
			c.Env = credentials(server.URL+"/api/v1", shop{key: "pk_x", token: "at_x"})
			if out, err := c.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%v\n%s", err, out)
			}
			r := <-asked
			if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, intent+"/expire") {
				t.Fatalf("asked for %s %s", r.Method, r.URL)
			}
			if length, is := r.Header["Content-Length"]; !is || length[0] != "0" || len(r.TransferEncoding) > 0 {
				t.Errorf("Content-Length %q, Transfer-Encoding %q", length, r.TransferEncoding)
			}
			if kind, is := r.Header["Content-Type"]; is {
				t.Errorf("Content-Type %q of nothing", kind)
			}
		})
	}
}

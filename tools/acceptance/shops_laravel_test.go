//go:build shops

package acceptance_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var laravel = sample{"Laravel", func(t *testing.T, port string) [][]string {
	t.Helper()
	index := inRepository(t, "plugins/laravel/tests/shop/index.php")
	return [][]string{{"php", "-S", "127.0.0.1:" + port, index},
		{"php", inRepository(t, "plugins/laravel/tests/shop/worker.php")}}
}, tallyOf("php", "testdata/sdk/tally.php")}

// The package for Laravel passes its own tests, with Debian's Laravel and PHPUnit.
func TestLaravelPackage(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), "phpunit", "-c", inRepository(t, "plugins/laravel/phpunit.xml"))
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "\nOK (") {
		t.Errorf("phpunit: %v\n%s", err, out)
	}
}

// A shop on Laravel fulfils each order exactly once, whatever happens to it: see TestSampleShops.
func TestLaravelPackageShop(t *testing.T) {
	t.Parallel()
	sampleShops(t, 10, []sample{laravel})
}

// The fake that shops test with answers as the service does.
func TestLaravelPackageFake(t *testing.T) {
	t.Parallel()
	s := newSandboxed(t)
	s.startAcquirer(t)
	payer := newPayer(t)
	pay := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		checkout, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		payer.pay(purchase{checkout: string(checkout)}, 0)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(pay.Close)
	who := newShop(t, s.env).refunding(t, s.env)
	env := append(credentials(s.service.base, who), "PAY="+pay.URL)
	service, fake := runLaravel(t, env, "contract.php"), runLaravel(t, env, "contract.php", "fake")
	if strings.Count(service, "\n") < 50 {
		t.Fatalf("contract.php printed\n%s", service)
	}
	if diff := cmp.Diff(strings.Split(service, "\n"), strings.Split(fake, "\n")); diff != "" {
		t.Errorf("Daftar::fake() (-service +fake):\n%s", diff)
	}
}

// daftar:doctor says what is wrong with the settings, the credentials and the service.
func TestLaravelPackageDoctor(t *testing.T) {
	t.Parallel()
	s := newSandboxed(t)
	plain := newShop(t, s.env)
	refunding := plain.refunding(t, s.env)
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(elsewhere.Close)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "Fri, 27 Nov 2015 10:00:00 GMT")
	}))
	t.Cleanup(slow.Close)
	wrong := func(change func(*shop)) []string {
		who := refunding
		change(&who)
		return credentials(s.service.base, who)
	}
	for _, c := range []struct {
		name    string
		env     []string
		healthy bool
		shows   []string
	}{
		{"all is well", credentials(s.service.base, refunding), true, []string{
			"ok       " + s.service.base + " answers.", "ok       The clock agrees",
			"ok       API key and access token", "ok       The access token may create",
			"ok       The access token may make refunds.", "ok       There is a webhook secret.",
			"this address on the application's page: https://shop.example.ly/daftar/webhook",
		}},
		{"no refunds", credentials(s.service.base, plain), true,
			[]string{"warning  The access token may not make refunds."}},
		{"key", wrong(func(who *shop) { who.key = "pk_wrong" }), false,
			[]string{"FAIL     The API key is refused"}},
		{"token", wrong(func(who *shop) { who.token = "at_wrong" }), false,
			[]string{"FAIL     The access token is refused"}},
		{"secret", wrong(func(who *shop) { who.secret = "secret" }), false,
			[]string{"FAIL     A webhook secret is not"}},
		{"no settings", wrong(func(who *shop) { *who = shop{} }), false, []string{
			"FAIL     DAFTAR_API_KEY is not set.", "FAIL     DAFTAR_ACCESS_TOKEN is",
			"FAIL     DAFTAR_WEBHOOK_SECRET is"}},
		{"no API", credentials(elsewhere.URL, refunding), false,
			[]string{"FAIL     This is not the API: the answer is 404."}},
		{"nobody", credentials("http://127.0.0.1:1", refunding), false,
			[]string{"FAIL     No answer from", "firewall"}},
		{"no host", credentials("https://nobody.invalid", refunding), false,
			[]string{"FAIL     No answer from", "DNS"}},
		{"TLS", credentials(secure.URL, refunding), false,
			[]string{"FAIL     No answer from", "ca-certificates"}},
		{"clock", credentials(slow.URL, refunding), false,
			[]string{"FAIL     The clock is", "ahead of the server's", "NTP"}},
		{"http", credentials("http://pay.example.ly:1", refunding), false,
			[]string{"FAIL     DAFTAR_API_URL is http"}},
		{"APP_URL", append(credentials(s.service.base, refunding), "APP_URL=http://shop.example.ly"), false,
			[]string{"FAIL     APP_URL is http://shop.example.ly"}},
		{"own computer", append(credentials(s.service.base, refunding), "APP_URL=http://localhost:8000"), true,
			[]string{"warning  APP_URL is not public", "--forward-to http://localhost:8000/daftar/webhook"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			printed, err := laravelCommand(t, c.env, "doctor.php")
			if (err == nil) != c.healthy {
				t.Errorf("exit %v:\n%s", err, printed)
			}
			for _, text := range c.shows {
				if !strings.Contains(printed, text) {
					t.Errorf("%q is not in\n%s", text, printed)
				}
			}
		})
	}
}

// runLaravel runs a program of plugins/laravel/tests, which must succeed, and returns what it printed.
func runLaravel(t *testing.T, env []string, program string, args ...string) string {
	t.Helper()
	printed, err := laravelCommand(t, env, program, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, printed)
	}
	return printed
}

func laravelCommand(t *testing.T, env []string, program string, args ...string) (string, error) {
	t.Helper()
	path := inRepository(t, "plugins/laravel/tests/"+program)
	c := exec.CommandContext(t.Context(), "php", append([]string{path}, args...)...)
	c.Env = env
	var printed bytes.Buffer
	c.Stdout, c.Stderr = &printed, &printed
	err := c.Run()
	return printed.String(), err
}

package acceptance_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// python runs a program with the variables of the test's own process, and more.
func python(t *testing.T, dir string, env []string, arguments ...string) (output string, err error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "python3", append([]string{"-W", "error"}, arguments...)...)
	c.Dir, c.Env = dir, append(append(os.Environ(), noBytecode), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

// The SDK for Python passes its own tests.
func TestPythonSDKByItself(t *testing.T) {
	t.Parallel()
	out, err := python(t, inRepository(t, "sdk/python"), nil, "-m", "unittest")
	if err != nil || !strings.Contains(out, "\nOK\n") || strings.Contains(out, "Ran 0 ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// What merchants get in Python has nothing that came after Python 3.9.
func TestPythonFilesAreOfPython39(t *testing.T) {
	t.Parallel()
	files := []string{"-c", `
import ast, sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        ast.parse(file.read(), name, feature_version=(3, 9))`}
	for _, folder := range []string{"sdk/python", "examples/python"} {
		err := filepath.WalkDir(inRepository(t, folder), func(file string, entry os.DirEntry, err error) error {
			if err == nil && filepath.Ext(file) == ".py" {
				files = append(files, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 25 {
		t.Errorf("%d files only", len(files)-2)
	}
	if out, err := python(t, ".", nil, files...); err != nil || out != "" {
		t.Errorf("%v\n%s", err, out)
	}
}

// The SDK for Python trusts the certificates of the system alone, and each for its own names.
func TestPythonSDKChecksCertificates(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte(`{"data":[]}`))
	}))
	t.Cleanup(server.Close)
	trusted := filepath.Join(t.TempDir(), "trusted.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(trusted, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	const program = `
import asyncio, sys
from daftar import ApiConnectionError, AsyncClient, Client
async def ask(url):
    try:
        for client in Client(url, "pk", "at", retry_for=0), AsyncClient(url, "pk", "at", retry_for=0):
            found = client.list_payment_intents()
            print((await found if asyncio.iscoroutine(found) else found).data)
    except ApiConnectionError as error:
        print(error)
asyncio.run(ask(sys.argv[1]))`
	other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	for _, c := range []struct{ name, url, trusts, says string }{
		{"trusted", server.URL, trusted, "()\n()\n"},
		{"unknown", server.URL, "", "CERTIFICATE_VERIFY_FAILED"},
		{"another name", other, trusted, "not valid for 'localhost'"},
	} {
		out, err := python(t, inRepository(t, "sdk/python"),
			[]string{"SSL_CERT_FILE=" + c.trusts, "NO_PROXY=*"}, "-c", program, c.url)
		if err != nil || !strings.Contains(out, c.says) {
			t.Errorf("%s: %v, %s", c.name, err, out)
		}
	}
	if asked.Load() != 2 {
		t.Errorf("asked %d times, want 2", asked.Load())
	}
}

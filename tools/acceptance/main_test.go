package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	devcommands "daftar/cmd/daftar-dev/commands"
	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/commands"
	"daftar/internal/freeport"
	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/browsertest"
	"daftar/tools/acceptance/programtest"
)

func TestMain(m *testing.M) {
	// httptest.Server.Close closes the idle connections of all tests; a request of another test
	// that is about to use one fails.
	http.DefaultTransport.(*http.Transport).DisableKeepAlives = true
	pgtest.Main(programtest.Around(browsertest.Around(m)))
}

// patience ends what hangs: it is longer than any step takes, also on a busy machine.
const patience = time.Minute

const (
	secretKey     = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a"
	sandboxSecret = "sandbox-secret-of-the-tests"
)

// run is the result of a call of the program.
type run struct {
	code        int
	out, errors string
}

// call runs the program to its end in this process, with only the given variables.
// TestTheProgramItself runs the binary.
func call(t *testing.T, env []string, args ...string) run {
	t.Helper()
	return callWith(t, env, "", args...)
}

// callWith calls the program with a text on standard input.
func callWith(t *testing.T, env []string, input string, args ...string) run {
	t.Helper()
	return callOf(t, commands.Root, env, input, args...)
}

// callDev is call for daftar-dev.
func callDev(t *testing.T, env []string, args ...string) run {
	t.Helper()
	return callOf(t, devcommands.Root, env, "", args...)
}

func callOf(t *testing.T, commands cli.Commands, env []string, input string, args ...string) run {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	c := cli.Call{In: strings.NewReader(input), Out: &out, Err: &errs, Environ: env, Args: args}
	code := c.Run(ctx, commands)
	return run{code: code, out: out.String(), errors: errs.String()}
}

// answer calls the program with --json, requires exit 0, and parses its answer, which is the last
// line: a rebuild prints its progress first.
func answer[T any](t *testing.T, env []string, args ...string) T {
	t.Helper()
	return answered[T](t, args, call(t, env, append(args, "--json")...))
}

// answered parses the answer of a call with --json.
func answered[T any](t *testing.T, args []string, r run) (v T) {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("%v: exit %d: %s%s", args, r.code, r.out, r.errors)
	}
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &v); err != nil {
		t.Fatalf("%v answered %s: %v", args, r.out, err)
	}
	return v
}

// process is a program that runs until it is stopped.
type process struct{ *programtest.Program }

// awaitLog waits until the program has logged a text.
func (p process) awaitLog(t *testing.T, text string) {
	t.Helper()
	pgtest.WaitFor(t, fmt.Sprintf("%q in the log", text), func() bool {
		return strings.Contains(p.Logged(), text)
	})
}

// start runs the program in the background; the test's end stops it.
func start(t *testing.T, dir string, env []string, args ...string) (p process, out io.Reader) {
	t.Helper()
	return startProgram(t, programtest.Daftar(t), dir, env, args...)
}

// startProgram is start for a program of another version.
func startProgram(t *testing.T, program, dir string,
	env []string, args ...string,
) (p process, out io.Reader) {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir = dir
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, env...)
	reader, writer := io.Pipe()
	c.Stdout = writer
	p = process{programtest.Start(t, c)}
	go func() {
		<-p.Done()
		_ = writer.Close()
	}()
	// A program that writes to a full pipe would never end.
	t.Cleanup(func() { _ = reader.Close() })
	return p, reader
}

// address is a free address for a server that is about to start.
func address(t *testing.T) string {
	t.Helper()
	free, err := freeport.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return free
}

// shop is an organisation with an application and its credentials, created with the commands.
type shop struct {
	org, app, key, token, tokenID, secret string
}

func newShop(t *testing.T, env []string, flags ...string) shop {
	t.Helper()
	type organization struct {
		Organization struct {
			UUID      string    `json:"uuid"`
			Name      string    `json:"name"`
			CreatedAt time.Time `json:"created_at"`
		} `json:"organization"`
	}
	type application struct {
		Application struct {
			UUID         string  `json:"uuid"`
			Organization string  `json:"organization_uuid"`
			Name         string  `json:"name"`
			Active       bool    `json:"active"`
			WebhookURL   *string `json:"webhook_url"`
		} `json:"application"`
		APIKey        string `json:"api_key"`
		WebhookSecret string `json:"webhook_secret"`
	}
	type token struct {
		UUID        string  `json:"uuid"`
		Name        string  `json:"name"`
		AccessToken string  `json:"access_token"`
		ExpiresAt   *string `json:"expires_at"`
	}
	o := answer[organization](t, env, "org", "create", "--name", "مقهى الميدان").Organization
	a := answer[application](t, env, append([]string{"app", "create", "--org", o.UUID,
		"--name", "متجر", "--webhook-url", "https://shop.ly/hook"}, flags...)...)
	k := answer[token](t, env, "token", "create", "--org", o.UUID, "--name", "server")
	if o.Name != "مقهى الميدان" || o.CreatedAt.IsZero() ||
		a.Application.Name != "متجر" || !a.Application.Active ||
		a.Application.Organization != o.UUID || a.Application.WebhookURL == nil ||
		k.Name != "server" || k.ExpiresAt != nil {
		t.Fatalf("created %+v, %+v, %+v", o, a, k)
	}
	return shop{
		org: o.UUID, app: a.Application.UUID, key: a.APIKey, secret: a.WebhookSecret,
		token: k.AccessToken, tokenID: k.UUID,
	}
}

// service is a server process on a separate database.
type service struct {
	process
	env  []string
	base string
	ops  string
}

func serve(t *testing.T, databaseURL string, extra ...string) *service {
	t.Helper()
	return serveAt(t, programtest.Daftar(t), address(t), address(t), databaseURL, extra...)
}

// serveAt is serve with a program, possibly of another version, at these addresses, which may be
// those of a server that has ended.
func serveAt(t *testing.T, program, listen, ops, databaseURL string, extra ...string) *service {
	t.Helper()
	return serveWith(t, program, listen, ops, append([]string{
		"DAFTAR_DATABASE_URL=" + databaseURL, "DAFTAR_RATE_LIMIT=off",
		"DAFTAR_SECRET_KEY=" + secretKey,
	}, extra...))
}

// serveWith is serveAt with a complete environment except for the addresses.
func serveWith(t *testing.T, program, listen, ops string, env []string) *service {
	t.Helper()
	env = append([]string{"DAFTAR_LISTEN=" + listen, "DAFTAR_OPS_LISTEN=" + ops}, env...)
	p, _ := startProgram(t, program, t.TempDir(), env, "serve")
	s := &service{process: p, env: env, base: "http://" + listen + "/api/v1", ops: "http://" + ops}
	pgtest.WaitFor(t, "the server to be ready", func() bool {
		if s.Ended() {
			t.Fatal("the server ended before it was ready")
		}
		return s.status("/readyz") == http.StatusOK
	})
	return s
}

// status requests the operators' address; 0 if the server does not answer.
func (s *service) status(path string) int {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.ops+path, nil)
	if err != nil {
		return 0
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// reply is an answer of the API.
type reply struct {
	status int
	header http.Header
	body   string
	data   struct {
		UUID        string `json:"uuid"`
		Reference   string `json:"reference"`
		Status      string `json:"status"`
		CheckoutURL string `json:"checkout_url"`
	}
}

// ask sends a request to the API with a shop's credentials.
func (s *service) ask(t *testing.T, who shop, method, path, body string) reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = http.Header{
		"X-Api-Key": {who.key}, "Authorization": {"Bearer " + who.token},
		"Accept": {"application/json"}, "Content-Type": {"application/json"},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	r := reply{status: response.StatusCode, header: response.Header, body: string(text)}
	wrapped := struct{ Data any }{&r.data}
	if strings.HasPrefix(r.body, `{"data":{`) {
		if err := json.Unmarshal(text, &wrapped); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return r
}

func order(reference string) string {
	return fmt.Sprintf(`{"merchant_reference":%q,"amount":5000,"currency":"LYD",`+
		`"description":"Two coffees"}`, reference)
}

package dashboard_test

import (
	"bytes"
	"context"
	"html"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/accounts"
	"daftar/dashboard"
	"daftar/httpapi"
	"daftar/internal/freeport"
	"daftar/internal/postgres/pgtest"
	"daftar/webhooks"
)

// hook is a merchant's endpoint, which takes everything.
type hook struct {
	*httptest.Server
	got atomic.Int64
}

func (h *hook) count() int64 { return h.got.Load() }

func newHook(t *testing.T) *hook {
	h := &hook{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h.got.Add(1)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(h.Close)
	return h
}

// dispatch sends webhooks, to our own machine too, until the test ends.
func (w *world) dispatch(t *testing.T) {
	d := webhooks.New(webhooks.Config{
		Pool:         w.pool,
		Accounts:     w.accounts,
		Log:          zerolog.Nop(),
		AllowPrivate: true,
		Version:      "test",
		Now:          w.now,
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

// withAPI is a world whose dashboard shows the address of an API on this machine.
func withAPI(t *testing.T, change ...func(*dashboard.Config)) *world {
	t.Helper()
	var api http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		api.ServeHTTP(rw, r)
	}))
	t.Cleanup(server.Close)
	w := newWorld(t, append(change, func(c *dashboard.Config) {
		c.PublicURL, c.Guard = server.URL, webhooks.Guard{AllowPrivate: true}
	})...)
	api = httpapi.New(httpapi.Config{
		Ledger: w.ledger, Accounts: w.accounts, Deliveries: w.deliveries, PublicURL: server.URL,
		Log: zerolog.Nop(), Now: w.now,
	})
	return w
}

// piece is a block of code of a page, as a reader would copy it.
func piece(t *testing.T, page answer, id string) string {
	t.Helper()
	code := regexp.MustCompile(`(?s)<pre[^>]* id="` + id + `"[^>]*><code>(.*?)</code></pre>`)
	found := code.FindStringSubmatch(page.body)
	if found == nil {
		t.Fatalf("the page has no code %s:\n%s", id, page.text())
	}
	return html.UnescapeString(found[1])
}

// runtimes run the code of a language: the file it goes into, and the command.
var runtimes = []struct {
	key, file string
	command   []string
	receiver  string // the file of a server, which may go by another name
	serve     []string
}{
	{"curl", "create.sh", []string{"sh", "create.sh"}, "", nil},
	{"php", "create.php", []string{"php", "create.php"}, "receive.php",
		[]string{"php", "-S", "127.0.0.1:{port}", "receive.php"}},
	{"node", "create.mjs", []string{"node", "create.mjs"}, "receive.cjs", []string{"node", "receive.cjs"}},
	{"python", "create.py", []string{"python3", "create.py"}, "receive.py", []string{"python3", "receive.py"}},
	{"go", "main.go", []string{"go", "run", "."}, "main.go", []string{"go", "run", "."}},
}

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// The code on the page for developers creates a payment, retrieves it, and accepts our
// webhook but no other. The name of the application tries to break out of its comment.
func TestCodeOfTheCorner(t *testing.T) { //nolint:tparallel // they take turns with one session
	t.Parallel()
	w := withAPI(t)
	app, err := w.accounts.CreateApplication(t.Context(), operator, w.ours.org.ID,
		accounts.Draft{Name: `?> "'; */ $(false) متجر`})
	if err != nil {
		t.Fatal(err)
	}
	c := w.developer(t)
	environment := []string{"DAFTAR_API_KEY=" + app.APIKey, "DAFTAR_ACCESS_TOKEN=" + w.ours.values[0],
		"DAFTAR_WEBHOOK_SECRET=" + app.WebhookSecret}
	var intent string
	for _, r := range runtimes {
		t.Run(r.key, func(t *testing.T) {
			if _, err := exec.LookPath(r.command[0]); err != nil {
				if r.key == "curl" || r.key == "go" {
					t.Fatal(err)
				}
				t.Logf("%s is not on this machine: its code was not run", r.command[0])
				return
			}
			page := c.get(w.ours.path("developers?lang=en&code="+r.key+"&application="+app.ID.String())).
				is(t, http.StatusOK)
			if setup := piece(t, page, "setup"); !strings.Contains(setup, "pk_…"+app.APIKey[len(app.APIKey)-4:]) {
				t.Errorf("the setup does not say which key:\n%s", setup)
			}
			created := run(t, r.file, piece(t, page, "create"), r.command, environment...)
			uuid := anyUUID.FindString(created)
			if uuid == "" || intent != "" && uuid != intent {
				t.Fatalf("created %q, want the one payment %s:\n%s", uuid, intent, created)
			}
			intent = uuid
			got := run(t, r.file, piece(t, page, "retrieve"), r.command, append(environment, "INTENT="+intent)...)
			if !strings.Contains(got, "requires_payment_method") {
				t.Errorf("retrieved %s", got)
			}
			if r.serve != nil {
				files := map[string]string{r.receiver: piece(t, page, "receive")}
				if r.key == "go" {
					files["verify.go"] = piece(t, page, "verify")
				}
				checkReceiver(t, files, r.serve, app.WebhookSecret, environment)
			}
		})
	}
}

// run runs code in a folder and returns its output.
func run(t *testing.T, file, code string, command []string, environment ...string) string {
	t.Helper()
	cmd := prepare(t, map[string]string{file: code}, command, environment)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s\n%s", err, out, complaints.String(), code)
	}
	return string(out)
}

func prepare(t *testing.T, files map[string]string, command, environment []string) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module shop\n\ngo 1.22\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "GOWORK=off"), environment...)
	return cmd
}

// checkReceiver starts a merchant's server and sends it webhooks.
func checkReceiver(
	t *testing.T, files map[string]string, command []string, secret string, environment []string,
) {
	t.Helper()
	address, err := freeport.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(address, ":")
	command = append([]string(nil), command...)
	for n := range command {
		command[n] = strings.ReplaceAll(command[n], "{port}", port)
	}
	cmd := prepare(t, files, command, append(environment, "PORT="+port))
	binary := filepath.Join(cmd.Dir, "shop")
	if command[0] == "go" {
		// What "go run" starts would outlive it.
		build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".")
		build.Dir, build.Env = cmd.Dir, cmd.Env
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		run := exec.CommandContext(t.Context(), binary)
		run.Dir, run.Env = cmd.Dir, cmd.Env
		cmd = run
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	pgtest.WaitFor(t, "the merchant's server", func() bool {
		connection, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	})
	body := []byte(`{"type":"payment_intent.succeeded","timestamp":"2026-11-20T09:30:00Z",` +
		`"data":{"uuid":"b3d6f0a4-52c7-5e18-a1f9-0d4c6e7b8a91"}}`)
	signer, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	signature, err := signer.Sign("evt_1", now, body)
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]struct {
		body string
		want int
	}{
		"ours":   {string(body), http.StatusNoContent},
		"forged": {strings.Replace(string(body), "succeeded", "canceled", 1), http.StatusUnauthorized},
	} {
		to := "http://" + address + "/webhooks"
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to, strings.NewReader(try.body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("webhook-id", "evt_1")
		request.Header.Set("webhook-timestamp", strconv.FormatInt(now.Unix(), 10))
		request.Header.Set("webhook-signature", signature)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != try.want {
			t.Errorf("%s: answered %d, want %d", name, response.StatusCode, try.want)
		}
	}
}

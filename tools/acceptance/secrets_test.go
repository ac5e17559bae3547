package acceptance_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// bazaar is a shop, its people and its customers, whose secrets are all known.
type bazaar struct {
	*search
	db     *pgtest.DB
	super  *pgxpool.Pool
	env    []string // of the commands
	served *service
	who    shop
	org    string
	email  string
	word   string // the owner's password
	totp   string
	codes  []string
	traces *recorder
	hooks  *recorder
}

// recorder records what a third-party server was sent. The server fails some times, then works.
type recorder struct {
	*httptest.Server
	mu    sync.Mutex
	all   strings.Builder
	fails int
}

func newRecorder(t *testing.T, fails int) *recorder {
	t.Helper()
	h := &recorder{fails: fails}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("listen: %v", err)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		fmt.Fprintf(&h.all, "%s %s %v\n%s\n", r.Method, r.URL, r.Header, body)
		if h.fails > 0 {
			h.fails--
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *recorder) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all.String()
}

func randomKey() string {
	var b [32]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// Whatever is done with the program, right or wrong, no secret of the run appears afterwards in a
// log, a dump of the database, a metric, a trace, a webhook, or an answer other than the one that
// issued it.
func TestNoSecretLeaks(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	w := &bazaar{
		search: &search{t: t}, db: db, super: pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1}),
		email: "salma@shop.example", word: "seven grey camels at noon", traces: newRecorder(t, 0),
		hooks: newRecorder(t, 3),
	}
	key, between := randomKey(), randomKey()
	w.addSecret("secret key", key)
	w.addSecret("secret of the sandbox", between)
	for _, address := range []string{db.ServiceURL(), db.URL(), db.SuperuserURL()} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if password, ok := u.User.Password(); ok {
			w.addSecret("password of the database", password)
		}
	}
	w.env = []string{
		"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + key, "DAFTAR_LOG_LEVEL=trace",
	}
	signing := w.commands()
	bank := address(t)
	sandbox, _ := start(t, t.TempDir(), []string{
		"DAFTAR_SANDBOX_SECRET=" + between, "DAFTAR_SANDBOX_LISTEN=" + bank, "DAFTAR_LOG_LEVEL=trace",
	}, "sandbox-acquirer")
	w.served = serve(t, db.ServiceURL(), "DAFTAR_SECRET_KEY="+key, "DAFTAR_LOG_LEVEL=trace",
		"DAFTAR_TRANSPARENCY_KEY="+signing,
		"DAFTAR_SANDBOX_URL=http://"+bank, "DAFTAR_SANDBOX_SECRET="+between, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		"OTEL_EXPORTER_OTLP_ENDPOINT="+w.traces.URL, "OTEL_EXPORTER_OTLP_COMPRESSION=none")

	id := w.merchants()
	w.payers(id)
	w.people()
	w.causeErrors()
	w.operators(id)
	w.misuse()
	pgtest.WaitFor(t, "a webhook that failed", func() bool {
		return strings.Contains(w.hooks.text(), "payment_intent.created")
	})
	pgtest.WaitFor(t, "the traces", func() bool {
		return strings.Contains(w.traces.text(), "POST /api/v1/payment-intents")
	})

	// The state of the process at its end: goroutines and their stacks.
	w.served.Stop(t, syscall.SIGQUIT)
	sandbox.Stop(t, syscall.SIGTERM)
	w.addPlace("log", "serve", w.served.Logged())
	w.addPlace("log", "sandbox acquirer", sandbox.Logged())
	w.addPlace("trace", "collector", w.traces.text())
	w.addPlace("webhook", "endpoint", w.hooks.text())
	w.dump()
	sum := sha256.Sum256([]byte(w.who.key))
	w.mustShow("database", hex.EncodeToString(sum[:]))
	w.mustShow("log", `"level":"error"`)
	w.mustShow("log", "goroutine ")
	w.mustShow("trace", "append")
	w.mustShow("webhook", "webhook.test")
	w.mustShow("metrics", "daftar_http_requests_total")
	w.mustShow("API", "requires_payment_method")
	w.mustShow("checkout", `data-state="otp"`)
	w.run()
}

// commands creates everything with an operator's commands. It returns the signing key.
func (w *bazaar) commands() string {
	t := w.t
	t.Helper()
	w.who = newShop(t, w.env)
	w.org = w.who.org
	w.addSecret("first API key", w.who.key)
	w.addSecret("first webhook secret", w.who.secret)
	w.addSecret("access token", w.who.token)
	issue := func(name, field string, args ...string) string {
		t.Helper()
		r := call(t, w.env, append(args, "--json")...)
		value, ok := parse[map[string]any](t, r.out)[field].(string)
		if r.code != 0 || !ok {
			t.Fatalf("daftar %v: exit %d %s%s", args, r.code, r.out, r.errors)
		}
		w.issue(w.addPlace("command", strings.Join(args, " "), r.out), name, value)
		w.addPlace("log", strings.Join(args, " "), r.errors)
		return value
	}
	w.who.key = issue("API key", "api_key", "app", "roll-key", w.who.app)
	w.who.secret = issue("webhook secret", "webhook_secret", "app", "roll-webhook-secret", w.who.app)
	revoked := issue("revoked token", "access_token", "token", "create", "--org", w.org, "--name", "old")
	w.addSecret("revoked token", revoked)
	r := call(t, w.env, "audit", "new-key", "--origin", "pay.example")
	if r.code != 0 {
		t.Fatalf("audit new-key: exit %d %s", r.code, r.errors)
	}
	signing := w.found(`(PRIVATE\+KEY\+\S+)`, r.out)
	w.addSecret("signing key", signing)
	w.addSecret("seed of the signing key", strings.SplitN(signing, "+", 5)[4])
	w.addSecret("password of a user", w.word)
	made := callWith(t, w.env, w.word+"\n", "user", "create", "--org", w.org,
		"--email", w.email, "--role", "owner", "--password-stdin")
	if made.code != 0 {
		t.Fatalf("user create: %s", made.errors)
	}
	w.addPlace("command", "user create", made.out+made.errors)
	hook := randomKey()
	w.addSecret("secret in a webhook address", hook, "database", "command", "dashboard", "webhook")
	call(t, w.env, "app", "set-webhook-url", w.who.app, w.hooks.URL+"/hook/"+hook)
	return signing
}

// dump records the rows of the whole database, as a backup has them.
func (w *bazaar) dump() {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), w.db.SuperuserURL())
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(w.t.Context()))
	rows, err := conn.Query(w.t.Context(), `
		SELECT oid::regclass::text
		FROM pg_class
		WHERE relkind = 'r'
		AND relnamespace = 'public'::regnamespace`)
	if err != nil {
		w.t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.t.Fatal(err)
	}
	for _, table := range []string{
		"events", "applications", "access_tokens", "users", "sessions", "audit_records", "webhook_deliveries",
		"invitations", "recovery_codes",
	} {
		if !slices.Contains(tables, table) {
			w.t.Errorf("the database lacks %s", table)
		}
	}
	for _, table := range tables {
		var rows strings.Builder
		rows.WriteString("COPY public." + table + " FROM stdin;\n") // in the form of pg_dump
		if _, err := conn.PgConn().CopyTo(w.t.Context(), &rows, "COPY "+table+" TO STDOUT"); err != nil {
			w.t.Fatalf("dump %s: %v", table, err)
		}
		w.addPlace("database", table, rows.String())
	}
}

// processOf is what every user of the machine sees of a process.
func processOf(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		t.Fatal(err)
	}
	return html.UnescapeString(string(text))
}

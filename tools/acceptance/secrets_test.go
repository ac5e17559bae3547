package acceptance_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	traces *heard
	hooks  *heard
}

// heard is what somebody else's server was sent; it fails some times, then works.
type heard struct {
	*httptest.Server
	mu    sync.Mutex
	all   strings.Builder
	fails int
}

func listenTo(t *testing.T, fails int) *heard {
	t.Helper()
	h := &heard{fails: fails}
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

func (h *heard) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all.String()
}

func drawn() string {
	var b [32]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// Whatever is done with the program, rightly or wrongly, no secret of the run can be
// read afterwards in a log, a dump of the database, a metric, a trace, a webhook, or
// an answer other than the one that issued it.
func TestNoSecretLeaks(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	w := &bazaar{
		search: &search{t: t}, db: db, super: pgtest.Open(t, db.SuperuserURL(), postgres.Options{MaxConns: 1}),
		email: "salma@shop.example", word: "seven grey camels at noon", traces: listenTo(t, 0),
		hooks: listenTo(t, 3),
	}
	key, between := drawn(), drawn()
	w.keep("secret key", key)
	w.keep("secret of the sandbox", between)
	for _, address := range []string{db.ServiceURL(), db.URL(), db.SuperuserURL()} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if password, ok := u.User.Password(); ok {
			w.keep("password of the database", password)
		}
	}
	w.env = []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + key,
		"DAFTAR_LOG_LEVEL=trace"}
	signing := w.commands()
	bank := address(t)
	sandbox, _ := start(t, t.TempDir(), []string{"DAFTAR_SANDBOX_SECRET=" + between,
		"DAFTAR_SANDBOX_LISTEN=" + bank, "DAFTAR_LOG_LEVEL=trace"}, "sandbox-acquirer")
	w.served = serve(t, db.ServiceURL(), "DAFTAR_SECRET_KEY="+key, "DAFTAR_LOG_LEVEL=trace",
		"DAFTAR_TRANSPARENCY_KEY="+signing,
		"DAFTAR_SANDBOX_URL=http://"+bank, "DAFTAR_SANDBOX_SECRET="+between, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		"OTEL_EXPORTER_OTLP_ENDPOINT="+w.traces.URL, "OTEL_EXPORTER_OTLP_COMPRESSION=none")

	id := w.merchants()
	w.payers(id)
	w.people()
	w.troubles()
	w.operators(id)
	w.misuse()
	pgtest.WaitFor(t, "a webhook that failed", func() bool {
		return strings.Contains(w.hooks.text(), "payment_intent.created")
	})
	pgtest.WaitFor(t, "the traces", func() bool {
		return strings.Contains(w.traces.text(), "POST /api/v1/payment-intents")
	})

	// The whole of the process at its end: goroutines and what was on their stacks.
	w.served.Stop(t, syscall.SIGQUIT)
	sandbox.Stop(t, syscall.SIGTERM)
	w.look("log", "serve", w.served.Logged())
	w.look("log", "sandbox acquirer", sandbox.Logged())
	w.look("trace", "collector", w.traces.text())
	w.look("webhook", "endpoint", w.hooks.text())
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

// commands makes everything, as an operator does. It returns the signing key.
func (w *bazaar) commands() string {
	t := w.t
	t.Helper()
	w.who = newShop(t, w.env)
	w.org = w.who.org
	w.keep("first API key", w.who.key)
	w.keep("first webhook secret", w.who.secret)
	w.keep("access token", w.who.token)
	issue := func(name, field string, args ...string) string {
		t.Helper()
		r := call(t, w.env, append(args, "--json")...)
		value, ok := parse[map[string]any](t, r.out)[field].(string)
		if r.code != 0 || !ok {
			t.Fatalf("daftar %v: exit %d %s%s", args, r.code, r.out, r.errors)
		}
		w.issue(w.look("command", strings.Join(args, " "), r.out), name, value)
		w.look("log", strings.Join(args, " "), r.errors)
		return value
	}
	w.who.key = issue("API key", "api_key", "app", "roll-key", w.who.app)
	w.who.secret = issue("webhook secret", "webhook_secret", "app", "roll-webhook-secret", w.who.app)
	w.keep("revoked token", issue("revoked token", "access_token", "token", "create", "--org", w.org,
		"--name", "old"))
	r := call(t, w.env, "audit", "new-key", "--origin", "pay.example")
	if r.code != 0 {
		t.Fatalf("audit new-key: exit %d %s", r.code, r.errors)
	}
	signing := w.found(`(PRIVATE\+KEY\+\S+)`, r.out)
	w.keep("signing key", signing)
	w.keep("seed of the signing key", strings.SplitN(signing, "+", 5)[4])
	w.keep("password of a user", w.word)
	made := callWith(t, w.env, w.word+"\n", "user", "create", "--org", w.org, "--email", w.email, "--role",
		"owner", "--password-stdin")
	if made.code != 0 {
		t.Fatalf("user create: %s", made.errors)
	}
	w.look("command", "user create", made.out+made.errors)
	hook := drawn()
	w.keep("secret in a webhook address", hook, "database", "command", "dashboard", "webhook")
	call(t, w.env, "app", "set-webhook-url", w.who.app, w.hooks.URL+"/hook/"+hook)
	return signing
}

// merchants call the API, with what is right and with what is not.
func (w *bazaar) merchants() (id string) {
	t := w.t
	t.Helper()
	v := w.visitor("API")
	send := func(method, path, body, key, token string, extra ...string) (int, string) {
		header := http.Header{
			"X-Api-Key": {key}, "Authorization": {token}, "Accept": {"application/json"},
			"Content-Type": {"application/json"},
		}
		for n := 0; n < len(extra); n += 2 {
			header.Set(extra[n], extra[n+1])
		}
		request, err := http.NewRequestWithContext(t.Context(), method, w.served.base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = header
		response, err := v.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		w.look("API", method+" "+path, fmt.Sprintf("%v\n%s", response.Header, text))
		return response.StatusCode, string(text)
	}
	key, bearer := w.who.key, "Bearer "+w.who.token
	status, body := send(http.MethodPost, "/payment-intents", order("o-1"), key, bearer)
	var made struct{ Data made }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != http.StatusCreated {
		t.Fatalf("create: %d %s", status, body)
	}
	link := made.Data.CheckoutURL
	w.keep("checkout token", link[strings.LastIndex(link, "/")+1:], "database", "API", "checkout", "command")
	w.served.base = strings.TrimSuffix(w.served.base, "/")
	for what, row := range map[string][]string{
		"retrieve": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "", key, bearer},
		"unknown":  {http.MethodGet, "/payment-intents/" + w.who.app, "", key, bearer},
		"key for a token": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "", w.who.token,
			"Bearer " + key},
		"wrong key": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "",
			key[:60] + "0000000", bearer},
		"token without Bearer": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "",
			key, w.who.token},
		"token for basic": {http.MethodGet, "/payment-intents/" + made.Data.UUID, "", key,
			"Basic " + w.who.token},
		"key in the path": {http.MethodGet, "/payment-intents/" + key, "", key, bearer},
		"token in the query": {http.MethodGet,
			"/payment-intents?access_token=" + w.who.token + "&api_key=" + key, "", key, bearer},
		"nowhere":      {http.MethodGet, "/" + key + "/" + w.who.token, "", key, bearer},
		"wrong method": {http.MethodDelete, "/payment-intents/" + made.Data.UUID, "", key, bearer},
		"key in a bad body": {http.MethodPost, "/payment-intents",
			`{"` + key + `":` + w.who.token + `}`, key, bearer},
		"key as a field": {http.MethodPost, "/payment-intents",
			`{"merchant_reference":"x","amount":"` + key + `","currency":"` + key + `","description":"x"}`, key, bearer},
		"key as a type": {http.MethodPost, "/payment-intents", order("o-2"), key, bearer,
			"Content-Type", key},
		"token for the request's id": {http.MethodPost, "/payment-intents", order("o-3"), key, bearer,
			"X-Request-Id", w.who.token},
		"token in a trace of a caller": {http.MethodGet, "/payment-intents/x", "", key, bearer, "Traceparent",
			w.who.token, "Tracestate", "k=" + w.who.token, "Baggage", "k=" + w.who.token},
		"revoked": {http.MethodGet, "/payment-intents/x", "", key,
			"Bearer at_000000000000000000000000000000000000"},
	} {
		if status, body := send(row[0], row[1], row[2], row[3], row[4],
			row[5:]...); status >= http.StatusInternalServerError {
			t.Errorf("%s: %d %s", what, status, body)
		}
	}
	return link
}

// payers open the link, pay, mistype, and try links of nobody.
func (w *bazaar) payers(link string) {
	t := w.t
	t.Helper()
	const phone = "0918273645"
	w.keep("payer's telephone", phone, "checkout")
	v := w.visitor("checkout")
	path := w.found(`(/pay/.*)`, link)
	base := strings.TrimSuffix(w.served.base, "/api/v1")
	v.must(http.StatusOK, http.MethodGet, base+path, nil)
	w.keep("card number", "4111111111111111", "checkout")
	v.ask(http.MethodPost, base+path+"/attempts",
		url.Values{"method": {"wallet"}, "phone": {"4111111111111111"}}, nil)
	v.must(http.StatusSeeOther, http.MethodPost, base+path+"/attempts",
		url.Values{"method": {"wallet"}, "phone": {phone}})
	pgtest.WaitFor(t, "the page that asks for the code", func() bool {
		body, _, _ := v.must(http.StatusOK, http.MethodGet, base+path, nil)
		return strings.Contains(body, `data-state="otp"`)
	})
	w.keep("code that a payer typed", "9246810357", "checkout")
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"9246810357"}}, nil)
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"4111111111111111"}}, nil)
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"9246810357"}},
		http.Header{"Sec-Fetch-Site": {"cross-site"}})
	v.ask(http.MethodGet, base+path+"x", nil, nil)
	v.ask(http.MethodGet, base+path+"/state?was="+w.who.key, nil, nil)
	v.ask(http.MethodPost, base+"/acquirers/sandbox/notifications", url.Values{"x": {"1"}},
		http.Header{"Authorization": {"Bearer " + w.who.token}})
	v.ask(http.MethodPost, base+path+"/code", url.Values{"otp": {"111111"}}, nil)
	for _, page := range []string{"/transparency/checkpoint", "/transparency/" + w.who.token,
		"/pay/" + w.who.key + "/x", "/receipt/" + w.who.key + "/x", "/assets/" + w.who.key} {
		v.ask(http.MethodGet, base+page, nil, nil)
	}
}

// dump is the rows of the whole database, as a backup has them.
func (w *bazaar) dump() {
	w.t.Helper()
	conn, err := pgx.Connect(w.t.Context(), w.db.SuperuserURL())
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(w.t.Context()))
	rows, err := conn.Query(w.t.Context(),
		`SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`)
	if err != nil {
		w.t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.t.Fatal(err)
	}
	for _, table := range []string{"events", "applications", "access_tokens", "users", "sessions",
		"audit_records", "webhook_deliveries", "invitations", "recovery_codes"} {
		if !slices.Contains(tables, table) {
			w.t.Errorf("the database lacks %s", table)
		}
	}
	for _, table := range tables {
		var rows strings.Builder
		rows.WriteString("COPY public." + table + " FROM stdin;\n") // as pg_dump has it
		if _, err := conn.PgConn().CopyTo(w.t.Context(), &rows, "COPY "+table+" TO STDOUT"); err != nil {
			w.t.Fatalf("dump %s: %v", table, err)
		}
		w.look("database", table, rows.String())
	}
}

// processOf is what everybody on the machine sees of a process.
func processOf(t *testing.T, pid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		t.Fatal(err)
	}
	return html.UnescapeString(string(text))
}

// made is an intent as the API answers it.
type made struct {
	UUID        string `json:"uuid"`
	Reference   string `json:"reference"`
	CheckoutURL string `json:"checkout_url"`
}

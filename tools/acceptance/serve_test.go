package acceptance_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// The life of an intent through the API of one server and the commands.
func TestServe(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	s := serve(t, db.ServiceURL(), "DAFTAR_PUBLIC_URL=https://pay.example/")

	created := s.ask(t, who, http.MethodPost, "/payment-intents", order("o-1"))
	if created.status != http.StatusCreated || !uuidForm.MatchString(created.data.UUID) ||
		created.data.Status != "requires_payment_method" {
		t.Fatalf("create: %d %s", created.status, created.body)
	}
	if !strings.HasPrefix(created.data.CheckoutURL, "https://pay.example/pay/"+created.data.UUID) {
		t.Errorf("checkout_url %s", created.data.CheckoutURL)
	}
	again := s.ask(t, who, http.MethodPost, "/payment-intents", strings.Replace(order("o-1"), "5000", "7000", 1))
	if again.status != http.StatusOK || again.body != created.body ||
		again.header.Get("Idempotent-Replayed") != "true" ||
		again.header.Get("Idempotent-Replayed-Differs") != "amount" {
		t.Errorf("create again: %d %v %s", again.status, again.header, again.body)
	}
	got := s.ask(t, who, http.MethodGet, "/payment-intents/"+created.data.UUID, "")
	if got.status != http.StatusOK || got.body != created.body {
		t.Errorf("retrieve: %d %s", got.status, got.body)
	}

	type history struct {
		UUID   string `json:"uuid"`
		Events []struct {
			Position   int64          `json:"position"`
			Version    int            `json:"version"`
			Type       string         `json:"type"`
			RecordedAt time.Time      `json:"recorded_at"`
			Actor      string         `json:"actor"`
			Data       map[string]any `json:"data"`
		} `json:"events"`
	}
	h := answer[history](t, env, "events", "history", created.data.UUID)
	if len(h.Events) != 1 || h.Events[0].Type != "intent.created" || h.Events[0].Position != 1 ||
		h.Events[0].Version != 1 ||
		h.Events[0].Actor != "application:"+who.app || h.Events[0].Data["amount"] != 5000.0 ||
		h.Events[0].RecordedAt.IsZero() {
		t.Errorf("history %+v", h)
	}
	type replay struct {
		States []struct {
			Version int            `json:"version"`
			Type    string         `json:"type"`
			Intent  map[string]any `json:"intent"`
		} `json:"states"`
	}
	states := answer[replay](t, env, "events", "replay", created.data.UUID).States
	if len(states) != 1 || states[0].Intent["status"] != "requires_payment_method" ||
		!strings.HasSuffix(created.data.CheckoutURL, fmt.Sprint(states[0].Intent["checkout_url"])) {
		t.Errorf("replay %+v", states)
	}
	if r := call(t, env, "events", "replay", created.data.UUID, "--at", "2020-01-01T00:00:00Z"); r.code != 1 {
		t.Errorf("replay before the first event: exit %d", r.code)
	}
	if r := call(t, env, "events", "history", "7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b"); r.code != 1 {
		t.Errorf("history of an unknown intent: exit %d", r.code)
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		if got := s.status(path); got != http.StatusOK {
			t.Errorf("%s: %d", path, got)
		}
	}
	s.Stop(t, syscall.SIGTERM)
	if code := s.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d", code)
	}
	for name, secret := range map[string]string{
		"API key": who.key, "token": who.token, "webhook secret": who.secret, "secret key": secretKey,
	} {
		if strings.Contains(s.Logged(), secret) {
			t.Errorf("the log has the %s", name)
		}
	}
}

// A roll, a revocation and a deactivation take effect at once, on every server, also on those that
// have just accepted the credential.
func TestCredentialsStopAtOnceOnEveryServer(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	servers := []*service{serve(t, db.ServiceURL()), serve(t, db.ServiceURL()), serve(t, db.ServiceURL())}
	id := servers[0].ask(t, who, http.MethodPost, "/payment-intents", order("warm")).data.UUID

	everywhere := func(want int, when string) {
		t.Helper()
		for n, s := range servers {
			for what, got := range map[string]reply{
				"retrieve":     s.ask(t, who, http.MethodGet, "/payment-intents/"+id, ""),
				"create again": s.ask(t, who, http.MethodPost, "/payment-intents", order("warm")),
				"bad create":   s.ask(t, who, http.MethodPost, "/payment-intents", "{}"),
				"no uuid":      s.ask(t, who, http.MethodGet, "/payment-intents/x", ""),
			} {
				wanted := map[string]int{"retrieve": 200, "create again": 200, "bad create": 422, "no uuid": 404}[what]
				if want != http.StatusOK {
					wanted = want
				}
				if got.status != wanted {
					t.Errorf("%s: server %d, %s: %d %s, want %d", when, n, what, got.status, got.body, wanted)
				}
			}
		}
	}
	everywhere(http.StatusOK, "before")

	old := who.key
	who.key = answer[struct {
		APIKey string `json:"api_key"`
	}](t, env, "app", "roll-key", who.app).APIKey
	fresh := who.key
	who.key = old
	everywhere(http.StatusUnauthorized, "with the old key")
	who.key = fresh
	everywhere(http.StatusOK, "with the new key")

	answer[map[string]any](t, env, "app", "deactivate", who.app, "--stop-checkouts")
	everywhere(http.StatusUnauthorized, "deactivated")
	answer[map[string]any](t, env, "app", "activate", who.app)
	everywhere(http.StatusOK, "activated")

	answer[map[string]any](t, env, "token", "revoke", who.tokenID)
	everywhere(http.StatusUnauthorized, "revoked")
}

// Fifty merchants' servers create the same reference through two of ours at once.
func TestFiftyCreatesOfOneReference(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	servers := []*service{serve(t, db.ServiceURL()), serve(t, db.ServiceURL())}
	var created, found atomic.Int64
	var bodies sync.Map
	var wg sync.WaitGroup
	for n := range 50 {
		wg.Go(func() {
			body := fmt.Sprintf(`{"merchant_reference":"same","amount":%d,"currency":"LYD",`+
				`"description":"%d"}`, 5000+n, n)
			r := servers[n%2].ask(t, who, http.MethodPost, "/payment-intents", body)
			switch r.status {
			case http.StatusCreated:
				created.Add(1)
			case http.StatusOK:
				found.Add(1)
			default:
				t.Errorf("%d %s", r.status, r.body)
			}
			site := strings.TrimSuffix(servers[n%2].base, "/api/v1")
			bodies.Store(strings.ReplaceAll(r.body, site, ""), true)
		})
	}
	wg.Wait()
	different := 0
	bodies.Range(func(any, any) bool { different++; return true })
	if created.Load() != 1 || found.Load() != 49 || different != 1 {
		t.Errorf("%d x 201, %d x 200, %d different intents; want 1, 49, 1", created.Load(), found.Load(), different)
	}
}

// The settings that make an answer durable are checked at the start.
func TestServeRefusesADatabaseThatForgets(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, map[string]string{"full_page_writes": "off"})
	_, url := cluster.Database(t, "daftar")
	r := call(t, []string{
		"DAFTAR_DATABASE_URL=" + url, "DAFTAR_SECRET_KEY=" + secretKey, "DAFTAR_LISTEN=" + address(t),
		"DAFTAR_OPS_LISTEN=" + address(t),
	}, "serve")
	if r.code != 1 || !strings.Contains(r.errors, "full_page_writes") {
		t.Errorf("exit %d: %s", r.code, r.errors)
	}
}

// SIGTERM under load: every accepted request is answered normally. TestLongDrainUnderLoad measures
// how long that takes.
func TestDrainUnderLoad(t *testing.T) {
	t.Parallel()
	drainUnderLoad(t)
}

// drainUnderLoad returns the time from the signal to the end of the server.
func drainUnderLoad(t *testing.T) (took time.Duration) {
	t.Helper()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	s := serve(t, db.ServiceURL())
	var answered atomic.Int64
	var wg sync.WaitGroup
	for k := range 16 {
		wg.Go(func() {
			for n := 0; ; n++ {
				status, err := s.tryCreate(t, who, fmt.Sprintf("d-%d-%d", k, n))
				if err != nil {
					return // refused or closed before it was accepted
				}
				if status != http.StatusCreated {
					t.Errorf("status %d while draining", status)
					return
				}
				answered.Add(1)
			}
		})
	}
	pgtest.WaitFor(t, "load", func() bool { return answered.Load() > 200 })
	took = s.Stop(t, syscall.SIGTERM)
	wg.Wait()
	if code := s.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d", code)
	}
	var stored int64
	if err := db.Pool(t).QueryRow(t.Context(), `SELECT count(*) FROM intents`).Scan(&stored); err != nil {
		t.Fatal(err)
	}
	if stored < answered.Load() {
		t.Errorf("%d intents are stored, %d were acknowledged", stored, answered.Load())
	}
	return took
}

// A server announces a shutdown before it stops listening, and serves the requests that come
// meanwhile.
func TestNotReadyBeforeDoorsClose(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	who := newShop(t, []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey})
	s := serve(t, db.ServiceURL(), "DAFTAR_DRAIN_DELAY=5s")
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	pgtest.WaitFor(t, "/readyz to fail", func() bool {
		return s.status("/readyz") == http.StatusServiceUnavailable
	})
	if status, err := s.tryCreate(t, who, "late"); status != http.StatusCreated {
		t.Errorf("create at a server that is about to drain: %d, %v", status, err)
	}
	<-s.Done()
	if code := s.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit %d", code)
	}
}

func (s *service) tryCreate(t *testing.T, who shop, reference string) (int, error) {
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+"/payment-intents",
		strings.NewReader(order(reference)))
	if err != nil {
		return 0, err
	}
	request.Header = http.Header{
		"X-Api-Key": {who.key}, "Authorization": {"Bearer " + who.token},
		"Content-Type": {"application/json"},
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// Whether the URL names a superuser or the tables' owner, the server uses no more rights than it
// needs, and works.
func TestServeWithTooManyRights(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	for who, url := range map[string]string{"superuser": db.SuperuserURL(), "owner": db.URL()} {
		env := []string{"DAFTAR_DATABASE_URL=" + url, "DAFTAR_SECRET_KEY=" + secretKey}
		s := serve(t, url)
		r := s.ask(t, newShop(t, env), http.MethodPost, "/payment-intents", order(who))
		if r.status != http.StatusCreated {
			t.Errorf("%s: %d %s", who, r.status, r.body)
		}
	}
}

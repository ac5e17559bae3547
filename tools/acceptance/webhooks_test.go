package acceptance_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"daftar/internal/postgres/pgtest"
)

// endpoint is a merchant's server: it keeps requests with a valid signature.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	events []string // type and webhook-id
	bodies []string
	at     string // path and query of the last one
}

func newEndpoint(t *testing.T, secret *string) *endpoint {
	t.Helper()
	e := &endpoint{}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read webhook: %v", err)
		}
		webhook, err := standardwebhooks.NewWebhook(*secret)
		if err == nil {
			err = webhook.Verify(body, r.Header)
		}
		var event struct{ Type string }
		if err == nil {
			err = json.Unmarshal(body, &event)
		}
		if err != nil {
			t.Errorf("webhook %s: %v", body, err)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.events = append(e.events, event.Type+" "+r.Header.Get("Webhook-Id"))
		e.bodies = append(e.bodies, string(body))
		e.at = r.RequestURI
	}))
	t.Cleanup(e.Close)
	return e
}

// received are the received bodies, one on each line.
func (e *endpoint) received() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.bodies, "\n") + "\n"
}

func (e *endpoint) got() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string{}, e.events...)
}

// asked is the path and query of the last webhook.
func (e *endpoint) asked() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

type deliveries struct {
	Deliveries []struct {
		UUID          string     `json:"uuid"`
		Event         string     `json:"event"`
		Application   string     `json:"application_uuid"`
		State         string     `json:"state"`
		Attempts      int        `json:"attempts"`
		NextAttemptAt *time.Time `json:"next_attempt_at"`
		LastStatus    *int       `json:"last_status"`

		Intent            string `json:"intent_uuid"`
		MerchantReference string `json:"merchant_reference"`
		LastError         string `json:"last_error"`
	} `json:"deliveries"`
}

// A webhook arrives, is listed, and is sent again with the same id, and a test webhook arrives too;
// all with the commands, while the server runs.
func TestWebhookCommands(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	shopServer := newEndpoint(t, &who.secret)
	answer[map[string]any](t, env, "app", "set-webhook-url", who.app, shopServer.URL)
	s := serve(t, db.ServiceURL(), "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")
	s.awaitLog(t, "DAFTAR_WEBHOOK_ALLOW_PRIVATE")
	id := s.ask(t, who, http.MethodPost, "/payment-intents", order("hooked")).data.UUID
	pgtest.WaitFor(t, "the webhook", func() bool { return len(shopServer.got()) == 1 })

	listed := func() deliveries { return answer[deliveries](t, env, "webhooks", "deliveries", "--intent", id) }
	pgtest.WaitFor(t, "the delivery to be written down", func() bool {
		return listed().Deliveries[0].State == "delivered"
	})
	d := listed().Deliveries[0]
	if d.Intent != id || d.MerchantReference != "hooked" || d.LastError != "" {
		t.Errorf("the payment of the delivery is %+v", d)
	}
	if d.Event != "payment_intent.created" || d.Application != who.app || d.Attempts != 1 ||
		d.LastStatus == nil || *d.LastStatus != 200 || d.NextAttemptAt != nil {
		t.Errorf("delivery %+v", d)
	}
	answer[deliveries](t, env, "webhooks", "resend", d.UUID)
	pgtest.WaitFor(t, "the webhook again", func() bool { return len(shopServer.got()) == 2 })
	if got := shopServer.got(); got[0] != got[1] || !strings.HasSuffix(got[0], d.UUID) {
		t.Errorf("sent %v for %s", got, d.UUID)
	}
	test := answer[deliveries](t, env, "webhooks", "test",
		"--application", who.app, "--wait", patience.String()).Deliveries[0]
	got := shopServer.got()
	if test.State != "delivered" || len(got) != 3 || !strings.HasPrefix(got[2], "webhook.test ") {
		t.Errorf("the test is %+v, and arrived as %v", test, got)
	}
	if n := len(answer[deliveries](t, env, "webhooks", "deliveries", "--state", "held").Deliveries); n != 0 {
		t.Errorf("%d deliveries are held", n)
	}
	n := len(answer[deliveries](t, env, "webhooks", "deliveries", "--state", "", "--intent", "").Deliveries)
	if n != 2 {
		t.Errorf("%d deliveries where a script had nothing to ask for", n)
	}
	type groups struct{ Groups []struct{ Group string } }
	var following []string
	for _, g := range answer[groups](t, env, "feed", "status").Groups {
		following = append(following, g.Group)
	}
	want := []string{"books", "dashboard", "expiry", "transparency", "webhooks"}
	if !slices.Equal(following, want) {
		t.Errorf("the groups are %v, want %v", following, want)
	}
	for _, args := range []string{
		"webhooks resend 7", "webhooks deliveries --state lost",
		"webhooks replay --application " + who.app + " --since yesterday", "feed release webhooks zero",
		"webhooks listen --forward-to nowhere",
	} {
		if r := call(t, env, strings.Fields(args)...); r.code != 2 || r.errors == "" {
			t.Errorf("daftar %s: exit %d: %s", args, r.code, r.errors)
		}
	}
}

// A test reports its result: why it failed, that no server sends it, or that the application has no
// endpoint.
func TestWebhookTestWaits(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	test := func(wait string) run {
		return call(t, env, "webhooks", "test", "--application", who.app, "--wait", wait)
	}
	if r := test("1ms"); r.code != 1 || !strings.Contains(r.errors, "Does daftar serve run on this database?") {
		t.Errorf("without a server: exit %d: %s%s", r.code, r.out, r.errors)
	}
	if r := test("0s"); r.code != 0 || !strings.Contains(r.out, "pending") {
		t.Errorf("without waiting: exit %d: %s%s", r.code, r.out, r.errors)
	}
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(broken.Close)
	answer[map[string]any](t, env, "app", "set-webhook-url", who.app, broken.URL)
	serve(t, db.ServiceURL(), "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")
	r := test(patience.String())
	if r.code != 1 || !strings.Contains(r.out, "418") ||
		!strings.Contains(r.out, "the endpoint's answer was not 2xx") {
		t.Errorf("of a broken endpoint: exit %d: %s%s", r.code, r.out, r.errors)
	}
	answer[map[string]any](t, env, "app", "set-webhook-url", who.app, "")
	if r := test(patience.String()); r.code != 0 || !strings.Contains(r.errors, "no webhook URL") {
		t.Errorf("without an endpoint: exit %d: %s%s", r.code, r.out, r.errors)
	}
}

// A developer forwards an application's webhooks to the own machine, with only the two credentials.
func TestWebhooksListen(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	s := serve(t, db.ServiceURL())
	laptop := newEndpoint(t, &who.secret)
	credentials := []string{
		"DAFTAR_API_URL=" + s.base, "DAFTAR_API_KEY=" + who.key, "DAFTAR_ACCESS_TOKEN=" + who.token,
	}
	l, out := start(t, t.TempDir(), credentials, "webhooks", "listen", "--forward-to", laptop.URL)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	pgtest.WaitFor(t, "the listener", func() bool { return strings.Contains(l.Logged(), "Listening") })
	s.ask(t, who, http.MethodPost, "/payment-intents", order("listened"))
	pgtest.WaitFor(t, "the webhook", func() bool { return len(laptop.got()) == 1 })

	bad := append([]string{"DAFTAR_API_URL=" + s.base, "DAFTAR_API_KEY=" + who.key},
		"DAFTAR_ACCESS_TOKEN=at_wrong")
	r := call(t, bad, "webhooks", "listen", "--forward-to", laptop.URL)
	if r.code != 1 || !strings.Contains(r.errors, "Unauthenticated.") {
		t.Errorf("with a wrong token: exit %d: %s", r.code, r.errors)
	}
}

// A request that the API refuses because it is busy, or has too many listeners, is repeated.
func TestListenTriesAgain(t *testing.T) {
	t.Parallel()
	forwarded := make(chan string, 1)
	laptop := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case forwarded <- r.Header.Get("Webhook-Id"):
		default: // one is enough
		}
	}))
	defer laptop.Close()
	var asked atomic.Int64
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		switch asked.Add(1) {
		case 1:
			w.WriteHeader(http.StatusBadGateway)
			_, _ = io.WriteString(w, strings.Repeat("<p>a page of the proxy</p>", 1000))
		case 2:
			_, _ = io.WriteString(w, `{"data":[],"next":"0-0"}`)
		case 3:
			w.WriteHeader(http.StatusTooManyRequests)
		default:
			_, _ = io.WriteString(w, `{"data":[{"id":"evt_1","type":"webhook.test",`+
				`"headers":{"Webhook-Id":"evt_1"},"body":"{}"}],"next":"0-1"}`)
		}
	}))
	defer api.Close()
	env := []string{"DAFTAR_API_URL=" + api.URL, "DAFTAR_API_KEY=ak_x", "DAFTAR_ACCESS_TOKEN=at_x"}
	l, out := start(t, t.TempDir(), env, "webhooks", "listen", "--forward-to", laptop.URL)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	select {
	case id := <-forwarded:
		if id != "evt_1" {
			t.Errorf("forwarded %s", id)
		}
	case <-l.Done():
		t.Fatalf("listening has ended: %s", l.Logged())
	}
	if log := l.Logged(); len(log) > 1000 || !strings.Contains(log, "502: <p>a page") {
		t.Errorf("of the proxy's page it shows %d bytes:\n%s", len(log), log)
	}
}

// An expired intent is canceled, and its webhook sent, without any request for it.
func TestExpiryIsPushed(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	who := newShop(t, env)
	shopServer := newEndpoint(t, &who.secret)
	answer[map[string]any](t, env, "app", "set-webhook-url", who.app, shopServer.URL)
	first := serve(t, db.ServiceURL())
	first.ask(t, who, http.MethodPost, "/payment-intents", order("forgotten"))
	first.Stop(t, syscall.SIGTERM)
	serve(t, db.ServiceURL(), "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true", "DAFTAR_CLOCK_OFFSET=25h")
	pgtest.WaitFor(t, "the cancellation", func() bool {
		for _, e := range shopServer.got() {
			if strings.HasPrefix(e, "payment_intent.canceled ") {
				return true
			}
		}
		return false
	})
}

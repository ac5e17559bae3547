package webhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/domain"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/webhooks"
)

// verify checks with the npm package standardwebhooks, which is independent of this code,
// that each arrival is signed with the secret.
func verify(t *testing.T, secret string, arrivals []arrival, at time.Time) {
	t.Helper()
	if _, err := os.Stat("testdata/verify/node_modules/standardwebhooks"); err != nil {
		t.Fatal("the npm package standardwebhooks is not installed: " +
			"run `npm ci` in webhooks/testdata/verify (make deps does)")
	}
	var lines bytes.Buffer
	for _, a := range arrivals {
		line := map[string]any{
			"secret": secret, "body": a.Body, "now": at.UnixMilli(),
			"headers": map[string]string{
				"webhook-id":        a.id(),
				"webhook-timestamp": a.Header.Get("webhook-timestamp"),
				"webhook-signature": a.Header.Get("webhook-signature"),
			},
		}
		if err := json.NewEncoder(&lines).Encode(line); err != nil {
			t.Fatal(err)
		}
	}
	node := exec.CommandContext(t.Context(), "node", "verify.mjs")
	node.Dir, node.Stdin, node.Stderr = "testdata/verify", &lines, os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatalf("node: %v", err)
	}
	answers := strings.Fields(strings.ReplaceAll(string(out), " ", "_"))
	if len(answers) != len(arrivals) {
		t.Fatalf("%d answers for %d deliveries", len(answers), len(arrivals))
	}
	for n, answer := range answers {
		if answer != "ok" {
			t.Errorf("delivery %d: %s", n, answer)
		}
	}
}

// feed runs the real feed with the group on the world's log.
func (w *world) feed() *feed.Feed {
	w.t.Helper()
	pool := pgtest.Open(w.t, w.db.ServiceURL(), postgres.Options{
		SetServiceRole: true, MaxConns: 3, RuntimeParams: map[string]string{"synchronous_commit": "off"},
	})
	f, err := feed.New(feed.Config{Pool: pool, Groups: []feed.Group{webhooks.Group()}, Log: zerolog.New(w.log)})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		if err := f.Run(ctx); err != nil {
			w.t.Errorf("feed: %v", err)
		}
	})
	w.t.Cleanup(func() {
		cancel()
		done.Wait()
	})
	return f
}

// Webhooks pass the merchant's verifier after retries, a resend, a replay and a test;
// no secret is in the log or in clear in the database.
func TestEverythingVerifies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	var failed sync.Map
	e.answers(func(rw http.ResponseWriter, r *http.Request) {
		if _, again := failed.LoadOrStore(r.Header.Get("webhook-id"), true); !again {
			rw.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	s := w.shop(e.URL + "/hook?token=hunter2")
	f := w.feed()
	d := w.dispatch()
	var ids []webhooks.DeliveryID
	for range 5 { // fewer failures in a row than open the breaker
		id := w.create(s)
		attempt := domain.AttemptID(uuid.NewString())
		w.execute(id, domain.StartAttempt{Attempt: attempt, Acquirer: "sandbox", Method: "wallet"})
		ids = append(ids, webhooks.IDOf(uuid.UUID(id), 1), webhooks.IDOf(uuid.UUID(id), 2))
		f.Wake()
		w.eventually("recorded", func() bool {
			return value[int](w, `SELECT count(*) FROM webhook_deliveries`) == len(ids)
		})
		for _, id := range ids[len(ids)-2:] {
			w.attempted(id, 1)
		}
		w.later(10 * time.Second)
		d.Wake()
		for _, id := range ids[len(ids)-2:] {
			w.wantState(id, webhooks.StateDelivered)
		}
	}
	tested, err := w.deliveries.SendTest(t.Context(), operator, webhooks.TenantOf(w.org), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	w.attempted(tested.ID, 1)
	w.later(10 * time.Second)
	d.Wake()
	w.wantState(tested.ID, webhooks.StateDelivered)
	if _, err := w.deliveries.Resend(t.Context(), operator, webhooks.Operator(), ids[0]); err != nil {
		t.Fatal(err)
	}
	w.attempted(ids[0], 3)
	w.wantState(ids[0], webhooks.StateDelivered)
	since := time.Now().Add(-time.Minute)
	n, err := w.deliveries.Replay(t.Context(), operator, webhooks.Operator(), s.ID, since)
	if err != nil || n != len(ids) {
		t.Errorf("replayed %d, %v; want %d", n, err, len(ids))
	}
	w.eventually("all is replayed", func() bool { return len(e.got()) == 2*len(ids)+2+1+len(ids) })
	d.stop()

	got := e.got()
	verify(t, s.WebhookSecret, got, w.now())
	tests := 0
	for _, a := range got {
		if a.id() == tested.ID.WebhookID() {
			tests++
			if !strings.Contains(a.Body, `{"type":"webhook.test",`) ||
				!strings.Contains(a.Body, `"data":{"application_uuid":"`+s.ID.String()+`"}`) {
				t.Errorf("test: %s", a.Body)
			}
		} else if !slices.ContainsFunc(ids, func(id webhooks.DeliveryID) bool { return id.WebhookID() == a.id() }) {
			t.Errorf("an unknown webhook-id: %s", a.id())
		}
	}
	if tests != 2 {
		t.Errorf("the test arrived %d times, want once failing and once not", tests)
	}
	w.wantNoSecret(s.WebhookSecret, "hunter2", "5a5a5a5a5a5a5a5a")
	families, err := d.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	metrics := fmt.Sprint(families)
	for _, want := range []string{
		`name:"outcome"  value:"delivered"`,
		"daftar_webhook_first_try_seconds",
		"daftar_webhook_deliveries",
	} {
		if !strings.Contains(strings.ReplaceAll(metrics, "  ", " "), strings.ReplaceAll(want, "  ", " ")) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// wantNoSecret searches the log and the tables of webhooks. The URL itself may be stored: it is
// a setting of the application.
func (w *world) wantNoSecret(secrets ...string) {
	w.t.Helper()
	kept := value[string](w, `
		SELECT coalesce(string_agg(concat_ws(' ', d::text, t::text), ' '), '')
		FROM webhook_deliveries d
		LEFT JOIN webhook_log t ON t.delivery_uuid = d.uuid`)
	sealed := value[string](w, `SELECT string_agg(encode(webhook_secret, 'escape'), ' ') FROM applications`)
	for _, secret := range secrets {
		for place, text := range map[string]string{
			"the log": w.log.String(), "the deliveries": kept, "the applications": sealed,
		} {
			if strings.Contains(text, secret) {
				w.t.Errorf("%s: has the secret %q", place, secret)
			}
		}
	}
	if !strings.Contains(w.log.String(), "webhook tried") {
		w.t.Error("the log has no tries")
	}
}

// A forwarder that is far behind makes progress with each call, however short its
// patience, although all events that it reads are of other applications.
func TestAwaitFarBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shop("")
	_, err := w.db.OwnerPool(t).Exec(t.Context(), `
		INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
		SELECT n, '7ac3bd3a-b75e-46fa-bd78-1e0b4f2b2b2b', n, 'intent.attempt_failed', 1, '{}', '{}', now()
		FROM generate_series(1, $1) n`, 2*webhooks.ReplayPositions)
	if err != nil {
		t.Fatal(err)
	}
	want := webhooks.IDOf(uuid.UUID(w.create(s)), 1).WebhookID()
	var at webhooks.Cursor
	for _, position := range []int64{webhooks.ReplayPositions, 2 * webhooks.ReplayPositions} {
		found, next, err := w.deliveries.Await(t.Context(), webhooks.TenantOf(w.org), s.ID, at, 10, 0)
		if err != nil || len(found) != 0 || next.Position != position {
			t.Fatalf("after %v: %d webhooks, next %v, %v; want none and position %d",
				at, len(found), next, err, position)
		}
		at = next
	}
	found, _, err := w.deliveries.Await(t.Context(), webhooks.TenantOf(w.org), s.ID, at, 10, 0)
	if err != nil || len(found) != 1 || found[0].ID != want {
		t.Errorf("at the end: %v, %v; want %s", found, err, want)
	}
	// With patience, one call is enough.
	start := webhooks.Cursor{}
	found, _, err = w.deliveries.Await(t.Context(), webhooks.TenantOf(w.org), s.ID, start, 10, time.Minute)
	if err != nil || len(found) != 1 || found[0].ID != want {
		t.Errorf("with patience: %v, %v; want %s", found, err, want)
	}
}

// A forwarder gets what an endpoint would get, whether there is one or not.
func TestAwait(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, other := w.shop(""), w.shop("")
	w.create(s)
	from, err := w.deliveries.Latest(t.Context(), webhooks.TenantOf(w.org), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for range 3 {
		want = append(want, webhooks.IDOf(uuid.UUID(w.create(s)), 1).WebhookID())
		w.create(other)
	}
	tested, err := w.deliveries.SendTest(t.Context(), operator, webhooks.TenantOf(w.org), s.ID)
	if err != nil || tested.State != webhooks.StateHeld {
		t.Fatalf("test without a URL: %+v, %v", tested, err)
	}
	want = append(want, tested.ID.WebhookID())
	var got []string
	var arrivals []arrival
	for range 10 {
		from, err = webhooks.ParseCursor(from.String())
		if err != nil {
			t.Fatal(err)
		}
		var some []webhooks.Message
		some, from, err = w.deliveries.Await(t.Context(), webhooks.TenantOf(w.org), s.ID, from, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range some {
			got = append(got, m.ID)
			arrivals = append(arrivals, arrival{Header: m.Header, Body: string(m.Body)})
		}
	}
	slices.Sort(got[:3]) // a test may come together with the events of any call
	slices.Sort(want[:3])
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	verify(t, s.WebhookSecret, arrivals, w.now())
	for _, made := range []string{"", "1", "-1-2", "1-2x", "01-2"} {
		if _, err := webhooks.ParseCursor(made); err == nil {
			t.Errorf("%q is accepted as a cursor", made)
		}
	}
}

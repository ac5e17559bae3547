//go:build long

package acceptance_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres/pgtest"
)

// sessions are the service's connections, by application name, and those that LISTEN.
func sessions(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		SELECT DISTINCT CASE WHEN query LIKE 'LISTEN %' THEN query ELSE application_name END
		FROM pg_stat_activity
		WHERE usename = $1
		AND application_name LIKE 'daftar%'
		AND application_name <> 'daftar look'`, pgtest.Service)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// The primary's machine dies, and the standby is promoted. Every part of a running server finds it
// without a restart: appends, reads, listeners, timers and the owners of endpoints.
func TestLongServersFollowAPromotion(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	endpoint := newEndpoint(t, &p.who.secret)
	answer[map[string]any](t, p.env, "app", "set-webhook-url", p.who.app, endpoint.URL)
	ahead := serve(t, p.url, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true")
	// A server whose clock is slow can create an intent that expires soon.
	slowClock := serve(t, p.url, "DAFTAR_WEBHOOK_ALLOW_PRIVATE=true", "DAFTAR_CLOCK_OFFSET=-6m")
	both := []*service{ahead, slowClock}
	before := ahead.ask(t, p.who, http.MethodPost, "/payment-intents", order("before"))
	webhook := func(kind string, n int) func() bool {
		return func() bool {
			return len(slices.Collect(func(yield func(string) bool) {
				for _, e := range endpoint.got() {
					if strings.HasPrefix(e, kind) && !yield(e) {
						return
					}
				}
			})) >= n
		}
	}
	pgtest.WaitFor(t, "the first webhook", webhook("payment_intent.created", 1))
	expires := time.Now().Add(4 * time.Second)
	short := slowClock.ask(t, p.who, http.MethodPost, "/payment-intents", fmt.Sprintf(
		`{"merchant_reference":"short","amount":5000,"currency":"LYD",`+
			`"description":"Two coffees","expires_at":%q}`, expires.UTC().Format(time.RFC3339Nano)))
	if before.status != http.StatusCreated || short.status != http.StatusCreated {
		t.Fatalf("creates: %d %s, %d %s", before.status, before.body, short.status, short.body)
	}
	primary := p.on(t, p.Primary)
	pgtest.WaitFor(t, "the timer to be set", func() bool {
		var n int
		err := primary.QueryRow(t.Context(), `SELECT count(*) FROM expiry_timers`).Scan(&n)
		return err == nil && n == 2
	})
	connected := sessions(t, primary)
	if len(connected) < 6 {
		t.Fatalf("connected are %q: the test shows nothing", connected)
	}

	p.Primary.Kill()
	p.Promote(t)
	for n, s := range both {
		pgtest.WaitFor(t, "a create at the new primary", func() bool {
			return s.ask(t, p.who, http.MethodPost, "/payment-intents", order(fmt.Sprint("after ", n))).status < 300
		})
		r := s.ask(t, p.who, http.MethodGet, "/payment-intents/"+before.data.UUID, "")
		if r.status != http.StatusOK || r.data.Reference != before.data.Reference {
			t.Errorf("what was acknowledged before: %d %s", r.status, r.body)
		}
	}
	pgtest.WaitFor(t, "webhooks of what came after", webhook("payment_intent.created", 4))
	pgtest.WaitFor(t, "the timer to run out", webhook("payment_intent.canceled", 1))
	standby := p.on(t, p.Standby)
	pgtest.WaitFor(t, "everybody to be connected again", func() bool {
		return slices.Equal(sessions(t, standby), connected)
	})
	pgtest.WaitFor(t, "a checkpoint over all events", func() bool {
		var behind int
		err := standby.QueryRow(t.Context(), `
			SELECT (SELECT max(position) FROM events) - max(size)
			FROM transparency_checkpoints`).Scan(&behind)
		return err == nil && behind == 0
	})
	for _, s := range both {
		if s.Ended() {
			t.Error("a server has ended")
		}
	}
	// Commands have the same URL, whose first host is gone.
	for _, args := range []string{
		"migrate status", "events export", "audit verify", "projections verify intents",
		"org create --name shop",
	} {
		if r := call(t, p.env, strings.Fields(args)...); r.code != 0 {
			t.Errorf("daftar %s: exit %d: %s%s", args, r.code, r.out, r.errors)
		}
	}
	if r := call(t, []string{"DAFTAR_DATABASE_URL=" + p.URL(pgtest.Owner)}, "migrate", "up"); r.code != 0 {
		t.Errorf("daftar migrate up: exit %d: %s%s", r.code, r.out, r.errors)
	}
}

// The standby is lost. Creates wait, and get a 503 after the time limit. They succeed again when
// the standby is back, or when the primary no longer waits for one. A request with an unknown
// outcome is stored once.
func TestLongStandbyIsLost(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	s := serve(t, p.url)
	known := s.ask(t, p.who, http.MethodPost, "/payment-intents", order("known"))
	primary := p.on(t, p.Primary)
	for _, way := range []struct {
		name string
		goOn func() error
	}{
		{"the standby is back", func() error { return p.Standby.Start(t.Context()) }},
		{"it is not waited for", func() error {
			return p.Primary.Set(t.Context(), map[string]string{"synchronous_standby_names": ""})
		}},
	} {
		p.Standby.Kill()
		waited := s.ask(t, p.who, http.MethodPost, "/payment-intents", order(way.name))
		if waited.status != http.StatusServiceUnavailable || waited.header.Get("Retry-After") == "" {
			t.Errorf("create without a standby: %d %s", waited.status, waited.body)
		}
		r := s.ask(t, p.who, http.MethodGet, "/payment-intents/"+known.data.UUID, "")
		if r.status != http.StatusOK {
			t.Errorf("retrieve without a standby: %d %s", r.status, r.body)
		}
		if err := way.goOn(); err != nil {
			t.Fatal(err)
		}
		pgtest.WaitFor(t, "creates to succeed again when "+way.name, func() bool {
			return s.ask(t, p.who, http.MethodPost, "/payment-intents", order(way.name)).status < 300
		})
		var n int
		const namedSQL = `SELECT count(*) FROM intents WHERE merchant_reference = $1`
		if err := primary.QueryRow(t.Context(), namedSQL, way.name).Scan(&n); err != nil || n != 1 {
			t.Errorf("%s: %d intents, %v; want 1", way.name, n, err)
		}
	}
}

// Commands that scan the log read from the standby. They first wait until it has everything, and
// report how far it was behind.
func TestLongReadingFromAStandby(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	late := "DAFTAR_DATABASE_READ_URL=" + p.Standby.URL(p.Database, pgtest.Service)
	s := serve(t, p.url, late)
	r := s.ask(t, p.who, http.MethodPost, "/payment-intents", order("read late"))
	if r.status != http.StatusCreated {
		t.Fatalf("create: %d %s", r.status, r.body)
	}
	standby := p.on(t, p.Standby)
	pgtest.WaitFor(t, "the server to be connected to the standby", func() bool {
		var n int
		err := standby.QueryRow(t.Context(),
			`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'daftar late'`).Scan(&n)
		return err == nil && n > 0
	})
	env := append([]string{late}, p.env...)
	all := []string{"audit verify", "events export", "projections verify intents", "projections verify payments"}
	each := func(env []string, code int, says, when string) {
		t.Helper()
		for _, args := range all {
			if r := call(t, env, strings.Fields(args)...); r.code != code || !strings.Contains(r.errors, says) {
				t.Errorf("daftar %s %s: exit %d, want %d and %q: %s%s", args, when, r.code, code, says, r.out, r.errors)
			}
		}
	}
	each(env, 0, "Read from a standby that was", "with a standby")
	f := examined(t, env, "late reads")
	if !f.OK || f.Warning || !strings.Contains(f.Detail, "from a standby that") {
		t.Errorf("the doctor says %+v", f)
	}
	f = examined(t, env, "standbys")
	if !f.OK || f.Warning || f.Detail != "commits wait for standby; 2 hosts to choose from" {
		t.Errorf("the doctor says %+v", f)
	}

	other := "DAFTAR_DATABASE_READ_URL=" + pgtest.Database(t).ServiceURL()
	each(append([]string{other}, p.env...), 2,
		"DAFTAR_DATABASE_READ_URL: the standby is one of another database cluster", "with a stranger")
	f = examined(t, append([]string{other}, p.env...), "late reads")
	if f.OK || !strings.Contains(f.Detail, "another database cluster") {
		t.Errorf("the doctor says %+v of a stranger", f)
	}
	itself := append([]string{"DAFTAR_DATABASE_READ_URL=" + p.Primary.URL(p.Database, pgtest.Service)}, p.env...)
	each(itself, 0, "DAFTAR_DATABASE_READ_URL leads to a primary", "with the primary")
	if f := examined(t, itself, "late reads"); !f.OK || !f.Warning {
		t.Errorf("the doctor says %+v of the primary", f)
	}
	f = examined(t, []string{"DAFTAR_DATABASE_URL=" + pgtest.Database(t).ServiceURL()}, "late reads")
	if !f.OK || f.Warning {
		t.Errorf("the doctor says %+v where there is no standby", f)
	}

	p.Primary.Kill()
	each(env, 0, "the primary is out of reach", "without a primary")
	p.Standby.Kill()
	each(env, 3, "", "without a standby")
}

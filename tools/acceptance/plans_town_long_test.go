//go:build long

package acceptance_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/eventstore/feed"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/projections"
)

// A generic plan that is made while a table is empty stays until the session ends or autovacuum
// processes the table: it must not scan the whole table. Here a server does everything that a
// server does, on an empty database without statistics, so that its statements are prepared. Then
// many intents are stored, also without statistics. The database itself logs the plan of each
// statement, so there is no list of statements that could become stale.
func TestLongPlansDoNotDependOnStatistics(t *testing.T) {
	t.Parallel()
	cluster := pgtest.NewCluster(t, planSettings)
	_, address := cluster.Database(t, "daftar")
	w := &busyTown{marketplace: &marketplace{bazaar: &bazaar{search: &search{t: t}}, gateways: newGateways(t)}}
	env := []string{"DAFTAR_DATABASE_URL=" + address, "DAFTAR_SECRET_KEY=" + secretKey}
	w.env = slices.Concat(env, w.gateways.env)
	w.super = pgtest.Open(t, cluster.URL("daftar", "postgres"), postgres.Options{MaxConns: 1})
	w.books = projections.NewBooks(pgtest.Open(t, address, postgres.Options{
		ApplicationName: "daftar", SetServiceRole: true,
		RuntimeParams: map[string]string{"plan_cache_mode": "auto"}, // as the pool of the dashboard
	}))
	w.createShops(t)
	w.serve(t, address)
	w.exerciseAll(t, "empty")
	w.store(t, w.unhooked, 100_000, false)
	w.exerciseAll(t, "grown")
	w.served.Stop(t, syscall.SIGTERM)
	// Plans that are made from now on know the sizes of the tables only.
	w.serve(t, address)
	w.exerciseAll(t, "restarted")
	w.served.Stop(t, syscall.SIGTERM)

	plans := loggedPlans(t, planLog(t, cluster.Dir()))
	seen, told := map[string]bool{}, map[string]bool{}
	for _, p := range plans {
		p.Plan.each(func(n planNode) { seen[n.Relation] = true })
		if complaint := p.complaint(); complaint != "" && !told[p.Text] {
			told[p.Text] = true
			t.Errorf("%s: %s in\n%s\n", p.application, complaint, p.Text)
		}
	}
	for _, table := range exercised {
		if !seen[table] {
			t.Errorf("of %d plans none is about %s", len(plans), table)
		}
	}
}

// busyTown is a server that handles every kind of request and timer.
type busyTown struct {
	*marketplace

	super    *pgxpool.Pool
	books    *projections.Books
	unhooked shop // without an address for webhooks
	unheard  shop // whose endpoint does not answer
}

// createShops creates the shops.
func (w *busyTown) createShops(t *testing.T) {
	t.Helper()
	w.who, w.unhooked, w.unheard = newShop(t, w.env), newShop(t, w.env), newShop(t, w.env)
	w.visitor = w.search.visitor("checkout")
	answer[map[string]any](t, w.env, "app", "set-webhook-url", w.who.app, newEndpoint(t, &w.who.secret).URL)
	w.execute(t, `UPDATE applications SET webhook_url = NULL WHERE uuid = $1`, w.unhooked.app)
	for _, name := range []string{"plutu", "moamalat", "lypay"} {
		w.gateways.set(t, w.env, w.who.app, name)
	}
}

func (w *busyTown) serve(t *testing.T, database string) {
	t.Helper()
	env := slices.Concat(w.gateways.env, []string{
		"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		"DAFTAR_SMTP_SERVER=" + address(t), "DAFTAR_SMTP_FROM=daftar@pay.example",
	})
	w.served = serve(t, database, env...)
}

func (w *busyTown) execute(t *testing.T, statement string, args ...any) {
	t.Helper()
	if _, err := w.super.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// await waits until a query finds nothing left.
func (w *busyTown) await(t *testing.T, what, query string, args ...any) {
	t.Helper()
	pgtest.WaitFor(t, what, func() bool {
		left := -1
		if err := w.super.QueryRow(t.Context(), query, args...).Scan(&left); err != nil {
			t.Fatal(err)
		}
		return left == 0
	})
}

// exerciseAll makes the server do everything once.
func (w *busyTown) exerciseAll(t *testing.T, when string) {
	t.Helper()
	var creates sync.WaitGroup
	for n := range 60 {
		creates.Go(func() {
			who := []shop{w.who, w.unhooked, w.unheard}[n%3]
			made := w.served.ask(t, who, http.MethodPost, "/payment-intents", order(fmt.Sprintf("%s-%d", when, n)))
			w.served.ask(t, who, http.MethodPost, "/payment-intents", order(fmt.Sprintf("%s-%d", when, n)))
			got := w.served.ask(t, who, http.MethodGet, "/payment-intents/"+made.data.UUID, "")
			if got.status != http.StatusOK {
				t.Errorf("retrieve: %d %s", got.status, got.body)
			}
		})
	}
	creates.Wait()
	w.tellMembers(t)
	w.buy(t, when)
	w.refundPart(t, when)
	w.store(t, w.unhooked, 20, true)
	w.await(t, "what is overdue to be canceled", `
		SELECT count(*)
		FROM intents
		WHERE expires_at < now()
		AND status <> 'canceled'`)
	for _, path := range []string{"/metrics", "/readyz", "/healthz"} {
		if got := w.served.status(path); got != http.StatusOK {
			t.Errorf("%s: %d", path, got)
		}
	}
	pgtest.WaitFor(t, "the groups to reach the head", func() bool {
		lags, err := feed.Lags(t.Context(), w.super)
		if err != nil {
			t.Fatal(err)
		}
		return !slices.ContainsFunc(lags, func(l feed.Lag) bool { return l.Behind > 0 })
	})
	w.readBooks(t)
	for _, path := range []string{
		"?", "?status=requires_payment_method", "?status=processing", "?status=succeeded", "?status=canceled",
		"?customer_external_id=nobody", "?status=succeeded&customer_external_id=nobody",
		"?created_from=2001-01-01T00:00Z&created_to=2002-01-01T00:00Z", "?merchant_reference=" + when + "-1",
	} {
		for _, who := range []shop{w.who, w.unhooked} {
			if got := w.served.ask(t, who, http.MethodGet, "/payment-intents"+path, ""); got.status != http.StatusOK {
				t.Errorf("list %s: %d %s", path, got.status, got.body)
			}
		}
	}
	w.await(t, "the webhooks to arrive", `
		SELECT count(*)
		FROM webhook_deliveries
		WHERE state = 'pending'
		AND application_uuid = $1`, w.who.app)
	w.await(t, "the members' notices and mails", `
		SELECT count(*)
		FROM mail_preferences
		WHERE busy_until > now()
		OR (mail_uuid IS NULL AND due_at < now())`)
	w.await(t, "the log to be signed",
		`SELECT (SELECT max(position) FROM events) - (SELECT max(size) FROM transparency_checkpoints)`)
}

// readBooks reads the balances of all shops, of which one has payments.
func (w *busyTown) readBooks(t *testing.T) {
	t.Helper()
	head, err := eventstore.NewReader(w.super).Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tenants, err := postgres.List(t.Context(), w.super, "list shops", pgx.RowToStructByPos[domain.Tenant],
		`SELECT organization_uuid, mode FROM applications`)
	if err != nil {
		t.Fatal(err)
	}
	accounts := 0
	for _, tenant := range tenants {
		balance, err := w.books.Balance(t.Context(), tenant, head)
		if err != nil {
			t.Error(err)
		}
		accounts += len(balance)
	}
	if accounts == 0 {
		t.Error("no account has a balance")
	}
}

// tellMembers makes a member of each shop choose all mails, with some that wait and a summary that is due.
func (w *busyTown) tellMembers(t *testing.T) {
	t.Helper()
	for _, sql := range []string{`
		INSERT INTO users (uuid, email, email_key, password, password_changed_at, created_at)
		SELECT uuid, name || '@shop.example', uuid, '', created_at, created_at
		FROM organizations
		ON CONFLICT DO NOTHING`, `
		INSERT INTO memberships (user_uuid, role, organization_uuid, created_at)
		SELECT uuid, 'owner', uuid, created_at
		FROM organizations
		ON CONFLICT DO NOTHING`, `
		INSERT INTO mail_preferences (user_uuid, organization_uuid)
		SELECT user_uuid, organization_uuid
		FROM memberships
		ON CONFLICT DO NOTHING`, `
		UPDATE mail_preferences
		SET payments = true, decisions = true, chosen_at = now(), daily_hour = 8,
		    daily_at = now() - interval '1 day', due_at = now(), mail_uuid = NULL, mailed_at = NULL`, `
		INSERT INTO notices (user_uuid, organization_uuid, kind, application_uuid, attempt, amount, currency,
		                     reason, at)
		SELECT p.user_uuid, p.organization_uuid, 'paid', a.uuid, '', 5000, 'LYD', '', now()
		FROM mail_preferences p
		JOIN applications a USING (organization_uuid)
		CROSS JOIN generate_series(1, 3000)`, `
		UPDATE checkout_attempts
		SET stage_since = now() - interval '2 hours'
		WHERE stage = 'quarantined'`,
	} {
		w.execute(t, sql)
	}
}

// payersOf are the payers' numbers, one for each part of live.
var payersOf = map[string]string{"empty": "0912345671", "grown": "0912345672", "restarted": "0912345673"}

// buy pays, or tries to, in several ways.
func (w *busyTown) buy(t *testing.T, when string) {
	t.Helper()
	_, page := w.order("paid-" + when)
	w.submit(page, "attempts", "otp", url.Values{"method": {"adfali"}, "phone": {payersOf[when]}})
	w.visitor.ask(http.MethodPost, page+"/code", url.Values{"otp": {"9999"}}, nil)
	w.submit(page, "code", "receipt", url.Values{"otp": {"1111"}})
	receipt, _, _ := w.visitor.must(http.StatusOK, http.MethodGet, page, nil)
	w.visitor.must(http.StatusOK, http.MethodGet, w.found(`href="([^"]+/receipt/[^"]+)"`, receipt), nil)
	for method, state := range map[string]string{"lypay": "qr", "cards": "processing"} {
		_, page := w.order(method + "-" + when)
		w.submit(page, "attempts", state, url.Values{"method": {method}})
		w.visitor.ask(http.MethodGet, page+"/return?gateway=localbankcards&approved=1&hashed=00", nil, nil)
	}
	_, page = w.order("unknown-" + when)
	w.submit(page, "attempts", "otp", url.Values{"method": {"adfali"}, "phone": {"0910000010"}}) // empty answer
	w.submit(page, "code", "processing", url.Values{"otp": {"1111"}})
}

// refundPart pays, and has a part refunded.
func (w *busyTown) refundPart(t *testing.T, when string) {
	t.Helper()
	intent, page := w.order("back-" + when)
	w.submit(page, "attempts", "lightbox", url.Values{"method": {"moamalat"}})
	body, _, _ := w.visitor.must(http.StatusOK, http.MethodGet, page, nil)
	w.pay("moamalat", w.found(lightboxReference.String(), body), 5000)
	w.submit(page, "attempts", "receipt", url.Values{"method": {"moamalat"}})
	asked := w.refund(w.env, "request", intent, "--amount", "1.5", "--note", "cold")
	w.await(t, "the refund to be recorded", `
		SELECT count(*)
		FROM refunds
		WHERE uuid = $1
		AND state <> 'recorded'`, asked.ID)
}

// storeSQL copies an intent, in the state of its creation, to new ids. The statements of this
// session are not logged.
const storeSQL = `
WITH head AS MATERIALIZED (
    SELECT max(position) AS position
    FROM events
), ids AS MATERIALIZED (
    SELECT n, gen_random_uuid() AS id
    FROM generate_series(1, $2::int) n
), stored AS (
    INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
    SELECT h.position + c.n, c.id, 1, e.type, e.schema_version,
           regexp_replace(e.payload, '"expires_at":"[^"]*"', '"expires_at":"' || $3 || '"'), e.metadata,
           clock_timestamp()
    FROM ids c
    CROSS JOIN head h
    JOIN events e ON e.stream_id = $1 AND e.version = 1
)
INSERT INTO intents (uuid, application_uuid, version, reference, merchant_reference, amount, currency,
                     status, description, customer, return_url, metadata, expires_at, checkout_url,
                     created_at, updated_at)
SELECT c.id, i.application_uuid, 1, i.reference, i.merchant_reference || c.n, i.amount, i.currency,
       'requires_payment_method', i.description, i.customer, i.return_url, i.metadata, $3::timestamptz,
       i.checkout_url, i.created_at, i.updated_at
FROM ids c
JOIN intents i ON i.uuid = $1`

// store inserts many intents of a shop without the server, either expired or open.
func (w *busyTown) store(t *testing.T, who shop, intents int, overdue bool) {
	t.Helper()
	first := w.served.ask(t, who, http.MethodPost, "/payment-intents", order("first")).data.UUID
	expires := time.Now().Add(24 * time.Hour)
	if overdue {
		expires = time.Now().Add(-time.Hour)
	}
	tx, err := w.super.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	for _, s := range []struct {
		text string
		args []any
	}{
		{`SET LOCAL auto_explain.log_min_duration = -1`, nil},
		{`SELECT pg_advisory_xact_lock(8712000001)`, nil}, // with this lock the event store assigns positions
		{storeSQL, []any{first, intents, expires.UTC().Truncate(time.Second).Format(time.RFC3339)}},
	} {
		if _, err := tx.Exec(t.Context(), s.text, s.args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// exercised are tables that grow, of which there must be plans.
var exercised = []string{
	"book_sums", "checkout_attempts", "checkout_usage", "events", "expiry_timers", "intents",
	"mail_preferences", "mails",
	"notices", "payments", "refunds", "transparency_checkpoints", "transparency_tiles", "webhook_deliveries",
}

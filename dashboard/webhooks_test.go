package dashboard_test

import (
	"html"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/webhooks"
)

// recordDelivery records a delivery about a payment with one failed try.
func (w *world) recordDelivery(
	t *testing.T, b business, app int, i domain.Intent, state string,
) webhooks.DeliveryID {
	t.Helper()
	id := webhooks.IDOf(uuid.UUID(i.ID), 1)
	_, err := w.pool.Exec(t.Context(), `
		INSERT INTO webhook_endpoints (application_uuid, url)
		SELECT uuid, webhook_url FROM applications WHERE uuid = $1
		ON CONFLICT DO NOTHING`, [16]byte(b.apps[app].ID))
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.pool.Exec(t.Context(), `
		INSERT INTO webhook_deliveries (uuid, application_uuid, event, intent_uuid, sequence,
		    occurred_at, state, attempts, next_attempt_at, last_status)
		VALUES ($1, $2, 'payment_intent.created', $3, 1,
		    now(), $4, 1, CASE WHEN $4 = 'pending' THEN now() END, 503)`,
		[16]byte(id), [16]byte(b.apps[app].ID), [16]byte(i.ID), state)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.pool.Exec(t.Context(), `
		INSERT INTO webhook_tries (delivery_uuid, attempt, at, duration, status, error, answer)
		VALUES ($1, 1, now(), interval '120 milliseconds', 503, 'status', '<h1>busy</h1>')`,
		[16]byte(id))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (w *world) setURL(t *testing.T, b business, app int) {
	t.Helper()
	err := w.accounts.SetWebhookURL(t.Context(), operator, b.org.ID, b.apps[app].ID, "https://shop.example/hook")
	if err != nil {
		t.Fatal(err)
	}
}

func TestWebhooksAreSeenResentAndRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setURL(t, w.ours, 0)
	failed := w.sale(t, w.ours, 0, nil)
	held := w.sale(t, w.ours, 1, nil)
	theirs := w.sale(t, w.other, 0, nil)
	id := w.recordDelivery(t, w.ours, 0, failed, webhooks.StateFailed)
	noURL := w.recordDelivery(t, w.ours, 1, held, webhooks.StateHeld)
	foreign := w.recordDelivery(t, w.other, 0, theirs, webhooks.StateFailed)
	list, one := w.ours.path("webhooks"), w.ours.path("webhooks/deliveries/"+id.String())
	viewer, owner := w.viewer(t), w.developer(t)

	all := viewer.get(list+"?lang=en").is(t, http.StatusOK).has(t, "Not delivered", "Held",
		"https://shop.example/hook")
	all.lacks(t, foreign.String(), "<button>Resend", "Enable sending", "Send again")
	for query, want := range map[string]string{
		"state=failed": id.String(), "state=held": noURL.String(),
		"application=" + w.ours.apps[1].ID.String(): noURL.String(),
	} {
		page := viewer.get(list+"?lang=en&"+query).is(t, http.StatusOK)
		if n := strings.Count(page.body, "/webhooks/deliveries/"); n != 1 || !strings.Contains(page.body, want) {
			t.Errorf("%s lists %d deliveries, want %s alone", query, n, want)
		}
	}
	viewer.get(list+"?state=lost").is(t, http.StatusNotFound)
	viewer.get(list+"?before=x").is(t, http.StatusNotFound)
	viewer.get(list+"?application="+w.other.apps[0].ID.String()).is(t, http.StatusNotFound)

	viewer.get(one+"?lang=en").is(t, http.StatusOK).
		has(t, "the server answered 503", "<h1>busy</h1>", "120 ms", id.WebhookID()).lacks(t, "<h1>busy", "Resend")
	viewer.get(w.ours.path("webhooks/deliveries/"+foreign.String())).is(t, http.StatusNotFound)
	viewer.post(one+"/resend").is(t, http.StatusForbidden)
	owner.post(w.ours.path("webhooks/deliveries/"+foreign.String()+"/resend")).is(t, http.StatusNotFound)
	owner.follow(owner.post(w.ours.path("webhooks/deliveries/"+noURL.String()+"/resend?lang=en"))).
		has(t, "Not sent: there is no webhook URL")
	if records := w.trail(t, w.ours, webhooks.ActionResend); len(records) != 0 {
		t.Fatalf("what was not sent is recorded: %+v", records)
	}

	owner.follow(owner.post(one+"/resend?lang=en")).is(t, http.StatusOK).
		has(t, "The webhook is being sent now.", "Being sent")
	payment := w.ours.path("payments/" + failed.ID.String())
	form := owner.get(payment+"?lang=en").has(t, "the server answered 503").form(t, "/resend")
	owner.post(one+"/resend", "back", form.Get("back")).leads(t, payment)
	records := w.trail(t, w.ours, webhooks.ActionResend)
	if len(records) != 2 || records[0].Actor != w.ours.email(accounts.RoleDeveloper) ||
		records[0].Detail["delivery"] != id.String() {
		t.Errorf("the trail has %+v", records)
	}
}

func TestAStoppedEndpointIsEnabledAndReplayed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setURL(t, w.ours, 0)
	i := w.sale(t, w.ours, 0, nil)
	w.recordDelivery(t, w.ours, 0, i, webhooks.StateHeld)
	_, err := w.pool.Exec(t.Context(), `
		UPDATE webhook_endpoints
		SET failures = 34, failing_since = now() - interval '6 days',
		    disabled_at = now(), disabled_for = 'failing'
		WHERE application_uuid = $1`, [16]byte(w.ours.apps[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	list, of := w.ours.path("webhooks"), w.ours.path("webhooks/applications/"+w.ours.apps[0].ID.String())
	owner := w.owner(t)
	owner.get(list+"?lang=en").is(t, http.StatusOK).has(t, "Stopped", "Sending stopped", "34 failures in a row",
		"None of the latest 100 arrived")
	w.viewer(t).post(of+"/enable").is(t, http.StatusForbidden)
	w.viewer(t).post(of+"/replay", "since", "2026-11-20T10:00").is(t, http.StatusForbidden)
	stranger := w.as(t, w.other.email(accounts.RoleOwner))
	stranger.post(w.other.path("webhooks/applications/"+w.ours.apps[0].ID.String()+"/enable")).
		is(t, http.StatusNotFound)

	owner.follow(owner.post(of+"/enable?lang=en")).is(t, http.StatusOK).
		has(t, "Webhooks are sent to the URL again.").lacks(t, "Sending stopped")
	local := func(at time.Time) string { return at.In(time.FixedZone("", 2*60*60)).Format("2006-01-02T15:04") }
	for since, sentence := range map[string]string{
		"": "Enter a day and a time.", "soon": "Enter a day and a time.",
		local(w.now().Add(time.Hour)):            "Choose a time in the past",
		local(w.now().Add(-32 * 24 * time.Hour)): "within the last 31 days",
	} {
		owner.post(of+"/replay?lang=en", "since", since).is(t, http.StatusUnprocessableEntity).has(t, sentence)
	}
	owner.follow(owner.post(of+"/replay?lang=en", "since", local(w.now().Add(-time.Hour)))).
		has(t, "Webhooks being sent again: 1", "Being sent")
	second := w.ours.path("webhooks/applications/" + w.ours.apps[1].ID.String() + "/replay?lang=en")
	owner.follow(owner.post(second, "since", local(w.now().Add(-time.Hour)))).has(t, "Nothing was sent")
	enabled, replayed := w.trail(t, w.ours, webhooks.ActionEnable), w.trail(t, w.ours, webhooks.ActionReplay)
	if len(enabled) != 1 || len(replayed) != 1 {
		t.Errorf("the trail has %+v and %+v", enabled, replayed)
	}
}

func TestPagesOfDeliveriesGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setURL(t, w.ours, 0)
	_, err := w.pool.Exec(t.Context(), `
		INSERT INTO webhook_deliveries (uuid, application_uuid, event, occurred_at, state)
		SELECT gen_random_uuid(), $1, 'webhook.test', now(), CASE WHEN n = 1 THEN 'failed' ELSE 'delivered' END
		FROM generate_series(1, 5060) n`,
		[16]byte(w.ours.apps[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	c := w.viewer(t)
	count := func(a answer) int { return strings.Count(a.body, "/webhooks/deliveries/") }
	first := c.get(w.ours.path("webhooks")+"?lang=en").is(t, http.StatusOK)
	second := c.get(first.link(t, "Older")).is(t, http.StatusOK).has(t, "Latest")
	if count(first) != 50 || count(second) != 50 {
		t.Errorf("pages of %d and %d deliveries, want 50", count(first), count(second))
	}
	// The failed delivery is further back than one page scans.
	none := c.get(w.ours.path("webhooks")+"?lang=en&state=failed").is(t, http.StatusOK).
		has(t, "The search stopped before the page was full.")
	found := c.get(none.link(t, "Older")).is(t, http.StatusOK).lacks(t, "The search stopped")
	if count(none) != 0 || count(found) != 1 {
		t.Errorf("found %d, then %d", count(none), count(found))
	}
}

// The list leads to the payments, and is filtered by event and time; a delivery shows its
// payload.
func TestDeliveriesAreFoundAndShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setURL(t, w.ours, 0)
	i := w.sale(t, w.ours, 0, nil)
	id := w.recordDelivery(t, w.ours, 0, i, webhooks.StateDelivered)
	_, err := w.pool.Exec(t.Context(), `
		UPDATE webhook_deliveries
		SET reference = $2, merchant_reference = 'طلب <1> "x"', occurred_at = '2026-03-01T10:30:20Z'
		WHERE uuid = $1`,
		[16]byte(id), string(i.Reference))
	if err != nil {
		t.Fatal(err)
	}
	list, c := w.ours.path("webhooks")+"?lang=en", w.viewer(t)
	all := c.get(list).is(t, http.StatusOK).has(t, i.Reference.Capitals(), `طلب <1> "x"`)
	if !strings.Contains(all.body, `href="`+w.ours.path("payments/"+i.ID.String())) {
		t.Error("the list does not lead to the payment")
	}
	for query, want := range map[string]int{
		"event=payment_intent.created": 1, "event=payment_intent.succeeded": 0,
		"from=2026-03-01T12:30&to=2026-03-01T12:30": 1, "from=2026-03-01T12:31": 0, "to=2026-03-01T12:29": 0,
		"to=2026-03-01T12:30&event=payment_intent.created": 1,
	} {
		page := c.get(list+"&"+query).is(t, http.StatusOK)
		if n := strings.Count(page.body, "/webhooks/deliveries/"); n != want {
			t.Errorf("%s lists %d deliveries, want %d", query, n, want)
		}
	}
	c.get(list+"&event=lost").is(t, http.StatusNotFound)
	c.get(list+"&from=soon").is(t, http.StatusUnprocessableEntity).has(t, "Enter a day and a time.")
	c.get(list+"&from=2026-03-02T10:00&to=2026-03-01T10:00").is(t, http.StatusUnprocessableEntity).
		has(t, "The end lies before the beginning.")

	body, err := w.deliveries.Payload(t.Context(), webhooks.TenantOf(w.ours.org.ID), id)
	if err != nil {
		t.Fatal(err)
	}
	tries, err := w.deliveries.Tries(t.Context(), webhooks.TenantOf(w.ours.org.ID), id)
	if err != nil {
		t.Fatal(err)
	}
	page := c.get(w.ours.path("webhooks/deliveries/"+id.String()+"?lang=en")).is(t, http.StatusOK).
		has(t, "What was sent", string(body), id.WebhookID(), strconv.FormatInt(tries[0].Timestamp(), 10))
	// To the byte: the element has nothing else.
	_, rest, _ := strings.Cut(page.body, `role="group"><code>`)
	if shown, _, _ := strings.Cut(rest, "</code>"); html.UnescapeString(shown) != string(body) {
		t.Errorf("the page has %s", shown)
	}
	c.get(w.ours.path("payments/"+i.ID.String()+"?lang=en")).is(t, http.StatusOK).lacks(t, "What was sent")
}

// A stopped endpoint counts in the menu, on every page of the organisation.
func TestStoppedEndpointsCountInTheMenu(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setURL(t, w.ours, 0)
	w.recordDelivery(t, w.ours, 0, w.sale(t, w.ours, 0, nil), webhooks.StateHeld)
	const badge = `Webhooks <span class="count">1</span>`
	c := w.viewer(t)
	shows := func() bool {
		return strings.Contains(c.get(w.ours.path("money")+"?lang=en").is(t, http.StatusOK).body, badge)
	}
	if shows() {
		t.Error("an endpoint counts that is not stopped")
	}
	_, err := w.pool.Exec(t.Context(), `
		UPDATE webhook_endpoints
		SET disabled_at = now(), disabled_for = 'gone'
		WHERE application_uuid = $1`, [16]byte(w.ours.apps[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	if !shows() {
		t.Error("a stopped endpoint does not count")
	}
	other := w.as(t, w.other.email(accounts.RoleOwner)).get(w.other.path("money") + "?lang=en")
	if strings.Contains(other.body, badge) {
		t.Error("it counts for another organisation")
	}
	account := c.get("/dashboard/account?lang=en").is(t, http.StatusOK)
	if !strings.Contains(account.body, badge) {
		t.Error("it does not count on the account's page")
	}
}

package openapi_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer"
)

// checkExtensions requests everything beyond the specification: of an open intent, which it
// expires, and of a paid one.
func checkExtensions(t *testing.T,
	check func(merchant, string, string, string, http.Header, int) string,
	m, sibling merchant, open, paid string,
) {
	t.Helper()
	first := check(m, "GET", intents+"?limit=2&created_from=2001-01-01T00:00:00%2B02:00", "", nil, 200)
	check(m, "GET", intents+"?limit=100&cursor="+field(t, first, "next_cursor"), "", nil, 200)
	for query, want := range map[string]int{
		"status=succeeded&customer_external_id=c": 200, "merchant_reference=none": 200,
		"created_to=2999-12-31T23:59:59Z": 200,
		"limit=0":                         422, "limit=101": 422, "limit=x": 422,
		"status=paid": 422, "merchant_reference=": 422,
		"merchant_reference=" + strings.Repeat("x", 256):   422,
		"customer_external_id=" + strings.Repeat("x", 256): 422,
		"cursor=x": 422, "created_from=yesterday": 422, "order=newest": 422, "%FF=1": 400,
	} {
		check(m, "GET", intents+"?"+query, "", nil, want)
	}
	for path, method := range map[string]string{"/expire": "POST", "/events": "GET"} {
		check(m, method, intents+"/"+open+path, "", nil, 200)
		check(m, method, intents+"/"+open+path, "", nil, 200)
		check(sibling, method, intents+"/"+open+path, "", nil, 403)
		check(m, method, nowhere+path, "", nil, 404)
		check(m, method, intents+"/order-1001"+path, "", nil, 404)
	}
	events := check(m, "GET", intents+"/"+paid+"/events", "", nil, 200)
	if !strings.Contains(events, "payment_intent.succeeded") {
		t.Errorf("the events are %s", events)
	}
}

// expectOfExtensions checks that each operation beyond the specification is refused in the same
// way.
func (w *witness) expectOfExtensions(t *testing.T, m merchant, intent, want string) {
	t.Helper()
	w.expect(t, m, "GET", intents, "", want)
	w.expect(t, m, "POST", intent+"/expire", "", want)
	w.expect(t, m, "GET", intent+"/events", "", want)
	w.expect(t, m, "POST", intent+"/refunds", aRefund, want)
	w.expect(t, m, "GET", intent+"/refunds", "", want)
	w.expect(t, m, "GET", noRefund, "", want)
	w.expect(t, m, "GET", balance, "", want)
	w.expect(t, m, "GET", journal, "", want)
}

// An intent that is being paid, or is paid, cannot be expired.
func notOpen(t *testing.T) *witness {
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	w := observe(t, s, nil)
	_, created := w.send(t, s.merchant, "POST", intents, bodyWith(), nil)
	id := intentOf(t, created)
	s.execute(t, id, domain.StartAttempt{Attempt: "a"})
	w.expect(t, s.merchant, "POST", intents+"/"+id+"/expire", "", underWay)
	s.execute(t, id, domain.RecordPayment{Attempt: "a", Amount: dinars(5), ProviderReference: "p"})
	w.expect(t, s.merchant, "POST", intents+"/"+id+"/expire", "", alreadyPaid)
	return w
}

// The document lists every reason.
func TestEveryReasonIsDescribed(t *testing.T) {
	t.Parallel()
	d := describe(t)
	event, _ := d.model.Components.Schemas.Get("PaymentIntentEvent")
	reason, _ := event.Schema().Properties.Get("reason")
	var described []string
	for _, value := range reason.Schema().Enum {
		described = append(described, value.Value)
	}
	want := append([]string{"stopped"}, refundFailures...)
	for _, r := range acquirer.Reasons() {
		want = append(want, string(r))
	}
	slices.Sort(described)
	slices.Sort(want)
	want = slices.Compact(want) // both a payment and a refund can be refused because of the account
	if diff := cmp.Diff(want, described); diff != "" {
		t.Errorf("(-reasons +described):\n%s", diff)
	}
}

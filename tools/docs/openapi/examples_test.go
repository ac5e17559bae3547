package openapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"daftar/accounts"
	"daftar/domain"
	"daftar/facts"
	"daftar/internal/postgres/pgtest"
	"daftar/webhooks"
)

// What differs in each answer: ids, times, cursors, and two fields that look like words.
var (
	aTime      = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{6}Z$`)
	anID       = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	aCheckout  = regexp.MustCompile(`^https://pay\.example/pay/UUID/[0-9a-z]+$`)
	aReference = regexp.MustCompile(`^[0-9a-z]{10}$`)
)

// withoutVarying returns an answer without what differs each time, so that two can be compared.
func withoutVarying(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return masked("", value)
}

func masked(name string, value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, one := range value {
			value[name] = masked(name, one)
		}
	case []any:
		for n, one := range value {
			value[n] = masked(name, one)
		}
	case float64:
		if name == "position" {
			return "POSITION"
		}
	case string:
		text := anID.ReplaceAllString(value, "UUID")
		switch {
		case aTime.MatchString(text):
			return "TIME"
		case aCheckout.MatchString(text):
			return "CHECKOUT"
		case name == "reference" && aReference.MatchString(text):
			return "REFERENCE"
		case name == "next_cursor", name == "attempt":
			return strings.ToUpper(name)
		}
		return text
	}
	return value
}

// documented are the document's examples of answers.
type documented struct {
	t        *testing.T
	given    map[string]any // by operation, status and name
	answered map[string]bool
}

func examples(t *testing.T) *documented {
	t.Helper()
	d := &documented{t, map[string]any{}, map[string]bool{}}
	describe(t).eachAnswer(func(operation, status string, answer *v3.Response) {
		if content, ok := answer.Content.Get("application/json"); ok {
			for name, example := range content.Examples.FromOldest() {
				d.given[operation+" "+status+" "+name] = withoutVarying(t, string(inJSON(t, example.Value)))
			}
		}
	})
	return d
}

// mustEqual checks that an answer is the example.
func (d *documented) mustEqual(name, answered string) {
	d.t.Helper()
	want, known := d.given[name]
	if !known {
		d.t.Fatalf("openapi.yaml has no example %s", name)
	}
	d.answered[name] = true
	if diff := cmp.Diff(want, withoutVarying(d.t, answered)); diff != "" {
		d.t.Errorf("%s (-openapi.yaml +answered):\n%s", name, diff)
	}
}

// exampleRequest is a POST of the document, with a time in the future.
func exampleRequest(t *testing.T, path, name string) string {
	t.Helper()
	item, _ := describe(t).model.Paths.PathItems.Get(path)
	content, _ := item.Post.RequestBody.Content.Get("application/json")
	example, _ := content.Examples.Get(name)
	tomorrow := time.Now().AddDate(0, 0, 1).UTC().Format("2006-01-02T15:04:05.000000Z")
	return regexp.MustCompile(`"expires_at":"[^"]*"`).ReplaceAllString(string(inJSON(t, example.Value)),
		`"expires_at":"`+tomorrow+`"`)
}

// Each example of an answer is a real answer: to requests of the document itself, after real
// changes of a payment.
func TestExamplesAreAnswers(t *testing.T) {
	t.Parallel()
	pool := pgtest.Database(t).Pool(t)
	s := serve(t, pool, setup{})
	w, d := observe(t, s, nil), examples(t)
	ask := func(m merchant, method, path, body string, want int) string {
		t.Helper()
		status, answered := w.send(t, m, method, path, body, nil)
		if status != want {
			t.Fatalf("%s %s: %d %s", method, path, status, answered)
		}
		return answered
	}
	full, least := exampleRequest(t, intents, "full"), exampleRequest(t, intents, "least")

	second := intentOf(t, ask(s.merchant, "POST", intents, least, 201))
	ask(s.merchant, "POST", intents+"/"+second+"/expire", "", 200)
	d.mustEqual("retrievePaymentIntent 200 expired", ask(s.merchant, "GET", intents+"/"+second, "", 200))
	created := ask(s.merchant, "POST", intents, full, 201)
	d.mustEqual("createPaymentIntent 201 created", created)
	id := intentOf(t, created)
	s.execute(t, id, domain.StartAttempt{Attempt: "a"})
	d.mustEqual("retrievePaymentIntent 200 underWay", ask(s.merchant, "GET", intents+"/"+id, "", 200))
	s.execute(t, id, domain.RecordPayment{Attempt: "a", Amount: dinars(5), ProviderReference: "p"})
	d.mustEqual("retrievePaymentIntent 200 paid", ask(s.merchant, "GET", intents+"/"+id, "", 200))
	d.mustEqual("createPaymentIntent 200 replayed", ask(s.merchant, "POST", intents, full, 200))
	d.mustEqual("listPaymentIntents 200 page", ask(s.merchant, "GET", intents+"?limit=1", "", 200))
	d.mustEqual("listPaymentIntents 200 end", ask(s.merchant, "GET", intents+"?status=processing", "", 200))

	other := s.newMerchant(t)
	id = intentOf(t, ask(other, "POST", intents, full, 201))
	d.mustEqual("expirePaymentIntent 200 expired", ask(other, "POST", intents+"/"+id+"/expire", "", 200))

	late := s.newMerchant(t)
	began := field(t, ask(late, "GET", deliveries, "", 200), "next")
	id = intentOf(t, ask(late, "POST", intents, full, 201))
	for _, next := range []domain.Command{
		domain.StartAttempt{Attempt: "a"}, domain.FailAttempt{Attempt: "a", Reason: "timed_out"},
		domain.Expire{Stopped: true},
		domain.RecordPayment{Attempt: "a", Amount: dinars(5), ProviderReference: "p"},
	} {
		s.execute(t, id, next)
	}
	s.execute(t, id, domain.RecordRefundFailure{
		Refund: domain.RefundID(uuid.New()), Attempt: "a", Amount: dinars(5), Reason: "refused",
	})
	s.execute(t, id, domain.RecordRefund{
		Refund: domain.RefundID(uuid.New()), Attempt: "a", Amount: domain.Money{Minor: 1500, Currency: domain.LYD},
		ProviderReference: "r", Evidence: domain.EvidencePerson,
	})
	d.mustEqual("listPaymentIntentEvents 200 late", ask(late, "GET", intents+"/"+id+"/events", "", 200))

	// An event of each type, and a test.
	id = intentOf(t, ask(late, "POST", intents, bodyWith("merchant_reference", `"order-2"`), 201))
	for _, kind := range facts.Stored() {
		payload, err := os.ReadFile("../../../domain/testdata/events/" + kind + ".v1.json")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pool.Exec(t.Context(), recordSQL, id, kind, string(payload)); err != nil {
			t.Fatal(err)
		}
	}
	mine, err := s.accounts.AllCredentials(t.Context(), accounts.Operator("test"),
		late.organization.In(domain.ModeLive))
	if err != nil {
		t.Fatal(err)
	}
	_, err = webhooks.NewDeliveries(pool, s.accounts, time.Now).SendTest(t.Context(), accounts.Operator("test"),
		webhooks.TenantOf(late.organization), mine[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	page := ask(late, "GET", deliveries+"?after="+began, "", 200)
	compareWebhooks(t, page)

	refundExamples(t, w, d, s)
	bookExamples(t, w, d, s)
	provokeRefusals(t, w, s)
	for name := range d.given {
		parts := strings.Fields(name)
		switch {
		case d.answered[name], slices.Contains(outOfReach, parts[1]), name == "listWebhookDeliveries 200 one":
		case parts[1] >= "400":
			if !w.refused(t, d.given[name]) {
				t.Errorf("the example %s was never answered", name)
			}
		default:
			t.Errorf("the example %s was never answered", name)
		}
	}
	w.mustFindNothing(t)
}

// recordSQL inserts an event directly, without the domain's decision.
const recordSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT (SELECT max(position) FROM events) + 1, $1,
       (SELECT max(version) FROM events WHERE stream_id = $1) + 1,
       $2, 1, $3, '{}', clock_timestamp()`

// refused reports whether a refusal was answered.
func (w *witness) refused(t *testing.T, want any) bool {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for body := range w.bodies {
		if cmp.Equal(want, withoutVarying(t, body)) {
			return true
		}
	}
	return false
}

// provokeRefusals sends a request for each refusal of the document.
func provokeRefusals(t *testing.T, w *witness, s *service) {
	t.Helper()
	m := s.merchant
	noToken, noKey, otherKey := m, m, m
	noToken.token, noKey.apiKey, otherKey.apiKey = "at_nonsense", "", "pk_nonsense"
	reader := m
	reader.token = s.newToken(t, m.organization, accounts.ScopeRead)
	for _, r := range []struct {
		by                 merchant
		method, path, body string
		header             http.Header
	}{
		{noToken, "GET", nowhere, "", nil},
		{noKey, "GET", nowhere, "", nil},
		{otherKey, "GET", nowhere, "", nil},
		{s.newApplication(t, m.organization), "GET", intents + "/" + intentOf(t, firstOf(t, w, m)), "", nil},
		{reader, "POST", intents, "{}", nil},
		{m, "GET", nowhere, "", nil},
		{m, "DELETE", nowhere, "", nil},
		{m, "GET", intents + "?status=paid;limit=1", "", nil},
		{m, "POST", intents, "{\n\"amount\":\n}", nil},
		{m, "POST", intents, "[]", nil},
		{m, "POST", intents, strings.Repeat(" ", 128<<10+1), nil},
		{m, "POST", intents, "{}", http.Header{"Content-Type": {"text/plain"}}},
		{m, "POST", intents, "{}", http.Header{"Content-Encoding": {"gzip"}}},
		{m, "POST", intents,
			bodyWith("merchant_reference", `"refused"`, "amount", "999", "metadata", `{"cart":77}`), nil},
		{m, "POST", intents,
			bodyWith("merchant_reference", `"refused"`, "expires_at", `"2001-01-01T00:00:00Z"`), nil},
	} {
		if status, answered := w.send(t, r.by, r.method, r.path, r.body, r.header); status < http.StatusBadRequest {
			t.Errorf("%s %s: %d %s", r.method, r.path, status, answered)
		}
	}
}

// firstOf returns the merchant's intent as an answer shows it.
func firstOf(t *testing.T, w *witness, m merchant) string {
	t.Helper()
	_, answered := w.send(t, m, "POST", intents, bodyWith(), nil)
	return answered
}

// compareWebhooks compares the webhooks of a page with those of the document, each type at least
// once: the same fields, with the same types.
func compareWebhooks(t *testing.T, page string) {
	t.Helper()
	var sent struct{ Data []struct{ Type, Body string } }
	if err := json.Unmarshal([]byte(page), &sent); err != nil {
		t.Fatal(err)
	}
	d := describe(t)
	seen := map[string]bool{}
	for _, one := range sent.Data {
		item, known := d.model.Webhooks.Get(one.Type)
		if !known {
			t.Errorf("openapi.yaml has no webhook %s", one.Type)
			continue
		}
		seen[one.Type] = true
		content, _ := item.Post.RequestBody.Content.Get("application/json")
		if ok, errs := d.fits(content.Schema, []byte(one.Body)); !ok {
			t.Errorf("%s does not fit: %v\n%s", one.Type, errs[0].SchemaValidationErrors, one.Body)
		}
		example, _ := content.Examples.Get("sent")
		text := string(inJSON(t, example.Value))
		if ok, errs := d.fits(content.Schema, []byte(text)); !ok {
			t.Errorf("the example of %s does not fit: %v", one.Type, errs[0].SchemaValidationErrors)
		}
		want := fmt.Sprint(fieldsOf(withoutVarying(t, text)))
		got := fmt.Sprint(fieldsOf(withoutVarying(t, one.Body)))
		if want != got && one.Type != webhooks.TypeSucceeded {
			t.Errorf("%s has the fields %s, the example %s", one.Type, got, want)
		}
	}
	for name := range d.model.Webhooks.FromOldest() {
		if !seen[name] {
			t.Errorf("no %s was sent", name)
		}
	}
}

// fieldsOf returns the names in an object, at all depths.
func fieldsOf(value any) (all []string) {
	object, _ := value.(map[string]any)
	for name, one := range object {
		all = append(all, name)
		all = append(all, fieldsOf(one)...)
	}
	slices.Sort(all)
	return all
}

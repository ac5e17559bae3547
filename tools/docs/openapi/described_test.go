package openapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
)

// outOfReach are the answers that a client alone cannot provoke; TestFailures provokes them.
var outOfReach = []string{"408", "409", "429", "500", "503"}

// saidInWords are the refusals that no schema can express; the document has them in its
// descriptions.
var saidInWords = []string{`"errors":{"return_url":`, `"errors":{"expires_at":`, `"errors":{"after":`,
	`"errors":{"cursor":`, `"errors":{"at":`, `"errors":{"from":`, `"errors":{"to":`,
	`"errors":{"created_from":`, `"errors":{"attempt":["The attempt is not one of`,
	`"errors":{"amount":["The amount is more than the `, "Content-Encoding",
	"There is no parameter", "The query cannot be read"}

// mustHaveSeenAll checks that a client provoked every answer that openapi.yaml describes and that a
// client alone can provoke, and that no request that the document allows was refused.
func (w *witness) mustHaveSeenAll(t *testing.T, sent int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.described.eachAnswer(func(operation, status string, _ *v3.Response) {
		if w.seen[operation+" "+status] == 0 && !slices.Contains(outOfReach, status) {
			t.Errorf("%s was never answered with %s", operation, status)
		}
	})
	if w.passed != sent {
		t.Errorf("the client sent %d requests, and %d came past the witness", sent, w.passed)
	}
	for _, refusal := range w.refusedAllowed {
		if !slices.ContainsFunc(saidInWords, func(part string) bool { return strings.Contains(refusal, part) }) {
			t.Errorf("openapi.yaml allows what is refused with %s", refusal)
		}
	}
}

// Every answer that openapi.yaml describes occurs, as it is described. The document forbids what
// the service refuses, and nothing else. In TestLongCollection… third-party tools check the same
// from the document alone.
func TestEveryDescribedAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	w := observe(t, s, nil)
	sibling := s.newApplication(t, s.merchant.organization)
	reader := s.merchant
	reader.token = s.newToken(t, s.merchant.organization, accounts.ScopeRead)
	noToken, noKey, otherKey := s.merchant, s.merchant, s.merchant
	noToken.token, noKey.apiKey, otherKey.apiKey = "at_nonsense", "", "pk_nonsense"
	const document = "/openapi.yaml"
	tomorrow := `"` + time.Now().AddDate(0, 0, 1).UTC().Format(time.RFC3339) + `"`
	full := bodyWith("merchant_reference", `"order-2"`, "customer", `{"external_id":"c"}`,
		"return_url", `"https://shop.example/1"`, "metadata", `{"branch":"طرابلس"}`, "expires_at", tomorrow)
	sent := 0
	check := func(m merchant, method, path, body string, header http.Header, want int) string {
		t.Helper()
		sent++
		got, answered := w.send(t, m, method, path, body, header)
		if got != want {
			t.Errorf("%s %s %.80s: got %d %s, want %d", method, path, body, got, answered, want)
		}
		return answered
	}
	began := field(t, check(s.merchant, "GET", deliveries, "", nil, 200), "next")
	id := intentOf(t, check(s.merchant, "POST", intents, bodyWith(), nil, 201))
	check(s.merchant, "POST", intents, full, nil, 201)
	check(s.merchant, "POST", intents, full, nil, 200)
	check(s.merchant, "POST", intents, bodyWith("merchant_reference", `"order-2"`, "amount", "6000"), nil, 200)
	check(s.merchant, "POST", intents, bodyWith("merchant_reference", `"order-3"`), nil, 201)
	check(s.merchant, "POST", intents, "[", nil, 400)
	check(s.merchant, "POST", intents, strings.Repeat(" ", 128<<10+1), nil, 413)
	check(s.merchant, "POST", intents, bodyWith(), http.Header{"Content-Type": {"text/plain"}}, 415)
	check(s.merchant, "POST", intents, bodyWith(), http.Header{"Content-Encoding": {"gzip"}}, 415)
	long := func(n int) string { return `"` + strings.Repeat("د", n) + `"` }
	for _, fields := range [][]string{
		{"merchant_reference", ""}, {"merchant_reference", `""`}, {"merchant_reference", "7"},
		{"merchant_reference", long(256)},
		{"amount", ""}, {"amount", "999"}, {"amount", "1000000001"}, {"amount", `"5000"`}, {"amount", "5000.5"},
		{"amount", "null"},
		{"currency", ""}, {"currency", `"lyd"`}, {"currency", `"USD"`},
		{"description", ""}, {"description", `{"ar":"طلب"}`}, {"description", long(256)},
		{"customer", "null"}, {"customer", "[1]"}, {"customer", `{"external_id":7}`},
		{"customer", `{"external_id":` + long(256) + `}`},
		{"return_url", "false"}, {"return_url", `"/orders/1"`}, {"return_url", `"javascript:alert(1)"`},
		{"return_url", `"https://shop.example/` + strings.Repeat("x", 2048) + `"`},
		{"metadata", `["cart"]`}, {"metadata", `{"cart":77}`}, {"metadata", `{"cart":` + long(256) + `}`},
		{"metadata", `{` + long(41) + `:""}`},
		{"expires_at", "7"}, {"expires_at", `"tomorrow"`}, {"expires_at", `"2999-01-01T00:00:00"`},
		{"expires_at", `"2001-01-01T00:00:00Z"`, "merchant_reference", `"order-4"`},
	} {
		check(s.merchant, "POST", intents, bodyWith(fields...), nil, 422)
	}
	for _, next := range []domain.Command{
		domain.StartAttempt{Attempt: "a", Acquirer: refunding},
		domain.RecordPayment{Attempt: "a", Amount: dinars(5), ProviderReference: "p"},
	} {
		check(s.merchant, "GET", intents+"/"+id, "", nil, 200)
		s.execute(t, id, next)
	}
	paid := check(s.merchant, "GET", intents+"/"+id, "", nil, 200)
	if !strings.Contains(paid, `"status":"succeeded"`) {
		t.Errorf("the paid intent is %s", paid)
	}
	check(sibling, "GET", intents+"/"+id, "", nil, 403)
	check(reader, "POST", intents, bodyWith(), nil, 403)
	check(reader, "POST", intents+"/"+id+"/expire", "", nil, 403)
	check(s.merchant, "GET", intents+"/00000000-0000-4000-8000-000000000000", "", nil, 404)
	check(s.merchant, "GET", intents+"/order-1001", "", nil, 404)
	page := check(s.merchant, "GET", deliveries+"?after="+began, "", nil, 200)
	if !strings.Contains(page, "payment_intent.succeeded") {
		t.Errorf("the webhooks are %s", page)
	}
	check(s.merchant, "GET", deliveries+"?after=yesterday", "", nil, 422)
	ofSibling := check(s.merchant, "POST", intents, bodyWith("merchant_reference", `"order-5"`), nil, 201)
	other := intentOf(t, ofSibling)
	checkExtensions(t, check, s.merchant, sibling, other, id)
	check(s.merchant, "GET", document, "", nil, 200)
	refund := checkRefunds(t, check, s.merchant, sibling, reader, id)
	accountant := s.merchant
	accountant.token = s.newToken(t, s.merchant.organization, accounts.ScopeBooks)
	checkBooks(t, check, s.merchant, reader)
	check(accountant, "GET", deliveries, "", nil, 403)
	for _, m := range []merchant{noToken, noKey, otherKey} {
		check(m, "POST", intents, bodyWith(), nil, 401)
		check(m, "GET", intents+"/"+id, "", nil, 401)
		check(m, "GET", deliveries, "", nil, 401)
		check(m, "GET", intents, "", nil, 401)
		check(m, "POST", intents+"/"+id+"/expire", "", nil, 401)
		check(m, "GET", intents+"/"+id+"/events", "", nil, 401)
		check(m, "POST", intents+"/"+id+"/refunds", aRefund, nil, 401)
		check(m, "GET", intents+"/"+id+"/refunds", "", nil, 401)
		check(m, "GET", refund, "", nil, 401)
		check(m, "GET", balance, "", nil, 401)
		check(m, "GET", journal, "", nil, 401)
	}
	for _, path := range []string{
		intents, intents + "/" + id, intents + "/" + id + "/expire", intents + "/" + id + "/events",
		intents + "/" + id + "/refunds", refund, balance, journal, deliveries, document,
	} {
		check(s.merchant, "DELETE", path, "", nil, 405)
	}
	w.mustFindNothing(t)
	w.mustHaveSeenAll(t, sent)
}

// field reads a top-level string of an answer.
func field(t *testing.T, answer, name string) string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(answer), &fields); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	text, ok := fields[name].(string)
	if !ok {
		t.Fatalf("no %s in %s", name, answer)
	}
	return text
}

// intentOf returns the uuid of the intent in an answer.
func intentOf(t *testing.T, answer string) string {
	t.Helper()
	var fields struct{ Data map[string]any }
	if err := json.Unmarshal([]byte(answer), &fields); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
	id, ok := fields.Data["uuid"].(string)
	if !ok {
		t.Fatalf("no intent in %s", answer)
	}
	return id
}

// execute runs a command on an intent, as the checkout does.
func (s *service) execute(t *testing.T, intent string, c domain.Command) {
	t.Helper()
	id, err := domain.ParseIntentID(intent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ledger.Execute(t.Context(), id, c, ledger.Origin{Actor: "payer"}); err != nil {
		t.Fatal(err)
	}
}

// wrongAnswers are answers that differ from openapi.yaml, with the messages of Newman and of the
// witness.
var wrongAnswers = map[string]struct {
	tamper        func(*http.Response)
	newman, judge []string // the message of each
}{
	"another body": {
		inBody(`"amount":5000`, `"amount":"5000"`, `"currency":"LYD",`, `"secret":"x",`,
			`"requires_payment_method"`, `"refunded"`),
		[]string{
			"data.data.amount should be integer", "data.data should have required property 'currency'",
			"data.data should NOT have additional properties",
			"data.data.status should be equal to one of the allowed values",
		},
		[]string{"got string, want integer", "missing property 'currency'", "'secret' not allowed",
			"value must be one of"},
	},
	"another status": {
		func(answer *http.Response) { answer.StatusCode = http.StatusAccepted },
		[]string{"Response status code is 201", "Response status code is 200"}, []string{"with 202"},
	},
	"other headers": {
		func(answer *http.Response) {
			answer.Header.Del("X-Request-Id")
			answer.Header.Set("X-Debug", "1")
			answer.Header.Set("Content-Type", "text/html")
		},
		[]string{"expected response to have header with key 'X-Request-Id'",
			"expected 'text/html' to include 'application/json'"},
		[]string{"without the header X-Request-Id", "text/html", "a header X-Debug"},
	},
}

// The witness finds an answer that differs from openapi.yaml.
func TestWitnessFindsWrongAnswers(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).Pool(t), setup{})
	for name, plant := range wrongAnswers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := observe(t, s, plant.tamper)
			w.send(t, s.merchant, "POST", "/payment-intents", bodyWith("merchant_reference", `"`+name+`"`), nil)
			mustSay(t, "the witness", w.found(), plant.judge)
		})
	}
}

func mustSay(t *testing.T, who string, said, expected []string) {
	t.Helper()
	all := strings.Join(said, "\n")
	for _, part := range expected {
		if !strings.Contains(all, part) {
			t.Errorf("%s does not see %q:\n%s", who, part, all)
		}
	}
}

// inBody replaces parts of the answer's body.
func inBody(pairs ...string) func(*http.Response) {
	return func(answer *http.Response) {
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			body = []byte(err.Error())
		}
		answer.Body = io.NopCloser(strings.NewReader(strings.NewReplacer(pairs...).Replace(string(body))))
	}
}

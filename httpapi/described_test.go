package httpapi_test

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

// outOfReach are the answers that a client alone cannot provoke.
var outOfReach = []string{"408", "409", "429", "500", "503"}

// saidInWords are the refusals of what no schema can say; the document has them in
// its descriptions.
var saidInWords = []string{`"errors":{"return_url":`, `"errors":{"expires_at":`, `"errors":{"after":`, "Content-Encoding"}

// mustHaveSeenAll checks that a client provoked every answer that openapi.yaml
// describes and that a client alone can provoke, and was refused nothing that the
// document allows.
func (w *witness) mustHaveSeenAll(t *testing.T, sent int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, answer := range w.described.answers() {
		_, status, _ := strings.Cut(answer, " ")
		if w.seen[answer] == 0 && !slices.Contains(outOfReach, status) && status != "405" {
			t.Errorf("nothing was answered with %s", answer)
		}
	}
	passed := 0
	for _, times := range w.seen {
		passed += times
	}
	if passed != sent {
		t.Errorf("the client sent %d requests, and %d came past the witness", sent, passed)
	}
	if w.seen[" 405"] < 3 {
		t.Errorf("other methods were answered %d times with 405", w.seen[" 405"])
	}
	for _, refusal := range w.beyond {
		if !slices.ContainsFunc(saidInWords, func(part string) bool { return strings.Contains(refusal, part) }) {
			t.Errorf("openapi.yaml allows what is refused with %s", refusal)
		}
	}
}

// send sends a request past the witness and returns the answer's status.
func (w *witness) send(t *testing.T, m merchant, method, path, body string, header http.Header) int {
	t.Helper()
	r := m.request(t, method, w.server.URL+httpapi.Prefix+path, body)
	maps.Copy(r.Header, header)
	answer, err := w.server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode
}

// Every answer that openapi.yaml describes is given, as it describes it. What the
// service refuses the document forbids, and the other way round. TestLongCollection…
// has third-party tools find the same from the document alone.
func TestEveryDescribedAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	w := observe(t, s.server.URL, nil)
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	sibling, nobody, noKey := s.newApplication(t, s.merchant.app.Organization), s.merchant, s.merchant
	nobody.token, noKey.app.APIKey = "at_nonsense", "pk_nonsense"
	const intents, deliveries, document = "/payment-intents", "/webhook-deliveries", "/openapi.yaml"
	tomorrow := `"` + time.Now().AddDate(0, 0, 1).UTC().Format(time.RFC3339) + `"`
	full := bodyWith("merchant_reference", `"order-2"`, "customer", `{"external_id":"c"}`, "return_url", `"https://shop.example/1"`,
		"metadata", `{"branch":"طرابلس"}`, "expires_at", tomorrow)
	sent := 0
	check := func(m merchant, method, path, body string, header http.Header, want int) {
		t.Helper()
		sent++
		if got := w.send(t, m, method, path, body, header); got != want {
			t.Errorf("%s %s %.80s: got %d, want %d", method, path, body, got, want)
		}
	}
	check(s.merchant, "POST", intents, full, nil, 201)
	check(s.merchant, "POST", intents, full, nil, 200)
	check(s.merchant, "POST", intents, bodyWith("merchant_reference", `"order-3"`), nil, 201)
	check(s.merchant, "POST", intents, "[", nil, 400)
	check(s.merchant, "POST", intents, strings.Repeat(" ", httpapi.MaxBody+1), nil, 413)
	check(s.merchant, "POST", intents, bodyWith(), http.Header{"Content-Type": {"text/plain"}}, 415)
	check(s.merchant, "POST", intents, bodyWith(), http.Header{"Content-Encoding": {"gzip"}}, 415)
	long := func(n int) string { return `"` + strings.Repeat("د", n) + `"` }
	for _, fields := range [][]string{
		{"merchant_reference", ""}, {"merchant_reference", `""`}, {"merchant_reference", "7"}, {"merchant_reference", long(256)},
		{"amount", ""}, {"amount", "999"}, {"amount", "1000000001"}, {"amount", `"5000"`}, {"amount", "5000.5"}, {"amount", "null"},
		{"currency", ""}, {"currency", `"lyd"`}, {"currency", `"USD"`},
		{"description", ""}, {"description", `{"ar":"طلب"}`}, {"description", long(256)},
		{"customer", "null"}, {"customer", "[]"}, {"customer", `{"external_id":7}`}, {"customer", `{"external_id":` + long(256) + `}`},
		{"return_url", "false"}, {"return_url", `"/orders/1"`}, {"return_url", `"javascript:alert(1)"`},
		{"return_url", `"https://shop.example/` + strings.Repeat("x", 2048) + `"`},
		{"metadata", `["cart"]`}, {"metadata", `{"cart":77}`}, {"metadata", `{"cart":` + long(256) + `}`}, {"metadata", `{` + long(41) + `:""}`},
		{"expires_at", "7"}, {"expires_at", `"tomorrow"`}, {"expires_at", `"2999-01-01T00:00:00"`},
		{"expires_at", `"2001-01-01T00:00:00Z"`, "merchant_reference", `"order-4"`},
	} {
		check(s.merchant, "POST", intents, bodyWith(fields...), nil, 422)
	}
	check(s.merchant, "GET", intents+"/"+id, "", nil, 200)
	check(sibling, "GET", intents+"/"+id, "", nil, 403)
	check(s.merchant, "GET", intents+"/00000000-0000-4000-8000-000000000000", "", nil, 404)
	check(s.merchant, "GET", intents+"/order-1001", "", nil, 404)
	check(s.merchant, "GET", deliveries, "", nil, 200)
	check(s.merchant, "GET", deliveries+"?after=yesterday", "", nil, 422)
	check(s.merchant, "GET", document, "", nil, 200)
	for _, m := range []merchant{nobody, noKey} {
		check(m, "POST", intents, bodyWith(), nil, 401)
		check(m, "GET", intents+"/"+id, "", nil, 401)
		check(m, "GET", deliveries, "", nil, 401)
	}
	for _, path := range []string{intents, intents + "/" + id, deliveries, document} {
		check(s.merchant, "DELETE", path, "", nil, 405)
	}
	w.mustBeContent(t)
	w.mustHaveSeenAll(t, sent)
}

// wrongAnswers are answers that openapi.yaml does not describe, and what Newman and
// the witness say about them.
var wrongAnswers = map[string]struct {
	tamper        func(*http.Response)
	newman, judge []string // what each says
}{
	"another body": {
		inBody(`"amount":5000`, `"amount":"5000"`, `"currency":"LYD",`, `"secret":"x",`, `"requires_payment_method"`, `"refunded"`),
		[]string{
			"data.data.amount should be integer", "data.data should have required property 'currency'",
			"data.data should NOT have additional properties", "data.data.status should be equal to one of the allowed values",
		},
		[]string{"got string, want integer", "missing property 'currency'", "'secret' not allowed", "value must be one of"},
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
		[]string{"expected response to have header with key 'X-Request-Id'", "expected 'text/html' to include 'application/json'"},
		[]string{"without the header X-Request-Id", "text/html", "a header X-Debug"},
	},
}

// An answer that is not what openapi.yaml says is seen by the witness.
func TestWitnessFindsWrongAnswers(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	for name, plant := range wrongAnswers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := observe(t, s.server.URL, plant.tamper)
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

// inBody replaces parts of what is answered.
func inBody(pairs ...string) func(*http.Response) {
	return func(answer *http.Response) {
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			body = []byte(err.Error())
		}
		answer.Body = io.NopCloser(strings.NewReader(strings.NewReplacer(pairs...).Replace(string(body))))
	}
}

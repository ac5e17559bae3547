package fake_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"

	"daftar/payments/acquirer/lypay/fake"
	"daftar/payments/acquirer/lypay/numo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	iban      = "LY68099001000000000012345"
	reference = "0123456789abcdefghjkmnpqr"
)

// bank is a fake with one code to pay, and an inbox.
type bank struct {
	t        *testing.T
	fake     *fake.Fake
	server   *httptest.Server
	inbox    *httptest.Server
	payload  string
	mu       sync.Mutex
	now      time.Time
	received []string
}

func newBank(t *testing.T) *bank {
	t.Helper()
	b := &bank{t: t, now: time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)}
	b.inbox = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.received = append(b.received, string(body))
	}))
	b.fake = fake.New(fake.Config{Now: b.time, WebhookURL: b.inbox.URL})
	b.server = httptest.NewServer(b.fake)
	t.Cleanup(func() {
		b.server.Close()
		b.fake.Close()
		b.inbox.Close()
	})
	var err error
	b.payload, err = numo.Code{
		Dynamic: true, Name: "TEST SHOP", Schema: "IBAN", Account: iban, Amount: 12_345, ReferenceLabel: reference,
	}.Encode(numo.App)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bank) time() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bank) inboxHas() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.received...)
}

// call sends a request with the token and returns its status and body.
func (b *bank) call(method, path, body string) (int, string) {
	b.t.Helper()
	return b.callAs("fake-lypay-token", "application/json", method, path, body)
}

func (b *bank) callAs(token, kind, method, path, body string) (int, string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", kind)
	res, err := b.server.Client().Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(answer)
}

func (b *bank) want(method, path, body string, status int, words ...string) string {
	b.t.Helper()
	got, answer := b.call(method, path, body)
	if got != status {
		b.t.Errorf("%s %s: %d %s, want %d", method, path, got, answer, status)
	}
	for _, w := range words {
		if !strings.Contains(answer, w) {
			b.t.Errorf("%s %s: %s has no %s", method, path, answer, w)
		}
	}
	return answer
}

// press sends the app's form.
func (b *bank) press(payer, amount, code string) (int, string) {
	b.t.Helper()
	form := url.Values{"payload": {b.payload}, "payer": {payer}, "amount": {amount}, "code": {code}}
	return b.callAs("", "application/x-www-form-urlencoded", http.MethodPost, "/app", form.Encode())
}

const inquiry = "/api/v1/payments/credited-funds-transfers/by-internal-merchant-reference" +
	"?internal_merchant_reference=" + reference

// Each number of the package's documentation acts as documented.
func TestPayers(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		payer, outcome string
		books          string // of the reference
		webhooks       int
		status         int // of the inquiry
		word           string
	}{
		{
			"0912345678", "completed", `"amount":12345,"currency":"LYD","state":"paid","taken":1`, 1,
			200, "completed",
		},
		{"", "completed", `"taken":1`, 1, 200, "completed"},
		{"0920000001", "acknowledged", `"state":"open","taken":0`, 0, 200, "acknowledged"},
		{"0920000002", "processing", `"state":"open","taken":0`, 0, 200, "processing"},
		{"0920000003", "processing", `"state":"open","taken":0`, 0, 200, "processing"},
		{"0920000004", "declined", `"state":"declined","taken":0`, 0, 200, "declined"},
		{"0920000005", "completed", `"taken":1`, 5, 200, "completed"},
		{"0920000006", "completed", `"taken":1`, 1, 404, "message"},
		{"0920000007", "completed", `"taken":1`, 1, 404, "message"},
		{
			"0920000008", "completed", `"amount":12345,"currency":"LYD","state":"paid","taken":2`, 2,
			200, "completed",
		},
		{"0920000009", "completed", `"amount":6172`, 1, 200, "completed"},
		{"0920000010", "completed", `"amount":24690`, 1, 200, "completed"},
		{"0920000011", "processing", `"taken":0`, 0, 200, "processing"},
		{"0920000012", "completed", `"taken":1`, 0, 200, "completed"},
		{"0920000013", "completed", `"taken":1`, 1, 404, "message"},
		{"0920000014", "completed", `"taken":1`, 1, 200, "completed"},
	} {
		t.Run(tc.payer, func(t *testing.T) {
			t.Parallel()
			b := newBank(t)
			status, page := b.press(tc.payer, "", "111111")
			if status != http.StatusOK || !strings.Contains(page, `data-outcome="`+tc.outcome+`"`) {
				t.Errorf("the app: %d %s", status, page)
			}
			b.want(http.MethodGet, "/control/ledger", "", http.StatusOK, reference, tc.books)
			b.want(http.MethodGet, inquiry, "", tc.status, tc.word)
			if got := len(b.inboxHas()); got != tc.webhooks {
				t.Errorf("%d webhooks, want %d", got, tc.webhooks)
			}
		})
	}
}

func TestTimePasses(t *testing.T) {
	t.Parallel()
	for payer, word := range map[string]string{
		"0920000003": "completed",
		"0920000011": "failed",
		"0920000013": "completed",
	} {
		b := newBank(t)
		b.press(payer, "", "111111")
		b.mu.Lock()
		b.now = b.now.Add(2 * time.Minute)
		b.mu.Unlock()
		b.want(http.MethodGet, inquiry, "", http.StatusOK, word)
		b.fake.Close() // waits for the webhooks
		if got := len(b.inboxHas()); payer == "0920000011" && got > 0 {
			t.Errorf("%s: %d webhooks", payer, got)
		}
	}
}

func TestTheApp(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	status, page := b.call(http.MethodGet, "/app?payload=%3Cb%3E", "")
	if status != http.StatusOK || !strings.Contains(page, "&lt;b&gt;") || strings.Contains(page, "<b>") {
		t.Errorf("the app: %d %s", status, page)
	}
	for _, tc := range []struct{ amount, code, outcome string }{
		{"", "000000", "wrong-code"},
		{"", "", "wrong-code"},
		{"1.5", "111111", "unreadable"},
		{"-1", "111111", "unreadable"},
	} {
		status, page := b.press("", tc.amount, tc.code)
		if status != http.StatusUnprocessableEntity || !strings.Contains(page, `data-outcome="`+tc.outcome+`"`) {
			t.Errorf("amount %q, code %q: %d %s", tc.amount, tc.code, status, page)
		}
	}
	b.want(http.MethodGet, "/control/ledger", "", http.StatusOK, `"payments":[]`)
	if status, _ := b.press("", "9000", "111111"); status != http.StatusOK {
		t.Errorf("another amount: %d", status)
	}
	b.want(http.MethodGet, "/control/ledger", "", http.StatusOK, `"amount":9000`)
	b.payload = b.payload[:len(b.payload)-1]
	status, page = b.press("", "", "111111")
	if status != http.StatusUnprocessableEntity || !strings.Contains(page, "unreadable") {
		t.Errorf("a code cut short: %d %s", status, page)
	}
}

func TestControl(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	b.want(http.MethodPost, "/control/scan", `{"payload":"x"}`, http.StatusUnprocessableEntity, "cannot read")
	b.want(http.MethodPost, "/control/scan", `{"payload":"`+b.payload+`","code":"222222"}`,
		http.StatusUnprocessableEntity, "wrong code")
	b.want(http.MethodPost, "/control/scan", `{"payload":"`+b.payload+`","status":"lost"}`,
		http.StatusUnprocessableEntity, "no such status")
	b.want(http.MethodPost, "/control/scan", `{"payload":"`+b.payload+`","notices":["odd"]}`,
		http.StatusUnprocessableEntity, "webhook")
	b.want(http.MethodPost, "/control/scan", `{"code_text":"x"}`, http.StatusBadRequest, "documented")
	var scanned struct{ Transfers []fake.Made }
	made := b.want(http.MethodPost, "/control/scan",
		`{"payload":"`+b.payload+`","times":2,"payer_name":"","notices":[]}`, http.StatusOK)
	err := json.Unmarshal([]byte(made), &scanned, json.MatchCaseInsensitiveNames(true))
	if err != nil || len(scanned.Transfers) != 2 {
		t.Fatalf("scan made %s, %v", made, err)
	}
	number := scanned.Transfers[0].PaymentReference
	path := "/control/transfers/" + number
	b.want(http.MethodPost, path, `{"notices":["right","right","status"]}`, http.StatusOK)
	update := `{"webhook":"transaction_status_update","data":{"payment_reference":"` + number + `",` +
		`"status":"completed","status_code":"03","amount":{"amount":"12345","currency":"lyd"}}}`
	got := b.inboxHas()
	if len(got) != 3 || got[0] != got[1] || strings.Contains(got[0], `"name":""`) || got[2] != update {
		t.Errorf("webhooks are %v", got)
	}
	b.want(http.MethodPost, path, `{"status":"lost"}`, http.StatusUnprocessableEntity)
	b.want(http.MethodPost, "/control/transfers/LYP1", `{}`, http.StatusNotFound)
	b.want(http.MethodPost, "/control/dialect", `{"completed":"confirmed"}`, http.StatusNoContent)
	b.want(http.MethodGet, "/control/dialect", "", http.StatusOK, `"completed":"confirmed"`, `"page_size":25`)
	b.want(http.MethodGet, inquiry, "", http.StatusOK, "confirmed")
	b.want(http.MethodGet, "/api/v1/miscs/transaction-status", "", http.StatusOK, `"confirmed"`)
	b.want(http.MethodPost, "/control/dialect", `{"colour":"red"}`, http.StatusBadRequest)
}

func TestWebhooksStayOnThisMachine(t *testing.T) {
	t.Parallel()
	b := newBank(t)
	for _, address := range []string{
		"http://bank.example/", "https://127.0.0.1/", "http://10.0.0.1/", "http://localhost.example/",
		"ftp://127.0.0.1/", "::",
	} {
		b.want(http.MethodPost, "/control/webhook", `{"url":"`+address+`"}`, http.StatusUnprocessableEntity)
	}
	scan := `{"payload":"` + b.payload + `"}`
	b.want(http.MethodPost, "/control/webhook", `{"iban":"`+iban+`","url":""}`, http.StatusNoContent)
	b.want(http.MethodPost, "/control/scan", scan, http.StatusOK)
	if got := len(b.inboxHas()); got != 0 {
		t.Errorf("%d webhooks of an account that wants none", got)
	}
	b.want(http.MethodPost, "/control/webhook", `{"iban":"`+iban+`","url":"`+b.inbox.URL+`","key":"k"}`,
		http.StatusNoContent)
	b.want(http.MethodPost, "/control/scan", scan, http.StatusOK)
	if got := len(b.inboxHas()); got != 1 {
		t.Errorf("%d webhooks, want 1", got)
	}
	outside := fake.New(fake.Config{WebhookURL: "http://192.0.2.1/"})
	defer outside.Close()
	if _, err := outside.Scan(fake.Scan{Payload: b.payload}); err != nil {
		t.Error(err) // and it did not wait for an address that does not answer
	}
}

package fake_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"daftar/payments/acquirer/moamalat/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, c fake.Config) *httptest.Server {
	t.Helper()
	c.Clock = func() time.Time { return time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC) }
	gateway := fake.New(c)
	server := httptest.NewServer(gateway)
	t.Cleanup(func() {
		gateway.Close()
		server.Close()
	})
	return server
}

func call(t *testing.T, s *httptest.Server, path, body string) (int, string) {
	t.Helper()
	res, err := s.Client().Post(s.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func hash(t *testing.T, key, text string) string {
	t.Helper()
	raw, err := hex.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, raw)
	_, _ = io.WriteString(mac, text)
	return hex.EncodeToString(mac.Sum(nil))
}

// signed is a request of the example's terminal, with more members.
func signed(t *testing.T, date, more string) string {
	t.Helper()
	m := fake.Example()
	text := "DateTimeLocalTrxn=" + date + "&MerchantId=" + m.MerchantID + "&TerminalId=" + m.TerminalID
	return fmt.Sprintf(`{"MerchantId":%q,"TerminalId":%q,"DateTimeLocalTrxn":%q,"SecureHash":%q%s}`,
		m.MerchantID, m.TerminalID, date, hash(t, m.SecureKey, text), more)
}

const (
	filterPath = "/cube/paylink.svc/api/FilterTransactions"
	page       = `,"DisplayLength":"10","DisplayStart":"0"`
)

func TestTheListInTheDocumentedForm(t *testing.T) {
	t.Parallel()
	s := start(t, fake.Config{})
	status, body := call(t, s, filterPath, signed(t, "261120220001", page+`,"MerchantReference":"order-00001"`))
	if status != http.StatusOK || !strings.Contains(body, `"Message":"Transaction not found"`) ||
		!strings.Contains(body, `"TotalCountAllTransaction":0`) {
		t.Errorf("nothing: %d %s", status, body)
	}
	status, body = call(t, s, "/control/sale", `{"reference":"order-00001","amount":5001,"outcome":"approved"}`)
	if status != http.StatusNoContent {
		t.Fatalf("%d %s", status, body)
	}
	for _, path := range []string{filterPath, "/Cube/PayLink.svc/API/filtertransactions"} {
		_, body = call(t, s, path, signed(t, "261120220002",
			page+`,"MerchantReference":"order-00001","DateFrom":"20261120","DateTo":"20261120"`))
		for _, part := range []string{
			`"Success":true`, `"TotalCountAllTransaction":1`, `"Date":"20/11/2026"`,
			`"Status":"Approved"`, `"TransType":"Sale"`, `"AmountTrxn":"5001"`, `"Currency":"LYD"`,
			`"MerchantReference":"order-00001"`, `"TxnDateTime":"20/11/26  22:00"`,
			`"IsRefund":false`, `"RemainingRefundAmount":"5001"`,
		} {
			if !strings.Contains(body, part) {
				t.Errorf("%s: list has no %s: %s", path, part, body)
			}
		}
	}
	_, body = call(t, s, filterPath, signed(t, "261120220003", page+`,"DateTo":"20261119"`))
	if strings.Contains(body, "order") {
		t.Errorf("another day has it: %s", body)
	}
	_, body = call(t, s, filterPath, signed(t, "261120220004", `,"DisplayLength":"1","DisplayStart":"1"`))
	if strings.Contains(body, "order") {
		t.Errorf("the second page has it: %s", body)
	}
}

func TestTheGatewayIsStrict(t *testing.T) {
	t.Parallel()
	s := start(t, fake.Config{RefuseRepeats: true})
	good := signed(t, "261120220001", page)
	otherDate := strings.Replace(good, "261120220001", "261120220009", 1)
	otherTerminal := strings.Replace(good, "70000001", "70000009", 1)
	for name, tc := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"a hash of another date": {otherDate, 401, "Authentication failed."},
		"an unknown terminal":    {otherTerminal, 401, "Authentication failed."},
		"no JSON":                {"MerchantId=1", 400, "Bad request"},
		"no page":                {signed(t, "261120220002", ""), 200, "Invalid DisplayLength"},
	} {
		status, body := call(t, s, filterPath, tc.body)
		if status != tc.status || !strings.Contains(body, tc.says) {
			t.Errorf("%s: %d %s, want %d %s", name, status, body, tc.status, tc.says)
		}
	}
	if status, body := call(t, s, filterPath, good); status != 200 || !strings.Contains(body, `"Success":true`) {
		t.Errorf("good: %d %s", status, body)
	}
	if _, body := call(t, s, filterPath, good); !strings.Contains(body, "Duplicate Request") {
		t.Errorf("the same date again: %s", body)
	}
	_, body := call(t, s, "/form", `{"MID":"1","AmountTrxn":"5001","action":"open"}`)
	if !strings.Contains(body, "CUBEEX5212216:Authentication Failed") {
		t.Errorf("form without a hash: %s", body)
	}
}

func TestControlRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	s := start(t, fake.Config{})
	for path, bodies := range map[string][]string{
		"sale":   {`{}`, `{"reference":"a","amount":1,"outcome":"lost"}`, `{"amounts":1}`},
		"notify": {`{"reference":"a","kind":"right"}`},
		"merchant": {
			`{"notify_url":"https://127.0.0.1/"}`, `{"notify_url":"http://192.0.2.1/"}`, `{"merchant_id":"1"}`,
		},
		"style": {`{"colour":"red"}`},
	} {
		for _, body := range bodies {
			if status, _ := call(t, s, "/control/"+path, body); status != 400 && status != 422 {
				t.Errorf("%s %s: %d", path, body, status)
			}
		}
	}
	call(t, s, "/control/sale", `{"reference":"a","amount":1,"outcome":"declined"}`)
	status, body := call(t, s, "/control/notify", `{"reference":"a","kind":"loud"}`)
	if status != 422 || !strings.Contains(body, "loud") {
		t.Errorf("%d %s", status, body)
	}
}

// The files work on a page whose policy allows only their origin.
func TestFilesOfTheLightbox(t *testing.T) {
	t.Parallel()
	s := start(t, fake.Config{})
	for path, kind := range map[string]string{
		"/js/lightbox.js":  "text/javascript",
		"/js/lightbox.css": "text/css",
		"/js/form.js":      "text/javascript",
		"/js/form.css":     "text/css",
		"/form":            "text/html",
	} {
		res, err := s.Client().Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), kind) {
			t.Errorf("%s: %d %s", path, res.StatusCode, res.Header.Get("Content-Type"))
		}
		for _, word := range []string{"style=", ".style.", "onclick", "eval(", "innerHTML", "new Function"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s has %s, which a strict policy forbids", path, word)
			}
		}
	}
}

package fake_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"daftar/payments/acquirer/plutu/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key, token = "some-key", "some-token"

// plutu is a fake without a network.
type plutu struct {
	t *testing.T
	*fake.Fake
}

func newPlutu(t *testing.T) plutu {
	t.Helper()
	f := fake.New(fake.Config{
		APIKey: key, AccessToken: token, SecretKey: "some-secret", PublicURL: "http://plutu.example/",
	})
	t.Cleanup(f.Close)
	return plutu{t, f}
}

// ask makes a request, after change has changed it.
func (p plutu) ask(method, path, kind, body string, change ...func(*http.Request)) (int, string) {
	p.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:9" // control is for this machine
	r.Header.Set("X-API-KEY", key)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Content-Type", kind)
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func (p plutu) call(call, form string, change ...func(*http.Request)) (int, string) {
	p.t.Helper()
	return p.ask(http.MethodPost, "/v1/transaction/"+call, "application/x-www-form-urlencoded", form, change...)
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

const verify = "mobile_number=0912345678&amount=12.50"

func TestCredentials(t *testing.T) {
	t.Parallel()
	p := newPlutu(t)
	status, body := p.call("edfali/verify", verify)
	if status != 200 || !strings.Contains(body, `"process_id":"700001"`) {
		t.Errorf("%d %s", status, body)
	}
	for want, change := range map[string]func(*http.Request){
		`"AUTH_ERROR"`:    header("X-API-KEY", token),
		`"UNAUTHORIZED"`:  header("Authorization", "Bearer "+key),
		`"code":"UNAUTHO`: header("Authorization", token),
		`"code":"AUTH_ER`: header("Accept", "text/html"),
	} {
		if status, body := p.call("edfali/verify", verify, change); status != 401 || !strings.Contains(body, want) {
			t.Errorf("%d %s, want %s", status, body, want)
		}
	}
}

func TestFormsAreCheckedAgainstTheDocumentation(t *testing.T) {
	t.Parallel()
	p := newPlutu(t)
	const cards = "amount=1&invoice_no=a1&return_url=https://pay.example/"
	const tlync = cards + "&mobile_number=0942345678&callback_url=http://127.0.0.1:9/n"
	for _, tc := range []struct{ call, form, want string }{
		{"edfali/verify", "mobile_number=0902345678&amount=1", `"mobile_number"`},
		{"edfali/verify", "mobile_number=0912345678&amount=1.001", `"amount"`},
		{"edfali/verify", "mobile_number=0912345678&amount=1&amount=2", `"amount"`},
		{"edfali/verify", "mobile_number=0912345678", `"amount"`},
		{"edfali/verify", verify + "&invoice_no=a1", `"invoice_no"`},
		{"edfali/verify", "%zz", "INVALID_INPUTS"},
		{"edfali/verify", "mobile_number=0912345678&amount=0.00", "INVALID_AMOUNT"},
		{"sadadapi/verify", "mobile_number=0922345678&birth_year=1990&amount=1", `"mobile_number"`},
		{"sadadapi/verify", "mobile_number=0912345678&birth_year=1939&amount=1", `"birth_year"`},
		{"sadadapi/confirm", "process_id=1&code=1111&amount=1&invoice_no=a1", `"code"`},
		{"edfali/confirm", "process_id=1&code=1111&amount=1&invoice_no=a/1", `"invoice_no"`},
		{"edfali/confirm", "process_id=1&code=1111&amount=1&invoice_no=a1", "REFERENCE_NUMBER_DOES_NOT_EXIST"},
		{"localbankcards/confirm", "amount=1&invoice_no=a1&return_url=javascript:x", `"return_url"`},
		{"localbankcards/confirm", cards + "&lang=fr", `"lang"`},
		{"localbankcards/confirm", cards + "&customer_ip=192.0.2.1&lang=en", `"http://plutu.example/pay/`},
		{"localbankcards/confirm", cards, "DUPLICATED_INVOICE_NUMBER"},
		{"tlync/confirm", cards + "&mobile_number=0942345678", `"callback_url"`},
		{"tlync/confirm", strings.ReplaceAll(tlync, "127.0.0.1:9", "192.0.2.1"), `"callback_url"`},
		{"tlync/confirm", strings.ReplaceAll(tlync, "http://127.0.0.1:9", "https://127.0.0.1:9"), `"callback_url"`},
		{"tlync/confirm", strings.ReplaceAll(tlync, "=a1", "=a2") + "&email=a@b.example", "CHECKOUT_REDIRECT"},
		{"mpgs/confirm", cards, "INVALID_GATEWAY"},
	} {
		if _, body := p.call(tc.call, tc.form); !strings.Contains(body, tc.want) {
			t.Errorf("%s %s: %s, want %s", tc.call, tc.form, body, tc.want)
		}
	}
}

func TestAConfirmationMatchesItsProcess(t *testing.T) {
	t.Parallel()
	p := newPlutu(t)
	p.call("edfali/verify", verify)
	for form, want := range map[string]string{
		"code=1111&amount=12.51": "INVALID_AMOUNT",
		"code=2222&amount=12.5":  "INVLIAD_OTP",
	} {
		_, body := p.call("edfali/confirm", "process_id=700001&invoice_no=a1&"+form)
		if !strings.Contains(body, want) {
			t.Errorf("%s: %s, want %s", form, body, want)
		}
	}
	_, body := p.call("sadadapi/confirm", "process_id=700001&invoice_no=a1&code=111111&amount=12.50")
	if !strings.Contains(body, "REFERENCE_NUMBER") {
		t.Errorf("of another gateway: %s", body)
	}
	const confirm = "process_id=700001&code=1111&amount=12.50&invoice_no="
	if status, body := p.call("edfali/confirm", confirm+"a1"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	for invoice, want := range map[string]string{"a1": "DUPLICATED_INVOICE_NUMBER", "a2": "OTP_EXPIRED"} {
		if _, body := p.call("edfali/confirm", confirm+invoice); !strings.Contains(body, want) {
			t.Errorf("again as %s: %s, want %s", invoice, body, want)
		}
	}
}

// The documentation's examples send multipart forms, the library sends urlencoded ones.
func TestMultipartForms(t *testing.T) {
	t.Parallel()
	p := newPlutu(t)
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range map[string]string{"mobile_number": "0912345678", "amount": "12.5"} {
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	status, answer := p.ask(http.MethodPost, "/v1/transaction/edfali/verify",
		form.FormDataContentType(), body.String())
	if status != 200 {
		t.Errorf("%d %s", status, answer)
	}
}

func TestControlRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	p := newPlutu(t)
	p.call("localbankcards/confirm", "amount=1&invoice_no=a1&return_url=https://pay.example/")
	for _, tc := range []struct {
		path, body string
		want       int
	}{
		{"/control/spelling", `{"spelling":"klingon"}`, 422},
		{"/control/spelling", `{"speling":"other"}`, 400},
		{"/control/errors", `[]`, 400},
		{"/control/messages", `{"reference":"a2","kind":"paid"}`, 422},
		{"/control/messages", `{"reference":"a1","kind":"typed"}`, 422}, // of T-Lync
		{"/control/messages", `{"reference":"a1","kind":"paid"}`, 200},
	} {
		if status, body := p.ask(http.MethodPost, tc.path, "application/json", tc.body); status != tc.want {
			t.Errorf("%s %s: %d %s, want %d", tc.path, tc.body, status, body, tc.want)
		}
	}
	status, body := p.ask(http.MethodGet, "/control/codes", "", "")
	if status != 200 || !strings.Contains(body, `"INVLIAD_OTP"`) {
		t.Errorf("%d %s", status, body)
	}
}

func TestUnknownPages(t *testing.T) {
	t.Parallel()
	p := newPlutu(t)
	_, opened := p.call("localbankcards/confirm", "amount=1&invoice_no=a1&return_url=https://pay.example/")
	_, id, _ := strings.Cut(opened, "/pay/")
	id = id[:strings.IndexByte(id, '"')]
	for _, tc := range []struct {
		method, path, form string
		want               int
	}{
		{http.MethodGet, "/pay/1", "", 404},
		{http.MethodPost, "/pay/1", "action=pay", 404},
		{http.MethodPost, "/pay/" + id, "action=steal", 400},
		{http.MethodGet, "/pay/" + id, "", 200},
	} {
		if status, _ := p.ask(tc.method, tc.path, "application/x-www-form-urlencoded", tc.form); status != tc.want {
			t.Errorf("%s %s %s: %d, want %d", tc.method, tc.path, tc.form, status, tc.want)
		}
	}
}

// A receiver that does not answer delays no payer, and no message is sent after Close.
func TestCloseEndsMessages(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(arrived)
		<-r.Context().Done()
	}))
	defer silent.Close()
	p := newPlutu(t)
	_, opened := p.call("tlync/confirm", "amount=1&invoice_no=a1&return_url=https://pay.example/"+
		"&mobile_number=0942345678&callback_url="+url.QueryEscape(silent.URL))
	_, id, _ := strings.Cut(opened, "/pay/")
	page := "/pay/" + id[:strings.IndexByte(id, '"')]
	status, _ := p.ask(http.MethodPost, page, "application/x-www-form-urlencoded", "action=pay")
	if status != 303 {
		t.Errorf("status %d", status)
	}
	<-arrived
	p.Close()
}

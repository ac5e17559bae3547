package acceptance_test

import (
	"net/url"
	"strings"
	"testing"
)

// The targets below send arbitrary input to the whole server. A panic or a 5xx is a finding. Words
// in braces are replaced (see target), so that a finding can be kept as a seed and means the same
// on another database.

func FuzzAPI(f *testing.F) {
	h := newTarget(f)
	for _, seed := range [][4]string{
		{"POST", "/api/v1/payment-intents", "{auth}{json}", order("fuzz")},
		{"POST", "/api/v1/payment-intents", "{auth}{json}",
			`{"merchant_reference":"f","amount":1000,"currency":"LYD","description":"طلب",` +
				`"customer":{"external_id":null},"return_url":"lyshop://orders/1",` +
				`"metadata":{"k":"\ud83d\ude00"},"expires_at":null,"x":[{"y":-1.5e3}]}`},
		{"POST", "/api/v1/payment-intents", "{auth}{json}",
			`{"amount":1e3,"merchant_reference":"\ud800","a":1,"a":2}`},
		{"POST", "/api/v1/payment-intents",
			"{auth}{json}X-Request-Id: a b\r\n" +
				"traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n", "["},
		{"GET", "/api/v1/payment-intents/{intent0}", "{auth}", ""},
		{"HEAD", "/api/v1/payment-intents/%7B{intent0}%7D", "{auth}", ""},
		{"GET", "/api/v1/payment-intents?status=succeeded&limit=2" +
			"&created_from=2026-11-20T00:00:00%2B02:00&customer_external_id=c", "{auth}", ""},
		{"POST", "/api/v1/payment-intents/{intent2}/expire", "{auth}", ""},
		{"GET", "/api/v1/payment-intents/{intent0}/events", "{auth}", ""},
		{"GET", "/api/v1/webhook-deliveries?after=x", "{auth}", ""},
		{"GET", "/api/v1/openapi.yaml", "", ""},
		{"OPTIONS", "*", "", ""},
		{"GET", "{page0}?lang=en", "X-Forwarded-For: ::1\r\n", ""},
		{"GET", "{page1}/state", "", ""},
		{"POST", "/acquirers/sandbox/notifications", "{sign}", `{"id":"0123456789abcdefghij"}`},
		{"GET", "/transparency/tile/8/0/000.p/1", "", ""},
		{"GET", "/transparency/proof/inclusion?position=1&size=1", "", ""},
		{"GET", "/dashboard/{org}/payments?q=%D9%A3&from=2026-11-01", "{session}", ""},
		{"GET", "/static/daftar.css", "Accept-Encoding: gzip;q=0\r\n", ""},
		{"GET", "http://evil.example//", "Cookie: daftar=x\r\n", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, method, path, headers, body string) {
		h.must(t, method+" "+path, headers, body)
	})
}

func FuzzCredentials(f *testing.F) {
	h := newTarget(f)
	for _, seed := range [][3]string{
		{"Bearer {token}", "{key}", "daftar=x"}, {"bearer  {token}", "{key}", ""}, {"Basic eDp5", "pk_0", "a=b; c"},
		{"Bearer at_\xff", "pk_\xff", "daftar=\"x"}, {"", "", ""},
		{"Bearer at_" + strings.Repeat("A", 36), "pk_" + strings.Repeat("0", 64),
			"__Host-daftar=x; daftar=y; daftar=z"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, authorization, key, cookie string) {
		headers := "Authorization: " + authorization + "\r\nX-API-Key: " + key + "\r\n"
		h.must(t, "POST /api/v1/payment-intents", headers, "{}")
		h.must(t, "GET /dashboard/{org}/payments", "Cookie: "+cookie+"\r\n", "")
	})
}

func FuzzNotification(f *testing.F) {
	h := newTarget(f)
	for _, seed := range [][2]string{
		{"", `{"id":"0123456789abcdefghij"}`},
		{"", `{"id":"0123456789abcdefghij","state":"paid","amount":5000,"currency":"LYD"}`},
		{"", `{"id":null}`}, {"", "["},
		{"Sandbox-Timestamp: 1\r\nSandbox-Signature: 00\r\n", "{}"},
		{"Sandbox-Timestamp: 9223372036854775808\r\nSandbox-Signature: zz\r\n", "{}"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, headers, body string) {
		if headers == "" {
			headers = "{sign}" // with a valid signature, the body is parsed, too
		}
		h.must(t, "POST /acquirers/sandbox/notifications", headers, body)
	})
}

func FuzzCheckoutForms(f *testing.F) {
	h := newTarget(f)
	forms := []string{
		"{page0}/attempts", "{page0}/code", "{page0}/resend", "{page0}/give-up", "{page1}/attempts",
		"{page1}/code",
	}
	for n := range forms {
		for _, body := range []string{
			"method=wallet&phone=0912345678", "method=card", "otp=111111", "otp=%D9%A1%D9%A1",
			"method=wallet&phone=%2B218%2091", "otp=999999999999999", "method=%00&phone=%ff", "%zz=1;2",
		} {
			f.Add(uint8(n), "", body)
		}
	}
	f.Add(uint8(0), "multipart/form-data; boundary=b",
		"--b\r\nContent-Disposition: form-data; name=\"method\"\r\n\r\ncard\r\n--b--\r\n")
	f.Fuzz(func(t *testing.T, form uint8, kind, body string) {
		headers := "{form}"
		if kind != "" {
			headers = "Sec-Fetch-Site: same-origin\r\nContent-Type: " + kind + "\r\n"
		}
		h.must(t, "POST "+forms[int(form)%len(forms)]+"?lang=en", headers, body)
	})
}

// Forms that change passwords are left out: a fuzzer that waits for Argon2 finds nothing. So is
// signing out, because requests without a session find nothing.
func FuzzDashboardForms(f *testing.F) {
	h := newTarget(f)
	forms := []string{
		"/{org}/applications", "/{org}/applications/{app}/rename", "/{org}/applications/{app}/webhook-url",
		"/{org}/applications/{app}/test-webhook", "/{org}/tokens",
		"/{org}/decisions/{intent0}/1", "/{org}/people/invite", "/{org}/people/{app}/role",
		"/{org}/webhooks/applications/{app}/replay", "/{org}/webhooks/deliveries/{app}/resend",
		"/account/second-factor/confirm", "/invitations/x", "/forgotten", "/reset/x", "/code",
		"/{org}/payments/{intent0}/notes",
	}
	for n := range forms {
		for _, body := range []string{
			"name=%D9%85%D8%AA%D8%AC%D8%B1", "webhook_url=https%3A%2F%2Fshop.example%2Fhook",
			"webhook_url=http%3A%2F%2F169.254.169.254%2F", "name=x&expires_at=2026-12-01",
			"note=n&kind=refunded&reference=1&informed=%0a", "email=a%40b.example&role=viewer", "role=owner",
			"since=2026-11-01", "code=000000&uri=otpauth%3A%2F%2Fx", "name=%00%ff", "%zz",
		} {
			f.Add(uint8(n), body)
		}
	}
	f.Fuzz(func(t *testing.T, form uint8, body string) {
		h.must(t, "POST /dashboard"+forms[int(form)%len(forms)], "{form}{session}", body)
	})
}

// The parameters of the dashboard's lists: searches, filters, cursors.
func FuzzDashboardQuery(f *testing.F) {
	h := newTarget(f)
	pages := []string{
		"/{org}/payments", "/{org}/payments.csv", "/{org}/payments.xlsx", "/{org}/money", "/{org}/money.csv",
		"/{org}/audit", "/{org}/webhooks", "/{org}/decisions", "/sign-in", "/confirm", "/{org}/payments/{intent0}",
		"/{org}/decisions/decided", "/{org}/decisions.csv",
	}
	for n := range pages {
		for _, query := range []string{
			"q=order-1", "q={intent0}", "q=%00%ff", "status=late&from=2026-11-01&to=2026-11-30&min=1.500&max=%D9%A3",
			"application={app}&at=AAAA", "at=-1", "next=//evil.example", "next=/dashboard/x%0d%0ay",
			"month=2026-13", "lang=en&done=signed-out", "action=sign_in&actor=x", "a=1;b=2",
		} {
			f.Add(uint8(n), query)
		}
	}
	f.Fuzz(func(t *testing.T, page uint8, query string) {
		if strings.ContainsAny(query, " \r\n") { // more than a query
			query = url.QueryEscape(query)
		}
		h.must(t, "GET /dashboard"+pages[int(page)%len(pages)]+"?"+query, "{session}", "")
	})
}

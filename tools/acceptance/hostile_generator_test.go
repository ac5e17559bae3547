package acceptance_test

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// generator generates requests. It reuses some texts, because generating them takes longer than
// refusing them.
type generator struct {
	*rand.Rand
	texts [512]string
}

func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

// oneIn returns true once in n times.
func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }

// request generates a request and its kind. The expensive kinds are rare.
func (g *generator) request() (kind, line, headers, body string) {
	switch n := g.IntN(1000); {
	case n < 560:
		return "create", "POST /api/v1/payment-intents", "{auth}{json}", g.create()
	case n < 700:
		line = g.pick("POST /api/v1/payment-intents", "GET /api/v1/payment-intents",
			"GET /api/v1/payment-intents/{intent0}", "GET /api/v1/payment-intents/{intent0}/events",
			"POST /api/v1/payment-intents/{intent2}/expire", "GET /api/v1/webhook-deliveries")
		return "credentials", line, g.credentials() + g.contentType() + g.moreHeaders(), g.create()
	case n < 760:
		return "retrieve", "GET /api/v1/payment-intents/" + g.identifier() + g.pick("", "", "/events"),
			"{auth}" + g.moreHeaders(), ""
	case n < 780:
		return "list", "GET /api/v1/payment-intents?" + g.listing(), "{auth}" + g.moreHeaders(), ""
	case n < 790:
		return "expire", "POST /api/v1/payment-intents/" + g.pick("{intent2}", "%7B{intent2}%7D",
			g.word()) + "/expire", g.pick("{auth}", "{auth}{json}") + g.moreHeaders(), g.pick("", "{}", g.create())
	case n < 890:
		return "path", g.method() + " " + g.path() + g.query(), g.pick("{auth}", "{session}", "") + g.moreHeaders(),
			g.pick("", g.create())
	case n < 950:
		return "notification", "POST /acquirers/" + g.pick("sandbox", "sandbox", "sandbox", "bank",
			g.word()) + "/notifications", g.signature(), g.notification()
	case n < 988:
		return "proof", "GET /transparency/" + g.proof() + g.query(), g.moreHeaders(), ""
	case n < 992:
		return "page", g.pick("GET", "HEAD") + " " + g.pick("{page0}", "{page1}") + g.pick("", "/state", "?lang=en",
			"?code=many", g.query()), g.moreHeaders(), ""
	case n < 995:
		return "form", "POST " + g.pick("{page0}", "{page1}") + g.pick("/attempts", "/code", "/resend", "/give-up"),
			g.formHeaders(), g.form("method", "phone", "otp")
	case n < 998:
		return "dashboard", "GET " + g.dashboard() + g.query(), "{session}" + g.moreHeaders(), ""
	}
	return "dashboard form", "POST " + g.dashboard() + g.pick("", "", "/decide", "/1", "/notes", "/rename",
			"/webhook-url"), "{session}" + g.formHeaders(),
		g.form("name", "webhook_url", "note", "uri", "since", "role", "expires_at",
			"next", "code", "kind", "reference", "informed")
}

// corrupt corrupts one raw request in a hundred at a random place.
func (g *generator) corrupt(raw []byte) []byte {
	if !g.oneIn(100) {
		return raw
	}
	for range 1 + g.IntN(3) {
		at := g.IntN(len(raw))
		switch g.IntN(3) {
		case 0:
			raw[at] = byte(g.IntN(256))
		case 1:
			raw = append(raw[:at:at], raw[min(len(raw), at+1+g.IntN(8)):]...)
		default:
			raw = slices.Insert(raw, at, raw[at], byte(g.IntN(256)))
		}
		if len(raw) == 0 {
			return []byte("\r\n")
		}
	}
	return raw
}

// create is the body of a create: valid, or invalid in some places.
func (g *generator) create() string {
	fields := []string{
		`"merchant_reference":` + g.reference(), `"amount":` + g.pick("5000", "1000", "1000000000", g.numeral()),
		`"currency":` + g.pick(`"LYD"`, `"LYD"`, g.value()),
		`"description":` + g.pick(`"Two coffees"`, g.text(), g.value()),
	}
	for range g.IntN(4) {
		fields = append(fields, g.optional())
	}
	if g.oneIn(3) {
		g.Shuffle(len(fields), func(i, k int) { fields[i], fields[k] = fields[k], fields[i] })
	}
	if g.oneIn(6) {
		fields = slices.Delete(fields, 0, 1)
	}
	body := "{" + strings.Join(fields, g.pick(",", ",", ",", " , ", ",\n", ",,")) + "}"
	if g.oneIn(8) {
		body = string(g.bytes([]byte(body)))
	}
	return body
}

// optional is one more field of a create.
func (g *generator) optional() string {
	switch g.IntN(6) {
	case 0:
		return `"customer":{"external_id":` + g.pick("null", g.text(), g.value()) + "}"
	case 1:
		return `"return_url":` + g.pick("null", strconv.Quote(g.address()))
	case 2:
		return `"metadata":` + g.metadata()
	case 3:
		return `"expires_at":` + g.pick("null", strconv.Quote(g.instant()))
	case 4:
		return `"customer":` + g.value()
	}
	return g.text() + ":" + g.value()
}

// bytes changes a text at random.
func (g *generator) bytes(b []byte) []byte {
	for range 1 + g.IntN(4) {
		if len(b) == 0 {
			return b
		}
		at := g.IntN(len(b))
		switch g.IntN(5) {
		case 0:
			b[at] ^= 1 << g.IntN(8)
		case 1:
			b = b[:at]
		case 2:
			odd := g.pick("\x00", `\u0000`, `\ud800`, "\xff", `"`, "{", "[", "\\", "\ufeff", "\u202e", "1e9", "null")
			b = slices.Insert(b, at, []byte(odd)...)
		case 3:
			b = append(b, b[at:]...)
		default:
			b = slices.Delete(b, at, min(len(b), at+1+g.IntN(16)))
		}
	}
	return b
}

func (g *generator) credentials() string {
	return g.pick("{auth}", "", "Authorization: Bearer {token}\r\n", "X-API-Key: {key}\r\n",
		"Authorization: Bearer {token}\r\nX-API-Key: {otherkey}\r\n",
		"Authorization: bearer  {token}\r\nX-API-Key: {key}\r\n",
		"Authorization: Basic {token}\r\nX-API-Key: {key}\r\n",
		"Authorization: Bearer {token}x\r\nX-API-Key: {key}\r\n",
		"Authorization: Bearer at_"+g.word()+"\r\nX-API-Key: {key}\r\n", "{auth}{auth}",
		"Authorization: Bearer "+longToken+"\r\nX-API-Key: {key}\r\n",
		"Authorization: Bearer {token}\r\nX-API-Key: "+zeroKey+"\r\n", "Authorization: Bearer\r\nX-API-Key:\r\n",
		"Authorization: Bearer \xff\xfe\r\nX-API-Key: \xff\r\n",
		"Authorization: Bearer {token}, Bearer {token}\r\nX-API-Key: {key}, {key}\r\n",
		"Authorization: Bearer "+fullToken+"\r\nX-API-Key: {key}\r\n")
}

func (g *generator) contentType() string {
	return g.pick("{json}", "{json}", "", "Content-Type: application/json; charset=utf-8\r\n",
		"Content-Type: text/plain\r\n", "Content-Type: application/json;charset=\"\r\n",
		"{json}{json}", "{json}Content-Encoding: gzip\r\n", "Content-Type: "+g.word()+"\r\n")
}

// moreHeaders are unexpected headers.
func (g *generator) moreHeaders() string {
	if !g.oneIn(3) {
		return ""
	}
	return g.pick("X-Request-Id: a b\r\n", "X-Request-Id: "+g.word()+"\r\n",
		"X-Forwarded-For: ::1, "+g.word()+"\r\n", "Accept: "+g.word()+"\r\n", "Accept-Encoding: gzip;q=x\r\n",
		"Cookie: daftar="+g.word()+"; daftar="+g.word()+"\r\n", "Cookie: =;;\x7f\r\n", "Range: bytes=0-,5-1\r\n",
		"If-None-Match: *\r\n", "Origin: null\r\nSec-Fetch-Site: cross-site\r\n",
		"traceparent: 00-"+g.word()+"-01\r\n", "Referer: http://pay.example/dashboard/%zz?"+g.word()+"\r\n",
		"Referer: ://"+g.word()+"\r\n", "Expect: 100-continue\r\n", "Transfer-Encoding: chunked\r\n",
		"X-HTTP-Method-Override: DELETE\r\n", "Host: other.example\r\n",
		"Connection: upgrade\r\nUpgrade: h2c\r\n", g.word()+": "+g.word()+"\r\n")
}

// word is a short text that may be part of a header or a path.
func (g *generator) word() string {
	return g.pick("x", "a.b", "42", "-1", "99999999999999999999", "%00", "%ff", "%2e%2e%2f", "'--", "null", "é",
		"م", "0000", strings.Repeat("a", 70), "a b", "\t", "{", "}}", "%", "%zz", "..", ";", "\x80",
		"8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11", strconv.FormatUint(g.Uint64(), 36), "1-1", "0-0-0")
}

func (g *generator) identifier() string {
	return g.pick("{intent0}", "{intent1}", "{app}", "{org}", g.word(), "{intent0}/", "{intent0}?x",
		"%7B{intent0}%7D", "urn:uuid:{intent0}", "{intent0}%00", "", "00000000-0000-0000-0000-000000000000",
		"8F3A6F0E-5C1B-5D0E-9A57-2F6F7F1F8C11", "{intent0}/../x")
}

func (g *generator) method() string {
	return g.pick("GET", "GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
		"PROPFIND", "get", "G%T", http.MethodGet+"X")
}

func (g *generator) path() string {
	return g.pick("/", "*", "//", "/..", "/api/v1", "/api/v1/", "/api/v1/payment-intents",
		"/api/v1/payment-intents/", "/api/v1/openapi.yaml", "/api/v2/x", "/API/v1/payment-intents", "/docs",
		"/docs/api", "/docs/"+g.word(), "/static/daftar.css", "/static/daftar.x.js", "/static/../x", "/pay",
		"/pay/", "/pay/{intent0}", "/pay/{intent0}/"+g.word(), "/pay/"+g.word()+"/"+g.word()+"/attempts",
		"{page0}/"+g.word(), "{page0}/receipt.png", "/receipt/", "/receipt/{intent0}/"+g.word(),
		"/receipt/"+g.word()+"/"+g.word()+"/proof.json", "/acquirers/", "/acquirers/sandbox/notifications",
		"/dashboard/", "/dashboard/"+g.word(), "/dashboard/{org}/"+g.word(), "/dashboard/invitations/"+g.word(),
		"/transparency", "/transparency/"+g.word(), "/"+g.word(), "http://evil.example/api/v1/"+g.word(),
		"/%2e%2e/%2f", "/.git/config",
		"/debug/pprof/", "/metrics", "/healthz")
}

// listing is the query of a list: valid, or invalid in some places.
func (g *generator) listing() string {
	parts := make([]string, g.IntN(4))
	for n := range parts {
		parts[n] = g.pick("cursor="+g.word(), "cursor=bwAGYLJOpKpAjzpvDlwbXQ6aVy9vfx-MEQ", "cursor=",
			"limit="+g.pick("1", "100", g.numeral()), "merchant_reference="+g.pick("order-1", g.word()),
			"status="+g.pick("succeeded", "canceled", "processing", "requires_payment_method", g.word()),
			"created_from="+url.QueryEscape(g.instant()), "created_to="+g.instant(),
			"customer_external_id="+g.pick("c", g.word(), ""), g.word()+"="+g.word())
	}
	return strings.Join(parts, g.pick("&", "&", "&", ";"))
}

func (g *generator) query() string {
	if g.oneIn(2) {
		return ""
	}
	return "?" + g.pick("q", "at", "from", "to", "min", "max", "status", "application", "after!", "lang", "next",
		"done", "actor", "action", "size", "index", "old", "event", "position", "month", "x") + "=" +
		g.pick(g.word(), "2026-11-01", "1.500", "٣", "succeeded", "late", "{app}", "order-1", "%00", "%ff",
			"%F0%9F%98%80", "-9223372036854775808", "AAAA", "en", "/dashboard", "//evil.example") +
		g.pick("", "", "&"+g.word()+"="+g.word(), ";a=b", "&%zz")
}

func (g *generator) notification() string {
	return g.pick(`{"id":"0123456789abcdefghij"}`, `{"id":"`+g.word()+`"}`,
		`{"id":"0123456789abcdefghij","state":"paid","amount":5000}`, `{"id":1}`, `{"id":null}`, "",
		"[]", "null", "{",
		`{"id":"a","id":"b"}`, `{"id":"\ud800"}`, deepObject, longNotification)
}

func (g *generator) signature() string {
	return g.pick("{sign}", "{sign}", "{sign}", "", "{sign}{sign}",
		"Sandbox-Timestamp: 1\r\nSandbox-Signature: 00\r\n", "Sandbox-Timestamp: x\r\nSandbox-Signature: zz\r\n",
		"Sandbox-Timestamp: 99999999999999999999\r\nSandbox-Signature: "+strings.Repeat("a",
			64)+"\r\n", "Sandbox-Signature: "+g.word()+"\r\n")
}

func (g *generator) proof() string {
	return g.pick("checkpoint", "key", "tile/8/0/000", "tile/8/0/000.p/1", "tile/8/"+g.word()+"/"+g.word(),
		"tile/8/0/x001/000", "tile/9/0/000", "tile/8/-1/000", "proof/inclusion", "proof/consistency",
		"proof/inclusion?position="+g.word()+"&size="+g.word(),
		"proof/consistency?old="+g.word()+"&size="+g.word(), g.word())
}

func (g *generator) dashboard() string {
	return "/dashboard" + g.pick("", "/organizations", "/account", "/{org}/payments", "/{org}/payments.csv",
		"/{org}/payments.xlsx", "/{org}/payments/{intent0}", "/{org}/money", "/{org}/money.csv",
		"/{org}/applications", "/{org}/applications/{app}", "/{org}/webhooks", "/{org}/audit", "/{org}/people",
		"/{org}/tokens", "/{org}/decisions", "/{org}/decisions/{intent0}", "/{org}/decisions/decided",
		"/{org}/decisions.csv", "/{org}/developers", "/{org}/webhooks/deliveries/"+g.word(),
		"/{org}/webhooks/applications/{app}/replay",
		"/{org}/people/"+g.word(), "/{intent0}/payments", "/{org}/tokens/"+g.word()+"/revoke", "/code")
}

func (g *generator) formHeaders() string {
	return g.pick("{form}", "{form}", "{form}",
		"Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: cross-site\r\n",
		"Content-Type: multipart/form-data; boundary=b\r\nSec-Fetch-Site: same-origin\r\n",
		"Content-Type: "+g.word()+"\r\nSec-Fetch-Site: same-origin\r\n", "{form}Origin: null\r\n")
}

func (g *generator) form(names ...string) string {
	fields := make([]string, g.IntN(5))
	for n := range fields {
		fields[n] = g.pick(g.pick(names...), g.word()) + "=" + g.pick("wallet", "card", "0912345678",
			"%2B218912345678", "٠٩١٢٣٤٥٦٧٨", "111111", "000000", "999999", "", "%00", "%ff", "%zz",
			"https%3A%2F%2Fshop.example%2Fhook", "http%3A%2F%2F169.254.169.254%2F", "owner",
			"2026-11-30", "0", strings.Repeat("a", 2000), g.word())
	}
	return strings.Join(fields, g.pick("&", "&", "&", ";", "&&"))
}

package acceptance_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"daftar/internal/postgres/pgtest"
)

// wire is a raw connection to a server, on which a test writes invalid requests.
type wire struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func (s *service) wire(t *testing.T) *wire {
	t.Helper()
	return connect(t, s.host())
}

func connect(t *testing.T, address string) *wire {
	t.Helper()
	c, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &wire{t, c, bufio.NewReader(c)}
}

// host is the address at which the server listens.
func (s *service) host() string {
	return strings.TrimSuffix(strings.TrimPrefix(s.base, "http://"), "/api/v1")
}

// write writes; the server may close the connection meanwhile.
func (w *wire) write(text string) { _, _ = io.WriteString(w, text) }

// status reads one answer; 0 if the server closes the connection instead.
func (w *wire) status() int {
	w.t.Helper()
	answer, err := http.ReadResponse(w.in, nil)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0
	}
	return answer.StatusCode
}

// closed reports whether the server has closed the connection, or does so soon.
func (w *wire) closed() bool {
	_, err := w.in.ReadByte()
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

// credentials are a shop's header lines.
func (s shop) credentials() string {
	return "Authorization: Bearer " + s.token + "\r\nX-API-Key: " + s.key + "\r\n"
}

// peak is the peak resident memory of the server, in bytes.
func (s *service) peak(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	kilobytes := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if kilobytes == nil {
		t.Fatalf("no VmHWM in %s", text)
	}
	n, err := strconv.ParseInt(string(kilobytes[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n << 10
}

// Requests that two servers in a row could parse differently are refused, and the connection is
// closed.
func TestHostileSyntax(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL())
	const post = "POST /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\n"
	for _, row := range []struct {
		rule, request string
		status        int
	}{
		{"Content-Length and Transfer-Encoding",
			post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n" +
				"0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 401},
		{"two different Content-Lengths", post + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde", 400},
		{"a list of Content-Lengths", post + "Content-Length: 4, 5\r\n\r\nabcde", 400},
		{"a negative Content-Length", post + "Content-Length: -1\r\n\r\n", 400},
		{"a Content-Length with a sign", post + "Content-Length: +4\r\n\r\nabcd", 400},
		{"a Content-Length past 64 bits", post + "Content-Length: 99999999999999999999\r\n\r\n", 400},
		{"an unknown Transfer-Encoding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 501},
		{"Transfer-Encoding twice",
			post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", 501},
		{"a hidden Transfer-Encoding", post + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n", 400},
		{"a blank before the colon", post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 400},
		{"a folded header", post + "X-A: b\r\n c: d\r\n\r\n", 401},
		{"a header without a colon", post + "nonsense\r\n\r\n", 400},
		{"NUL in a header", post + "X-A: a\x00b\r\n\r\n", 400},
		{"a bare CR in a header", post + "X-A: a\rContent-Length: 3\r\n\r\n", 400},
		{"no Host", "GET /api/v1/openapi.yaml HTTP/1.1\r\n\r\n", 400},
		{"two Hosts", "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
		{"a Host that is none", "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: a/b c\r\n\r\n", 400},
		{"another version", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", 505},
		{"no HTTP", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400},
		{"a method of other letters", "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"a chunk of more than 64 bits", post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 401},
		{"chunks without an end", post + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc\r\n0\r\n\r\n", 401},
	} {
		w := s.wire(t)
		w.write(row.request)
		if got := w.status(); got != row.status {
			t.Errorf("%s: status %d, want %d", row.rule, got, row.status)
		}
		if row.rule != "a folded header" && !w.closed() {
			t.Errorf("%s: the connection stays open, and the next request may be another client's", row.rule)
		}
	}
}

// Unusual and unambiguous requests get the right answer.
func TestUnusualRequests(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	who := newShop(t, s.env)
	get := func(target, host, more string) string {
		return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n"
	}
	for _, row := range []struct {
		rule, requests string
		statuses       []int
	}{
		{"many at once on a connection",
			strings.Repeat(get("/api/v1/payment-intents/x", "a", who.credentials()), 50),
			slices.Repeat([]int{404}, 50)},
		{"the next after one that is refused",
			get("/api/v1/payment-intents/x", "a", "") + get("/api/v1/openapi.yaml", "a", ""), []int{401, 200}},
		{"an address of another host in the first line",
			get("http://evil.example/api/v1/openapi.yaml", "a", ""), []int{200}},
		{"an address of another kind",
			get("ftp://evil.example/", "a", "") + get("//evil.example/..%2f", "a", ""), []int{200, 404}},
		{"a Host that is not ours",
			get("/api/v1/payment-intents/x", "evil.example:99999", who.credentials()), []int{404}},
		{"OPTIONS of everything", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", []int{200}},
		{"CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", []int{404}},
		{"TRACE", "TRACE /api/v1/openapi.yaml HTTP/1.1\r\nHost: x\r\nX-A: b\r\n\r\n", []int{405}},
		{"an upgrade that the server does not offer",
			get("/api/v1/openapi.yaml", "a", "Upgrade: h2c\r\nConnection: Upgrade\r\n"), []int{200}},
		{"dots in a path", get("/api/v1/../../dashboard", "a", ""), []int{404}},
		{"NUL in a path",
			get("/pay/%00/%00", "a", "") + get("/dashboard/%00", "a", "") +
				get("/transparency/tile/8/0/%00", "a", ""), []int{404, 404, 404}},
		{"bad UTF-8 in a path", get("/pay/%ff%fe/%c3", "a", "") + get("/dashboard/%ff", "a", ""), []int{404, 404}},
		{"HTTP/1.0", "GET /api/v1/openapi.yaml HTTP/1.0\r\n\r\n", []int{200}},
	} {
		w := s.wire(t)
		w.write(row.requests)
		for n, want := range row.statuses {
			if got := w.status(); got != want {
				t.Errorf("%s: answer %d has status %d, want %d", row.rule, n+1, got, want)
			}
		}
	}
}

// A request that is too big gets an error where that is possible, and the server never buffers it.
func TestTooMuch(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	head := "POST /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\n" +
		"Content-Type: application/json\r\n" + who.credentials()
	const form = " HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n" +
		"Content-Type: application/x-www-form-urlencoded\r\n"
	created := s.ask(t, who, http.MethodPost, "/payment-intents", order("big"))
	page := strings.TrimPrefix(created.data.CheckoutURL, "http://"+s.host())
	before := s.peak(t)
	megabyte := strings.Repeat("x", 1<<20)
	endless := func(w *wire, begin, chunk string, times int) int {
		w.write(begin)
		for range times {
			if _, err := io.WriteString(w, chunk); err != nil {
				break // the server has closed the connection
			}
		}
		return w.status()
	}
	for _, row := range []struct {
		rule     string
		send     func(w *wire) int
		statuses []int
	}{
		{"100 MB that are announced", func(w *wire) int {
			return endless(w, head+"Content-Length: 104857600\r\n\r\n", megabyte, 100)
		}, []int{413}},
		{"an endless body", func(w *wire) int {
			return endless(w, head+"Transfer-Encoding: chunked\r\n\r\n", "100000\r\n"+megabyte+"\r\n", 100)
		}, []int{413}},
		{"an endless body without credentials", func(w *wire) int {
			return endless(w, "POST /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
				"100000\r\n"+megabyte+"\r\n", 100)
		}, []int{401}},
		{"a JSON 10,000 deep", func(w *wire) int {
			body := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
			return endless(w, head+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)), body, 1)
		}, []int{400}},
		{"an object 10,000 deep in a field that is ignored", func(w *wire) int {
			body := `{"x":` + strings.Repeat(`{"x":`, 10_000) + "1" + strings.Repeat("}", 10_001)
			return endless(w, head+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)), body, 1)
		}, []int{400}},
		{"1 MB of headers", func(w *wire) int {
			return endless(w, "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: x\r\n",
				"X-A: "+strings.Repeat("a", 1000)+"\r\n", 1000)
		}, []int{431}},
		{"one header of 1 MB", func(w *wire) int {
			return endless(w, "GET /api/v1/openapi.yaml HTTP/1.1\r\nHost: x\r\nX-A: "+megabyte+"\r\n\r\n", "", 1)
		}, []int{431}},
		{"an address of 1 MB", func(w *wire) int {
			return endless(w, "GET /"+megabyte+" HTTP/1.1\r\nHost: x\r\n\r\n", "", 1)
		}, []int{431}},
		{"1 MB of cookies", func(w *wire) int {
			return endless(w, "GET /dashboard HTTP/1.1\r\nHost: x\r\nCookie: daftar="+megabyte+"\r\n\r\n", "", 1)
		}, []int{431}},
		{"a form of the checkout", func(w *wire) int {
			return endless(w, "POST "+page+"/attempts"+form+"Content-Length: 104857600\r\n\r\n", megabyte, 100)
		}, []int{422}},
		{"a form of the dashboard", func(w *wire) int {
			return endless(w, "POST /dashboard/sign-in"+form+"Content-Length: 104857600\r\n\r\n", megabyte, 100)
		}, []int{422, 429}},
		{"a multipart form of the dashboard", func(w *wire) int {
			return endless(w, "POST /dashboard/sign-in HTTP/1.1\r\nHost: x\r\n"+
				"Sec-Fetch-Site: same-origin\r\nTransfer-Encoding: chunked\r\n"+
				"Content-Type: multipart/form-data; boundary=b\r\n\r\n", "100000\r\n"+megabyte+"\r\n", 100)
		}, []int{422, 429}},
	} {
		// The server closes the connection while the client still sends; the answer may be lost
		// then.
		got := row.send(s.wire(t))
		if got != 0 && !slices.Contains(row.statuses, got) {
			t.Errorf("%s: status %d, want one of %v", row.rule, got, row.statuses)
		}
	}
	if grown := s.peak(t) - before; grown > 64<<20 {
		t.Errorf("the server has taken %d MiB more for it", grown>>20)
	}
	if r := s.ask(t, who, http.MethodPost, "/payment-intents", order("after")); r.status != http.StatusCreated {
		t.Errorf("afterwards: %d %s", r.status, r.body)
	}
}

// A body that is announced as too big is refused before it is sent, if the client asks first.
func TestTooMuchIsToldBeforehand(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL())
	who := newShop(t, s.env)
	w := s.wire(t)
	w.write("POST /api/v1/payment-intents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
		"Expect: 100-continue\r\nContent-Length: 104857600\r\n" + who.credentials() + "\r\n")
	if got := w.status(); got != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, want 413", got)
	}
}

// Hostile text in a field is stored and returned as text.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL())
	who := newShop(t, s.env)
	for n, text := range []string{
		`'; DROP TABLE events; --`, `" OR ""="`, `%27%20OR%201=1`, `<script>alert(1)</script>`, `{{7*7}}`,
		`$(reboot)`, `../../etc/passwd`,
		`${jndi:ldap://x}`, "line\nbreak", "\u202eright to left", strings.Repeat("ﷺ", 200),
	} {
		quoted := strconv.Quote(text)
		if strings.Contains(text, "\u202e") || strings.Contains(text, "ﷺ") {
			quoted = `"` + text + `"`
		}
		body := fmt.Sprintf(`{"merchant_reference":%s,"amount":5000,"currency":"LYD",`+
			`"description":%s,"metadata":{"k":%s}}`, quoted, quoted, quoted)
		created := s.ask(t, who, http.MethodPost, "/payment-intents", body)
		if created.status != http.StatusCreated {
			t.Fatalf("%d: %d %s", n, created.status, created.body)
		}
		again := s.ask(t, who, http.MethodGet, "/payment-intents/"+created.data.UUID, "")
		if again.status != http.StatusOK || again.body != created.body {
			t.Errorf("%q comes back as %s", text, again.body)
		}
	}
	var events int
	err := db.Pool(t).QueryRow(t.Context(), `SELECT count(*) FROM events`).Scan(&events)
	if err != nil || events != 11 {
		t.Errorf("%d events, %v; want 11", events, err)
	}
}

// The limit of the environment is enforced, announced in a header, and counted for operators.
func TestRateLimitOfTheEnvironment(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), "DAFTAR_RATE_LIMIT=2/h")
	who := newShop(t, s.env)
	for n, want := range []int{201, 200, 429} {
		r := s.ask(t, who, http.MethodPost, "/payment-intents", order("limited"))
		if r.status != want || r.header.Get("RateLimit-Policy") != `"application";q=2;w=3600` {
			t.Errorf("request %d: %d %v", n+1, r.status, r.header)
		}
		seconds, _ := strconv.Atoi(r.header.Get("Retry-After"))
		if want == 429 && (seconds < 1700 || seconds > 1800) {
			t.Errorf("Retry-After %q, want half an hour", r.header.Get("Retry-After"))
		}
	}
	answer, err := http.Get(s.ops + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	metrics, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(metrics), "\ndaftar_api_rate_limited_total 1\n") {
		t.Errorf("the metrics do not tell of one refused request, %v", err)
	}
	s.awaitLog(t, who.app+" is over its rate")
}

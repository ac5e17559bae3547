package acceptance_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/acquirer/sandbox/bank"
	"daftar/webhooks"
)

// target is the whole server in this process, on a real database and with a real sandbox, and the
// knowledge of an attacker with an account: credentials, a session, links. Requests refer to these
// by words in braces, so that a request can be written down before they exist.
type target struct {
	handler http.Handler
	log     *errorLog
	known   *strings.Replacer
}

const ownersPassword = "seven grey camels at noon"

func newTarget(t testing.TB) *target {
	t.Helper()
	db := pgtest.Database(t)
	h := &target{log: &errorLog{}}
	conf, err := config.Read([]string{
		"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey, "DAFTAR_LISTEN=127.0.0.1:0",
		"DAFTAR_OPS_LISTEN=127.0.0.1:0", "DAFTAR_RATE_LIMIT=off", "DAFTAR_PUBLIC_URL=http://pay.example",
		"DAFTAR_SANDBOX_URL=" + newBank(t), "DAFTAR_SANDBOX_SECRET=" + sandboxSecret,
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), conf, "test",
		zerolog.New(h.log).Level(zerolog.WarnLevel).With().Timestamp().Logger())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server: %v", err)
		}
	})
	h.handler = s.Handler()
	h.setUp(t, s.Accounts(), s.People())
	return h
}

// newBank starts the sandbox acquirer and returns its address.
func newBank(t testing.TB) string {
	t.Helper()
	var handler http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
	}))
	b, err := bank.New(bank.Config{
		Secret: sandboxSecret, PublicURL: front.URL, Logger: zerolog.Nop(), HoldLimit: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	handler = b.Handler()
	t.Cleanup(func() {
		_ = b.Close()
		front.Close()
	})
	return front.URL
}

// setUp creates the credentials, the session and the links.
func (h *target) setUp(t testing.TB, a *accounts.Accounts, p *people.People) {
	t.Helper()
	by := accounts.Operator("test")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	org, err := a.CreateOrganization(t.Context(), by, "مقهى الميدان")
	must(err)
	app, err := a.CreateApplication(t.Context(), by, org.ID, accounts.Draft{Name: "متجر"})
	must(err)
	other, err := a.CreateApplication(t.Context(), by, org.ID, accounts.Draft{Name: "other"})
	must(err)
	_, token, err := a.CreateToken(t.Context(), by, org.ID, accounts.TokenDraft{Name: "server"})
	must(err)
	_, err = p.CreateUser(t.Context(), by, org.ID, "owner@shop.example", accounts.RoleOwner, ownersPassword)
	must(err)
	pairs := []string{
		"{token}", token, "{key}", app.APIKey, "{otherkey}", other.APIKey,
		"{org}", org.ID.String(), "{app}", app.ID.String(),
		"{auth}", "Authorization: Bearer " + token + "\r\nX-API-Key: " + app.APIKey + "\r\n",
		"{json}", "Content-Type: application/json\r\n",
		"{form}", "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n",
	}
	h.known = strings.NewReplacer(pairs...)
	for n, name := range []string{"fresh", "wallet", "ended"} {
		created := h.send(t, "POST /api/v1/payment-intents", "{auth}{json}", order(name))
		var intent struct {
			Data struct {
				UUID        string `json:"uuid"`
				CheckoutURL string `json:"checkout_url"`
			} `json:"data"`
		}
		must(json.Unmarshal(created.body.Bytes(), &intent))
		pairs = append(pairs, fmt.Sprintf("{intent%d}", n), intent.Data.UUID,
			fmt.Sprintf("{page%d}", n), strings.TrimPrefix(intent.Data.CheckoutURL, "http://pay.example"))
	}
	h.known = strings.NewReplacer(pairs...)
	in := h.send(t, "POST /dashboard/sign-in", "{form}",
		url.Values{"email": {"owner@shop.example"}, "password": {ownersPassword}}.Encode())
	cookie, _, _ := strings.Cut(in.header.Get("Set-Cookie"), ";")
	if in.status != http.StatusSeeOther || cookie == "" {
		t.Fatalf("sign-in: %d %s", in.status, in.body.String())
	}
	h.known = strings.NewReplacer(append(pairs, "{session}", "Cookie: "+cookie+"\r\n")...)
}

// raw returns a request as it is sent. It replaces the words in braces of the line and of the
// headers; {sign} among the headers signs the body as the sandbox acquirer does. The headers end
// with a line break or are empty.
func (h *target) raw(line, headers, body string) []byte {
	var out bytes.Buffer
	out.WriteString(h.known.Replace(line))
	out.WriteString(" HTTP/1.1\r\nHost: pay.example\r\n")
	headers = h.known.Replace(headers)
	if strings.Contains(headers, "{sign}") {
		headers = strings.ReplaceAll(headers, "{sign}", signature(body))
	}
	out.WriteString(headers)
	if body != "" {
		fmt.Fprintf(&out, "Content-Length: %d\r\n", len(body))
	}
	out.WriteString("\r\n")
	out.WriteString(body)
	return out.Bytes()
}

func signature(body string) string {
	now := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(sandboxSecret))
	mac.Write([]byte(now + "." + body))
	return "Sandbox-Timestamp: " + now + "\r\nSandbox-Signature: " + hex.EncodeToString(mac.Sum(nil)) + "\r\n"
}

// outcome is the result of a request.
type outcome struct {
	status int // 0: net/http itself refuses it, and no handler gets it
	header http.Header
	body   bytes.Buffer
	keep   bool
}

func (o *outcome) Header() http.Header { return o.header }

func (o *outcome) WriteHeader(status int) {
	if o.status == 0 {
		o.status = status
	}
}

func (o *outcome) Write(b []byte) (int, error) {
	o.WriteHeader(http.StatusOK)
	if o.keep {
		return o.body.Write(b)
	}
	return len(b), nil
}

// The methods that http.ResponseController requires of a connection.

// Flush implements http.Flusher.
func (o *outcome) Flush() { o.WriteHeader(http.StatusOK) }

// SetReadDeadline does nothing, because the whole request has been read already.
func (o *outcome) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing, because a write never blocks.
func (o *outcome) SetWriteDeadline(time.Time) error { return nil }

// ask sends the request to the server, again if the server asks to retry. The error describes what
// must never happen: a panic, a 5xx, no answer.
func (h *target) ask(t testing.TB, raw []byte, keep bool) (o *outcome, err error) {
	for deadline := time.Now().Add(patience); ; {
		o, err = h.serveOnce(t, raw, keep)
		if o.status != http.StatusServiceUnavailable || o.header.Get("Retry-After") == "" ||
			time.Now().After(deadline) {
			return o, err
		}
	}
}

// serveOnce parses the request as net/http's own server does.
func (h *target) serveOnce(t testing.TB, raw []byte, keep bool) (o *outcome, err error) {
	o = &outcome{header: make(http.Header), keep: keep}
	r, unreadable := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
	if unreadable != nil {
		return o, nil // net/http answers it with 400
	}
	if _, err := webhooks.ParseCursor(r.URL.Query().Get("after")); err == nil {
		return o, nil // it would wait for some seconds, as it should
	}
	r.RemoteAddr = "198.51.100.7:4711"
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	h.handler.ServeHTTP(o, r.WithContext(t.Context()))
	if o.status == 0 || o.status >= http.StatusInternalServerError {
		return o, fmt.Errorf("status %d", o.status)
	}
	return o, faultOf(o)
}

// faultOf returns what is wrong with an answer, if anything.
func faultOf(o *outcome) error {
	for _, name := range []string{"X-Content-Type-Options", "Content-Security-Policy"} {
		if o.header.Get(name) == "" {
			return fmt.Errorf("status %d without %s", o.status, name)
		}
	}
	for name, values := range o.header {
		if v := strings.Join(values, ""); strings.ContainsAny(v, "\r\n\x00") {
			return fmt.Errorf("a line break in %s: %q", name, v)
		}
	}
	if to := o.header.Get("Location"); to != "" && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//")) {
		return fmt.Errorf("leads to %q, which is not ours", to)
	}
	return nil
}

// send sends a request that must succeed.
func (h *target) send(t testing.TB, line, headers, body string) *outcome {
	t.Helper()
	o, err := h.ask(t, h.raw(line, headers, body), true)
	if err != nil || o.status == 0 || o.status >= http.StatusBadRequest {
		t.Fatalf("%s: %d %s %v\n%s", line, o.status, o.body.String(), err, h.log.String())
	}
	return o
}

// must sends a request to which any answer is right except a fault.
func (h *target) must(t *testing.T, line, headers, body string) {
	t.Helper()
	if o, err := h.ask(t, h.raw(line, headers, body), true); err != nil {
		t.Fatalf("%s: %v\n%.2000s\n%s", line, err, o.body.String(), h.log.String())
	}
}

// errorLog records the errors in the log of a server, and the requests that it had to turn away. A
// forged notification is neither.
type errorLog struct {
	mu  sync.Mutex
	all bytes.Buffer
}

// Write records one line.
func (l *errorLog) Write(line []byte) (int, error) {
	if !bytes.Contains(line, []byte(`"level":"error"`)) &&
		!bytes.Contains(line, []byte(`"message":"request refused"`)) {
		return len(line), nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(line)
}

func (l *errorLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

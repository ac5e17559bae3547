package acceptance_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/net/html"

	"daftar/internal/postgres/pgtest"
)

// protection checks the headers that every answer must have, on pages and elsewhere.
var protection = map[string]string{
	"Content-Security-Policy":    "frame-ancestors 'none'",
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "same-origin",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Permissions-Policy":         "camera=()",
	"X-Robots-Tag":               "noindex",
	"Strict-Transport-Security":  "max-age=31536000",
}

// public reports whether anyone may cache what is at a path.
func public(path string) bool {
	return strings.HasPrefix(path, "/static/") || strings.HasPrefix(path, "/transparency/") ||
		indexed(path)
}

// indexed reports whether a path is part of the documentation or the front door, which search engines
// may index.
func indexed(path string) bool {
	return strings.HasPrefix(path, "/docs") || slices.Contains([]string{"/", "/front.css", "/llms.txt"}, path)
}

// walker visits a server's pages as a signed-in person.
type walker struct {
	t      *testing.T
	base   string
	client *http.Client
	seen   map[string]int // the last status by method and path
	had    map[int]bool   // statuses that answers had
	todo   []string
}

// visit requests an address, checks the answer's headers, and records where it leads. A non-nil body
// is sent as a form. It repeats the request if the server is busy, as a browser's user would, and
// if the machine was too busy to send a body in time: then the server ends the connection.
func (w *walker) visit(method, address string, form url.Values, header http.Header) {
	w.t.Helper()
	pgtest.WaitFor(w.t, method+" "+address+" from a busy server", func() bool {
		return w.once(method, address, form, header) != http.StatusServiceUnavailable
	})
}

func (w *walker) once(method, address string, form url.Values, header http.Header) (status int) {
	w.t.Helper()
	path, _, _ := strings.Cut(address, "?")
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.base+address, body)
	if err != nil {
		w.t.Fatal(err)
	}
	if r.Header = header; header == nil {
		r.Header = http.Header{"Sec-Fetch-Site": {"same-origin"}}
	}
	if form != nil && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := w.client.Do(r)
	if form != nil && (errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)) {
		return http.StatusServiceUnavailable
	}
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	w.seen[method+" "+path], w.had[answer.StatusCode] = answer.StatusCode, true
	for name, part := range protection {
		if name == "X-Robots-Tag" && indexed(path) {
			continue // public, and indexed
		}
		if strings.HasSuffix(path, "/brand/preview") {
			// It is shown in a frame of the page that changes it.
			part = strings.Replace(part, "frame-ancestors 'none'", "frame-ancestors 'self'", 1)
		}
		if strings.HasSuffix(path, "/check") && !strings.Contains(path, "/acquirers/") {
			// It scans codes.
			part = strings.Replace(part, "camera=()", "microphone=()", 1)
		}
		if strings.HasPrefix(path, "/dashboard/reset/") && answer.Header.Get(name) == "strict-origin" {
			continue // the address gives access to an account and is never shown
		}
		if got := answer.Header.Get(name); !strings.Contains(got, part) {
			w.t.Errorf("%s %s: %d with %s %q, want %s", method, address, answer.StatusCode, name, got, part)
		}
	}
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") ||
		strings.Contains(policy, "*") {
		w.t.Errorf("%s %s: Content-Security-Policy %q", method, address, policy)
	}
	if kept := answer.Header.Get("Cache-Control"); kept != "no-store" && !public(path) {
		w.t.Errorf("%s %s: %d with Cache-Control %q", method, address, answer.StatusCode, kept)
	}
	if strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html") {
		w.follow(text)
	}
	return answer.StatusCode
}

// follow records the pages and forms to which a page leads.
func (w *walker) follow(page []byte) {
	w.t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		w.t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			inline := strings.HasPrefix(a.Key, "on") || a.Key == "style" ||
				strings.HasPrefix(strings.ToLower(a.Val), "javascript:")
			if inline {
				w.t.Errorf("inline %s=%q", a.Key, a.Val)
			}
			method := map[string]string{"href": "GET ", "src": "GET ", "action": "POST "}[a.Key]
			path, _, _ := strings.Cut(strings.TrimPrefix(a.Val, "https://pay.example"), "#")
			if method == "" || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
				continue
			}
			w.todo = append(w.todo, method+path)
		}
	}
}

// visitAll follows every link and form once, except those that end the session.
func (w *walker) visitAll() {
	for len(w.todo) > 0 && len(w.seen) < 400 {
		method, address, _ := strings.Cut(w.todo[0], " ")
		w.todo = w.todo[1:]
		path, _, _ := strings.Cut(address, "?")
		if _, seen := w.seen[method+" "+path]; seen || strings.HasSuffix(path, "/sign-out") {
			continue
		}
		var form url.Values
		if method == http.MethodPost {
			form = url.Values{}
		}
		w.visit(method, address, form, nil)
	}
}

func newWalker(t *testing.T, s *service) *walker {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &walker{t: t, base: "http://" + s.host(), seen: map[string]int{}, had: map[int]bool{},
		client: &http.Client{
			Jar: secureJar{jar}, CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse
			},
		}}
}

// secureJar sends Secure cookies to a server that would have a proxy in front.
type secureJar struct{ http.CookieJar }

func (j secureJar) SetCookies(u *url.URL, cookies []*http.Cookie) {
	https := *u
	https.Scheme = "https"
	j.CookieJar.SetCookies(&https, cookies)
}

func (j secureJar) Cookies(u *url.URL) []*http.Cookie {
	https := *u
	https.Scheme = "https"
	return j.CookieJar.Cookies(&https)
}

// Every route of the server, with every kind of answer, has the headers that protect the browser.
// Pages are found by following links and forms.
func TestEveryAnswerIsProtected(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL(), "DAFTAR_PUBLIC_URL=https://pay.example", "DAFTAR_RATE_LIMIT=500/s")
	who := newShop(t, s.env)
	callWith(t, s.env, ownersPassword+"\n", "user", "create", "--org", who.org, "--email", "owner@shop.example",
		"--role", "owner", "--password-stdin")
	created := s.ask(t, who, http.MethodPost, "/payment-intents", order("walk"))
	page := strings.TrimPrefix(created.data.CheckoutURL, "https://pay.example")
	w := newWalker(t, s)
	merchant := http.Header{"X-Api-Key": {who.key}, "Authorization": {"Bearer " + who.token}}

	for _, path := range []string{
		"/", "/nowhere", "/api/v1", "/api/v1/openapi.yaml", "/api/v1/payment-intents",
		"/api/v1/payment-intents/x", "/api/v1/webhook-deliveries", page, page + "/state", page + "x",
		"/pay/x/y", "/shop/x", "/receipt/x/y", "/receipt/x/y/proof.json", "/static/daftar.css",
		"/static/nothing",
		"/acquirers/sandbox/notifications", "/dashboard", "/dashboard/nowhere", "/dashboard/sign-in",
		"/dashboard/code", "/dashboard/invitations/x", "/dashboard/forgotten", "/dashboard/reset/x", "/docs",
		"/docs/api", "/docs/postman.json", "/docs/nothing", "/docs.md", "/llms.txt", "/transparency/checkpoint",
		"/transparency/key",
		"/transparency/tile/8/0/000", "/transparency/proof/inclusion", "/transparency/x",
	} {
		w.visit(http.MethodGet, path, nil, nil)
		w.visit(http.MethodHead, path, nil, nil)
		w.visit(http.MethodDelete, path, nil, nil)
		w.visit(http.MethodPost, path, url.Values{}, http.Header{"Sec-Fetch-Site": {"cross-site"}})
		w.visit(http.MethodGet, path, nil, merchant.Clone())
	}
	for _, text := range []string{"/docs.md", "/llms.txt"} {
		if got := w.seen["GET "+text]; got != http.StatusOK {
			t.Errorf("%s is answered with %d", text, got)
		}
	}
	w.visit(http.MethodPost, "/api/v1/payment-intents", url.Values{}, merchant.Clone())
	big := merchant.Clone()
	big.Set("Content-Type", "application/json")
	w.visit(http.MethodPost, "/api/v1/payment-intents", url.Values{"a": {strings.Repeat("x", 200<<10)}}, big)
	w.visit(http.MethodPost, "/dashboard/sign-in",
		url.Values{"email": {"owner@shop.example"}, "password": {"wrong"}}, nil)
	w.visit(http.MethodPost, "/dashboard/sign-in",
		url.Values{"email": {"owner@shop.example"}, "password": {ownersPassword}}, nil)
	if got := w.seen["POST /dashboard/sign-in"]; got != http.StatusSeeOther {
		t.Fatalf("signing in is answered with %d", got)
	}
	w.todo = append(w.todo, "GET /dashboard/organizations", "GET /dashboard/"+who.org+"/payments")
	delete(w.seen, "GET /dashboard")
	w.visitAll()

	// Internal errors have the same headers.
	_, err := db.OwnerPool(t).Exec(t.Context(), `
		ALTER TABLE intents RENAME COLUMN amount TO nothing;
		ALTER TABLE applications RENAME COLUMN name TO nothing`)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/api/v1/payment-intents/8f3a6f0e-5c1b-4d0e-9a57-2f6f7f1f8c11", page,
		"/dashboard/" + who.org + "/applications",
	} {
		w.visit(http.MethodGet, path, nil, merchant.Clone())
		if got := w.seen["GET "+path]; got != http.StatusInternalServerError {
			t.Errorf("GET %s: %d, want a server error", path, got)
		}
	}
	t.Logf("%d routes, statuses %v", len(w.seen), slices.Sorted(maps.Keys(w.had)))
	for _, status := range []int{200, 303, 401, 403, 404, 405, 413, 415, 422, 500} {
		if !w.had[status] {
			t.Errorf("no answer had status %d", status)
		}
	}
	if len(w.seen) < 120 {
		t.Errorf("only %d routes were found", len(w.seen))
	}
}

package dashboard_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"
	"golang.org/x/net/html"

	"daftar/accounts"
	"daftar/dashboard"
	"daftar/eventstore"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/web"
	"daftar/ledger"
	"daftar/projections"
	"daftar/webhooks"
)

func TestMain(m *testing.M) {
	// httptest.Server.Close cuts the idle connections of all tests; a request of another
	// that is about to use one fails.
	http.DefaultTransport.(*http.Transport).DisableKeepAlives = true
	pgtest.Main(m)
}

// password is everybody's. It is none of the common ones.
const password = "seven grey camels at noon"

// world is a dashboard over a database of the test's own, with two organisations
// that know nothing of each other.
type world struct {
	db         *pgtest.DB
	pool       *pgxpool.Pool
	accounts   *accounts.Accounts
	store      *eventstore.Store
	ledger     *ledger.Ledger
	deliveries *webhooks.Deliveries
	server     *httptest.Server
	// shift is added to the ledger's and the authenticator's clock.
	shift atomic.Int64
	// stopped is the time at which the clock was stopped; nil: it runs.
	stopped atomic.Pointer[time.Time]
	ours    business
	other   business
}

// business is an organisation with two applications and a person of each role.
type business struct {
	org    accounts.Organization
	apps   [2]accounts.NewApplication
	tokens [2]accounts.Token
	values [2]string // of the tokens
	people map[accounts.Role]accounts.User
}

// newWorld starts a dashboard. The configuration may be changed before.
func newWorld(t *testing.T, change ...func(*dashboard.Config)) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{db: db, pool: db.Pool(t)}
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	w.store = eventstore.New(w.pool, w.pool, eventstore.Options{Inline: projections.Inline()})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.store.Close(ctx); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	intents := projections.NewIntents(w.pool)
	t.Cleanup(intents.Close)
	w.ledger = ledger.New(w.store, intents)
	w.accounts = accounts.New(w.pool, accounts.Options{SecretKey: key, Now: w.now, CheapPasswords: true})
	w.deliveries = webhooks.NewDeliveries(w.pool, w.accounts, w.now)
	c := dashboard.Config{
		Accounts: w.accounts, Ledger: w.ledger, Payments: projections.NewPayments(w.pool), Deliveries: w.deliveries, Pool: w.pool,
		APIPath: httpapi.Prefix, Now: w.now, PublicURL: "http://pay.example", Log: zerolog.Nop(),
	}
	for _, f := range change {
		f(&c)
	}
	w.server = httptest.NewServer(web.SecurityHeaders(c.PublicURL)(dashboard.New(c).Handler())) // as the server does
	t.Cleanup(w.server.Close)
	w.ours = w.newBusiness(t, "ours")
	w.other = w.newBusiness(t, "other")
	return w
}

// now is the machine's time, or that of the stopped clock, and what the test has added.
func (w *world) now() time.Time {
	now := time.Now()
	if at := w.stopped.Load(); at != nil {
		now = *at
	}
	return now.Add(time.Duration(w.shift.Load()))
}

// stopClock lets time pass by wait only.
func (w *world) stopClock() {
	now := time.Now()
	w.stopped.Store(&now)
}

// wait lets time pass.
func (w *world) wait(d time.Duration) { w.shift.Add(int64(d)) }

var operator = accounts.Operator("test")

func (w *world) newBusiness(t *testing.T, name string) business {
	t.Helper()
	ctx := t.Context()
	org, err := w.accounts.CreateOrganization(ctx, operator, name)
	if err != nil {
		t.Fatal(err)
	}
	b := business{org: org, people: make(map[accounts.Role]accounts.User)}
	for n, app := range []string{"first", "second"} {
		if b.apps[n], err = w.accounts.CreateApplication(ctx, operator, org.ID, name+" "+app, ""); err != nil {
			t.Fatal(err)
		}
		if b.tokens[n], b.values[n], err = w.accounts.CreateToken(ctx, operator, org.ID, name+" "+app, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, role := range accounts.Roles {
		email := string(role) + "@" + name + ".example"
		if b.people[role], _, err = w.accounts.CreateUser(ctx, operator, org.ID, email, role, password); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// path is a path of the organisation's part of the dashboard.
func (b business) path(below string) string {
	return "/dashboard/" + b.org.ID.String() + "/" + below
}

// email is that of the person with a role.
func (b business) email(role accounts.Role) string { return b.people[role].Email }

// client is a browser without scripts: it keeps cookies and follows no redirect
// by itself.
type client struct {
	t    *testing.T
	w    *world
	http *http.Client
	// at is the page it was on last, and sends as the referrer.
	at string
}

func (w *world) client(t *testing.T) *client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := *w.server.Client()
	c.Jar = jar
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{t: t, w: w, http: &c}
}

// as is a client with somebody signed in.
func (w *world) as(t *testing.T, email string) *client {
	t.Helper()
	c := w.client(t)
	c.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard")
	return c
}

// owner, developer and viewer of our organisation, signed in.
func (w *world) owner(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleOwner))
}

func (w *world) developer(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleDeveloper))
}

func (w *world) viewer(t *testing.T) *client {
	t.Helper()
	return w.as(t, w.ours.email(accounts.RoleViewer))
}

// answer is one that was read to its end.
type answer struct {
	status int
	header http.Header
	body   string
}

// get opens an address: a path with a query, or one of the server's.
func (c *client) get(path string) answer {
	c.t.Helper()
	a := c.send(http.MethodGet, path, nil)
	c.at = path
	return a
}

// post sends a form of names and values by turns, from the page the client is on.
func (c *client) post(path string, fields ...string) answer {
	c.t.Helper()
	form := url.Values{}
	for n := 0; n+1 < len(fields); n += 2 {
		form.Add(fields[n], fields[n+1])
	}
	return c.send(http.MethodPost, path, form)
}

// follow opens the page that an answer leads to.
func (c *client) follow(a answer) answer {
	c.t.Helper()
	if a.status != http.StatusSeeOther {
		c.t.Fatalf("status %d leads nowhere:\n%s", a.status, a.text())
	}
	return c.get(a.header.Get("Location"))
}

// send is the request itself; a nil form is none.
func (c *client) send(method, path string, form url.Values) answer {
	c.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.w.server.URL+path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		if c.at != "" {
			request.Header.Set("Referer", c.w.server.URL+c.at)
		}
	}
	response, err := c.http.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, string(text)}
}

// is fails unless the answer has the status.
func (a answer) is(t *testing.T, status int) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d (Location %q):\n%s", a.status, status, a.header.Get("Location"), a.text())
	}
	return a
}

// leads fails unless the answer leads to a page, whose query may have more.
func (a answer) leads(t *testing.T, to string) answer {
	t.Helper()
	a.is(t, http.StatusSeeOther)
	if got := a.header.Get("Location"); got != to && !strings.HasPrefix(got, to+"?") && !strings.HasPrefix(got, to+"&") {
		t.Fatalf("leads to %q, want %q", got, to)
	}
	return a
}

// has and lacks look for a sentence in what the page says.
func (a answer) has(t *testing.T, sentences ...string) answer {
	t.Helper()
	text := a.text()
	for _, s := range sentences {
		if !strings.Contains(text, s) {
			t.Errorf("the page lacks %q:\n%s", s, text)
		}
	}
	return a
}

func (a answer) lacks(t *testing.T, sentences ...string) answer {
	t.Helper()
	for _, s := range sentences {
		if strings.Contains(a.body, s) {
			t.Errorf("the page has %q:\n%s", s, a.text())
		}
	}
	return a
}

var blanks = regexp.MustCompile(`\s+`)

// text is what a reader sees, in one line.
func (a answer) text() string {
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") {
		return a.body
	}
	root, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		return a.body
	}
	var out strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "title" && n.Parent.Data != "style" {
			out.WriteString(n.Data)
		}
	}
	return strings.TrimSpace(blanks.ReplaceAllString(out.String(), " "))
}

// form are the fields of the form whose action ends so (a query left out), with
// what the page has filled in: hidden fields, text, what is checked and chosen.
func (a answer) form(t *testing.T, action string) url.Values {
	t.Helper()
	root, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		path, _, _ := strings.Cut(attribute(n, "action"), "?")
		if n.Type == html.ElementNode && n.Data == "form" && strings.HasSuffix(path, action) {
			return fieldsOf(n)
		}
	}
	t.Fatalf("the page has no form to %s:\n%s", action, a.text())
	return nil
}

func fieldsOf(form *html.Node) url.Values {
	fields := url.Values{}
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		kind := attribute(n, "type")
		if (kind == "radio" || kind == "checkbox") && !hasAttribute(n, "checked") {
			continue
		}
		switch n.Data {
		case "input":
			fields.Add(name, attribute(n, "value"))
		case "textarea":
			text := ""
			for child := range n.Descendants() {
				text += child.Data
			}
			fields.Add(name, text)
		case "select":
			for option := range n.Descendants() {
				if option.Data == "option" && hasAttribute(option, "selected") {
					fields.Add(name, attribute(option, "value"))
				}
			}
		}
	}
	return fields
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// trail is what the trail of an organisation says of an action, the latest
// first.
func (w *world) trail(t *testing.T, b business, action accounts.Action) []accounts.AuditRecord {
	t.Helper()
	all, err := w.accounts.Trail(t.Context(), operator, b.org.ID, accounts.TrailFilter{Action: action})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

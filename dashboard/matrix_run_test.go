package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard"
	"daftar/domain"
	"daftar/internal/logtest"
	"daftar/webhooks"
)

// matrixRun is the dashboard on which the matrix is tested.
type matrixRun struct {
	t          *testing.T
	w          *world
	owner      *pgxpool.Pool // sees every table
	tables     []string
	log        *logtest.Log
	businesses [2]business
	namespaces map[uuid.UUID]domain.Namespace // of applications
	clients    map[string]*signedClient
	marks      map[accounts.OrganizationID][]string // what only the organisation may see
	secrets    map[string]bool

	ours, theirs business
	app          int
	name         string // of the row
}

// asking is one request of the matrix: about the organisation of, by a member of home.
type asking struct {
	*matrixRun
	of, home business
	role     accounts.Role
	guest    bool
	client   *client
	email    string // of a new person
}

type request struct {
	path   string
	fields []string
	file   string // sent after the fields; empty: none
	header [2]string
}

type signedClient struct {
	*client
	since time.Time
}

const hookURL = "https://127.0.0.1/hook"

func newMatrix(t *testing.T) *matrixRun {
	t.Helper()
	m := &matrixRun{
		t:          t,
		log:        &logtest.Log{},
		namespaces: map[uuid.UUID]domain.Namespace{},
		clients:    map[string]*signedClient{},
		marks:      map[accounts.OrganizationID][]string{},
		secrets:    map[string]bool{password: true},
	}
	m.w = newWorld(t, func(c *dashboard.Config) {
		c.Log, c.Guard = zerolog.New(m.log), webhooks.Guard{AllowPrivate: true}
	}, withAcquirers(t), withMailsToMembers)
	m.owner = m.w.db.OwnerPool(t)
	m.tables = m.strings(`
		SELECT format('%I', tablename)
		FROM pg_tables
		WHERE schemaname = 'public'
		ORDER BY tablename`)
	for n, name := range []string{"zawia-books", "misrata-tea"} {
		b := m.w.newBusiness(t, name)
		m.businesses[n] = b
		m.mark(b, b.org.ID.String(), name)
		for app := range b.apps {
			c, err := m.w.accounts.Authenticate(t.Context(), b.values[app], b.apps[app].APIKey, true, "")
			if err != nil {
				t.Fatal(err)
			}
			m.namespaces[uuid.UUID(b.apps[app].ID)] = c.Namespace
			m.secret(b.values[app], b.apps[app].APIKey, b.apps[app].WebhookSecret)
			m.mark(b, b.apps[app].ID.String(), b.tokens[app].ID.String())
			m.w.setURL(t, b, app)
			i := m.w.sale(t, b, app, nil, paid(attemptA, 5000)...)
			m.mark(b, i.ID.String(), i.Reference.Capitals(),
				m.w.recordDelivery(t, b, app, i, webhooks.StateFailed).String())
		}
		for _, person := range b.people {
			m.mark(b, person.ID.String(), person.Email)
		}
		for range 4 { // each is decided twice
			i := m.w.late(t, b)
			m.mark(b, i.ID.String(), i.Reference.Capitals())
		}
	}
	m.w.project(t)
	return m
}

func (m *matrixRun) mark(b business, marks ...string) {
	m.marks[b.org.ID] = append(m.marks[b.org.ID], marks...)
}

func (m *matrixRun) secret(secrets ...string) {
	for _, s := range secrets {
		m.secrets[s] = true
	}
}

// strings reads a column of text.
func (m *matrixRun) strings(sql string, args ...any) []string {
	m.t.Helper()
	rows, err := m.owner.Query(m.t.Context(), sql, args...)
	if err != nil {
		m.t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		m.t.Fatal(err)
	}
	return all
}

// exec changes the database directly.
func (m *matrixRun) exec(sql string, args ...any) {
	m.t.Helper()
	if _, err := m.w.pool.Exec(m.t.Context(), sql, args...); err != nil {
		m.t.Fatal(err)
	}
}

// records is the number of audit records.
func (m *matrixRun) records() int {
	m.t.Helper()
	var n int
	if err := m.owner.QueryRow(m.t.Context(), `SELECT count(*) FROM audit_records`).Scan(&n); err != nil {
		m.t.Fatal(err)
	}
	return n
}

// state is a digest of all tables, for a row that must not change any. It leaves out the audit
// trail and the sessions, which remember the organisation.
func (m *matrixRun) state(row matrixRow) string {
	m.t.Helper()
	if row.method != http.MethodGet {
		return ""
	}
	var parts []string
	for _, table := range m.tables {
		if table != "audit_records" && table != "sessions" {
			parts = append(parts, `
				SELECT '`+table+` ' || count(*) || ' ' || coalesce(sum(hashtext(t::text)::int8), 0)
				FROM `+table+` t`)
		}
	}
	return strings.Join(m.strings(strings.Join(parts, " UNION ALL ")+" ORDER BY 1"), ", ")
}

// signedIn is a client of the caller or, with asNew, of a new user with the same role.
func (r *asking) signedIn(asNew bool) *client {
	r.t.Helper()
	r.email = r.home.email(r.role)
	if asNew {
		r.email = "new-" + uuid.NewString() + "@new.example"
		r.person(r.home, r.email, r.role)
	}
	return r.clientOf(r.email, asNew)
}

// clientOf keeps clients for as long as their sign-in is fresh.
func (m *matrixRun) clientOf(email string, asNew bool) *client {
	m.t.Helper()
	kept := m.clients[email]
	if kept == nil || asNew || m.w.now().Sub(kept.since) > 10*time.Minute {
		kept = &signedClient{m.w.as(m.t, email), m.w.now()}
		m.clients[email] = kept
	}
	m.cookies(kept.client)
	return kept.client
}

// cookies adds the browser's cookies to the secrets.
func (m *matrixRun) cookies(c *client) {
	address, err := url.Parse(m.w.server.URL)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, cookie := range c.http.Jar.Cookies(address) {
		m.secret(cookie.Value)
	}
}

// person makes a new user.
func (m *matrixRun) person(b business, email string, role accounts.Role) people.User {
	m.t.Helper()
	u, err := m.w.people.CreateUser(m.t.Context(), operator, b.org.ID, email, role, password)
	if err != nil {
		m.t.Fatal(err)
	}
	return u
}

// guestOf is a viewer who owns the other organisation.
func (m *matrixRun) guestOf(b business) *client {
	m.t.Helper()
	email := "guest-" + b.org.ID.String()[:8] + "@both.example"
	if m.clients[email] == nil {
		guest := m.person(b, email, accounts.RoleViewer)
		m.w.join(m.t, guest, m.theirs, accounts.RoleOwner)
	}
	return m.clientOf(email, false)
}

func (r *asking) who() string {
	switch {
	case r.guest:
		return "a guest of " + r.of.org.Name
	case r.role == "":
		return "nobody"
	}
	return string(r.role) + " of " + r.home.org.Name
}

// send makes the request as a browser without scripts.
func (r *asking) send(method string, q request) answer {
	r.t.Helper()
	if method == http.MethodGet {
		return r.client.get(q.path)
	}
	form := url.Values{}
	for n := 0; n+1 < len(q.fields); n += 2 {
		form.Add(q.fields[n], q.fields[n+1])
	}
	if q.header == [2]string{} {
		q.header = [2]string{"Sec-Fetch-Site", "same-origin"}
	}
	body, kind := form.Encode(), "application/x-www-form-urlencoded"
	if q.file != "" {
		body, kind = multipartForm(r.t, q.file, q.fields...)
	}
	address := r.w.server.URL + q.path
	post, err := http.NewRequestWithContext(r.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	post.Header.Set("Content-Type", kind)
	post.Header.Set(q.header[0], q.header[1])
	a := r.client.do(post)
	r.cookies(r.client)
	r.shown(a)
	return a
}

package dashboard_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/dashboard"
)

// outcome is the result of a request: a status, or signIn, which is a redirect to the
// sign-in.
type outcome int

const signIn outcome = -1

// done reports whether the request had its effect.
func (o outcome) done() bool { return o > 0 && o < http.StatusBadRequest }

// outcomes are those of a visitor who is not signed in, of a member of another organisation,
// and of our viewer, support, finance, developer and owner.
type statuses = [7]outcome

// callers are the roles of outcomes; the first two have no role here.
var callers = []accounts.Role{
	"", "", accounts.RoleViewer, accounts.RoleSupport, accounts.RoleFinance, accounts.RoleDeveloper,
	accounts.RoleOwner,
}

var (
	public    = statuses{200, 200, 200, 200, 200, 200, 200}
	missing   = statuses{404, 404, 404, 404, 404, 404, 404}
	elsewhere = statuses{200, 303, 303, 303, 303, 303, 303} // redirects signed-in users
	invitees  = statuses{200, 303, 303, 303, 303, 303, 303} // a visitor chooses a password
	anyone    = statuses{303, 303, 303, 303, 303, 303, 303}
	nobody    = statuses{signIn, signIn, signIn, signIn, signIn, signIn, signIn}
	members   = statuses{signIn, 200, 200, 200, 200, 200, 200}
	membersOn = statuses{signIn, 303, 303, 303, 303, 303, 303}
	viewers   = statuses{signIn, 404, 200, 200, 200, 200, 200}
	viewersOn = statuses{signIn, 404, 303, 303, 303, 303, 303}
	makers    = statuses{signIn, 404, 403, 403, 403, 200, 200}
	makersOn  = statuses{signIn, 404, 403, 403, 403, 303, 303}
	owners    = statuses{signIn, 404, 403, 403, 403, 403, 200}
	ownersOn  = statuses{signIn, 404, 403, 403, 403, 403, 303}

	counters    = statuses{signIn, 404, 200, 403, 200, 200, 200} // sums and files: everybody except support
	settlers    = statuses{signIn, 404, 403, 403, 200, 403, 200}
	settlersOn  = statuses{signIn, 404, 403, 403, 303, 403, 303}
	decidersOn  = statuses{signIn, 404, 403, 403, 303, 303, 303}
	writersOn   = statuses{signIn, 404, 403, 303, 303, 303, 303}
	resendersOn = statuses{signIn, 404, 403, 303, 403, 303, 303}
)

// matrixRow is a route, its outcome for every role, and how to request it.
type matrixRow struct {
	method, path string // below /dashboard
	want         statuses
	ask          func(*asking) request
	fresh        bool // an old sign-in is not enough
	alone        bool // each caller is a new person: the request changes the person or ends the session
	// records is the number of audit records in addition to the usual one for POST and none
	// for GET.
	records int
}

const member = "/{organization}"

const (
	acquirersPath = "/applications/{application}/acquirers"
	brandPath     = "/applications/{application}/brand"
	shopPagePath  = "/applications/{application}/shop"
)

// The matrix and the table of routes have the same rows, and agree on what needs a
// new sign-in.
func TestMatrixIsWhole(t *testing.T) {
	t.Parallel()
	for _, role := range accounts.Roles {
		if !slices.Contains(callers, role) {
			t.Errorf("no request has the role %s", role)
		}
	}
	rows := map[string]matrixRow{}
	for _, row := range matrix {
		rows[row.method+" /dashboard"+row.path] = row
	}
	if len(rows) != len(matrix) {
		t.Error("the matrix has a row twice")
	}
	routed := map[string]bool{}
	dashboard.Routes(func(name string, ofMember, fresh bool, needs accounts.Permission) {
		row, found := rows[name]
		routed[name] = true
		if !found || row.fresh != fresh || strings.HasPrefix(row.path, member) != ofMember {
			t.Errorf("%s: the matrix has no such row, or another one: %v", name, found)
		}
		if !ofMember {
			return
		}
		if needs == accounts.ChangeCredentials && !fresh {
			t.Errorf("%s changes credentials without a fresh sign-in", name)
		}
		for n, role := range callers {
			if role != "" && row.want[n].done() != role.Allows(needs) {
				t.Errorf("%s: the matrix says %d of the role %s", name, row.want[n], role)
			}
		}
	})
	for name := range rows {
		if !routed[name] {
			t.Errorf("%s: no such route", name)
		}
	}
}

// Every route of an organisation is requested by every role, by a visitor, and by members of the
// other organisation or of both. Afterwards neither the log nor the database has any secret.
// TestLongMatrix has the other organisation, and the second application of each.
func TestMatrix(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	m.ours, m.theirs = m.businesses[0], m.businesses[1]
	for _, row := range matrix {
		m.ask(row)
	}
	m.noSecretIsKept()
}

// ask requests a row as every caller.
func (m *matrixRun) ask(row matrixRow) {
	m.t.Helper()
	m.name = row.method + " " + row.path
	m.everybody(row)
}

// everybody requests a row as every caller, and tries the attacks that apply.
func (m *matrixRun) everybody(row matrixRow) {
	m.t.Helper()
	for n, want := range row.want {
		r := &asking{matrixRun: m, of: m.ours, home: m.ours, role: callers[n]}
		switch n {
		case 0:
			r.home, r.client = business{}, m.w.client(m.t)
		case 1:
			r.home, r.role = m.theirs, accounts.RoleOwner
		}
		r.check(row, want)
	}
	if !strings.HasPrefix(row.path, member) {
		return
	}
	// Rights in another organisation do not count here.
	guest := &asking{
		matrixRun: m,
		of:        m.ours,
		home:      m.ours,
		client:    m.guestOf(m.ours),
		role:      accounts.RoleViewer,
		guest:     true,
	}
	guest.check(row, row.want[2])
	if strings.Count(row.path, "{") > 1 {
		m.othersIDs(row)
	}
	if row.method == http.MethodPost {
		m.crossSite(row)
	}
	if row.fresh {
		m.stale(row)
	}
}

// check makes the request and checks its outcome against the row.
func (r *asking) check(row matrixRow, want outcome) {
	r.t.Helper()
	if r.client == nil {
		r.client = r.signedIn(row.alone)
	}
	q := row.ask(r)
	before, records := r.state(row), r.records()
	a := r.send(row.method, q)
	status, leads := want, ""
	if want == signIn {
		status, leads = http.StatusSeeOther, "/dashboard/sign-in"
	}
	if a.status != int(status) || !strings.HasPrefix(a.header.Get("Location"), leads) {
		r.t.Errorf("%s by %s: status %d to %q, want %d %s\n%s", r.name, r.who(), a.status, a.header.Get("Location"),
			status, leads, a.text())
	}
	recorded := 0
	switch {
	case want.done() && row.method == http.MethodPost:
		recorded = 1 + row.records
	case want.done():
		recorded = row.records
	case row.want == missing: // there is nothing to be refused
	case want == http.StatusForbidden, want == http.StatusNotFound:
		recorded = 1
	}
	if got := r.records() - records; got != recorded {
		r.t.Errorf("%s by %s: %d records, want %d", r.name, r.who(), got, recorded)
	}
	if after := r.state(row); row.method == http.MethodGet && after != before {
		r.t.Errorf("%s by %s changed something:\n%s\n%s", r.name, r.who(), before, after)
	}
	r.revealsNothing(q, a)
}

// othersIDs requests in our organisation what belongs to the other.
func (m *matrixRun) othersIDs(row matrixRow) {
	m.t.Helper()
	r := &asking{matrixRun: m, of: m.theirs, home: m.ours, role: accounts.RoleOwner}
	r.client = r.signedIn(false)
	q := row.ask(r)
	q.path = strings.Replace(q.path, m.theirs.org.ID.String(), m.ours.org.ID.String(), 1)
	records := m.records()
	a := r.send(row.method, q)
	if a.status != http.StatusNotFound || m.records() != records {
		m.t.Errorf("%s with ids of the other organisation: status %d, %d records\n%s", m.name, a.status,
			m.records()-records, a.text())
	}
	r.revealsNothing(q, a)
}

// crossSite sends the form from another site.
func (m *matrixRun) crossSite(row matrixRow) {
	m.t.Helper()
	r := &asking{matrixRun: m, of: m.ours, home: m.ours, role: accounts.RoleOwner}
	r.client = r.signedIn(false)
	q := row.ask(r)
	records := m.records()
	for name, value := range map[string]string{
		"Sec-Fetch-Site": "cross-site",
		"Origin":         "https://evil.example",
	} {
		q.header = [2]string{name, value}
		if a := r.send(row.method, q); a.status != http.StatusForbidden || m.records() != records {
			m.t.Errorf("%s with %s %s: status %d, %d records", m.name, name, value, a.status, m.records()-records)
		}
	}
}

// stale makes the request with an old sign-in.
func (m *matrixRun) stale(row matrixRow) {
	m.t.Helper()
	r := &asking{matrixRun: m, of: m.ours, home: m.ours, role: accounts.RoleOwner}
	r.client = r.signedIn(true)
	q := row.ask(r)
	m.w.wait(16 * time.Minute)
	records := m.records()
	a := r.send(row.method, q)
	if a.status != http.StatusSeeOther ||
		!strings.HasPrefix(a.header.Get("Location"), "/dashboard/confirm?next=") || m.records() != records {
		m.t.Errorf("%s with an old sign-in: status %d to %q, %d records", m.name, a.status,
			a.header.Get("Location"), m.records()-records)
	}
}

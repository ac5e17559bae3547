package acceptance_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// administrator creates logins and roles on a server on which the owners of databases may not.
type administrator struct{ cluster *pgtest.Cluster }

func (a administrator) execute(t *testing.T, sql string) {
	t.Helper()
	pool := pgtest.Open(t, a.cluster.URL("shop", "postgres"), postgres.Options{MaxConns: 1})
	if _, err := pool.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// On a server where the owner may not create roles, every gap is reported: migrate prints what it
// could not do and who can, the doctor names each missing right, and a server reports that it has
// more rights than it needs, or refuses to start with fewer. One command grants the rights to roles
// that are created later.
func TestRightsWhereTheOwnerMayNotCreateRoles(t *testing.T) {
	t.Parallel()
	host := administrator{pgtest.NewCluster(t, nil)}
	for _, name := range []string{"shop_owner", "server", "auditor"} {
		if err := host.cluster.EnsureRole(t.Context(), name, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := host.cluster.EnsureDatabase(t.Context(), "shop", "shop_owner"); err != nil {
		t.Fatal(err)
	}
	as := func(login string) []string {
		return []string{"DAFTAR_DATABASE_URL=" + host.cluster.URL("shop", login), "DAFTAR_SECRET_KEY=" + secretKey}
	}
	says := func(what string, r run, code int, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if r.code != code || !strings.Contains(r.out+r.errors, part) {
				t.Errorf("%s: exit %d, want %d and %q:\n%s%s", what, r.code, code, part, r.out, r.errors)
			}
		}
	}
	owner := as("shop_owner")
	says("migrate up", call(t, owner, "migrate", "up"), 0, "Applied 00001_events.sql",
		"RIGHTS ARE MISSING: the role daftar_service does not exist", "daftar migrate grants --sql")
	says("migrate grants", call(t, owner, "migrate", "grants"), 1, "RIGHTS ARE MISSING")
	f := examined(t, owner, "rights")
	if !f.OK || !f.Warning || !strings.Contains(f.Detail, "the role daftar_auditor does not exist") {
		t.Errorf("without the roles: %+v", f)
	}
	s := serve(t, host.cluster.URL("shop", "shop_owner"))
	s.Stop(t, syscall.SIGTERM)
	for _, part := range []string{
		`servers work with all the rights of the database login \"shop_owner\" ` +
			`and not as daftar_service: that role does not exist`,
		"owns the tables",
	} {
		if !strings.Contains(s.Logged(), part) {
			t.Errorf("serve does not say %q:\n%s", part, s.Logged())
		}
	}

	// A database administrator creates the roles, and nothing else.
	host.execute(t, `
		CREATE ROLE daftar_service;
		CREATE ROLE daftar_auditor;
		GRANT daftar_service TO server;
		GRANT daftar_auditor TO auditor`)
	const lacks = "daftar_service lacks SELECT, INSERT on events"
	f = examined(t, owner, "rights")
	if f.OK || !strings.Contains(f.Detail, lacks) ||
		!strings.Contains(f.Detail, "daftar_auditor lacks SELECT on intents") {
		t.Errorf("with roles made later: %+v", f)
	}
	says("serve", call(t, as("server"), "serve"), 1, lacks, "daftar migrate grants")
	says("migrate grants", call(t, owner, "migrate", "grants"), 0, "have all that they need")
	if f := examined(t, as("server"), "rights"); !f.OK || f.Warning {
		t.Errorf("after the grants: %+v", f)
	}
	s = serve(t, host.cluster.URL("shop", "server"))
	s.Stop(t, syscall.SIGTERM)
	if strings.Contains(s.Logged(), "rights") {
		t.Errorf("serve as it should be says\n%s", s.Logged())
	}

	// An error of missing rights names the roles that have them.
	const asServer = "log in as a member of daftar_service (GRANT daftar_service TO \"auditor\"), " +
		"or as \"shop_owner\", who owns the tables"
	says("a change by an auditor", call(t, as("auditor"), "org", "create", "--name", "x"), 1,
		"permission denied", asServer)
	says("a rebuild by the server's login", call(t, as("server"), "projections", "rebuild", "intents"), 1,
		`log in as "shop_owner", who owns the tables`)
	host.execute(t, `REVOKE daftar_auditor FROM auditor`)
	says("an audit without rights", call(t, as("auditor"), "audit", "verify"), 1,
		"log in as a member of daftar_auditor")
}

// The administrator's script does everything, also on a database that has only the tables.
func TestGrantsForAnAdministrator(t *testing.T) {
	t.Parallel()
	host := administrator{pgtest.NewCluster(t, nil)}
	err := errors.Join(host.cluster.EnsureRole(t.Context(), "shop_owner", false),
		host.cluster.EnsureDatabase(t.Context(), "shop", "shop_owner"))
	if err != nil {
		t.Fatal(err)
	}
	owner := []string{
		"DAFTAR_DATABASE_URL=" + host.cluster.URL("shop", "shop_owner"), "DAFTAR_SECRET_KEY=" + secretKey,
	}
	answer[map[string]any](t, owner, "migrate", "up")
	plain := call(t, owner, "migrate", "grants", "--sql").out
	inJSON := answer[struct{ SQL string }](t, owner, "migrate", "grants", "--sql").SQL
	if plain != inJSON || !strings.Contains(plain, "CREATE ROLE daftar_service NOLOGIN") {
		t.Errorf("the SQL is\n%s\nand in JSON\n%s", plain, inJSON)
	}
	host.execute(t, plain)
	if r := call(t, owner, "migrate", "grants"); r.code != 0 || r.errors != "" {
		t.Errorf("after it: exit %d: %s", r.code, r.errors)
	}
	s := serve(t, host.cluster.URL("shop", "shop_owner"))
	s.Stop(t, syscall.SIGTERM)
	if strings.Contains(s.Logged(), "and not as daftar_service") {
		t.Errorf("the owner's server says\n%s", s.Logged())
	}
}

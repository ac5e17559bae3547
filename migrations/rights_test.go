package migrations_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/migrations"
)

// granted are the rights of a role in the system catalogue, on tables and columns.
func granted(t *testing.T, pool *pgxpool.Pool, role string) (all []migrations.Right) {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		SELECT $1, a.privilege_type, c.relname::text
		FROM pg_class c
		CROSS JOIN aclexplode(c.relacl) a
		WHERE c.relnamespace = 'public'::regnamespace
		  AND a.grantee = $1::text::regrole
		UNION ALL
		SELECT $1, a.privilege_type, c.relname || '.' || t.attname
		FROM pg_class c
		JOIN pg_attribute t ON t.attrelid = c.oid
		CROSS JOIN aclexplode(t.attacl) a
		WHERE c.relnamespace = 'public'::regnamespace
		  AND a.grantee = $1::text::regrole`, role)
	if err == nil {
		all, err = pgx.CollectRows(rows, pgx.RowToStructByPos[migrations.Right])
	}
	if err != nil {
		t.Fatal(err)
	}
	return sorted(all)
}

func sorted(all []migrations.Right) []migrations.Right {
	slices.SortFunc(all, func(a, b migrations.Right) int {
		return strings.Compare(a.Role+" "+a.On+" "+a.Privilege, b.Role+" "+b.On+" "+b.Privilege)
	})
	return all
}

// The migrations grant exactly the rights in the list.
func TestRightsAreThoseOfTheMigrations(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	pool := db.OwnerPool(t)
	for _, role := range []string{postgres.ServiceRole, postgres.AuditorRole} {
		if diff := cmp.Diff(sorted(migrations.Needed(role)), granted(t, pool, role)); diff != "" {
			t.Errorf("%s (-list +granted by the migrations):\n%s", role, diff)
		}
	}
	if found, err := migrations.MissingRights(t.Context(), db.Pool(t)); err != nil || !found.Complete() {
		t.Errorf("missing: %s, %v", found, err)
	}
	if err := migrations.CheckServiceRights(t.Context(), db.Pool(t)); err != nil {
		t.Error(err)
	}
}

// host is a server on which owners of databases may not create roles, as on most hosted servers.
type host struct{ cluster *pgtest.Cluster }

func newHost(t *testing.T) host { return host{pgtest.NewCluster(t, nil)} }

// database makes a database with its own owner, and migrates it.
func (h host) database(t *testing.T, name string) (url string) {
	t.Helper()
	owner := name + "_owner"
	err := errors.Join(h.cluster.EnsureRole(t.Context(), owner, false),
		h.cluster.EnsureDatabase(t.Context(), name, owner))
	if err != nil {
		t.Fatal(err)
	}
	url = h.cluster.URL(name, owner)
	if _, err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	return url
}

// administer executes statements as the database administrator.
func (h host) administer(t *testing.T, database, sql string) {
	t.Helper()
	pool := pgtest.Open(t, h.cluster.URL(database, "postgres"), postgres.Options{})
	if _, err := pool.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func grantRights(t *testing.T, url string) migrations.Rights {
	t.Helper()
	left, err := migrations.Grant(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// An owner that may not create roles gets a message that says so. The administrator's SQL does
// everything; if the administrator only creates the roles, the owner's Grant does the rest. A lost
// right is granted again.
func TestGrantWithoutTheRightToCreateRoles(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	first, second := h.database(t, "first"), h.database(t, "second")
	both := []string{postgres.ServiceRole, postgres.AuditorRole}
	left := grantRights(t, first)
	if diff := cmp.Diff(migrations.Rights{Roles: both, Missing: []migrations.Right{}}, left); diff != "" {
		t.Fatalf("before the roles exist (-want +got):\n%s", diff)
	}
	const missing = "the role daftar_service does not exist; the role daftar_auditor does not exist"
	if says := left.String(); says != missing {
		t.Errorf("it says %s", says)
	}
	text, err := migrations.GrantsSQL(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	h.administer(t, "first", text)
	h.administer(t, "first", text) // again: nothing changes
	h.mustBeComplete(t, "first")
	if warning := h.roleWarning(t, first); warning != "" {
		t.Errorf("the owner's servers: %s", warning)
	}

	// The roles belong to all databases of the server; in this one nothing was granted yet.
	found, err := migrations.MissingRights(t.Context(), pgtest.Open(t, second, postgres.Options{}))
	if err != nil || len(found.Roles) > 0 ||
		len(found.Missing) != len(migrations.Needed(both[0]))+len(migrations.Needed(both[1])) {
		t.Errorf("with roles made later: %s, %v", found, err)
	}
	says := found.String()
	if !strings.Contains(says, "daftar_service lacks SELECT, INSERT on events") ||
		!strings.Contains(says, "daftar_auditor lacks SELECT on applications.name") {
		t.Errorf("it says %s", says)
	}
	if left := grantRights(t, second); !left.Complete() {
		t.Errorf("after the owner's grants: %s", left)
	}
	h.mustBeComplete(t, "second")
	warning := h.roleWarning(t, second)
	if !strings.Contains(warning, `GRANT daftar_service TO "second_owner"`) {
		t.Errorf("an owner who is no member: %q", warning)
	}
	h.administer(t, "second", `
		REVOKE INSERT ON events FROM daftar_service;
		REVOKE SELECT (name) ON applications FROM daftar_auditor;
		GRANT daftar_service TO second_owner`)
	served := pgtest.Open(t, second, postgres.Options{SetServiceRole: true})
	err = migrations.CheckServiceRights(t.Context(), served)
	if !errors.Is(err, migrations.ErrRights) ||
		!strings.Contains(err.Error(), "daftar_service lacks INSERT on events;") {
		t.Errorf("a server's check: %v", err)
	}
	if left := grantRights(t, second); !left.Complete() {
		t.Errorf("after they were lost: %s", left)
	}
	h.mustBeComplete(t, "second")
}

// mustBeComplete compares the rights in a database with the list.
func (h host) mustBeComplete(t *testing.T, database string) {
	t.Helper()
	pool := pgtest.Open(t, h.cluster.URL(database, "postgres"), postgres.Options{})
	for _, role := range []string{postgres.ServiceRole, postgres.AuditorRole} {
		if diff := cmp.Diff(sorted(migrations.Needed(role)), granted(t, pool, role)); diff != "" {
			t.Errorf("%s in %s (-list +granted):\n%s", role, database, diff)
		}
	}
}

func (h host) roleWarning(t *testing.T, url string) string {
	t.Helper()
	warning, err := postgres.RoleWarning(t.Context(), pgtest.Open(t, url, postgres.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	return warning
}

// A user that may neither create roles nor grant changes nothing, and gets a list of what is
// missing.
func TestGrantByStrangers(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.database(t, "shop")
	if err := h.cluster.EnsureRole(t.Context(), "stranger", false); err != nil {
		t.Fatal(err)
	}
	h.administer(t, "shop", `
		CREATE ROLE daftar_service;
		CREATE ROLE daftar_auditor;
		REVOKE USAGE ON SCHEMA public FROM PUBLIC`)
	left := grantRights(t, h.cluster.URL("shop", "stranger"))
	if left.Complete() {
		t.Error("nothing is missing for a stranger")
	}
	stranger := pgtest.Open(t, h.cluster.URL("shop", "stranger"), postgres.Options{})
	if err := migrations.CheckServiceRights(t.Context(), stranger); !errors.Is(err, migrations.ErrRights) {
		t.Errorf("a stranger's server: %v", err)
	}
	if left := grantRights(t, h.cluster.URL("shop", "shop_owner")); !left.Complete() {
		t.Errorf("after the owner's grants: %s", left)
	}
}

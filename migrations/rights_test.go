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

// granted are the rights that the catalogue has of a role, on tables and columns.
func granted(t *testing.T, pool *pgxpool.Pool, role string) (all []migrations.Right) {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		SELECT $1, a.privilege_type, c.relname::text FROM pg_class c CROSS JOIN aclexplode(c.relacl) a
		WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = $1::text::regrole
		UNION ALL
		SELECT $1, a.privilege_type, c.relname || '.' || t.attname
		FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid CROSS JOIN aclexplode(t.attacl) a
		WHERE c.relnamespace = 'public'::regnamespace AND a.grantee = $1::text::regrole`, role)
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

// What the migrations grant is what the list of rights has, neither more nor less.
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

// host is a server on which owners of databases may not create roles, as it is usual where
// others run it.
type host struct{ cluster *pgtest.Cluster }

func newHost(t *testing.T) host { return host{pgtest.NewCluster(t, nil)} }

// database makes one with an owner of its own, and migrates it.
func (h host) database(t *testing.T, name string) (url string) {
	t.Helper()
	owner := name + "_owner"
	if err := errors.Join(h.cluster.EnsureRole(t.Context(), owner, false),
		h.cluster.EnsureDatabase(t.Context(), name, owner)); err != nil {
		t.Fatal(err)
	}
	url = h.cluster.URL(name, owner)
	if _, err := migrations.Up(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	return url
}

// administer executes something as the database administrator.
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

// An owner who may not create roles sees that said. The administrator's SQL does all of it; where
// the administrator only makes the roles, the owner's Grant does the rest. A right that was
// lost comes back.
func TestGrantWithoutTheRightToCreateRoles(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	first, second := h.database(t, "first"), h.database(t, "second")
	both := []string{postgres.ServiceRole, postgres.AuditorRole}
	left := grantRights(t, first)
	if diff := cmp.Diff(migrations.Rights{Roles: both, Missing: []migrations.Right{}}, left); diff != "" {
		t.Fatalf("before the roles exist (-want +got):\n%s", diff)
	}
	if says := left.String(); says != "the role daftar_service does not exist; the role daftar_auditor does not exist" {
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

	// The roles belong to all databases of the server; in this one nobody has granted anything.
	found, err := migrations.MissingRights(t.Context(), pgtest.Open(t, second, postgres.Options{}))
	if err != nil || len(found.Roles) > 0 ||
		len(found.Missing) != len(migrations.Needed(both[0]))+len(migrations.Needed(both[1])) {
		t.Errorf("with roles made later: %s, %v", found, err)
	}
	if says := found.String(); !strings.Contains(says, "daftar_service lacks SELECT, INSERT on events") ||
		!strings.Contains(says, "daftar_auditor lacks SELECT on applications.name") {
		t.Errorf("it says %s", says)
	}
	if left := grantRights(t, second); !left.Complete() {
		t.Errorf("after the owner's grants: %s", left)
	}
	h.mustBeComplete(t, "second")
	if warning := h.roleWarning(t,
		second); !strings.Contains(warning, `GRANT daftar_service TO "second_owner"`) {
		t.Errorf("an owner who is no member: %q", warning)
	}
	h.administer(t, "second",
		`REVOKE INSERT ON events FROM daftar_service; REVOKE SELECT (name) ON applications FROM daftar_auditor; GRANT daftar_service TO second_owner`)
	served := pgtest.Open(t, second, postgres.Options{SetServiceRole: true})
	if err := migrations.CheckServiceRights(t.Context(), served); !errors.Is(err, migrations.ErrRights) ||
		!strings.Contains(err.Error(), "daftar_service lacks INSERT on events;") {
		t.Errorf("a server's check: %v", err)
	}
	if left := grantRights(t, second); !left.Complete() {
		t.Errorf("after they were lost: %s", left)
	}
	h.mustBeComplete(t, "second")
}

// mustBeComplete holds the rights in a database to the list.
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

// Who may neither create roles nor grant changes nothing, and sees what is missing.
func TestGrantByStrangers(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.database(t, "shop")
	if err := h.cluster.EnsureRole(t.Context(), "stranger", false); err != nil {
		t.Fatal(err)
	}
	h.administer(t, "shop", `CREATE ROLE daftar_service; CREATE ROLE daftar_auditor; REVOKE USAGE ON SCHEMA public FROM PUBLIC`)
	left := grantRights(t, h.cluster.URL("shop", "stranger"))
	if left.Complete() {
		t.Error("nothing is missing for a stranger")
	}
	if err := migrations.CheckServiceRights(t.Context(), pgtest.Open(t, h.cluster.URL("shop", "stranger"),
		postgres.Options{})); !errors.Is(err, migrations.ErrRights) {
		t.Errorf("a stranger's server: %v", err)
	}
	if left := grantRights(t, h.cluster.URL("shop", "shop_owner")); !left.Complete() {
		t.Errorf("after the owner's grants: %s", left)
	}
}

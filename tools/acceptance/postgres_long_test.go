//go:build long

package acceptance_test

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"syscall"
	"testing"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// versions are the PostgreSQL servers that are tested: the installed one, which has the programs
// for dumps and standbys, and those that `make test PG=` can use.
var versions = []string{installed, "16", "17", "18"}

const installed = "installed"

// serverOf returns a server of a version; the tools are those of the major version.
func serverOf(t *testing.T, version string) (c *pgtest.Cluster, major int) {
	t.Helper()
	if version == installed {
		c = pgtest.NewInstalledCluster(t, nil)
	} else {
		bin, err := filepath.Abs("testdata/postgres/node_modules/postgres-" + version + "/native/bin")
		if err != nil {
			t.Fatal(err)
		}
		c = pgtest.NewClusterOf(t, bin, nil)
	}
	pool := pgtest.Open(t, c.URL("postgres", "postgres"), postgres.Options{MaxConns: 1})
	err := pool.QueryRow(t.Context(), `SELECT current_setting('server_version_num')::int / 10000`).Scan(&major)
	if err != nil {
		t.Fatal(err)
	}
	if version != installed && fmt.Sprint(major) != version {
		t.Fatalf("version %s is %d", version, major)
	}
	return c, major
}

// ledger was created on one server and may be restored on others.
type ledger struct {
	who    shop
	events int
}

// trade creates one payment, and returns the checkpoint that covers it.
func (l *ledger) trade(t *testing.T, s *service) string {
	t.Helper()
	paid := s.ask(t, l.who, http.MethodPost, "/payment-intents", order(fmt.Sprintf("after %d", l.events)))
	l.events += 3
	if paid.status != http.StatusCreated {
		t.Fatalf("create: %d %s", paid.status, paid.body)
	}
	fill(t, paid, s, s, "attempts", "otp", url.Values{"method": {"wallet"}, "phone": {"0912345678"}})
	fill(t, paid, s, s, "code", "receipt", url.Values{"otp": {"111111"}})
	got := s.ask(t, l.who, http.MethodGet, "/payment-intents/"+paid.data.UUID, "")
	if got.data.Status != "succeeded" {
		t.Errorf("paid is %d %s", got.status, got.body)
	}
	s.caughtUp(t)
	return awaitCheckpoint(t, s.env, fmt.Sprint(l.events))
}

// isWhole rebuilds all read models and checks everything against the events.
func (l *ledger) isWhole(t *testing.T, s *service, owner, kept string) {
	t.Helper()
	asOwner := []string{"DAFTAR_DATABASE_URL=" + owner, "DAFTAR_SECRET_KEY=" + secretKey}
	projections := answer[struct{ Projections []struct{ Name string } }](t, s.env, "projections", "status")
	for _, m := range projections.Projections {
		if r := call(t, asOwner, "projections", "rebuild", m.Name); r.code != 0 {
			t.Errorf("rebuild %s: exit %d, %s%s", m.Name, r.code, r.out, r.errors)
		}
		if v := answer[struct{ OK bool }](t, s.env, "projections", "verify", m.Name); !v.OK {
			t.Errorf("%s differs from its events", m.Name)
		}
	}
	v := answer[verified](t, s.env, "audit", "verify", "--checkpoint", kept)
	if !v.OK || v.Size != int64(l.events) {
		t.Errorf("audit verify: %+v, want %d events", v, l.events)
	}
	for _, check := range []string{"append-only", "positions", "transparency"} {
		if f := examined(t, s.env, check); !f.OK {
			t.Errorf("the doctor says %+v", f)
		}
	}
}

// On each version: migrate, pay, rebuild, verify, audit. Then a dump of the installed version is
// restored into each newer one, and payments continue there.
func TestLongPostgresVersions(t *testing.T) {
	t.Parallel()
	acquirer := &sandboxed{listen: address(t)}
	acquirer.demonstration = &demonstration{sandbox: "http://" + acquirer.listen}
	acquirer.startAcquirer(t)
	variables := []string{"DAFTAR_SANDBOX_URL=" + acquirer.sandbox, "DAFTAR_SANDBOX_SECRET=" + sandboxSecret}
	dump := filepath.Join(t.TempDir(), "dump")
	var kept string
	var dumped ledger
	var from int
	try := func(version string) {
		t.Logf("version %s", version)
		c, major := serverOf(t, version)
		owner, service := c.Database(t, "daftar")
		s := serve(t, service, variables...)
		l := ledger{who: newShop(t, s.env)}
		note := write(t, t.TempDir(), "kept", l.trade(t, s))
		l.isWhole(t, s, owner, note)
		s.Stop(t, syscall.SIGTERM)
		if version == installed {
			dumped, from = l, major
			tool(t, "pg_dump", "--format=custom", "--file="+dump, c.URL("daftar", pgtest.Owner))
			kept = write(t, filepath.Dir(dump), "kept", read(t, note))
		}
		if major <= from {
			return
		}
		if err := c.EnsureDatabase(t.Context(), "restored", pgtest.Owner); err != nil {
			t.Fatal(err)
		}
		tool(t, "pg_restore", "--exit-on-error", "--single-transaction",
			"--dbname="+c.URL("restored", "postgres"), dump)
		s = serve(t, c.URL("restored", pgtest.Service), variables...)
		restored := dumped
		restored.trade(t, s)
		restored.isWhole(t, s, c.URL("restored", pgtest.Owner), kept)
		s.Stop(t, syscall.SIGTERM)
	}
	for _, version := range versions { // the installed one first, because the others restore its dump
		try(version)
	}
}

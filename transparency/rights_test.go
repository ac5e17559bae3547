package transparency_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/transparency"
)

// login is a pool with the rights of a role and no others.
func (w *world) login(of string) *pgxpool.Pool {
	w.t.Helper()
	u, err := url.Parse(w.db.SuperuserURL())
	if err != nil {
		w.t.Fatal(err)
	}
	password, _ := u.User.Password()
	name := "login_" + w.db.Name()
	createSQL := fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD '%s' IN ROLE %s`,
		name, strings.ReplaceAll(password, "'", "''"), of)
	if _, err := w.super.Exec(w.t.Context(), createSQL); err != nil {
		w.t.Fatal(err)
	}
	u.User = url.UserPassword(name, password)
	return pgtest.Open(w.t, u.String(), postgres.Options{})
}

// An auditor who may only read can verify and prove, and does not see the key.
func TestAuditorNeedsOnlyToRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(20)
	w.grow(64)
	w.sign()
	auditor := w.login("daftar_auditor")
	r, err := transparency.Verify(t.Context(), auditor, transparency.VerifyOptions{})
	if err != nil || !r.OK || r.Checkpoints != 1 {
		t.Errorf("verify: %+v, %v", r, err)
	}
	p, err := transparency.Prove(t.Context(), auditor, w.events(0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Check(transparency.CheckOptions{}); err != nil {
		t.Error(err)
	}
	for _, statement := range []string{
		`SELECT sealed FROM transparency_sealed_keys`,
		`UPDATE transparency_tiles SET n = 1`,
		`DELETE FROM transparency_checkpoints`,
	} {
		if _, err := auditor.Exec(t.Context(), statement); err == nil {
			t.Errorf("the auditor may: %s", statement)
		}
	}
}

// Signed rows cannot be rewritten, not even by mistake.
func TestCheckpointsAreAppendOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.fill(20)
	w.grow(64)
	w.sign()
	for name, pool := range map[string]*pgxpool.Pool{"service": w.pool, "owner": w.db.OwnerPool(t),
		"superuser": w.super} {
		for _, statement := range []string{
			`UPDATE transparency_checkpoints SET note = ''`, `DELETE FROM transparency_checkpoints`,
			`TRUNCATE transparency_checkpoints`,
			`UPDATE transparency_keys SET public_key = ''`, `DELETE FROM transparency_keys`,
			`TRUNCATE transparency_keys`,
		} {
			if _, err := pool.Exec(t.Context(), statement); err == nil {
				t.Errorf("the %s may: %s", name, statement)
			}
		}
	}
	if _, err := w.pool.Exec(t.Context(), `DELETE FROM transparency_tiles`); err == nil {
		t.Error("the service may delete tiles")
	}
}

package accounts_test

import (
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/internal/postgres/pgtest"
)

const (
	password = "باب البحر 1978"
	home     = "192.0.2.10"
)

// world is an organisation with people, and a clock.
type world struct {
	t     *testing.T
	pool  *pgxpool.Pool // the service's
	owner *pgxpool.Pool
	now   *clock
	a     *accounts.Accounts
	shop
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db := pgtest.Database(t)
	w := &world{t: t, pool: db.Pool(t), owner: db.OwnerPool(t), now: newClock()}
	w.a = open(t, w.pool, w.now.Now)
	w.shop = newShop(t, w.a)
	return w
}

// person is a new user of an organisation.
func (w *world) person(name string, org accounts.OrganizationID, role accounts.Role) accounts.User {
	w.t.Helper()
	u, err := w.a.CreateUser(w.t.Context(), operator, org, name+"@shop.example", role, password)
	if err != nil {
		w.t.Fatalf("create %s: %v", name, err)
	}
	return u
}

func by(u accounts.User) accounts.Actor { return u.Actor(home, "request-1") }

func (w *world) later(d time.Duration) { w.now.Set(w.now.Now().Add(d)) }

// trail is an organisation's audit trail in short, the latest first.
func (w *world) trail(org accounts.OrganizationID, limit int) []string {
	w.t.Helper()
	records, err := w.a.Trail(w.t.Context(), operator, org, accounts.TrailFilter{Limit: limit})
	if err != nil {
		w.t.Fatal(err)
	}
	short := make([]string, 0, len(records))
	for _, r := range records {
		short = append(short, fmt.Sprintf("%s %s %s", r.Actor, r.Action, r.Outcome))
	}
	return short
}

// count is what an SQL query counts.
func (w *world) count(sql string, args ...any) int {
	w.t.Helper()
	var n int
	if err := w.owner.QueryRow(w.t.Context(), sql, args...).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// waitForLock waits until somebody waits for a lock.
func (w *world) waitForLock() {
	w.t.Helper()
	pgtest.WaitFor(w.t, "somebody to wait for a lock", func() bool {
		return w.count(`SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (
			SELECT pid FROM pg_stat_activity WHERE datname = current_database())`) > 0
	})
}

func (w *world) signIn(email, password, from string) (accounts.User, accounts.Next, error) {
	return w.a.SignIn(w.t.Context(), accounts.Actor{Address: from, RequestID: "request-2"}, email, password)
}

func (w *world) wantSignIn(what string, want error, email, password, from string) {
	w.t.Helper()
	if _, _, err := w.signIn(email, password, from); !errors.Is(err, want) {
		w.t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// authenticator is the app on somebody's phone.
type authenticator []byte

func (a authenticator) code(at time.Time) string { return accounts.TOTPCode(a, at.Unix()/30) }

// enrol gives a user a second factor.
func (w *world) enrol(u accounts.User) (authenticator, []string) {
	w.t.Helper()
	e, err := w.a.BeginSecondFactor(w.t.Context(), by(u))
	if err != nil {
		w.t.Fatal(err)
	}
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(e.Secret)
	if err != nil {
		w.t.Fatal(err)
	}
	app := authenticator(secret)
	codes, err := w.a.ConfirmSecondFactor(w.t.Context(), by(u), app.code(w.now.Now()))
	if err != nil {
		w.t.Fatal(err)
	}
	return app, codes
}

func contains(all []string, want string) bool {
	for _, s := range all {
		if strings.Contains(s, want) {
			return true
		}
	}
	return false
}

// refuseRecords makes the audit trail refuse every record until the returned
// function is called.
func (w *world) refuseRecords() (mend func()) {
	w.t.Helper()
	run := func(sql string) {
		if _, err := w.owner.Exec(context.Background(), sql); err != nil {
			w.t.Fatal(err)
		}
	}
	run(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$`)
	run(`CREATE TRIGGER full_disk BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION full_disk()`)
	return func() {
		run(`DROP TRIGGER full_disk ON audit_records`)
		run(`DROP FUNCTION full_disk`)
	}
}

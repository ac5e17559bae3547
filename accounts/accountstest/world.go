package accountstest

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // what authenticator apps use
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/mail"
	"daftar/internal/postgres/pgtest"
	"daftar/internal/sealing"
)

// Password is the password of every user, and Home the address of their browsers.
const (
	Password = "باب البحر 1978"
	Home     = "192.0.2.10"
)

// World is an organisation with people, and a clock.
type World struct {
	T        *testing.T
	Pool     *pgxpool.Pool // the service's
	Owner    *pgxpool.Pool
	Now      *Clock
	Accounts *accounts.Accounts
	People   *people.People
	Settings *settings.Settings
	Shop
}

// NewWorld makes a world on a new database.
func NewWorld(t *testing.T) *World {
	t.Helper()
	db := pgtest.Database(t)
	w := &World{T: t, Pool: db.Pool(t), Owner: db.OwnerPool(t), Now: NewClock()}
	w.Accounts = Open(t, w.Pool, w.Now.Now)
	w.People = w.PeopleWith(people.Options{})
	w.Settings = settings.New(w.Pool, w.Accounts, SecretKey(t, "5a"), w.Now.Now)
	w.Shop = NewShop(t, w.Accounts)
	return w
}

// PeopleWith are the world's people with other options; the key, the clock and the site are
// those of the world.
func (w *World) PeopleWith(o people.Options) *people.People {
	w.T.Helper()
	o.SecretKey, o.Now, o.CheapPasswords, o.PublicURL = SecretKey(w.T, "5a"), w.Now.Now, true, Site
	return people.New(w.Pool, w.Accounts, o)
}

// Person is a new user of an organisation.
func (w *World) Person(name string, org accounts.OrganizationID, role accounts.Role) people.User {
	w.T.Helper()
	u, err := w.People.CreateUser(w.T.Context(), Operator, org, name+"@shop.example", role, Password)
	if err != nil {
		w.T.Fatalf("create %s: %v", name, err)
	}
	return u
}

// By is a user in a request from Home.
func By(u people.User) accounts.Actor { return u.Actor(Home, "request-1") }

// Later lets time pass.
func (w *World) Later(d time.Duration) { w.Now.Set(w.Now.Now().Add(d)) }

// Trail is an organisation's audit trail in short, the latest first.
func (w *World) Trail(org accounts.OrganizationID, limit int) []string {
	w.T.Helper()
	records, err := w.Accounts.Trail(w.T.Context(), Operator, org, accounts.TrailFilter{Limit: limit})
	if err != nil {
		w.T.Fatal(err)
	}
	short := make([]string, 0, len(records))
	for _, r := range records {
		short = append(short, fmt.Sprintf("%s %s %s", r.Actor, r.Action, r.Outcome))
	}
	return short
}

// Count is what an SQL query counts.
func (w *World) Count(sql string, args ...any) int {
	w.T.Helper()
	var n int
	if err := w.Owner.QueryRow(w.T.Context(), sql, args...).Scan(&n); err != nil {
		w.T.Fatal(err)
	}
	return n
}

// WaitForLock waits until a session of the database waits for a lock.
func (w *World) WaitForLock() {
	w.T.Helper()
	pgtest.WaitFor(w.T, "a session to wait for a lock", func() bool {
		return w.Count(`
SELECT count(*)
FROM pg_locks
WHERE NOT granted
  AND pid IN (
      SELECT pid FROM pg_stat_activity WHERE datname = current_database())`) > 0
	})
}

// SignIn signs a user in from an address.
func (w *World) SignIn(email, password, from string) (people.User, people.Next, error) {
	return w.People.SignIn(w.T.Context(), accounts.Actor{Address: from, RequestID: "request-2"},
		email, password)
}

// WantSignIn compares the error of a sign-in.
func (w *World) WantSignIn(what string, want error, email, password, from string) {
	w.T.Helper()
	if _, _, err := w.SignIn(email, password, from); !errors.Is(err, want) {
		w.T.Errorf("%s: %v, want %v", what, err, want)
	}
}

// Authenticator is the secret of an authenticator app.
type Authenticator []byte

// Code is what the app shows.
func (a Authenticator) Code(at time.Time) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(at.Unix()/30))
	mac := hmac.New(sha1.New, a)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fff_ffff%1_000_000)
}

// Scan is an app that has scanned the QR code of a URI.
func (w *World) Scan(uri string) Authenticator {
	w.T.Helper()
	scanned, err := url.Parse(uri)
	if err != nil {
		w.T.Fatal(err)
	}
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(scanned.Query().Get("secret"))
	if err != nil {
		w.T.Fatal(err)
	}
	return secret
}

// Enrol gives a user a second factor.
func (w *World) Enrol(u people.User) (Authenticator, []string) {
	w.T.Helper()
	uri, err := w.People.BeginSecondFactor(w.T.Context(), By(u))
	if err != nil {
		w.T.Fatal(err)
	}
	app := w.Scan(uri)
	codes, err := w.People.ConfirmSecondFactor(w.T.Context(), By(u), app.Code(w.Now.Now()))
	if err != nil {
		w.T.Fatal(err)
	}
	return app, codes
}

// Contains reports whether one of the texts has another in it.
func Contains(all []string, want string) bool {
	for _, s := range all {
		if strings.Contains(s, want) {
			return true
		}
	}
	return false
}

// RefuseRecords makes the audit trail refuse every record until the returned
// function is called.
func (w *World) RefuseRecords() (stopRefusing func()) {
	w.T.Helper()
	run := func(sql string) {
		if _, err := w.Owner.Exec(context.Background(), sql); err != nil {
			w.T.Fatal(err)
		}
	}
	run(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN RAISE EXCEPTION 'disk full'; END $$`)
	run(`CREATE TRIGGER full_disk BEFORE INSERT ON audit_records FOR EACH ROW EXECUTE FUNCTION full_disk()`)
	return func() {
		run(`DROP TRIGGER full_disk ON audit_records`)
		run(`DROP FUNCTION full_disk`)
	}
}

// SettingsOf are made-up settings of an account; their value is in no answer.
func SettingsOf(value string) []byte { return fmt.Appendf(nil, `{"secret_key":%q}`, value) }

// SettingValue begins the secret of each account with an acquirer.
const SettingValue = "value-of-a-setting"

// Acquirer gives the world's application an account.
func (w *World) Acquirer(name string, methods ...string) {
	w.T.Helper()
	err := w.Settings.SetAcquirer(w.T.Context(), Operator, w.Org, w.App.ID, name,
		SettingsOf(SettingValue+"-"+name), methods)
	if err != nil {
		w.T.Fatal(err)
	}
}

// Acquirers are an application's accounts.
func (w *World) Acquirers(of domain.ApplicationID) []settings.AcquirerAccount {
	w.T.Helper()
	all, err := w.Settings.AcquirerAccounts(w.T.Context(), of)
	if err != nil {
		w.T.Fatal(err)
	}
	return all
}

// WantAcquirers compares the accounts of the world's application: name, methods, whether it is
// enabled, and the settings.
func (w *World) WantAcquirers(want ...string) {
	w.T.Helper()
	var got []string
	for _, s := range w.Acquirers(w.App.ID) {
		settings, err := w.Settings.AcquirerSettings(s)
		got = append(got, fmt.Sprintf("%s %v %v %s", s.Acquirer, s.Methods, s.Enabled, settings))
		if err != nil || s.Application != w.App.ID {
			w.T.Errorf("settings of %s: %v", s.Acquirer, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.T.Errorf("accounts (-want +got):\n%s", diff)
	}
}

// Sealed are all secrets of this package and those below it.
var Sealed = slices.Concat(accounts.Sealed, people.Sealed, settings.Sealed, []sealing.Column{mail.Sealed})

// Check opens all secrets with a key.
func (w *World) Check(key accounts.SecretKey) (int, error) {
	return accounts.CheckSecretKey(w.T.Context(), w.Pool, key, Sealed)
}

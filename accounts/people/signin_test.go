package people_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/argon2"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/domain"
)

func TestSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	got, next, err := w.SignIn("  Salma@SHOP.example ", password, home)
	if err != nil || next != people.NextNothing {
		t.Fatalf("sign in: %v, next %d", err, next)
	}
	diff := cmp.Diff(u, got)
	if diff != "" || got.Role(w.Org) != accounts.RoleOwner || got.Memberships[0].Name != "Shop" {
		t.Errorf("user (-created +signed in):\n%s", diff)
	}
	w.WantSignIn("wrong password", people.ErrBadCredentials, u.Email, password+"x", home)
	w.WantSignIn("empty password", people.ErrBadCredentials, u.Email, "", home)
	w.WantSignIn("a very long one", people.ErrBadCredentials, u.Email, strings.Repeat("x", 10_000), home)
	for _, unknown := range []string{
		"nobody@shop.example", "", "salma", "a@b\x00", "\xff@x", strings.Repeat("a", 1000) + "@x",
	} {
		w.WantSignIn(fmt.Sprintf("as %.20q", unknown), people.ErrBadCredentials, unknown,
			password, "192.0.2.77")
	}
	want := []string{
		"unknown sign_in failed", "unknown sign_in failed", "unknown sign_in failed",
		"salma@shop.example sign_in done",
	}
	if diff := cmp.Diff(want, w.Trail(w.Org, 4)); diff != "" {
		t.Errorf("trail (-want +got):\n%s", diff)
	}
	records, err := w.Accounts.Trail(t.Context(), by(u), w.Org,
		accounts.TrailFilter{Action: people.ActionSignIn, Outcome: accounts.Done})
	if err != nil || len(records) != 1 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	r := records[0]
	if r.User != u.ID || r.Address != home || r.RequestID != "request-2" || !r.At.Equal(accountstest.Noon) {
		t.Errorf("record %+v", r)
	}
	n := w.Count(`SELECT count(*) FROM audit_records r WHERE r::text LIKE '%' || $1 || '%'`, password)
	if n != 0 {
		t.Errorf("%d records have the password", n)
	}
}

// The work does not show whether an address has an account.
func TestUnknownUsersCostTheSame(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	hashes := func(email, password string) int64 {
		before := w.People.Hashes()
		w.WantSignIn(email, people.ErrBadCredentials, email, password, home)
		return w.People.Hashes() - before
	}
	for _, wrong := range []string{"wrong password", "", strings.Repeat("x", 10_000)} {
		known, unknown := hashes(u.Email, wrong), hashes("nobody@shop.example", wrong)
		if known != 1 || unknown != 1 {
			t.Errorf("%d hashes for a user, %d for an unknown address; want one each", known, unknown)
		}
	}
	fresh := w.Person("fresh", w.Org, accounts.RoleOwner)
	known := w.throttledAfter(fresh.Email, "198.51.100.1")
	unknown := w.throttledAfter("nobody2@shop.example", "198.51.100.2")
	if known != unknown {
		t.Errorf("throttled after %d attempts for a user, %d for an unknown address", known, unknown)
	}
}

// The right password many times at once: each attempt succeeds, is throttled or finds no slot;
// none waits for ever.
func TestSigningInAtTheSameTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	users := []people.User{w.Person("a", w.Org, accounts.RoleOwner), w.Person("b", w.Org, accounts.RoleOwner)}
	var wg sync.WaitGroup
	for n := range 24 {
		wg.Go(func() {
			_, _, err := w.SignIn(users[n%2].Email, password, home)
			_, ok := errors.AsType[accounts.Throttled](err)
			if err != nil && !ok && !errors.Is(err, people.ErrBusy) {
				t.Errorf("sign in: %v", err)
			}
		})
	}
	wg.Wait()
	w.Later(time.Minute)
	w.WantSignIn("afterwards", nil, users[0].Email, password, home)
}

func TestHashingIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	release := w.People.HoldHashing()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	before := w.People.Hashes()
	go func() {
		_, _, err := w.People.SignIn(ctx, accounts.Actor{Address: home}, u.Email, password)
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || w.People.Hashes() != before {
		t.Errorf("an attempt that gives up waiting: %v, %d hashes", err, w.People.Hashes()-before)
	}
	release()
	w.WantSignIn("afterwards", nil, u.Email, password, home)
}

// hashedAt is a password's hash at another cost.
func hashedAt(password string, memory, passes uint32) string {
	salt, base64 := []byte("0123456789abcdef"), base64.RawStdEncoding
	key := argon2.IDKey([]byte(password), salt, passes, memory, 1, 32)
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=1$%s$%s", memory, passes,
		base64.EncodeToString(salt), base64.EncodeToString(key))
}

func TestPasswordsAreHashedAgainAtTheCurrentCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	old := hashedAt(password, 128, 3)
	stored := func() (hash string) {
		if err := w.Pool.QueryRow(t.Context(), `SELECT password FROM users`).Scan(&hash); err != nil {
			t.Fatal(err)
		}
		return hash
	}
	options := people.Options{SecretKey: accountstest.SecretKey(t, "5a"), Now: w.Now.Now}
	_, err := people.New(w.Pool, w.Accounts, options).SetPassword(t.Context(), operator, u.Email, password)
	if err != nil || !strings.HasPrefix(stored(), "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("outside tests hashed as %.40s, %v", stored(), err)
	}
	if _, err := w.Owner.Exec(t.Context(), `UPDATE users SET password = $1`, old); err != nil {
		t.Fatal(err)
	}
	w.WantSignIn("wrong", people.ErrBadCredentials, u.Email, "wrong password", home)
	if stored() != old {
		t.Error("a wrong password changed the hash")
	}
	w.WantSignIn("right", nil, u.Email, password, home)
	if got := stored(); got == old || !strings.HasPrefix(got, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("hashed again as %.40s", got)
	}
	w.WantSignIn("right, with the new hash", nil, u.Email, password, home)
	for _, damaged := range []string{
		"", "x", "$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$a2V5",
		"$argon2id$v=19$m=64,t=0,p=1$c2FsdHNhbHQ$a2V5", "$argon2id$v=19$m=64,t=1,p=1$!$a2V5",
	} {
		if _, err := w.Owner.Exec(t.Context(), `UPDATE users SET password = $1`, damaged); err != nil {
			t.Fatal(err)
		}
		_, _, err := w.SignIn(u.Email, password, home)
		if err == nil || errors.Is(err, people.ErrBadCredentials) ||
			damaged != "" && strings.Contains(err.Error(), damaged) {
			t.Errorf("with the hash %q: %v", damaged, err)
		}
	}
}

func TestChangingThePasswordEndsSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const fresh = "سوق الجمعة 2026"
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	session := func(u people.User) error {
		_, err := w.People.SessionUser(t.Context(), u.ID, u.Epoch)
		return err
	}
	if err := session(u); err != nil {
		t.Fatal(err)
	}
	_, err := w.People.ChangePassword(t.Context(), by(u), "wrong password", fresh)
	if !errors.Is(err, people.ErrBadCredentials) {
		t.Errorf("with a wrong password: %v", err)
	}
	_, err = w.People.ChangePassword(t.Context(), by(u), password, "password1")
	if !errors.Is(err, people.PasswordCommon) {
		t.Errorf("to a common one: %v", err)
	}
	if err := session(u); err != nil {
		t.Errorf("a failed change ended the session: %v", err)
	}
	renewed, err := w.People.ChangePassword(t.Context(), by(u), password, fresh)
	if err != nil {
		t.Fatal(err)
	}
	if err := session(renewed); err != nil {
		t.Errorf("the session that changed it: %v", err)
	}
	_, read := w.Accounts.Applications(t.Context(), by(u), w.Org.In(domain.ModeLive))
	_, roll := w.Accounts.RollAPIKey(t.Context(), by(u), w.Org, w.App.ID, time.Time{})
	_, begin := w.People.BeginSecondFactor(t.Context(), by(u))
	_, again := w.People.ChangePassword(t.Context(), by(u), fresh, password)
	for what, err := range map[string]error{
		"look": session(u), "read": read, "roll": roll, "enrol": begin, "change it": again,
	} {
		if !errors.Is(err, accounts.ErrSessionEnded) {
			t.Errorf("%s in an old session: %v, want ErrSessionEnded", what, err)
		}
	}
	w.WantSignIn("the old password", people.ErrBadCredentials, u.Email, password, home)
	w.WantSignIn("the new password", nil, u.Email, fresh, home)
	_, err = w.People.SetPassword(t.Context(), by(renewed), u.Email, password)
	if !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("a user sets a password: %v", err)
	}
	if _, err := w.People.SetPassword(t.Context(), operator, "SALMA@shop.example", password); err != nil {
		t.Fatal(err)
	}
	if err := session(renewed); !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("after the operator set it: %v", err)
	}
	w.WantSignIn("the operator's password", nil, u.Email, password, home)
	for _, want := range []string{
		"password.change failed", "salma@shop.example password.change done",
		"operator:test password.set done",
	} {
		if trail := w.Trail(w.Org, 50); !accountstest.Contains(trail, want) {
			t.Errorf("the trail lacks %q: %q", want, trail)
		}
	}
}

package people_test

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"daftar/accounts"
	"daftar/accounts/people"
)

// samePasswords are passwords as keyboards and systems send them: all forms in a row are the same
// password.
var samePasswords = map[string][]string{
	"a Latin accent": {"caf\u00e9-libya-1", "cafe\u0301-libya-1"},
	"أ, آ and ؤ": {"\u0623\u0645\u0644 \u0622\u0645\u0624 1978",
		"\u0627\u0654\u0645\u0644 \u0627\u0653\u0645\u0648\u0654 1978"},
	"order of shadda": {"\u0645\u062f\u0651\u064e\u0629 \u0637\u0648\u064a\u0644\u0629",
		"\u0645\u062f\u064e\u0651\u0629 \u0637\u0648\u064a\u0644\u0629"},
	"other blanks": {"seven grey camels", "seven\u00a0grey camels", "seven grey\u3000camels",
		"seven\u2003grey\u202fcamels"},
	"Korean": {"\ub2e4\ub78d\uc950 \ud5cc \uccc7\ubc14\ud034",
		norm.NFD.String("\ub2e4\ub78d\uc950 \ud5cc \uccc7\ubc14\ud034")},
	"mixed forms": {"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9 e\u0301",
		"e\u0301\u00e9\u00e9\u00e9\u00e9\u00e9 \u00e9"},
	"an emoji with joiner": {"\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f \u00e9 1978",
		"\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f e\u0301 1978"},
}

// All forms of a password are the same password: to sign in, to change it, through the link of a
// reset and of an invitation.
func TestThePasswordOfAnotherKeyboardSignsIn(t *testing.T) {
	t.Parallel()
	for name, forms := range samePasswords {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			u := w.Person("salma", w.Org, accounts.RoleOwner)
			for _, set := range forms {
				if _, err := w.People.SetPassword(t.Context(), operator, u.Email, set); err != nil {
					t.Fatal(err)
				}
				for _, typed := range forms {
					before := w.People.Hashes()
					w.signedIn(u.Email, typed)
					if n := w.People.Hashes() - before; n != 1 {
						t.Errorf("%+q as %+q took %d hashes", set, typed, n)
					}
				}
				u = w.signedIn(u.Email, forms[0])
				_, err := w.People.ChangePassword(t.Context(), by(u), forms[len(forms)-1], set)
				if err != nil {
					t.Errorf("change %+q: %v", set, err)
				}
				if !people.SamePassword(set, forms[0]) || people.SamePassword(set, forms[0]+"x") {
					t.Errorf("%+q typed twice", set)
				}
			}
			a, sent := w.mailing()
			if err := a.RequestReset(t.Context(), accounts.Actor{Address: home}, u.Email, 0); err != nil {
				t.Fatal(err)
			}
			err := a.ResetPassword(t.Context(), accounts.Actor{Address: home}, sent[u.Email], forms[1])
			if err != nil {
				t.Fatal(err)
			}
			w.signedIn(u.Email, forms[0])
			_, token := w.invite(w.People, w.Org, "new@shop.example", accounts.RoleViewer)
			w.choose(token, forms[1])
			w.signedIn("new@shop.example", forms[0])
		})
	}
}

// Earlier releases hashed what was typed. No user is locked out, and the next sign-in replaces the
// hash.
func TestOldPasswordsOfAnyFormStillSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	stored := func() (hash string) {
		t.Helper()
		err := w.Owner.QueryRow(t.Context(), `SELECT password FROM users WHERE uuid = $1`, u.ID).Scan(&hash)
		if err != nil {
			t.Fatal(err)
		}
		return hash
	}
	old := func(password string) {
		t.Helper()
		_, err := w.Owner.Exec(t.Context(), `UPDATE users SET password = $2 WHERE uuid = $1`,
			u.ID, hashedAt(password, 64, 1))
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, forms := range samePasswords {
		normal := norm.NFC.String(forms[0])
		for _, was := range forms {
			old(was)
			before := stored()
			w.signedIn(u.Email, was) // as it was
			if renewed := stored() != before; renewed != (was != normal) {
				t.Errorf("%s: %+q is hashed again: %v", name, was, renewed)
			}
			for _, typed := range forms {
				taken := w.People.Hashes()
				w.signedIn(u.Email, typed)
				if n := w.People.Hashes() - taken; n != 1 {
					t.Errorf("%s: %+q as %+q took %d hashes", name, was, typed, n)
				}
			}
		}
		// It was set on a system that sends decomposed letters, and is typed on one that does not.
		old(norm.NFD.String(normal))
		w.signedIn(u.Email, normal)
	}
}

// A wrong password costs the same for an unknown address as for a user, whatever its form and
// whatever release hashed the user's.
func TestFormsOfAPasswordTellNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u := w.Person("salma", w.Org, accounts.RoleOwner)
	_, err := w.Owner.Exec(t.Context(), `UPDATE users SET password = $2 WHERE uuid = $1`,
		u.ID, hashedAt("cafe\u0301-libya-2", 64, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{
		"wrong password", "wr\u00f6ng", "wro\u0308ng", "wr\u00f6ngo\u0308", "wrong\u00a0password", "\xff\xfe", "",
		strings.Repeat("\u00e9", 10_000),
	} {
		hashes := func(email string) int64 {
			before := w.People.Hashes()
			w.Later(people.ChallengeLimit * 100) // earlier failures no longer count
			w.WantSignIn(wrong, people.ErrBadCredentials, email, wrong, home)
			return w.People.Hashes() - before
		}
		if known, unknown := hashes(u.Email), hashes("nobody@shop.example"); known != unknown || known > 3 {
			t.Errorf("%+q: %d hashes for a user, %d for an unknown address", wrong, known, unknown)
		}
	}
}

// A new password is checked in its normal form.
func TestRulesOfPasswordsSeeTheNormalForm(t *testing.T) {
	t.Parallel()
	const email = "sa\u00e9@shop.example"
	for password, want := range map[string]error{
		strings.Repeat("e\u0301", 7):         people.PasswordTooShort,
		strings.Repeat("e\u0301", 8):         nil,
		strings.Repeat("e\u0301", 128):       nil,
		strings.Repeat("e\u0301", 129):       people.PasswordTooLong,
		"sae\u0301@shop.example":             people.PasswordIsEmail,
		"\u00a0sae\u0301@shop.example\u3000": people.PasswordIsEmail,
		"one\u00a0two\u00a0three":            nil,
	} {
		if err := people.CheckPassword(password, email); !errors.Is(err, want) {
			t.Errorf("%+q: %v, want %v", password, err, want)
		}
	}
	long := strings.Repeat("e\u0301", 128)
	w := newWorld(t)
	u, err := w.People.CreateUser(t.Context(), operator, w.Org, "salma@shop.example",
		accounts.RoleOwner, long)
	if err != nil {
		t.Fatal(err)
	}
	w.signedIn(u.Email, norm.NFC.String(long))
	w.signedIn(u.Email, long)
	korean := strings.Repeat("\ub2e4", 128) // the most bytes in another form
	if _, err := w.People.SetPassword(t.Context(), operator, u.Email, korean); err != nil {
		t.Fatal(err)
	}
	w.signedIn(u.Email, norm.NFD.String(korean))
}

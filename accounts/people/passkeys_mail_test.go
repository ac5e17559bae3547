package people_test

import (
	"errors"
	"testing"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/internal/locale"
)

// A thief that has created an account for an address in advance cannot keep a passkey: when the
// owner of the address uses a link that was mailed there, of an invitation or of a password reset,
// the passkey is removed.
func TestAPasskeyOfAClaimedAccountOpensNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mailing, sent := w.mailing()
	takeOver := map[string]func(address string){
		"invited@big.example": func(address string) {
			w.invite(mailing, w.Org, address, accounts.RoleOwner)
			w.choose(sent[address], password)
		},
		"forgot@big.example": func(address string) {
			if err := mailing.RequestReset(t.Context(), from(home), address, locale.English); err != nil {
				t.Fatal(err)
			}
			if err := mailing.ResetPassword(t.Context(), from(home), sent[address], password); err != nil {
				t.Fatal(err)
			}
		},
	}
	for address, recoverBy := range takeOver {
		_, thief := w.claimed(address, "chosen by the thief")
		phone := w.phone(thief, "Phone")
		if err := w.People.AskForPasskey(t.Context(), by(thief), true); err != nil {
			t.Fatal(err)
		}
		if _, err := w.signInWithPasskey(phone); err != nil {
			t.Fatal(err)
		}
		recoverBy(address)
		if _, err := w.signInWithPasskey(phone); !errors.Is(err, people.ErrBadPasskey) {
			t.Errorf("%s: the thief's passkey: %v", address, err)
		}
		// The owner does not need the thief's passkey, and keeps a new one.
		mine := w.phone(w.signedIn(address, password), "Mine")
		if err := mailing.RequestReset(t.Context(), from("192.0.2.99"), address, locale.English); err != nil {
			t.Fatal(err)
		}
		if err := mailing.ResetPassword(t.Context(), from(home), sent[address], "another password"); err != nil {
			t.Fatal(err)
		}
		if _, err := w.signInWithPasskey(mine); err != nil {
			t.Errorf("%s: the owner's passkey after a reset: %v", address, err)
		}
	}
}

package people_test

import (
	"errors"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/accountstest"
	"daftar/accounts/people"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

// post collects the mails of a test: the last token to each address.
type post map[string]string

// mailing is the People of a server that sends mail, on the same database.
func (w *world) mailing() (*people.People, post) {
	w.T.Helper()
	sent := post{}
	return w.PeopleWith(people.Options{Letters: sent}), sent
}

func (p post) Invitation(i people.Invitation, token string) mail.Message {
	p[i.Email] = token
	return mail.Message{To: i.Email, Subject: i.OrganizationName, Text: token}
}

func (p post) PasswordReset(r people.PasswordReset, token string, l locale.Lang) mail.Message {
	p[r.Email] = token
	return mail.Message{To: r.Email, Subject: l.String(), Text: token}
}

func (p post) SignUp(s people.SignUp, token string, l locale.Lang) mail.Message {
	p[s.Email] = token
	return mail.Message{To: s.Email, Subject: l.String(), Text: token}
}

func (p post) PasswordChanged(email string, at time.Time) mail.Message {
	p[email+" changed"] = at.String()
	return mail.Message{To: email, Subject: "changed"}
}

// A link that came by mail proves the address. Its user takes over an account that a thief has
// created for the address: the thief's password and sessions end.
func TestMailProvesAnAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const address, stolen = "ceo@big.example", "chosen by the thief"
	thiefs, thief := w.claimed(address, stolen)
	mailing, sent := w.mailing()
	if made, token := w.invite(mailing, w.Org, address, accounts.RoleOwner); token != "" || !made.ByMail ||
		made.OrganizationName != "Shop" {
		t.Errorf("the inviter was shown %q, %+v", token, made)
	}
	w.choose(sent[address], password)
	_, err := w.People.SessionUser(t.Context(), thief.ID, thief.Epoch)
	if !errors.Is(err, accounts.ErrSessionEnded) {
		t.Errorf("the thief's session: %v", err)
	}
	w.WantSignIn("the thief", people.ErrBadCredentials, address, stolen, "198.51.100.7")
	u := w.signedIn(address, password)
	if err := w.accept(u, sent[address]); err != nil {
		t.Fatal(err)
	}
	if n := w.Count(`SELECT count(*) FROM users WHERE email_proved_at IS NOT NULL`); n != 1 {
		t.Errorf("%d proved addresses", n)
	}
	if n := w.Count(`SELECT count(*) FROM mails`); n != 0 {
		t.Error("the mail of an invitation that was accepted waits")
	}
	if !accountstest.Contains(w.Trail(thiefs.Org, 9), address+" password.change done") {
		t.Errorf("the trail is %q", w.Trail(thiefs.Org, 9))
	}
	// A proved account keeps its password when another one is chosen.
	third := accountstest.NewShop(t, w.Accounts)
	w.invite(mailing, third.Org, address, accounts.RoleViewer)
	w.choose(sent[address], "another password")
	if err := w.accept(w.signedIn(address, password), sent[address]); err != nil {
		t.Error(err)
	}
	// So does an account that was created through the mail.
	w.invite(mailing, w.Org, "new@shop.example", accounts.RoleViewer)
	w.choose(sent["new@shop.example"], password)
	w.choose(sent["new@shop.example"], "another password")
	w.signedIn("new@shop.example", password)
	// And so does one that an operator created.
	made := w.Person("made", third.Org, accounts.RoleViewer)
	w.invite(mailing, w.Org, made.Email, accounts.RoleViewer)
	w.choose(sent[made.Email], "another password")
	if err := w.accept(made, sent[made.Email]); err != nil {
		t.Error(err)
	}
	if n := w.Count(`SELECT count(*) FROM users WHERE email_proved_at IS NOT NULL`); n != 3 {
		t.Errorf("%d proved addresses", n)
	}
}

// A mail is queued with its invitation and withdrawn with it. In the queue it is sealed under the
// secret key.
func TestInvitationsAreQueued(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, sent := w.mailing()
	owner := w.Person("owner", w.Org, accounts.RoleOwner)
	i, _ := w.invite(a, w.Org, "new@shop.example", accounts.RoleViewer)
	listed, err := a.Invitations(t.Context(), by(owner), w.Org)
	if err != nil || len(listed) != 1 || listed[0].Delivery.State != mail.Pending ||
		listed[0].Delivery.Error != "" {
		t.Errorf("listed %+v, %v", listed, err)
	}
	for _, readable := range []string{"new@shop", sent["new@shop.example"]} {
		n := w.Count(`
SELECT count(*)
FROM mails m
WHERE encode(message, 'escape') || m::text LIKE '%' || $1 || '%'`, readable)
		if n != 0 {
			t.Error("the mail can be read in the queue")
		}
	}
	n, err := w.Check(accountstest.SecretKey(t, "5a"))
	if err != nil || n != 2 { // the webhook secret is the other
		t.Errorf("%d sealed secrets, %v", n, err)
	}
	w.invite(a, w.Org, "New@shop.example", accounts.RoleViewer)
	if n := w.Count(`SELECT count(*) FROM mails WHERE uuid = $1`, i.ID); n != 0 {
		t.Error("the mail of a replaced invitation waits")
	}
	latest, err := a.Invitations(t.Context(), by(owner), w.Org)
	if err != nil || len(latest) != 1 {
		t.Fatal(latest, err)
	}
	stopRefusing := w.RefuseRecords()
	err = a.RevokeInvitation(t.Context(), by(owner), w.Org, latest[0].ID)
	if err == nil || w.Count(`SELECT count(*) FROM mails`) != 1 {
		t.Errorf("without a record: %v", err)
	}
	stopRefusing()
	err = a.RevokeInvitation(t.Context(), by(owner), w.Org, latest[0].ID)
	if err != nil || w.Count(`SELECT count(*) FROM mails`) != 0 {
		t.Errorf("withdrawn: %v", err)
	}
	keyless := people.New(w.Pool, w.Accounts, people.Options{Now: w.Now.Now, Letters: post{}})
	_, _, err = keyless.Invite(t.Context(), operator, w.Org, "x@shop.example", accounts.RoleViewer)
	if !errors.Is(err, accounts.ErrNoSecretKey) {
		t.Errorf("without a key: %v", err)
	}
	if n := w.Count(`SELECT count(*) FROM invitations WHERE revoked_at IS NULL`); n != 0 {
		t.Error("an invitation without its mail is open")
	}
}

// Invitations do not flood a mailbox, whatever the server and the organisation.
func TestMailboxesAreNotFilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, _ := w.mailing()
	other := accountstest.NewShop(t, w.Accounts)
	owners := map[accounts.OrganizationID]people.User{
		w.Org:     w.Person("owner", w.Org, accounts.RoleOwner),
		other.Org: w.Person("second", other.Org, accounts.RoleOwner),
	}
	invite := func(org accounts.OrganizationID, email string) error {
		again, _ := w.mailing()
		_, _, err := again.Invite(t.Context(), by(owners[org]), org, email, accounts.RoleViewer)
		return err
	}
	refused := 0
	for range 5 {
		for org := range owners {
			err := invite(org, "Victim@shop.example")
			if _, throttled := errors.AsType[accounts.Throttled](err); throttled {
				refused++
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	if refused < 6 {
		t.Errorf("%d of 10 mails in a row were refused", refused)
	}
	if err := invite(w.Org, "another@shop.example"); err != nil {
		t.Errorf("to another address: %v", err)
	}
	w.Later(15 * time.Minute)
	if err := invite(w.Org, "victim@shop.example"); err != nil {
		t.Errorf("later: %v", err)
	}
	_, _, err := a.Invite(t.Context(), operator, w.Org, "victim@shop.example", accounts.RoleViewer)
	if err != nil {
		t.Errorf("by an operator: %v", err)
	}
	viewer := w.Person("viewer", w.Org, accounts.RoleViewer)
	_, _, err = a.Invite(t.Context(), by(viewer), w.Org, "x@shop.example", accounts.RoleViewer)
	if !errors.Is(err, accounts.ErrForbidden) {
		t.Errorf("by a viewer: %v", err)
	}
}

package dashboard_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/people/passkeytest"
	"daftar/dashboard"
)

// challenge is the challenge that the script of a page fetches for the device.
func (c *client) challenge(path string) any {
	c.t.Helper()
	path, _, _ = strings.Cut(path, "?")
	a := c.post(path+"/challenge").is(c.t, http.StatusOK)
	var options any
	if err := json.Unmarshal([]byte(a.body), &options); err != nil {
		c.t.Fatalf("%s: %v in %s", path, err, a.body)
	}
	return options
}

// usePasskey answers a form with a passkey, as its script does.
func (c *client) usePasskey(path string, device *passkeytest.Device, fields ...string) answer {
	c.t.Helper()
	return c.post(path, append(fields, "credential", device.Get(c.challenge(path)))...)
}

// phone is a new device with a passkey of the client's user.
func (c *client) phone(name string) *passkeytest.Device {
	c.t.Helper()
	const path = "/dashboard/account/passkeys"
	device := passkeytest.New(c.t, passkeySite)
	c.post(path, "name", name, "credential", device.Create(c.challenge(path))).leads(c.t, path)
	return device
}

// phoneOf is a new device with a passkey of another user.
func (w *world) phoneOf(t *testing.T, u people.User) (*passkeytest.Device, uuid.UUID) {
	t.Helper()
	device, by := passkeytest.New(t, passkeySite), u.Actor("192.0.2.1", "")
	challenge, err := w.people.BeginPasskey(t.Context(), by)
	if err == nil {
		err = w.people.AddPasskey(t.Context(), by, challenge.Ticket, "Phone",
			device.Create(challenge.Options))
	}
	if err != nil {
		t.Fatal(err)
	}
	all, err := w.people.Passkeys(t.Context(), by)
	if err != nil {
		t.Fatal(err)
	}
	return device, all[0].ID
}

func TestPasskeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	c.get("/dashboard/account?lang=en").is(t, http.StatusOK).has(t, "Passkeys0 Manage passkeys")
	page := c.get("/dashboard/account/passkeys?lang=en").is(t, http.StatusOK).has(t, "You have no passkey yet.")
	if got := page.header.Get("Permissions-Policy"); !strings.Contains(got, "publickey-credentials-get=(self)") {
		t.Errorf("the page may not use passkeys: %s", got)
	}
	phone := c.phone("My phone")
	c.get("/dashboard/account/passkeys?lang=en").has(t, "My phone", "Not used yet", "Not asked for")
	c.post("/dashboard/sign-out").leads(t, "/dashboard/sign-in")
	// The session has ended; the passkey starts another, and leads to the page.
	c.get(w.ours.path("audit")).leads(t, "/dashboard/sign-in")
	c.usePasskey("/dashboard/sign-in/passkey", phone, "next", w.ours.path("audit")).
		leads(t, w.ours.path("audit"))
	c.get(w.ours.path("audit")+"?lang=en").is(t, http.StatusOK).has(t, "Sign-in", "Passkey: My phone")
	c.get("/dashboard/account/passkeys?lang=en").lacks(t, "Not used yet")

	credential := phone.Get(c.challenge("/dashboard/confirm/passkey"))
	c.post("/dashboard/account/passkeys?lang=en", "name", "", "credential", credential).
		is(t, http.StatusUnprocessableEntity).has(t, "Enter a name")
	c.post("/dashboard/account/passkeys?lang=en", "name", "X", "credential", "{}").
		is(t, http.StatusUnprocessableEntity).has(t, "took too long")
	c.challenge("/dashboard/account/passkeys")
	c.post("/dashboard/account/passkeys?lang=en", "name", "X", "credential", "{}").
		is(t, http.StatusUnprocessableEntity).has(t, "was not accepted")
	c.post("/dashboard/account/passkeys/nonsense/remove").is(t, http.StatusNotFound)

	form := c.get("/dashboard/account/passkeys").body
	_, id, _ := strings.Cut(form, `action="/dashboard/account/passkeys/`)
	id, _, _ = strings.Cut(id, "/remove")
	c.post("/dashboard/account/passkeys/"+id+"/remove").leads(t, "/dashboard/account/passkeys")
	stranger := w.client(t)
	stranger.usePasskey("/dashboard/sign-in/passkey?lang=en", phone).is(t, http.StatusUnprocessableEntity).
		has(t, "The passkey was not accepted")
}

// An answer of a passkey signs in once, in one browser only.
func TestPasskeyAnswersAreNotReplayed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phone, _ := w.phoneOf(t, w.ours.people[accounts.RoleOwner])
	const path = "/dashboard/sign-in/passkey"
	c, thief := w.client(t), w.client(t)
	credential := phone.Get(c.challenge(path))
	refused := func(who *client, words string) {
		t.Helper()
		who.post(path+"?lang=en", "credential", credential).is(t, http.StatusUnprocessableEntity).has(t, words)
		who.get("/dashboard").leads(t, "/dashboard/sign-in")
	}
	refused(thief, "took too long, or was sent before") // it has no ticket
	thief.challenge(path)
	refused(thief, "was not accepted") // it has another
	replayed := c.sameBrowser()
	c.post(path, "credential", credential).leads(t, "/dashboard")
	c.get(w.ours.path("audit")).is(t, http.StatusOK)
	refused(c.forgetSession(), "was sent before") // the ticket is gone from the browser
	refused(replayed, "was sent before")
}

// forgetSession is a browser like this one without the session.
func (c *client) forgetSession() *client {
	c.t.Helper()
	address, err := url.Parse(c.w.server.URL)
	if err != nil {
		c.t.Fatal(err)
	}
	other := c.w.client(c.t)
	for _, cookie := range c.http.Jar.Cookies(address) {
		if strings.Contains(cookie.Name, "-") {
			other.http.Jar.SetCookies(address, []*http.Cookie{cookie})
		}
	}
	return other
}

func TestAPasskeyAfterThePassword(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, email := w.owner(t), w.ours.email(accounts.RoleOwner)
	phone := owner.phone("Phone")
	owner.post("/dashboard/account/passkeys/require", "ask", "yes").leads(t, "/dashboard/account/passkeys")
	owner.get("/dashboard/account/second-factor?lang=en").has(t, "A passkey is asked for after the password.")
	c := w.client(t)
	signIn := func() {
		t.Helper()
		c.post("/dashboard/sign-in?lang=en", "email", email, "password", password, "next", w.ours.path("audit")).
			leads(t, "/dashboard/code")
	}
	signIn()
	c.get(w.ours.path("audit")).leads(t, "/dashboard/sign-in")
	c.get("/dashboard/code?lang=en").is(t, http.StatusOK).
		has(t, "The password is right. Now confirm with your passkey.").lacks(t, `name="code"`)
	c.post("/dashboard/code", "code", "123456").leads(t, "/dashboard/sign-in") // there are no codes
	other, _ := w.phoneOf(t, w.ours.people[accounts.RoleViewer])
	signIn()
	options := c.challenge("/dashboard/code/passkey").(map[string]any)
	delete(options, "allowCredentials")
	c.post("/dashboard/code/passkey?lang=en", "credential", other.Get(options)).
		is(t, http.StatusUnprocessableEntity).has(t, "was not accepted")
	c.get(w.ours.path("audit")).leads(t, "/dashboard/sign-in")
	c.usePasskey("/dashboard/code/passkey", phone).leads(t, w.ours.path("audit"))
	c.get(w.ours.path("audit")+"?lang=en").is(t, http.StatusOK).has(t, "Second step: Passkey")

	// The same where the sign-in is old: the password alone does not confirm.
	w.wait(16 * time.Minute)
	invite := w.ours.path("people/invite")
	c.follow(c.get(invite+"?lang=en")).has(t, "Confirm with your passkey").lacks(t, `name="password"`)
	c.post("/dashboard/confirm", "password", password, "next", invite).leads(t, "/dashboard/confirm")
	c.get(invite).leads(t, "/dashboard/confirm")
	c.usePasskey("/dashboard/confirm/passkey", phone, "next", invite).leads(t, invite)
	c.get(invite).is(t, http.StatusOK)

	// With an app as well, a code or a passkey is enough; turning the app off keeps the passkey.
	secret, _ := c.enrol()
	codes := w.client(t)
	codes.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard/code")
	codes.get("/dashboard/code?lang=en").has(t, "Six digits", "Use a passkey")
	codes.post("/dashboard/code", "code", w.totp(t, secret)).leads(t, "/dashboard")
	codes.post("/dashboard/account/second-factor/disable").leads(t, "/dashboard/account")
	signIn()
	c.get("/dashboard/code").lacks(t, `name="code"`)
}

func TestPasskeysOfAColleagueAreReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	viewer := w.as(t, w.ours.email(accounts.RoleViewer))
	phone := viewer.phone("Phone")
	owner, person := w.owner(t), w.ours.path("people/"+w.ours.people[accounts.RoleViewer].ID.String())
	owner.get(person+"?lang=en").has(t, "Remove the passkeys")
	owner.post(person+"/passkeys/remove").leads(t, w.ours.path("people"))
	owner.get(person+"?lang=en").lacks(t, "Remove the passkeys")
	owner.post(person+"/passkeys/remove").leads(t, person) // twice
	viewer.get(w.ours.path("payments")).leads(t, "/dashboard/sign-in")
	w.client(t).usePasskey("/dashboard/sign-in/passkey", phone).is(t, http.StatusUnprocessableEntity)

	// The passkeys of a member of other organisations cannot be removed.
	developer := w.ours.people[accounts.RoleDeveloper]
	w.phoneOf(t, developer)
	w.join(t, developer, w.other, accounts.RoleViewer)
	owner.post(w.ours.path("people/"+developer.ID.String()+"/passkeys/remove?lang=en")).
		is(t, http.StatusUnprocessableEntity).has(t, "Only the people who run the service")
}

// Without passkeys no page offers them.
func TestWithoutPasskeys(t *testing.T) {
	t.Parallel()
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, func(c *dashboard.Config) {
		c.People = people.New(c.Pool, c.Accounts, people.Options{
			SecretKey: key, Now: c.Now, CheapPasswords: true, PublicURL: "http://pay.example",
		})
	})
	c := w.client(t)
	page := c.get("/dashboard/sign-in").is(t, http.StatusOK).lacks(t, "data-passkey", "passkeys.js")
	if got := page.header.Get("Permissions-Policy"); !strings.Contains(got, "publickey-credentials-get=()") {
		t.Errorf("the page may use passkeys: %s", got)
	}
	c.post("/dashboard/sign-in/passkey/challenge").is(t, http.StatusNotFound)
	c.post("/dashboard/sign-in/passkey", "credential", "{}").is(t, http.StatusNotFound)
	owner := w.owner(t)
	owner.get("/dashboard/account").is(t, http.StatusOK).lacks(t, "account/passkeys")
	owner.get("/dashboard/account/passkeys").is(t, http.StatusNotFound)
	owner.post("/dashboard/account/passkeys/challenge").is(t, http.StatusNotFound)
}

// ofPasskey is a request about a passkey of the caller.
func ofPasskey(path string, fields ...string) func(*asking) request {
	return func(r *asking) request {
		id := uuid.NewString()
		if r.role != "" {
			_, made := r.w.phoneOf(r.t, r.user())
			id = made.String()
		}
		return at(strings.Replace(path, "{passkey}", id, 1), fields...)(r)
	}
}

// user is the caller.
func (r *asking) user() people.User {
	r.t.Helper()
	u, err := r.w.people.FindUser(r.t.Context(), operator, r.email)
	if err != nil {
		r.t.Fatal(err)
	}
	return u
}

func signingInWithPasskey(r *asking) request {
	phone, _ := r.w.phoneOf(r.t, r.person(r.of, newEmail(), accounts.RoleViewer))
	const path = "/sign-in/passkey"
	return at(path, "credential", phone.Get(r.client.challenge("/dashboard"+path)))(r)
}

func confirmingWithPasskey(r *asking) request {
	const path = "/confirm/passkey"
	if r.role == "" {
		return at(path, "credential", "{}")(r)
	}
	phone, _ := r.w.phoneOf(r.t, r.user())
	return at(path, "credential", phone.Get(r.client.challenge("/dashboard"+path)))(r)
}

func addingPasskey(r *asking) request {
	const path = "/account/passkeys"
	if r.role == "" {
		return at(path, "name", "Phone", "credential", "{}")(r)
	}
	phone := passkeytest.New(r.t, passkeySite)
	return at(path, "name", "Phone", "credential", phone.Create(r.client.challenge("/dashboard"+path)))(r)
}

func losingPasskeys(r *asking) request {
	u := r.person(r.of, newEmail(), accounts.RoleViewer)
	r.mark(r.of, u.ID.String(), u.Email)
	r.w.phoneOf(r.t, u)
	return r.below("/people/" + u.ID.String() + "/passkeys/remove")
}

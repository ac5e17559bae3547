package dashboard_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard"
)

// totp is what an authenticator app shows now.
func (w *world) totp(t *testing.T, secret string) string {
	t.Helper()
	secret = strings.ReplaceAll(secret, " ", "")
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(w.now().Unix()/30))
	mac := hmac.New(sha1.New, key)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fff_ffff%1_000_000)
}

// beginEnrolment returns the secret that an authenticator app scans.
func (c *client) beginEnrolment(t *testing.T) string {
	t.Helper()
	page := c.post("/dashboard/account/second-factor").is(t, http.StatusOK)
	uri, err := url.Parse(page.form(t, "/second-factor/confirm").Get("uri"))
	if err != nil {
		t.Fatal(err)
	}
	return uri.Query().Get("secret")
}

// enrol turns on the second factor of the signed-in user.
func (c *client) enrol() (secret string, codes []string) {
	c.t.Helper()
	secret = c.beginEnrolment(c.t)
	page := c.post("/dashboard/account/second-factor/confirm", "code", c.w.totp(c.t, secret)).
		is(c.t, http.StatusOK)
	_, list, _ := strings.Cut(page.body, `<ul class="codes">`)
	list, _, _ = strings.Cut(list, "</ul>")
	for item := range strings.SplitSeq(list, "<li>") {
		if code, _, found := strings.Cut(item, "</li>"); found {
			codes = append(codes, code)
		}
	}
	if len(codes) != 10 {
		c.t.Fatalf("%d recovery codes:\n%s", len(codes), page.text())
	}
	c.w.wait(time.Minute) // the code is used up
	return secret, codes
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.client(t)
	email := w.ours.email(accounts.RoleOwner)
	c.get(w.ours.path("people?x=1")).leads(t, "/dashboard/sign-in")
	page := c.follow(c.get(w.ours.path("people?x=1"))).is(t, http.StatusOK)
	form := page.form(t, "/sign-in")
	if next := form.Get("next"); next != w.ours.path("people?x=1") {
		t.Errorf("next is %q", next)
	}
	for _, header := range []string{"Content-Security-Policy", "X-Request-Id"} {
		if page.header.Get(header) == "" {
			t.Errorf("no %s", header)
		}
	}
	if got := page.header.Get("Referrer-Policy"); got != "same-origin" {
		t.Errorf("Referrer-Policy is %q", got)
	}
	before := c.cookie()
	c.post("/dashboard/sign-in", "email", email, "password", password, "next", form.Get("next")).
		leads(t, w.ours.path("people?x=1"))
	after := c.cookie()
	if after == "" || after == before {
		t.Errorf("the cookie was %q and is %q", before, after)
	}
	c.get(w.ours.path("people?x=1")).is(t, http.StatusOK).has(t, email)
	// Signed-in users are redirected.
	c.get("/dashboard/sign-in").leads(t, "/dashboard")
	c.get("/dashboard/sign-in?next="+url.QueryEscape(w.ours.path("audit"))).leads(t, w.ours.path("audit"))
	got := w.trail(t, w.ours, people.ActionSignIn)
	if len(got) != 1 || got[0].Actor != email || got[0].Address != "127.0.0.1" {
		t.Errorf("recorded %+v", got)
	}
	c.post("/dashboard/sign-out").leads(t, "/dashboard/sign-in")
	c.get(w.ours.path("people")).leads(t, "/dashboard/sign-in")
	if got := w.trail(t, w.ours, people.ActionSignOut); len(got) != 1 {
		t.Errorf("recorded %+v", got)
	}
}

// cookie is the session's token in the browser.
func (c *client) cookie() string {
	address, _ := url.Parse(c.w.server.URL)
	for _, cookie := range c.http.Jar.Cookies(address) {
		if !strings.HasSuffix(cookie.Name, "-device") {
			return cookie.Value
		}
	}
	return ""
}

// A wrong password and an unknown address get the same answer, byte for byte, except for the
// typed address and the page's own address.
func TestWrongPasswordAndUnknownAddressAreAlike(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pages := make(map[string]string)
	known := w.ours.email(accounts.RoleOwner)
	for _, email := range []string{known, "nobody@ours.example"} {
		page := w.client(t).post("/dashboard/sign-in?lang=en", "email", email,
			"password", "wrong but long enough").is(t, http.StatusUnprocessableEntity)
		page.has(t, "The email address or the password is wrong.")
		pages[email] = strings.ReplaceAll(page.body, email, "EMAIL")
	}
	if pages[known] != pages["nobody@ours.example"] {
		t.Errorf("the pages differ:\n%s\n%s", pages[known], pages["nobody@ours.example"])
	}
}

func TestTooManyAttemptsSayWhen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stopClock() // the first pause is a second, which may pass on a busy machine
	c := w.client(t)
	var a answer
	for range 20 {
		a = c.post("/dashboard/sign-in?lang=en", "email", w.ours.email(accounts.RoleOwner), "password",
			"wrong but long enough")
		if a.status == http.StatusTooManyRequests {
			break
		}
	}
	a.is(t, http.StatusTooManyRequests).has(t, "Try again in", "so this one was not tried")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	// The right password has to wait as well, and works afterwards.
	c.post("/dashboard/sign-in", "email", w.ours.email(accounts.RoleOwner), "password", password).
		is(t, http.StatusTooManyRequests)
	w.wait(15 * time.Minute)
	c.post("/dashboard/sign-in", "email", w.ours.email(accounts.RoleOwner), "password", password).
		leads(t, "/dashboard")
}

func TestSecondFactor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	email := w.ours.email(accounts.RoleOwner)
	secret, codes := w.owner(t).enrol()
	c := w.client(t)
	c.get("/dashboard/code").leads(t, "/dashboard/sign-in")
	c.post("/dashboard/sign-in?lang=en", "email", email, "password", password, "next", w.ours.path("audit")).
		leads(t, "/dashboard/code")
	asked := c.cookie()
	c.get("/dashboard/code").is(t, http.StatusOK)
	// The password alone opens nothing.
	c.get(w.ours.path("audit")).leads(t, "/dashboard/sign-in")
	c.post("/dashboard/code?lang=en", "code", "000000").is(t, http.StatusUnprocessableEntity).
		has(t, "The code is wrong")
	arabic := strings.Map(func(r rune) rune { return r - '0' + '٠' }, w.totp(t, secret))
	c.post("/dashboard/code", "code", arabic).leads(t, w.ours.path("audit"))
	if c.cookie() == asked {
		t.Error("the session kept its number")
	}
	c.get(w.ours.path("audit")).is(t, http.StatusOK)

	// A recovery code, in small letters, works once.
	for n, want := range []int{http.StatusSeeOther, http.StatusUnprocessableEntity} {
		c := w.client(t)
		c.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard/code")
		if a := c.post("/dashboard/code", "code", strings.ToLower(codes[0])); a.status != want {
			t.Errorf("use %d: status %d, want %d", n+1, a.status, want)
		}
	}
	// The password counts for ten minutes.
	late := w.client(t)
	late.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard/code")
	w.wait(11 * time.Minute)
	late.post("/dashboard/code", "code", w.totp(t, secret)).leads(t, "/dashboard/sign-in")
}

func TestNextIsOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, next := range []string{
		"https://evil.example/dashboard", "//evil.example/dashboard", `/\evil.example`, "/dashboard/../pay/x",
		"javascript:alert(1)", "/dashboardx", "/pay/x", "https:/dashboard", "/dashboard@evil.example",
		"/dashboard//evil", strings.Repeat("/dashboard", 300),
	} {
		c := w.client(t)
		a := c.post("/dashboard/sign-in", "email", w.ours.email(accounts.RoleOwner),
			"password", password, "next", next)
		if got := a.header.Get("Location"); a.status != http.StatusSeeOther || got != "/dashboard" {
			t.Errorf("next %q leads to %q", next, got)
		}
	}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	invite := w.ours.path("people/invite")
	c.get(invite).is(t, http.StatusOK)
	w.wait(16 * time.Minute)
	c.get(w.ours.path("people")).is(t, http.StatusOK)
	page := c.follow(c.get(invite)).is(t, http.StatusOK)
	next := page.form(t, "/confirm").Get("next")
	// A form that was sent too late leads back to its page.
	c.at = invite
	c.post(invite, "email", "new@ours.example", "role", "viewer").
		leads(t, "/dashboard/confirm?next="+url.QueryEscape(invite))
	c.post("/dashboard/confirm?lang=en", "password", "wrong but long enough", "next", next).
		is(t, http.StatusUnprocessableEntity).has(t, "The password is wrong.")
	before := c.cookie()
	c.post("/dashboard/confirm", "password", password, "next", next).leads(t, invite)
	if c.cookie() == before {
		t.Error("the session kept its number")
	}
	c.get(invite).is(t, http.StatusOK)

	secret, _ := c.enrol()
	c.get("/dashboard/confirm").has(t, "الرمز")
	c.post("/dashboard/confirm?lang=en", "password", password, "code", "123456").
		is(t, http.StatusUnprocessableEntity).has(t, "The code is wrong")
	c.post("/dashboard/confirm", "password", password, "code", w.totp(t, secret)).leads(t, "/dashboard")
}

// With https the cookie's name binds it to the host; with http it does not.
func TestCookie(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ public, name string }{{"http://127.0.0.1:8080", "daftar"},
		{"https://pay.example", "__Host-daftar"}} {
		w := newWorld(t, func(c *dashboard.Config) { c.PublicURL = row.public })
		a := w.client(t).post("/dashboard/sign-in", "email", w.ours.email(accounts.RoleViewer),
			"password", password)
		cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
		if err != nil {
			t.Fatal(err)
		}
		https := strings.HasPrefix(row.public, "https")
		if cookie.Name != row.name || cookie.Secure != https || !cookie.HttpOnly ||
			cookie.SameSite != http.SameSiteLaxMode ||
			cookie.Path != "/" || cookie.Domain != "" || !cookie.Expires.IsZero() {
			t.Errorf("%s: %+v", row.public, cookie)
		}
		var kept int
		err = w.pool.QueryRow(t.Context(), `SELECT count(*) FROM sessions WHERE token = $1`,
			cookie.Value).Scan(&kept)
		if err != nil {
			t.Fatal(err)
		}
		if kept != 0 {
			t.Error("the database has the cookie's value")
		}
	}
}

// A session ends after half an hour without a request.
func TestSessionEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	var left time.Duration
	err := w.pool.QueryRow(t.Context(), `SELECT expires_at - now() FROM sessions`).Scan(&left)
	if err != nil {
		t.Fatal(err)
	}
	if left < 29*time.Minute || left > 31*time.Minute {
		t.Errorf("the session ends in %v", left)
	}
	_, err = w.pool.Exec(t.Context(), `UPDATE sessions SET expires_at = now() - interval '1 second'`)
	if err != nil {
		t.Fatal(err)
	}
	c.get(w.ours.path("people")).leads(t, "/dashboard/sign-in")
}

// If a session cannot be saved, the answer is an error: it shows no signed-in user, sets no cookie
// and does not redirect.
func TestSessionThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, email := w.owner(t), w.ours.email(accounts.RoleOwner)
	_, err := w.db.OwnerPool(t).Exec(t.Context(),
		`ALTER TABLE sessions ADD CONSTRAINT full_up CHECK (false) NOT VALID`)
	if err != nil {
		t.Fatal(err)
	}
	for what, a := range map[string]answer{
		"a page": c.get(w.ours.path("people")), "an export": c.get(w.ours.path("payments.csv")),
		"a redirect": c.get("/dashboard"),
		"a sign-in":  w.client(t).post("/dashboard/sign-in", "email", email, "password", password),
	} {
		a.is(t, http.StatusInternalServerError).lacks(t, email)
		if a.header.Get("Set-Cookie") != "" || a.header.Get("Location") != "" {
			t.Errorf("%s: %v", what, a.header)
		}
	}
}

// Forms are accepted from our own pages only.
func TestCrossSiteForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		w.server.URL+"/dashboard/sign-out", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := c.http.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusForbidden {
		t.Errorf("status %d", response.StatusCode)
	}
	c.get("/dashboard/account").is(t, http.StatusOK)
}

package dashboard_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/dashboard"
	"daftar/internal/postgres/pgtest"
)

// device is the cookie by which the browser is known.
func (c *client) device() *http.Cookie {
	c.t.Helper()
	address, err := url.Parse(c.w.server.URL)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, cookie := range c.http.Jar.Cookies(address) {
		if strings.HasSuffix(cookie.Name, "-device") {
			return cookie
		}
	}
	return nil
}

// Failed sign-ins of others from the same address do not lock out a browser in which the owner
// has signed in before.
func TestAKnownBrowserSignsInDespiteStrangers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stopClock()
	owner, email := w.owner(t), w.ours.email(accounts.RoleOwner)
	owner.post("/dashboard/sign-out").leads(t, "/dashboard/sign-in")
	if owner.device() == nil {
		t.Fatal("signing out forgot the browser")
	}
	stranger := w.client(t)
	for range 5 {
		stranger.post("/dashboard/sign-in", "email", email, "password", "wrong but long enough").
			is(t, http.StatusUnprocessableEntity)
	}
	stranger.post("/dashboard/sign-in", "email", email, "password", password).is(t, http.StatusTooManyRequests)
	owner.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard")

	// With a second factor the browser is known once the code was right.
	secret, _ := owner.enrol()
	w.wait(2 * time.Hour)
	second := w.client(t)
	second.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard/code")
	if second.device() != nil {
		t.Error("the browser is known by the password alone")
	}
	second.post("/dashboard/code", "code", w.totp(t, secret)).leads(t, "/dashboard")
	if second.device() == nil {
		t.Error("the browser is not known")
	}
}

func TestDeviceCookie(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ public, name string }{
		{"http://127.0.0.1:8080", "daftar-device"},
		{"https://pay.example", "__Host-daftar-device"},
	} {
		w := newWorld(t, func(c *dashboard.Config) { c.PublicURL = row.public })
		a := w.client(t).post("/dashboard/sign-in", "email", w.ours.email(accounts.RoleViewer),
			"password", password)
		cookie, err := http.ParseSetCookie(a.header.Values("Set-Cookie")[1])
		if err != nil {
			t.Fatal(err)
		}
		https := strings.HasPrefix(row.public, "https")
		if cookie.Name != row.name || cookie.Secure != https || !cookie.HttpOnly ||
			cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" ||
			cookie.MaxAge != 180*24*60*60 || strings.Contains(cookie.Value, "@") {
			t.Errorf("%s: %+v", row.public, cookie)
		}
	}
}

// If too many passwords wait to be hashed, the page says so at once.
func TestABusyMomentIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tx, err := w.db.OwnerPool(t).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if _, err := tx.Exec(t.Context(), `LOCK TABLE sign_in_failures`); err != nil { // no attempt ends before
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for range 8 {
		wg.Go(func() {
			for ctx.Err() == nil {
				form := strings.NewReader("email=x%40shop.example&password=wrong+but+long+enough")
				request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.server.URL+"/dashboard/sign-in", form)
				if err != nil {
					t.Errorf("flood: %v", err)
					return
				}
				request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				if response, err := w.server.Client().Do(request); err == nil {
					_ = response.Body.Close()
				}
			}
		})
	}
	c := w.client(t)
	for lang, sentence := range map[string]string{
		"ar": "عدد كبير من الناس",
		"en": "Too many people are signing in right now",
	} {
		var a answer
		pgtest.WaitFor(t, "the page that says so", func() bool {
			a = c.post("/dashboard/sign-in?lang="+lang, "email", w.ours.email(accounts.RoleOwner),
				"password", password)
			return strings.Contains(a.text(), sentence)
		})
		if a.is(t, http.StatusServiceUnavailable); a.header.Get("Retry-After") != "5" {
			t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
		}
	}
}

func TestConfirmingASecondFactorSaysWhenToTryAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.stopClock()
	c := w.owner(t)
	form := c.post("/dashboard/account/second-factor?lang=en").is(t, http.StatusOK).
		form(t, "/second-factor/confirm")
	form.Set("code", "000000x")
	const path = "/dashboard/account/second-factor/confirm?lang=en"
	for range 5 {
		c.send(http.MethodPost, path, form).is(t, http.StatusUnprocessableEntity).has(t, "The code is wrong")
	}
	page := c.send(http.MethodPost, path, form).is(t, http.StatusTooManyRequests).
		has(t, "Try again in", "so this one was not tried")
	if page.header.Get("Retry-After") == "" ||
		page.form(t, "/second-factor/confirm").Get("uri") != form.Get("uri") {
		t.Errorf("the page has lost the secret, or does not say when: %v", page.header)
	}
}

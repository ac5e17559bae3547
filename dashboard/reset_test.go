package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard"
	"daftar/dashboard/view"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

// letters are the mails of the dashboard, whose tokens a test can read.
type letters struct {
	view.Letters
	sent chan string
}

func (l letters) Invitation(i people.Invitation, token string) mail.Message {
	l.sent <- token
	return l.Letters.Invitation(i, token)
}

func (l letters) PasswordReset(r people.PasswordReset, token string, in locale.Lang) mail.Message {
	l.sent <- token
	return l.Letters.PasswordReset(r, token, in)
}

// mailing is a dashboard with mail, and the tokens in its mails.
func mailing(t *testing.T, change ...func(*dashboard.Config)) (*world, chan string) {
	t.Helper()
	sent := make(chan string, 20)
	return newWorld(t, append(change, func(c *dashboard.Config) {
		key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
		if err != nil {
			t.Fatal(err)
		}
		c.People = people.New(c.Pool, c.Accounts, people.Options{
			SecretKey: key, Now: c.Now, CheapPasswords: true, PublicURL: passkeySite,
			Letters: letters{view.Letters{PublicURL: c.PublicURL}, sent},
		})
	})...), sent
}

const forgotten = "/dashboard/forgotten?lang=en"

func TestForgottenPassword(t *testing.T) {
	t.Parallel()
	w, sent := mailing(t)
	email := w.ours.email(accounts.RoleDeveloper)
	before, c := w.as(t, email), w.client(t)
	page := c.get("/dashboard/sign-in?lang=en").is(t, http.StatusOK)
	if !strings.Contains(page.body, `href="`+forgotten+`"`) {
		t.Error("the sign-in leads nowhere")
	}
	c.get(forgotten).is(t, http.StatusOK).has(t, "we mail you a link")
	c.post(forgotten, "email", "nobody").is(t, http.StatusUnprocessableEntity).
		has(t, "This is not an email address.")
	c.post(forgotten, "email", email).is(t, http.StatusOK).has(t, "Check your mail", email)
	link := view.ResetPath(<-sent) + "?lang=en"
	for range 2 { // opening the page does not use up the link
		page := c.get(link).is(t, http.StatusOK).has(t, "Choose a new password", email)
		got := page.header.Get("Referrer-Policy")
		if got != "strict-origin" || page.header.Get("Cache-Control") != "no-store" {
			t.Errorf("Referrer-Policy %q, Cache-Control %q", got, page.header.Get("Cache-Control"))
		}
	}
	const next = "nine blue boats at dawn"
	bad := c.post(link, "password", "short", "again", "short").is(t, http.StatusUnprocessableEntity).
		has(t, "The password is too short")
	if !strings.Contains(bad.body, view.ResetPath("")) || bad.header.Get("Referrer-Policy") != "strict-origin" {
		t.Error("the page of the form that was refused")
	}
	c.post(link, "password", next, "again", "other").is(t, http.StatusUnprocessableEntity).
		has(t, "not typed the same twice")
	c.post(link, "password", next, "again", next).leads(t, "/dashboard/sign-in")
	c.get("/dashboard/sign-in?lang=en&done=password-reset").has(t, "all your sessions were ended")
	before.get("/dashboard/account").leads(t, "/dashboard/sign-in")
	c.post("/dashboard/sign-in", "email", email, "password", password).is(t, http.StatusUnprocessableEntity)
	c.post("/dashboard/sign-in", "email", email, "password", next).leads(t, "/dashboard")
	over := w.client(t)
	over.get(link).is(t, http.StatusNotFound).has(t, "This link no longer works", "Request a new link")
	over.post(link, "password", next, "again", next).is(t, http.StatusNotFound)
	if got := w.trail(t, w.ours, people.ActionResetPassword); len(got) != 1 || got[0].Actor != email {
		t.Errorf("recorded %+v", got)
	}
	over.post(forgotten, "email", email)
	link = view.ResetPath(<-sent) + "?lang=en"
	w.wait(time.Hour)
	over.get(link).is(t, http.StatusNotFound)
}

// The answers are the same for an address with an account and for one without.
func TestForgottenPagesAreAlike(t *testing.T) {
	t.Parallel()
	w, _ := mailing(t)
	w.stopClock()
	look := func(email string) []string {
		t.Helper()
		var pages []string
		for range 7 {
			a := w.client(t).post(forgotten, "email", email)
			pages = append(pages, http.StatusText(a.status)+a.header.Get("Retry-After")+strings.ReplaceAll(a.body,
				email, "EMAIL"))
		}
		return pages
	}
	unknown, known := look("nobody@new.example"), look(w.other.email(accounts.RoleOwner))
	for n := range unknown {
		if unknown[n] != known[n] {
			t.Errorf("answer %d for an unknown address:\n%s\nfor a known one:\n%s", n, unknown[n], known[n])
		}
	}
	if !strings.HasPrefix(unknown[6], http.StatusText(http.StatusTooManyRequests)) ||
		!strings.HasPrefix(unknown[0], http.StatusText(http.StatusOK)) {
		t.Errorf("the first answer is %.40s, the seventh %.40s", unknown[0], unknown[6])
	}
}

func TestForgottenWithoutMail(t *testing.T) {
	t.Parallel()
	c := newWorld(t).client(t)
	page := c.get("/dashboard/sign-in?lang=en").is(t, http.StatusOK)
	if strings.Contains(page.body, "/dashboard/forgotten") {
		t.Error("the sign-in leads to a page that is not there")
	}
	c.get(forgotten).is(t, http.StatusNotFound)
	c.post(forgotten, "email", "nobody@new.example").is(t, http.StatusNotFound)
	c.get("/dashboard/reset/x?lang=en").is(t, http.StatusNotFound).has(t, "This link no longer works").
		lacks(t, "Request a new link")
}

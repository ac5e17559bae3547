package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard"
	"daftar/dashboard/view"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

func (l letters) SignUp(s people.SignUp, token string, in locale.Lang) mail.Message {
	l.sent <- token
	return l.Letters.SignUp(s, token, in)
}

const signUp = "/dashboard/sign-up?lang=en"

// A person with a mailbox opens an organisation, is signed in, and makes a payment link for its first
// application. It can have no live application, until the operator makes it live.
func TestSignUp(t *testing.T) {
	t.Parallel()
	w, sent := mailing(t, func(c *dashboard.Config) { c.SignUp = true })
	const email, next = "nuri@new.example", "nine blue boats at dawn"
	c := w.client(t)
	if !strings.Contains(c.get("/dashboard/sign-in?lang=en").body, `href="`+signUp+`"`) {
		t.Error("the sign-in leads nowhere")
	}
	c.get(signUp).is(t, http.StatusOK).has(t, "Open a test account")
	c.post(signUp, "email", "nuri").is(t, http.StatusUnprocessableEntity).
		has(t, "This is not an email address.")
	c.post(signUp, "email", email).is(t, http.StatusOK).has(t, "Check your mail", email)
	link := view.SignUpLinkPath(<-sent) + "?lang=en"
	for range 2 { // opening the page does not use up the link
		page := c.get(link).is(t, http.StatusOK).has(t, "Open your organisation", email)
		if got := page.header.Get("Referrer-Policy"); got != "strict-origin" {
			t.Errorf("Referrer-Policy %q", got)
		}
	}
	c.post(link, "name", "", "password", next, "again", "other").is(t, http.StatusUnprocessableEntity).
		has(t, "Write a name.", "not typed the same twice")
	c.post(link, "name", "Nuri", "password", "short", "again", "short").
		is(t, http.StatusUnprocessableEntity).has(t, "The password is too short")
	opened := c.post(link, "name", "Nuri", "password", next, "again", next)
	home, _, _ := strings.Cut(opened.header.Get("Location"), "/overview?")
	if opened.status != http.StatusSeeOther || !strings.HasSuffix(home, view.InTest) {
		t.Fatalf("%d, to %s", opened.status, home)
	}
	c.get(opened.header.Get("Location")).is(t, http.StatusOK).has(t, "ready for tests", "Nuri", "New link")
	if page := c.get(home + "/overview?lang=en"); strings.Contains(page.body, `id="modes"`) {
		t.Error("there is a way to live applications")
	}
	// The address without the mode leads to the same pages.
	without := strings.TrimSuffix(home, view.InTest)
	c.get(without+"/applications?lang=en").is(t, http.StatusOK).has(t, "Nuri")
	c.get("/dashboard").leads(t, home+"/overview")
	c.get(home+"/applications/new?lang=en").is(t, http.StatusOK).has(t, "Your organisation is for tests.")
	refused := c.post(home+"/applications?lang=en", "name", "Live", "mode", "live")
	refused.is(t, http.StatusUnprocessableEntity).has(t, "Your organisation is for tests.")
	made := c.post(home+"/links?lang=en", "amount", "5", "description", "قهوة", "expiry", "day", "form", "one")
	if !strings.Contains(made.header.Get("Location"), "/link") {
		t.Errorf("a payment link: %d\n%s", made.status, made.body)
	}
	over := w.client(t)
	over.get(link).is(t, http.StatusNotFound).has(t, "This link no longer works", "Request a new link")
	over.post(link, "name", "N", "password", next, "again", next).is(t, http.StatusNotFound)

	over.post(signUp, "email", email).is(t, http.StatusOK).has(t, "Check your mail")
	if token := <-sent; token != "" {
		t.Error("a member gets another link")
	}
	id, err := accounts.ParseOrganizationID(without[strings.LastIndex(without, "/")+1:])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.accounts.MakeLive(t.Context(), operator, id); err != nil {
		t.Fatal(err)
	}
	if page := c.get(home + "/overview?lang=en"); !strings.Contains(page.body, `id="modes"`) {
		t.Error("there is no way to live applications")
	}
	live := c.post(home+"/applications?lang=en", "name", "Live", "mode", "live").is(t, http.StatusOK)
	if !strings.Contains(live.body, "pk_") {
		t.Error("no live application afterwards")
	}
	if all, err := w.accounts.Organizations(t.Context()); err != nil || all[len(all)-1].Live != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// Without the operator's leave there is no such page, and a link of before opens nothing.
func TestNobodySignsUp(t *testing.T) {
	t.Parallel()
	w, _ := mailing(t)
	c := w.client(t)
	for _, path := range []string{"/dashboard/sign-up", view.SignUpLinkPath("token")} {
		c.get(path).is(t, http.StatusNotFound)
		c.post(path, "email", "nuri@new.example").is(t, http.StatusNotFound)
	}
	if strings.Contains(c.get("/dashboard/sign-in").body, view.SignUpPath) {
		t.Error("the sign-in leads to it")
	}
}

// The answers are the same for an address with an account and for one without.
func TestSignUpPagesAreAlike(t *testing.T) {
	t.Parallel()
	w, _ := mailing(t, func(c *dashboard.Config) { c.SignUp = true })
	w.stopClock()
	look := func(email string) (pages []string) {
		t.Helper()
		for range 7 {
			a := w.client(t).post(signUp, "email", email)
			pages = append(pages, http.StatusText(a.status)+a.header.Get("Retry-After")+
				strings.ReplaceAll(a.body, email, "EMAIL"))
		}
		return pages
	}
	known, unknown := look(w.ours.email(accounts.RoleOwner)), look("nobody@new.example")
	for n := range known {
		if known[n] != unknown[n] {
			t.Errorf("answer %d differs:\n%s\n%s", n+1, known[n], unknown[n])
		}
	}
}

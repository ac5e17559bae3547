package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/accounts/people"
)

// sessionForm ends a session that is not the present one.
var sessionForm = regexp.MustCompile(`/dashboard/account/sessions/([0-9a-f-]{36})/end`)

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	email := w.ours.email(accounts.RoleDeveloper)
	phone, desktop := w.client(t), w.as(t, email)
	phone.agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 " +
		"Version/19.1 Safari/604.1"
	phone.post("/dashboard/sign-in", "email", email, "password", password).leads(t, "/dashboard")

	page := desktop.get("/dashboard/account?lang=en").is(t, http.StatusOK).has(t, "Where you are signed in",
		"Safari · iPhone", "here", "Sign out there")
	ends := sessionForm.FindAllStringSubmatch(page.body, -1)
	if len(ends) != 1 || strings.Count(page.body, ">here<") != 1 {
		t.Fatalf("%d sessions can be ended, want one of the phone:\n%s", len(ends), page.text())
	}
	// Users cannot end sessions of others.
	w.viewer(t).follow(w.viewer(t).post("/dashboard/account/sessions/"+ends[0][1]+"/end?lang=en")).
		has(t, "had ended before")
	phone.get("/dashboard/account").is(t, http.StatusOK)

	desktop.follow(desktop.post("/dashboard/account/sessions/"+ends[0][1]+"/end?lang=en")).is(t, http.StatusOK).
		has(t, "That session was ended.")
	phone.get("/dashboard/account").leads(t, "/dashboard/sign-in")
	desktop.get("/dashboard/account?lang=en").is(t, http.StatusOK).
		lacks(t, "Sign out there", "a session that has ended")
	w.wantRecord(t, people.ActionEndSession)
	desktop.follow(desktop.post("/dashboard/account/sessions/"+ends[0][1]+"/end?lang=en")).
		has(t, "had ended before")
	desktop.post("/dashboard/account/sessions/"+uuid.NewString()[:35]+"/end").is(t, http.StatusNotFound)
}

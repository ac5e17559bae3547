package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard"
	"daftar/dashboard/view"
	"daftar/notices"
)

// withMailsToMembers turns mail to members on.
func withMailsToMembers(c *dashboard.Config) {
	n := c.Notices.Config
	n.Letters = view.Letters{PublicURL: c.PublicURL}
	c.Notices = notices.New(n)
}

// endOfMails is the path of the link that ends the mails of a member who has chosen some.
func (w *world) endOfMails(t *testing.T, b business, role accounts.Role) string {
	t.Helper()
	var token uuid.UUID
	err := w.pool.QueryRow(t.Context(), `
		INSERT INTO mail_preferences AS p (user_uuid, organization_uuid, decisions, chosen_at)
		VALUES ($1, $2, true, now())
		ON CONFLICT (user_uuid, organization_uuid) DO UPDATE SET decisions = true
		RETURNING token`, b.people[role].ID, b.org.ID).Scan(&token)
	if err != nil {
		t.Fatal(err)
	}
	return view.EndMails + token.String()
}

// endingMails is the link of a mail to a member of a third organisation.
func endingMails(r *asking) request {
	delete(r.marks, r.w.ours.org.ID) // the link reveals it
	return request{path: r.w.endOfMails(r.t, r.w.ours, accounts.RoleViewer)}
}

// chosen is what a member chose.
func (w *world) chosen(t *testing.T, b business, role accounts.Role) notices.Standing {
	t.Helper()
	s, err := notices.New(notices.Config{Pool: w.pool}).Preferences(t.Context(),
		accounts.Actor{User: b.people[role].ID}, b.org.ID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A member chooses, for themselves and for this organisation only; the choice is recorded, and the page
// shows it.
func TestChoosingMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withMailsToMembers)
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	w.stopped.Store(&at)
	c, path := w.viewer(t), w.ours.path("mails?lang=en")
	email := w.ours.email(accounts.RoleViewer)
	account := c.get("/dashboard/account?lang=en").is(t, http.StatusOK)
	if !strings.Contains(account.body, `href="`+path+`"`) {
		t.Error("the account does not lead to the mails")
	}
	page := c.get(path).is(t, http.StatusOK).has(t, "Your mails", email, "You have not chosen yet")
	if form := page.form(t, "/mails"); len(form) != 1 || form.Get("daily") != "" {
		t.Errorf("something is chosen: %v", form)
	}
	done := c.post(path, "payments", "1", "decisions", "1", "daily", "8").leads(t, w.ours.path("mails"))
	page = c.follow(done).is(t, http.StatusOK).has(t, "Your choice was saved.",
		"Next summary: 21 November 2026, 08:00")
	page.lacks(t, "You have not chosen yet")
	form := page.form(t, "/mails")
	if form.Get("payments") != "1" || form.Get("decisions") != "1" || form.Get("daily") != "8" {
		t.Errorf("the page shows %v", form)
	}
	if got := w.chosen(t, w.ours, accounts.RoleOwner); got.Chosen {
		t.Errorf("another member has chosen %+v", got)
	}
	got, id := w.trail(t, w.ours, notices.ActionChoose), w.ours.people[accounts.RoleViewer].ID
	if len(got) != 1 || got[0].Actor != email || got[0].SubjectID != uuid.UUID(id) ||
		got[0].Detail["mail_payments"] != true || got[0].Detail["mail_daily"] != "08:00" {
		t.Errorf("recorded %+v", got)
	}
	w.owner(t).get(w.ours.path("audit?lang=en&action=mails.choose")).
		has(t, "Member chose their mails", "Each payment: Yes", "Summary of each day: 08:00")

	done = c.post(path, "daily", "").leads(t, w.ours.path("mails"))
	c.follow(done).has(t, "no mails about this organisation").lacks(t, "Next summary", "You have not chosen yet")
	if got := w.chosen(t, w.ours, accounts.RoleViewer); got.Any() || !got.Chosen || got.NextDaily != nil {
		t.Errorf("chosen: %+v", got)
	}
}

// Support sees no sums: each payment and the summary are not on their page, and refused if asked for.
func TestSupportChoosesDecisionsOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withMailsToMembers)
	c, path := w.support(t), w.ours.path("mails?lang=en")
	c.get(path).is(t, http.StatusOK).has(t, "What needs a decision", "Your role does not see sums").
		lacks(t, "Each payment", `name="payments"`, `name="daily"`)
	for _, field := range [][]string{{"payments", "1"}, {"daily", "0"}} {
		c.post(path, append(field, "decisions", "1")...).is(t, http.StatusForbidden)
	}
	got := w.trail(t, w.ours, notices.ActionChoose)
	if len(got) != 0 || w.chosen(t, w.ours, accounts.RoleSupport).Chosen {
		t.Errorf("recorded %+v", got)
	}
	c.post(path, "decisions", "1").leads(t, w.ours.path("mails"))
	if got := w.chosen(t, w.ours, accounts.RoleSupport); !got.Decisions || got.Payments || got.Daily != nil {
		t.Errorf("chosen: %+v", got)
	}
}

// An hour that is none is refused; the page keeps the rest of the choice, and nothing is saved.
func TestMailsAtNoHour(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withMailsToMembers)
	c, path := w.owner(t), w.ours.path("mails?lang=en")
	for _, hour := range []string{"24", "-1", "eight", "8.5", "99999999999999999999"} {
		page := c.post(path, "payments", "1", "daily", hour).is(t, http.StatusUnprocessableEntity).
			has(t, "Choose an hour from the list.")
		if form := page.form(t, "/mails"); form.Get("payments") != "1" || form.Get("daily") != "" {
			t.Errorf("%s: the page has %v", hour, form)
		}
	}
	if got := w.chosen(t, w.ours, accounts.RoleOwner); got.Chosen {
		t.Errorf("chosen: %+v", got)
	}
}

// Members whose mail server took none see that, until they choose again.
func TestRefusedMails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withMailsToMembers)
	c, path := w.owner(t), w.ours.path("mails?lang=en")
	w.endOfMails(t, w.ours, accounts.RoleOwner)
	if _, err := w.pool.Exec(t.Context(), `UPDATE mail_preferences SET failures = 3`); err != nil {
		t.Fatal(err)
	}
	const refused = "several in a row could not be delivered"
	c.get(path).is(t, http.StatusOK).has(t, refused)
	c.follow(c.post(path, "decisions", "1")).lacks(t, refused)
}

func TestNoMailsWithoutMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, path := w.owner(t), w.ours.path("mails?lang=en")
	c.get(path).is(t, http.StatusOK).has(t, "This service sends no mail.").lacks(t, "<select", "checkbox")
	c.post(path, "decisions", "1").is(t, http.StatusNotFound)
	if got := w.chosen(t, w.ours, accounts.RoleOwner); got.Chosen {
		t.Errorf("chosen: %+v", got)
	}
}

// oneClick is the request of a program that handles mail: RFC 8058 allows it no cookies, and it sends nothing
// that browsers send.
func (w *world) oneClick(t *testing.T, path, body string, headers ...string) answer {
	t.Helper()
	address := w.server.URL + path
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for n := 0; n+1 < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	c := w.client(t)
	c.http.Jar = nil
	return c.do(r)
}

// The link of a mail ends all mails of its member about its organisation: by one click, without a sign-in,
// and as often as it is sent. Opening it changes nothing.
func TestMailsEndByTheirLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withMailsToMembers)
	const oneClick = "List-Unsubscribe=One-Click"
	email := w.ours.email(accounts.RoleFinance)
	w.endOfMails(t, w.ours, accounts.RoleOwner)
	path := w.endOfMails(t, w.ours, accounts.RoleFinance)
	chosen := func() bool { t.Helper(); return w.chosen(t, w.ours, accounts.RoleFinance).Any() }
	for range 2 {
		page := w.client(t).get(path+"?lang=en").is(t, http.StatusOK).
			has(t, "Stop the mails", email, w.ours.org.Name)
		if page.header.Get("Referrer-Policy") != "strict-origin" || page.header.Get("Set-Cookie") != "" {
			t.Errorf("headers %v", page.header)
		}
	}
	w.oneClick(t, path, oneClick, "Sec-Fetch-Site", "cross-site").is(t, http.StatusForbidden)
	w.oneClick(t, path, oneClick, "Origin", "https://evil.example").is(t, http.StatusForbidden)
	if !chosen() || len(w.trail(t, w.ours, notices.ActionEnd)) != 0 {
		t.Fatal("the mails ended without a click")
	}
	w.oneClick(t, path, oneClick).is(t, http.StatusOK).has(t, "توقفت الرسائل", email)
	if got := w.trail(t, w.ours, notices.ActionEnd); chosen() || len(got) != 1 || got[0].Actor != email ||
		got[0].User != w.ours.people[accounts.RoleFinance].ID || got[0].Address != "127.0.0.1" {
		t.Errorf("they go on, or recorded %+v", got)
	}
	w.oneClick(t, path, oneClick).is(t, http.StatusOK)
	w.oneClick(t, path, "").is(t, http.StatusOK)
	// A person whose browser sent the form, signed in or not.
	page := w.client(t).post(path+"?lang=en").is(t, http.StatusOK).
		has(t, "The mails have stopped", "Choose again")
	if again := w.ours.path("mails?lang=en"); !strings.Contains(page.body, `href="`+again+`"`) {
		t.Error("the page does not lead to the choice")
	}
	w.owner(t).post(path).is(t, http.StatusOK)
	if chosen() || !w.chosen(t, w.ours, accounts.RoleOwner).Decisions {
		t.Error("the mails of the member go on, or those of another have ended")
	}
	for _, token := range []string{uuid.NewString(), "x", "%00"} {
		w.client(t).get(view.EndMails+token).is(t, http.StatusNotFound)
		w.oneClick(t, view.EndMails+token, oneClick).is(t, http.StatusNotFound)
	}
}

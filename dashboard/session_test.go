package dashboard_test

import (
	"net/http"
	"net/url"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// sameBrowser is a second tab: it has the present cookie of the session.
func (c *client) sameBrowser() *client {
	c.t.Helper()
	address, err := url.Parse(c.w.server.URL)
	if err != nil {
		c.t.Fatal(err)
	}
	tab := c.w.client(c.t)
	tab.http.Jar.SetCookies(address, c.http.Jar.Cookies(address))
	return tab
}

// A request that was under way during a sign-out does not restore the session.
func TestSigningOutHoldsAgainstRequestsUnderWay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.owner(t)
	slow, thief := c.sameBrowser(), c.sameBrowser()
	app := w.ours.apps[0].ID
	tx, err := w.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(t.Context()) }()
	if _, err := tx.Exec(t.Context(), `SELECT FROM applications WHERE uuid = $1 FOR UPDATE`, app); err != nil {
		t.Fatal(err)
	}
	answered := make(chan answer, 1)
	go func() { answered <- slow.post(w.ours.path("applications/"+app.String()+"/rename"), "name", "Slow") }()
	pgtest.WaitFor(t, "the form to be under way", func() bool {
		var waiting int
		err := w.db.OwnerPool(t).QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (
			SELECT pid FROM pg_stat_activity WHERE datname = current_database())`).Scan(&waiting)
		return err == nil && waiting > 0
	})
	c.post("/dashboard/sign-out").leads(t, "/dashboard/sign-in")
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := <-answered; a.header.Get("Set-Cookie") != "" {
		t.Errorf("the form that was under way sets %q", a.header.Get("Set-Cookie"))
	}
	thief.get(w.ours.path("people")).leads(t, "/dashboard/sign-in")
	var left int
	err = w.pool.QueryRow(t.Context(), `SELECT count(*) FROM sessions`).Scan(&left)
	if err != nil || left != 0 {
		t.Errorf("%d sessions are left, %v", left, err)
	}
	c.get("/dashboard/account").is(t, http.StatusSeeOther)
}

package acceptance_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/smtptest"
)

var resetInMail = regexp.MustCompile(`http://\S+(/dashboard/reset/[\w-]{40,})`)

// A person who forgot the password gets a link by mail, and with it a new password: the earlier
// sessions end, a mail reports the change, and the link is in no log and in no table.
func TestPasswordsAreResetByMail(t *testing.T) {
	t.Parallel()
	post := smtptest.Start(t, smtptest.Options{User: "daftar", Password: "swordfish"})
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL(),
		"DAFTAR_SMTP_SERVER="+post.Address, "DAFTAR_SMTP_FROM=Daftar <no-reply@pay.example>",
		"DAFTAR_SMTP_USER=daftar", "DAFTAR_SMTP_PASSWORD=swordfish")
	type created struct{ Organization struct{ UUID string } }
	org := answer[created](t, s.env, "org", "create", "--name", "مقهى الميدان").Organization.UUID
	const password, next, email = "seven grey camels at noon", "nine blue boats at dawn", "salma@shop.example"
	r := callWith(t, s.env, password, "user", "create", "--org", org, "--email", email, "--role", "owner",
		"--password-stdin")
	if r.code != 0 {
		t.Fatal(r.errors)
	}
	before, person := newGuest(t, s), newGuest(t, s)
	before.must("/sign-in", "email", email, "password", password)
	before.must("/" + org + "/payments")

	person.must("/forgotten?lang=en", "email", "nobody@shop.example") // comes first, and gets no mail
	page := person.must("/forgotten?lang=en", "email", "Salma@Shop.example")
	if !strings.Contains(page, "Check your mail") || strings.Contains(page, "/reset/") {
		t.Errorf("the page says\n%s", page)
	}
	letter := post.Next()
	found := resetInMail.FindStringSubmatch(letter.Text)
	if len(found) == 0 || !strings.Contains(letter.HTML, found[0]) || letter.To[0] != email ||
		!strings.Contains(letter.Subject, "choose a new password") {
		t.Fatalf("the mail to %s is %s:\n%s", letter.To, letter.Subject, letter.Text)
	}
	token := found[1][strings.LastIndex(found[1], "/")+1:]
	person.must(found[0])
	page = person.must(found[0]+"?lang=en", "password", next, "again", next)
	if !strings.Contains(page, "all your sessions were ended") {
		t.Errorf("after the change\n%s", page)
	}
	status, _ := person.ask(found[0], "password", password, "again", password)
	if status != http.StatusNotFound {
		t.Errorf("the link works again: %d", status)
	}
	if page := before.must("/" + org + "/payments?lang=en"); !strings.Contains(page, `name="password"`) {
		t.Error("the session of before has not ended")
	}
	status, _ = person.ask("/sign-in", "email", email, "password", password)
	if status != http.StatusUnprocessableEntity {
		t.Errorf("the password of before: %d", status)
	}
	person.must("/sign-in", "email", email, "password", next)
	page = person.must("/" + org + "/audit?lang=en")
	if !strings.Contains(page, "Password reset by a mailed link") {
		t.Errorf("the trail\n%s", page)
	}
	m := post.Next()
	if m.To[0] != email || !strings.Contains(m.Subject, "password changed") || strings.Contains(m.Text, token) {
		t.Errorf("after the change a mail to %s: %s", m.To, m.Subject)
	}
	for _, secret := range []string{token, next} {
		if strings.Contains(s.Logged(), secret) {
			t.Errorf("a secret is in the log:\n%s", s.Logged())
		}
		for _, table := range []string{"password_resets", "mails", "audit_records", "users", "sessions"} {
			var n int
			err := db.OwnerPool(t).QueryRow(t.Context(),
				`SELECT count(*) FROM `+table+` t WHERE t::text LIKE '%' || $1 || '%'`, secret).Scan(&n)
			if err != nil || n != 0 {
				t.Errorf("a secret is in %s (%v)", table, err)
			}
		}
	}
}

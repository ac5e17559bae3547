package acceptance_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"daftar/internal/postgres/pgtest"
	"daftar/tools/acceptance/smtptest"
)

// guest is a browser that follows redirects.
type guest struct {
	t    *testing.T
	root string // of the dashboard
	http http.Client
}

func newGuest(t *testing.T, s *service) *guest {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &guest{
		t: t, root: strings.TrimSuffix(s.base, "/api/v1") + "/dashboard",
		http: http.Client{Jar: jar, Timeout: patience},
	}
}

// ask opens a page of the dashboard, or sends a form of alternating names and values.
func (g *guest) ask(path string, fields ...string) (status int, page string) {
	g.t.Helper()
	method, form := http.MethodGet, url.Values{}
	for n := 0; n+1 < len(fields); n += 2 {
		form.Set(fields[n], fields[n+1])
		method = http.MethodPost
	}
	address, _ := strings.CutPrefix(path, g.root)
	request, err := http.NewRequestWithContext(g.t.Context(), method, g.root+address,
		strings.NewReader(form.Encode()))
	if err != nil {
		g.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	response, err := g.http.Do(request)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (g *guest) must(path string, fields ...string) string {
	g.t.Helper()
	status, page := g.ask(path, fields...)
	if status != http.StatusOK {
		g.t.Fatalf("%s: status %d\n%s", path, status, page)
	}
	return page
}

var linkInMail = regexp.MustCompile(`http://\S+/dashboard/invitations/[\w-]{40,}`)

// With a mail server, a link goes only to the mailbox, also after a restart. An account that
// another person created with the address in advance gets no access. Mails that could not be sent
// are shown to the inviter and to the operator.
func TestInvitationsGoByMail(t *testing.T) {
	t.Parallel()
	post := smtptest.Start(t, smtptest.Options{User: "daftar", Password: "swordfish"})
	db := pgtest.Database(t)
	settings := []string{
		"DAFTAR_SMTP_SERVER=" + post.Address, "DAFTAR_SMTP_FROM=Daftar <no-reply@pay.example>",
		"DAFTAR_SMTP_USER=daftar", "DAFTAR_SMTP_PASSWORD=swordfish",
	}
	s := serve(t, db.ServiceURL(), settings...)
	type created struct{ Organization struct{ UUID string } }
	first := answer[created](t, s.env, "org", "create", "--name", "مقهى الميدان").Organization.UUID
	second := answer[created](t, s.env, "org", "create", "--name", "Big").Organization.UUID
	const password, ceo = "seven grey camels at noon", "ceo@big.example"
	userCreate := func(env []string, org, email string) run {
		return callWith(t, env, password, "user", "create", "--org", org,
			"--email", email, "--role", "owner", "--password-stdin", "--json")
	}
	if r := userCreate(s.env, first, "thief@shop.example"); r.code != 0 {
		t.Fatal(r.errors)
	}
	thief := newGuest(t, s)
	thief.must("/sign-in", "email", "thief@shop.example", "password", password)
	invite := "/" + first + "/people/invite?lang=en"
	page := thief.must(invite, "email", ceo, "role", "viewer")
	if !strings.Contains(page, "on its way") || strings.Contains(page, "/invitations/") {
		t.Errorf("the inviter is shown\n%s", page)
	}
	letter := post.Next()
	link := linkInMail.FindString(letter.Text)
	if link == "" || !strings.Contains(letter.HTML, link) || letter.To[0] != ceo ||
		!strings.Contains(letter.Text, "مقهى الميدان") || !strings.Contains(letter.Subject, "دعوة") {
		t.Fatalf("the mail to %s is %s:\n%s", letter.To, letter.Subject, letter.Text)
	}
	// The mailbox is the CEO's, so the account and its password are, too.
	person := newGuest(t, s)
	person.must(link, "password", password, "again", password)
	person.must("/sign-in", "email", ceo, "password", password)
	page = person.must(link+"?lang=en", "accept", "")
	if !strings.Contains(page, "Welcome. You are now a member") {
		t.Errorf("accepted:\n%s", page)
	}

	// An existing account is invited by mail as well; the operator is shown the organisations that
	// have it.
	r := userCreate(s.env, second, ceo)
	if r.code != 0 || !strings.Contains(r.errors, `"مقهى الميدان" (viewer`) ||
		strings.Contains(r.out, "/invitations/") {
		t.Errorf("an account that exists: exit %d, %s%s", r.code, r.out, r.errors)
	}
	if status, _ := person.ask("/" + second + "/people"); status != http.StatusNotFound {
		t.Errorf("before it accepts, the account sees the organisation: %d", status)
	}
	link = linkInMail.FindString(post.Next().Text)
	person.must(link, "accept", "")
	person.must("/" + second + "/people")

	// A refusal of the server is reported; during an outage mails wait, also over a restart.
	thief.must(invite, "email", "never@shop.example", "role", "viewer")
	pgtest.WaitFor(t, "the refusal on the page", func() bool {
		return strings.Contains(thief.must("/"+first+"/people?lang=en"), "nobody of that name")
	})
	f := examined(t, s.env, "mail")
	if f.OK || !strings.Contains(f.Detail, "1 failed since yesterday") ||
		!strings.Contains(f.Detail, "nobody of that name") {
		t.Errorf("the doctor says %+v", f)
	}
	post.Stop()
	thief.must(invite, "email", "patient@shop.example", "role", "viewer")
	if f := examined(t, s.env, "mail"); f.OK || !strings.Contains(f.Detail, "connection refused") {
		t.Errorf("without the server the doctor says %+v", f)
	}
	s.Stop(t, syscall.SIGKILL)
	post.Start()
	// So that the test does not wait for the pause after an attempt.
	_, err := db.Pool(t).Exec(t.Context(), `UPDATE mails SET next_attempt_at = now() WHERE state = 'pending'`)
	if err != nil {
		t.Fatal(err)
	}
	again := serve(t, db.ServiceURL(), settings...)
	if m := post.Next(); m.To[0] != "patient@shop.example" {
		t.Errorf("after the restart a mail goes to %s", m.To)
	}
	for _, log := range []string{s.Logged(), again.Logged(), r.errors} {
		if strings.Contains(log, "swordfish") || linkInMail.MatchString(log) {
			t.Errorf("a secret is in the log:\n%s", log)
		}
	}
}

// Without a mail server the doctor reports it, and how many mails wait for one.
func TestWithoutMail(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	env := []string{"DAFTAR_DATABASE_URL=" + db.URL(), "DAFTAR_SECRET_KEY=" + secretKey}
	if f := examined(t, env, "mail"); !f.OK || !strings.Contains(f.Detail, "shown to the inviter") {
		t.Errorf("the doctor says %+v", f)
	}
	_, err := db.OwnerPool(t).Exec(t.Context(),
		`INSERT INTO mails (uuid, message, created_at) VALUES (gen_random_uuid(), 'x', now())`)
	if err != nil {
		t.Fatal(err)
	}
	if f := examined(t, env, "mail"); f.OK || !strings.Contains(f.Detail, "1 mail waits and mail is off") {
		t.Errorf("the doctor says %+v", f)
	}
}

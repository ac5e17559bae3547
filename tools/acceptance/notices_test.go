package acceptance_test

import (
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/google/uuid"

	"daftar/tools/acceptance/smtptest"
)

// oneClick is what a program that handles mail does: no cookies, no headers of a browser, no redirect
// (RFC 8058).
func oneClick(t *testing.T, method, address, body string) (status int, page string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	client := http.Client{
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if len(response.Cookies()) > 0 {
		t.Errorf("%s sets %v", address, response.Cookies())
	}
	return response.StatusCode, string(text)
}

// newMember creates a member of the shop's organisation, who signs in.
func (s *sandboxed) newMember(t *testing.T, email, role string) *guest {
	t.Helper()
	const password = "seven grey camels at noon"
	r := callWith(t, s.env, password, "user", "create", "--org", s.merchant.org, "--email", email,
		"--role", role, "--password-stdin")
	if r.code != 0 {
		t.Fatal(r.errors)
	}
	g := newGuest(t, s.service)
	g.must("/sign-in", "email", email, "password", password)
	return g
}

// mustSay checks that a page has some texts, and lacks those that begin with "!".
func mustSay(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		unwanted, lacks := strings.CutPrefix(text, "!")
		if strings.Contains(page, unwanted) == lacks {
			t.Errorf("%q: %t, in\n%s", unwanted, lacks, page)
		}
	}
}

// mailOf waits for the mails about one event to some members, and returns that to the first of them.
func mailOf(t *testing.T, post *smtptest.Server, first string, others ...string) (found smtptest.Mail) {
	t.Helper()
	waited := map[string]bool{first: true}
	for _, other := range others {
		waited[other] = true
	}
	for len(waited) > 0 {
		m := post.Next()
		if !waited[m.To[0]] {
			t.Fatalf("a mail to %s:\n%s", m.To, m.Text)
		}
		delete(waited, m.To[0])
		if m.To[0] == first {
			found = m
		}
	}
	return found
}

const (
	chosenPayments  = `name="payments" value="1" checked`
	chosenDecisions = `name="decisions" value="1" checked`
)

// A member chooses in the dashboard to be told of payments, and gets a mail with the amount when a customer
// pays. The link in the mail ends them, for programs as for people. Mail can be turned off.
func TestMembersAreToldByMail(t *testing.T) {
	t.Parallel()
	post := smtptest.Start(t, smtptest.Options{User: "daftar", Password: "swordfish"})
	mail := []string{
		"DAFTAR_SMTP_SERVER=" + post.Address, "DAFTAR_SMTP_FROM=Daftar <no-reply@pay.example>",
		"DAFTAR_SMTP_USER=daftar", "DAFTAR_SMTP_PASSWORD=swordfish",
	}
	s := newSandboxed(t, mail...)
	s.startAcquirer(t)
	const salma, huda, nuri = "salma@shop.example", "huda@shop.example", "nuri@shop.example"
	owner, finance := s.newMember(t, salma, "owner"), s.newMember(t, huda, "finance")
	choices := "/" + s.merchant.org + "/mails?lang=en"
	mustSay(t, owner.must(choices), salma, "You have not chosen yet", "!"+chosenPayments)
	page := owner.must(choices, "payments", "1", "decisions", "1", "daily", "7")
	mustSay(t, page, "Your choice was saved.")
	chosen := []string{chosenPayments, chosenDecisions, `<option value="7" selected>`, "Next summary"}
	mustSay(t, owner.must(choices), chosen...)
	finance.must(choices, "payments", "1")

	payer := newPayer(t)
	intent := s.payOrder(t, payer, s.merchant, "first", 5125)
	m := mailOf(t, post, salma, huda)
	mustSay(t, m.Subject, "وصلت دفعة", "5.125\u00a0د.ل", "Payment received", "5.125\u00a0LYD")
	for _, text := range []string{m.Text, m.HTML} {
		mustSay(t, text, "وصلت دفعة", "5.125\u00a0د.ل", "Payment received", "5.125\u00a0LYD", "096•••", "متجر",
			"مقهى الميدان", s.merchant.org+"/payments/"+intent, "!096000", "!Two coffees", "!first")
	}
	mustSay(t, owner.must("/"+s.merchant.org+"/payments/"+intent+"?lang=en"), "5.125")

	link := strings.Trim(m.Header.Get("List-Unsubscribe"), "<>")
	if !strings.HasPrefix(link, owner.root+"/mails/") || !strings.Contains(m.Text, link) ||
		m.Header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Fatalf("the mail's headers: %v", m.Header)
	}
	for range 2 { // as by a program that looks for bad links
		status, page := oneClick(t, http.MethodGet, link+"?lang=en", "")
		if status != http.StatusOK {
			t.Errorf("the link: %d", status)
		}
		mustSay(t, page, "Stop the mails", salma, `method="post"`)
	}
	mustSay(t, owner.must(choices), chosen...)

	for range 2 {
		status, page := oneClick(t, http.MethodPost, link, "List-Unsubscribe=One-Click")
		if status != http.StatusOK {
			t.Errorf("one click: %d\n%s", status, page)
		}
	}
	if status, _ := oneClick(t, http.MethodPost, owner.root+"/mails/"+uuid.NewString(), ""); status != 404 {
		t.Errorf("the link of nobody: %d", status)
	}
	mustSay(t, owner.must(choices), "!checked", `<option value="" selected>`, "!Next summary")
	mustSay(t, finance.must(choices), chosenPayments)
	mustSay(t, owner.must("/"+s.merchant.org+"/audit?action=mails.end&lang=en"), salma)

	// A member who had no mail in the last minute is told at once of the next payment. Then the group has
	// passed it: the finance member's notice waits for its minute, and the owner has none.
	s.newMember(t, nuri, "viewer").must(choices, "payments", "1")
	s.payOrder(t, payer, s.merchant, "second", 7250)
	mustSay(t, mailOf(t, post, nuri).Text, "7.250\u00a0LYD")
	s.mustWait(t, huda, 7250, 1)
	s.mustWait(t, salma, 7250, 0)
	found, code := doctor(t, s.env)
	if code != 0 {
		t.Errorf("the doctor says %+v", found)
	}
	if f := examined(t, s.env, "feed"); !strings.Contains(f.Detail, "notices at ") {
		t.Errorf("the doctor says %+v", f)
	}
	if token := link[strings.LastIndex(link, "/")+1:]; strings.Contains(s.service.Logged(), token) {
		t.Errorf("the link is in the log:\n%s", s.service.Logged())
	}
	s.withoutMail(t, payer)
}

// mustWait checks how many notices of an amount wait for a member's next mail.
func (s *sandboxed) mustWait(t *testing.T, email string, amount, want int) {
	t.Helper()
	var n int
	err := s.db.Pool(t).QueryRow(t.Context(), `
		SELECT count(*)
		FROM notices n
		JOIN users u ON u.uuid = n.user_uuid
		WHERE u.email = $1
		  AND n.amount = $2`, email, amount).Scan(&n)
	if err != nil || n != want {
		t.Errorf("%d notices of %d wait for %s, want %d (%v)", n, amount, email, want, err)
	}
}

// withoutMail turns mail off for good: the group is behind until its place is dropped.
func (s *sandboxed) withoutMail(t *testing.T, payer *sampleShop) {
	t.Helper()
	s.service.Stop(t, syscall.SIGTERM)
	off := *s
	off.service = serve(t, s.db.ServiceURL(), s.acquirer...)
	member := off.newMember(t, "amal@shop.example", "owner")
	choices := "/" + s.merchant.org + "/mails?lang=en"
	mustSay(t, member.must(choices), "This service sends no mail.", `!name="payments"`)
	if status, _ := member.ask(choices, "payments", "1"); status != http.StatusNotFound {
		t.Errorf("a choice without mail: %d", status)
	}
	off.payOrder(t, payer, s.merchant, "third", 9000)
	type status struct {
		Groups []struct {
			Group  string
			Behind int `json:"lag"`
		}
	}
	behind := func() (events int) {
		events = -1
		for _, g := range answer[status](t, off.env, "feed", "status").Groups {
			if g.Group == "notices" {
				events = g.Behind
			}
		}
		return events
	}
	if n := behind(); n < 3 {
		t.Errorf("without mail the group is %d events behind", n)
	}
	if r := call(t, off.env, "feed", "forget", "notices"); r.code != 0 {
		t.Errorf("forget: exit %d: %s", r.code, r.errors)
	}
	if n := behind(); n != -1 {
		t.Errorf("the group that was forgotten is %d events behind", n)
	}
	if found, code := doctor(t, off.env); code != 0 {
		t.Errorf("the doctor says %+v", found)
	}
}

package view_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/dashboard/view"
	"daftar/internal/locale"
	"daftar/internal/mail"
)

// shownOf is the text that a reader of the HTML sees. It fails if the mail brings what mail programs block.
func shownOf(t *testing.T, m mail.Message) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(m.HTML))
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			shown.WriteString(n.Data)
		}
		if n.Data == "script" || n.Data == "img" || n.Data == "style" {
			t.Errorf("the mail has a <%s>", n.Data)
		}
	}
	return shown.String()
}

// The mail has everything in both languages, as text and as HTML, and the name of the organisation
// is escaped.
func TestInvitationMail(t *testing.T) {
	t.Parallel()
	i := people.Invitation{
		OrganizationName: "مقهى <b>الميدان</b>", Email: "new@maydan.example", Role: accounts.RoleDeveloper,
		InvitedBy: "operator:root",
		ExpiresAt: time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC), ByMail: true,
	}
	m := view.Letters{PublicURL: "https://pay.example"}.Invitation(i, "TOKEN")
	if m.To != i.Email || strings.ContainsAny(m.Subject, "\r\n") || !strings.Contains(m.Subject, "دعوة") ||
		!strings.Contains(m.Subject, "invitation") {
		t.Errorf("to %q: %q", m.To, m.Subject)
	}
	for what, text := range map[string]string{"text": m.Text, "HTML": shownOf(t, m)} {
		for _, want := range []string{
			"مقهى <b>الميدان</b>", "مشغّل الخدمة", "مطوّر", "8 مارس 2026",
			"https://pay.example/dashboard/invitations/TOKEN\n", "The service’s operator", "Developer",
			"8 March 2026", "https://pay.example/dashboard/invitations/TOKEN?lang=en", "14:00",
		} {
			if what == "HTML" {
				want = strings.TrimSpace(want)
			}
			if !strings.Contains(text, want) {
				t.Errorf("the %s lacks %q:\n%s", what, want, text)
			}
		}
		if strings.Contains(text, "root") {
			t.Errorf("the %s names the operator's user", what)
		}
	}
}

// The mail with the link to reset a password is in the language of the request. The notice of a
// changed password is in both, and leads to the page for requesting another link.
func TestPasswordMails(t *testing.T) {
	t.Parallel()
	w, at := view.Letters{PublicURL: "https://pay.example/"}, time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)
	const email = "salma@maydan.example"
	r := people.PasswordReset{Email: email, ExpiresAt: at}
	arabic, english, changed := w.PasswordReset(r, "TOKEN", locale.Arabic),
		w.PasswordReset(r, "TOKEN", locale.English), w.PasswordChanged(email, at)
	for what, row := range map[string]struct {
		mail    mail.Message
		subject string
		want    []string
	}{
		"the Arabic link": {arabic, "كلمة مرور جديدة",
			[]string{email, "8 مارس 2026", "14:00", "https://pay.example/dashboard/reset/TOKEN", "فتجاهل"}},
		"the English link": {english, "new password", []string{email, "8 March 2026", "14:00",
			"https://pay.example/dashboard/reset/TOKEN?lang=en", "ignore this mail"}},
		"the change": {changed, "password changed", []string{
			email, "8 مارس 2026", "8 March 2026", "غُيّرت كلمة مرور حسابك", "was changed",
			"https://pay.example/dashboard/forgotten", "https://pay.example/dashboard/forgotten?lang=en",
		}},
	} {
		if row.mail.To != email || strings.ContainsAny(row.mail.Subject, "\r\n") ||
			!strings.Contains(row.mail.Subject, row.subject) {
			t.Errorf("%s goes to %q: %q", what, row.mail.To, row.mail.Subject)
		}
		for _, want := range row.want {
			if !strings.Contains(row.mail.Text, want) || !strings.Contains(row.mail.HTML, want) {
				t.Errorf("%s lacks %q:\n%s\n%s", what, want, row.mail.Text, row.mail.HTML)
			}
		}
	}
	if strings.Contains(arabic.Text, "Daftar") || strings.Contains(english.Text, "كلمة") ||
		strings.Contains(changed.Text+changed.HTML, "/reset/") {
		t.Error("a mail has the other language, or a link that opens the account")
	}
}

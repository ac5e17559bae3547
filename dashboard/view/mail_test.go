package view_test

import (
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"daftar/accounts"
	"daftar/dashboard/view"
)

// The mail says everything in both languages, as text and as HTML, and shows what an
// organisation is called as text.
func TestInvitationMail(t *testing.T) {
	t.Parallel()
	i := accounts.Invitation{
		OrganizationName: "مقهى <b>الميدان</b>", Email: "new@maydan.example", Role: accounts.RoleDeveloper, InvitedBy: "operator:root",
		ExpiresAt: time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC), ByMail: true,
	}
	m := view.InvitationMail("https://pay.example", i, "TOKEN")
	if m.To != i.Email || strings.ContainsAny(m.Subject, "\r\n") || !strings.Contains(m.Subject, "دعوة") || !strings.Contains(m.Subject, "invitation") {
		t.Errorf("to %q: %q", m.To, m.Subject)
	}
	root, err := html.Parse(strings.NewReader(m.HTML))
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			shown.WriteString(n.Data)
		}
		if n.Data == "script" || n.Data == "img" {
			t.Errorf("the mail has a <%s>", n.Data)
		}
	}
	for what, text := range map[string]string{"text": m.Text, "HTML": shown.String()} {
		for _, want := range []string{
			"مقهى <b>الميدان</b>", "مشغّل الخدمة", "مطوّر", "8 مارس 2026", "https://pay.example/dashboard/invitations/TOKEN\n",
			"The service’s operator", "Developer", "8 March 2026", "https://pay.example/dashboard/invitations/TOKEN?lang=en", "14:00",
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

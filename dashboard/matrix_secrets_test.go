package dashboard_test

import (
	"encoding/hex"
	"html"
	"regexp"
	"strings"
)

// secretForms are the patterns of secrets that pages show once.
var secretForms = []*regexp.Regexp{
	regexp.MustCompile(`\b(pk_[0-9a-f]{64})\b`),
	regexp.MustCompile(`\b(at_[0-9A-Za-z]{36})\b`),
	regexp.MustCompile(`\b(whsec_[0-9A-Za-z+/=]{20,})`),
	regexp.MustCompile(`\bsecret=([A-Z2-7]{16,})`),
	regexp.MustCompile(`/dashboard/invitations/([0-9A-Za-z_-]{20,})`),
	regexp.MustCompile(`<li>([0-9A-Za-z]{4,}-[0-9A-Za-z-]{4,})</li>`),
}

// shown adds the secrets in an answer to those of the run.
func (m *matrixRun) shown(a answer) {
	for _, form := range secretForms {
		for _, found := range form.FindAllStringSubmatch(html.UnescapeString(a.body), -1) {
			m.secret(found[1])
		}
	}
}

// revealsNothing fails if an answer reveals anything of organisations to which the
// caller does not belong, except what was in the request.
func (r *asking) revealsNothing(q request, a answer) {
	r.t.Helper()
	if r.guest {
		return
	}
	asked := q.path + " " + strings.Join(q.fields, " ")
	for org, marks := range r.marks {
		if org == r.home.org.ID {
			continue
		}
		for _, mark := range marks {
			if strings.Contains(a.body, mark) && !strings.Contains(asked, mark) {
				r.t.Errorf("%s by %s reveals %q of another organisation", r.name, r.who(), mark)
			}
		}
	}
}

// noSecretIsKept fails if the log or a table has a secret that was issued, or used as a password.
func (m *matrixRun) noSecretIsKept() {
	m.t.Helper()
	kinds := map[string]int{}
	for s := range m.secrets {
		switch kind, _, found := strings.Cut(s, "_"); {
		case found && len(kind) < 6:
			kinds[kind]++
		default:
			kinds["others"]++
		}
	}
	for _, kind := range []string{"pk", "at", "whsec", "others"} {
		if kinds[kind] < 8 {
			m.t.Errorf("the run knows %d secrets of the kind %s", kinds[kind], kind)
		}
	}
	places := map[string]string{"log": m.log.String()}
	for _, table := range m.tables {
		places[table] = strings.Join(m.strings(`SELECT t::text FROM `+table+` t`), "\n")
	}
	if !strings.Contains(places["log"], "form from another site refused") || places["audit_records"] == "" {
		m.t.Error("the log or the trail is empty")
	}
	for place, text := range places {
		for s := range m.secrets {
			if strings.Contains(text, s) || strings.Contains(text, hex.EncodeToString([]byte(s))) {
				m.t.Errorf("a secret that begins with %s is in the %s", s[:4], place)
			}
		}
	}
}

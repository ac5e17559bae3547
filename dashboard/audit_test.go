package dashboard_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/domain"
)

func TestAuditTrail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	path := w.ours.path("audit?lang=en")
	page := owner.get(path).is(t, http.StatusOK)
	page.has(t, "API", "Access token created", "Sign-in", "operator (test)", "127.0.0.1",
		w.ours.email(accounts.RoleOwner))
	page.lacks(t, w.ours.values[0], w.ours.apps[0].APIKey, w.ours.apps[0].WebhookSecret,
		w.other.email(accounts.RoleOwner))
	w.developer(t).get(path).is(t, http.StatusOK)
	w.viewer(t).get(path).is(t, http.StatusForbidden)
	owner.get(w.other.path("audit")).is(t, http.StatusNotFound)

	today := domain.DayOf(w.now())
	for query, want := range map[string]bool{
		"":                                     true,
		"&action=member.add":                   false,
		"&action=access_token.create":          true,
		"&actor=operator%3Atest":               true,
		"&actor=nobody":                        false,
		"&actor=%00%ff":                        true, // nothing is left of it
		"&action=no.such":                      true,
		"&outcome=done":                        true,
		"&outcome=failed":                      false,
		"&since=" + today.String():             true,
		"&since=" + today.Add(1).String():      false,
		"&until=" + today.String():             true,
		"&until=" + today.Add(-1).String():     false,
		"&before=1":                            false,
		"&before=99999999999999999999&lang=en": true,
	} {
		page := owner.get(path+query).is(t, http.StatusOK)
		if got := strings.Contains(page.body, "<summary><b>Access token created</b>"); got != want {
			t.Errorf("%s: listed %v, want %v:\n%s", query, got, want, page.text())
		}
	}
	owner.get(path+"&since=yesterday").is(t, http.StatusUnprocessableEntity).
		has(t, "\u2068yesterday\u2069 is not a day.")
}

func TestAuditTrailPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	err := pgx.BeginFunc(t.Context(), w.pool, func(tx pgx.Tx) error {
		for n := range 120 {
			e := accounts.Entry{Action: accounts.ActionRenameApplication,
				Detail: map[string]any{"name": "n" + strconv.Itoa(n) + "."}}
			if err := accounts.Record(t.Context(), tx, operator, w.ours.org.ID, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	path := w.ours.path("audit?action=application.rename&lang=en")
	seen := 0
	for _, want := range []int{50, 50, 20} {
		page := owner.get(path).is(t, http.StatusOK)
		rows := strings.Count(page.body, "<summary><b>Application renamed</b>")
		if rows != want {
			t.Errorf("%d rows, want %d", rows, want)
		}
		page.has(t, "Name: n"+strconv.Itoa(119-seen)+".")
		seen += rows
		_, next, more := strings.Cut(page.body, `rel="next" href="`)
		if more != (want == 50) {
			t.Errorf("a next page: %v", more)
		}
		next, _, _ = strings.Cut(next, `"`)
		path = strings.ReplaceAll(next, "&amp;", "&")
	}
}

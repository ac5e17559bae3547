package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/requestlog"
)

// answered adds requests to the log of our first application, one a second.
func (w *world) answered(t *testing.T, all ...requestlog.Request) {
	t.Helper()
	l := requestlog.New(requestlog.Config{Pool: w.pool, Log: zerolog.Nop()})
	for n, r := range all {
		r.Application, r.At = w.ours.apps[0].ID, w.now().Add(time.Duration(n-len(all))*time.Second)
		l.Note(r)
		if (n+1)%50 == 0 || n == len(all)-1 { // as many as come in between
			if err := l.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestRequestsOfAnApplicationAreSeen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := w.ours.path("applications/" + w.ours.apps[0].ID.String() + "/requests")
	c := w.developer(t)
	c.get(page+"?lang=en").is(t, http.StatusOK).has(t, "There are no requests yet.")
	intent := domain.IntentID(uuid.New())
	w.answered(t,
		requestlog.Request{ID: "first", Method: "POST", Route: "/payment-intents", Status: 201, Intent: intent,
			Took: 8400 * time.Microsecond},
		requestlog.Request{ID: "second", Method: "POST", Route: "/payment-intents", Status: 422,
			Took: time.Millisecond, Error: `{"message":"<b>The amount"}`},
		requestlog.Request{ID: "third", Method: "HEAD", Route: "/payment-intents/{uuid}", Status: 200,
			Intent: intent, Replayed: true},
		requestlog.Request{ID: "fourth", Method: "GET", Route: "/payment-intents/{uuid}", Status: 404},
		requestlog.Request{ID: "fifth", Method: "GET", Route: "/payment-intents", Query: "limit=5&cursor=…",
			Status: 503, Took: 5 * time.Second},
	)
	all := c.get(page+"?lang=en").is(t, http.StatusOK).has(t, "Requests: 5", "8.4 ms", "5000 ms",
		"GET /payment-intents/{uuid}", "HEAD /payment-intents/"+intent.String(),
		"GET /payment-intents?limit=5&cursor=…", `{"message":"<b>The amount"}`, "Idempotent-Replayed")
	all.lacks(t, "<b>The amount")
	for query, want := range map[string]string{
		"class=2": "first third", "class=4": "second fourth", "class=5": "fifth", "id=second": "second",
		"id=nothing":                   "",
		"kind=POST+%2Fpayment-intents": "first second", "kind=GET+%2Fpayment-intents%2F%7Buuid%7D": "third fourth",
		"class=4&kind=POST+%2Fpayment-intents": "second",
	} {
		answer := c.get(page+"?lang=en&"+query).is(t, http.StatusOK)
		for _, id := range []string{"first", "second", "third", "fourth", "fifth"} {
			if shown := strings.Contains(answer.body, ">"+id+"</bdi>"); shown != strings.Contains(want, id) {
				t.Errorf("%s: %s is shown: %t", query, id, shown)
			}
		}
	}
	c.get(page+"?class=9").is(t, http.StatusNotFound)
	c.get(page+"?after=x").is(t, http.StatusOK)
	c.get(w.ours.path("applications/"+w.other.apps[0].ID.String()+"/requests")).is(t, http.StatusNotFound)
	c.get(w.ours.path("applications/"+w.ours.apps[1].ID.String()+"/requests?lang=en")).is(t, http.StatusOK).
		lacks(t, "8.4 ms")
	w.viewer(t).get(page).is(t, http.StatusForbidden)
	w.as(t, w.other.email(accounts.RoleOwner)).get(page).is(t, http.StatusNotFound)
	for _, from := range []string{"applications/" + w.ours.apps[0].ID.String(), "developers"} {
		if a := c.get(w.ours.path(from)).is(t, http.StatusOK); !strings.Contains(a.body, `href="`+page) {
			t.Errorf("%s does not lead to the requests", from)
		}
	}
}

func TestPagesOfRequestsGoOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := make([]requestlog.Request, 120)
	for n := range all {
		all[n] = requestlog.Request{ID: fmt.Sprintf("number-%d.", n), Method: "GET",
			Route: "/payment-intents", Status: 200}
	}
	w.answered(t, all...)
	c := w.owner(t)
	count := func(a answer) int { return strings.Count(a.body, ">number-") }
	first := c.get(w.ours.path("applications/"+w.ours.apps[0].ID.String()+"/requests?lang=en&class=2")).
		is(t, http.StatusOK).has(t, "number-119.", "number-70.")
	second := c.get(first.link(t, "Older")).has(t, "number-69.", "number-20.", "Latest")
	third := c.get(second.link(t, "Older")).has(t, "number-19.", "number-0.")
	if count(first) != 50 || count(second) != 50 || count(third) != 20 {
		t.Errorf("pages of %d, %d and %d requests", count(first), count(second), count(third))
	}
	if strings.Contains(third.body, `rel="next"`) {
		t.Error("the last page has a next one")
	}
}

package checkout_test

import (
	"net/http"
	"testing"
	"time"

	"daftar/domain"
)

// Programs open a link before the payer does: messengers that show
// a preview, scanners, a browser that fetches ahead, and the page's own script.
// None of them changes anything, here or at the bank.
func TestOpeningTheLinkChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fresh, typing, declined, paid, card := w.create(), w.create(), w.create(), w.create(), w.create()
	w.atCode(typing, "0912345678")
	w.want(w.submit(w.atCode(declined, "0912345678"), code("000000")), 200, "pay")
	w.want(w.submit(w.atCode(paid, "0912345678"), code("111111")), 200, "receipt")
	w.atBank(card)
	waiting, _ := w.pendingAtTheBank()
	all := []domain.Intent{fresh, typing, declined, paid, card, waiting}

	with := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	scanner := with("User-Agent", "python-requests/2.31")
	look := func() {
		t.Helper()
		for what, visitor := range map[string]struct {
			method, below string
			header        func(*http.Request)
		}{
			"head":                {http.MethodHead, "", with("Accept", "*/*")},
			"preview":             {http.MethodGet, "", with("User-Agent", "WhatsApp/2.23.20.0")},
			"preview in English":  {http.MethodGet, "?lang=en", with("User-Agent", "facebookexternalhit/1.1")},
			"scanner":             {http.MethodGet, "?code=wrong&resent=1&stay=1", scanner},
			"fetched ahead":       {http.MethodGet, "", with("Sec-Purpose", "prefetch;prerender")},
			"script":              {http.MethodGet, "/state", with("Sec-Fetch-Mode", "cors")},
			"head of the state":   {http.MethodHead, "/state", with("Accept", "*/*")},
			"from another site":   {http.MethodGet, "", with("Sec-Fetch-Site", "cross-site")},
			"the script, foreign": {http.MethodGet, "/state", with("Sec-Fetch-Site", "cross-site")},
		} {
			for _, i := range all {
				s := w.send(visitor.method, path(i)+visitor.below, nil, visitor.header)
				if s.status != http.StatusOK {
					t.Errorf("%s: status %d", what, s.status)
				}
			}
		}
	}
	before := w.snapshot(all)
	begun, confirmed := w.acquirer.begun.Load(), w.acquirer.confirmed.Load()
	look()
	if after := w.snapshot(all); after != before {
		t.Errorf("looking changed something:\n%s\nwas\n%s", after, before)
	}
	if w.acquirer.begun.Load() != begun || w.acquirer.confirmed.Load() != confirmed {
		t.Error("looking began or confirmed a payment")
	}

	// The same when the time is over: the page shows that, and nothing is recorded.
	w.later(25 * time.Hour)
	for _, i := range []domain.Intent{typing, card, waiting} {
		w.eventually("the attempt has lapsed at the bank", func() bool {
			_, open := w.load(i.ID).OpenAttempt()
			return !open
		})
	}
	before = w.snapshot(all)
	look()
	if after := w.snapshot(all); after != before {
		t.Errorf("looking after the end changed something:\n%s\nwas\n%s", after, before)
	}
	w.wantHistory(fresh.ID, "created")
}

// snapshot is a text of the intents' events and of their attempts in the checkout's table.
func (w *world) snapshot(all []domain.Intent) string {
	w.t.Helper()
	text := ""
	for _, i := range all {
		for _, event := range w.history(i.ID) {
			text += event + " "
		}
		text += value[string](w, `
			SELECT coalesce(string_agg(attempt, ' ' ORDER BY attempt), 'no attempt')
			FROM checkout_attempts
			WHERE intent_uuid = $1`, [16]byte(i.ID)) + "\n"
	}
	return text
}

package webhooks_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/mail"
	"daftar/webhooks"
)

// letters are the mails that a dispatcher wrote.
type letters struct {
	mu  sync.Mutex
	all []letter
}

type letter struct {
	webhooks.Stop
	to string
}

func (l *letters) write(s webhooks.Stop, to string) mail.Message {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, letter{s, to})
	return mail.Message{To: to, Subject: "stopped", Text: "stopped", HTML: "stopped"}
}

func (l *letters) got() []letter {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

func (w *world) member(role accounts.Role) string {
	w.t.Helper()
	email := fmt.Sprintf("%s-%s@shop.example", role, uuid.NewString()[:8])
	const password = "seven grey camels at noon"
	if _, err := w.people.CreateUser(w.t.Context(), operator, w.org, email, role, password); err != nil {
		w.t.Fatal(err)
	}
	return email
}

func (w *world) stopped() int {
	w.t.Helper()
	n, err := w.deliveries.CountStopped(w.t.Context(), w.org.In(domain.ModeLive))
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) mails() int {
	return value[int](w, `SELECT count(*) FROM mails WHERE state = 'pending'`)
}

// When an endpoint is disabled, its owners and developers get one mail, however many webhooks
// were under way, and another for the next stop.
func TestAStopIsMailedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner, developer := w.member(accounts.RoleOwner), w.member(accounts.RoleDeveloper)
	w.member(accounts.RoleViewer)
	e := newEndpoint(t)
	e.answers(status(http.StatusGone))
	s := w.shop(e.URL)
	for range 6 {
		w.create(s)
	}
	w.record()
	var sent letters
	w.prepare(func(c *webhooks.Config) { c.Letter = sent.write }).start(t)
	w.eventually("the end of sending", func() bool { return w.stopped() == 1 })
	w.eventually("every delivery to be held", func() bool {
		return value[int](w, `SELECT count(*) FROM webhook_deliveries WHERE state <> 'held'`) == 0
	})
	want := []string{developer, owner}
	slices.Sort(want)
	check := func(stops int) {
		t.Helper()
		got := sent.got()
		if len(got) != stops*len(want) || w.mails() != stops*len(want) {
			t.Fatalf("%d letters and %d mails for %d stops of %d people", len(got), w.mails(), stops, len(want))
		}
		last := got[len(got)-len(want):]
		to := []string{last[0].to, last[1].to}
		slices.Sort(to)
		if !slices.Equal(to, want) {
			t.Errorf("mails go to %v, want %v", to, want)
		}
		l := last[0]
		if l.Application != s.ID || l.Name != s.Name || l.Organization != w.org ||
			l.OrganizationName != "شركة النخيل" || !l.Gone || l.At.IsZero() || l.FailingSince.IsZero() {
			t.Errorf("the letter is about %+v", l.Stop)
		}
	}
	check(1)
	if err := w.deliveries.Enable(t.Context(), operator, webhooks.Operator(), s.ID); err != nil {
		t.Fatal(err)
	}
	if n := w.stopped(); n != 0 {
		t.Errorf("%d stopped after enabling", n)
	}
	w.wantState(w.createDelivery(s), webhooks.StateHeld)
	check(2)
}

// Without mail an endpoint is disabled too; another URL is enabled.
func TestAStopWithoutMail(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.member(accounts.RoleOwner)
	e := newEndpoint(t)
	e.answers(status(http.StatusInternalServerError))
	s := w.shop(e.URL)
	w.dispatch()
	id := w.createDelivery(s)
	w.attempted(id, 1)
	const setFailingSince = `UPDATE webhook_endpoints SET failing_since = $2 WHERE application_uuid = $1`
	if _, err := w.pool.Exec(t.Context(), setFailingSince, s.ID, w.now().Add(-6*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	w.later(time.Hour)
	w.wantState(id, webhooks.StateHeld)
	if w.stopped() != 1 || w.mails() != 0 {
		t.Errorf("%d stopped, %d mails; want 1 and 0", w.stopped(), w.mails())
	}
	w.set(s, "https://shop.example/new")
	if n := w.stopped(); n != 0 {
		t.Errorf("%d stopped with another URL", n)
	}
}

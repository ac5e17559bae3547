package dashboard_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments"
	"daftar/projections"
)

// inMode is an organisation with other applications, of a mode.
func (w *world) inMode(t *testing.T, b business, mode domain.Mode) business {
	t.Helper()
	for n := range b.apps {
		var err error
		b.apps[n], err = w.accounts.CreateApplication(t.Context(), operator, b.org.ID,
			accounts.Draft{Name: fmt.Sprintf("%s shop %d", mode, n), Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// side is what there is of an organisation in a mode.
type side struct {
	business
	mode     domain.Mode
	payments []domain.Intent
	taken    int64 // by payments, also late ones
	attempts int
	aside    int // of the attempts, those in quarantine
	open     int // payments
	decide   int // what waits for a decision
}

// path is a path below the organisation, about the side's applications.
func (s *side) path(below string) string {
	if s.mode == domain.ModeTest {
		below = "test/" + below
	}
	return s.business.path(below)
}

// sell records a payment with a random fate.
func (s *side) sell(t *testing.T, w *world, random *rand.Rand) {
	t.Helper()
	amount := 1_000 + random.Int64N(1_000_000)
	attempt := domain.NewAttemptID(uuid.New())
	fates := [][]domain.Command{
		nil,
		paid(attempt, amount),
		paid(attempt, amount)[:1],
		append(paid(attempt, amount)[:1], domain.FailAttempt{Attempt: attempt, Reason: "declined"}),
	}
	fate := random.IntN(len(fates) + 2)
	if fate >= len(fates) {
		i := w.late(t, s.business)
		s.payments, s.taken, s.attempts = append(s.payments, i), s.taken+i.Amount.Minor, s.attempts+1
		s.decide += 2 // it is late, and a second one follows
		return
	}
	i := w.sale(t, s.business, random.IntN(2), func(c *domain.Create) {
		c.Amount.Minor, c.Description = amount, string(s.mode)+" order"
	}, fates[fate]...)
	s.payments = append(s.payments, i)
	if fate != 1 {
		s.open++
	}
	switch fate {
	case 0:
		w.recordDelivery(t, s.business, 0, i, "failed")
		return
	case 1:
		s.taken += amount
	case 2:
		_, err := w.pool.Exec(t.Context(), `
			INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer,
			    created_at, stage, stage_since, updated_at)
			VALUES ($1, $2, 'sandbox', 'wallet', 'ar', '', now(), 'quarantined', now(), now())`, attempt, i.ID)
		if err != nil {
			t.Fatal(err)
		}
		s.aside++
	}
	s.attempts++
}

// figures compares what is added up of the side with what was sold.
func (s *side) figures(t *testing.T, w *world) {
	t.Helper()
	of, read := s.org.ID.In(s.mode), projections.NewPayments(w.pool)
	from, to := domain.DayOf(w.now()).Add(-2), domain.DayOf(w.now()).Add(2)
	turnover, errTurnover := read.Turnover(t.Context(), of, nil, from, to)
	ended, errOutcomes := read.Outcomes(t.Context(), of, nil, from, to)
	operations := payments.NewOperations(w.pool, w.ledger)
	health, errHealth := operations.Health(t.Context(), of, w.now().Add(-time.Hour))
	aside, errAside := w.outcomes.Count(t.Context(), of, 100)
	stopped, errStopped := w.deliveries.CountStopped(t.Context(), of)
	open, errOpen := read.Open(t.Context(), of, 100)
	decide, errDecide := read.Undecided(t.Context(), of, 100)
	err := errors.Join(errTurnover, errOutcomes, errHealth, errAside, errStopped, errOpen, errDecide)
	if err != nil {
		t.Fatal(err)
	}
	got := struct {
		taken                                           int64
		attempts, aside, healthy, stopped, open, decide int
	}{aside: aside, stopped: stopped, open: open, decide: decide}
	for _, f := range turnover.Totals {
		got.taken += f.Succeeded.Sum
	}
	for _, m := range ended.Methods {
		got.attempts += m.Paid + m.Failed + m.Open
	}
	for _, h := range health {
		got.healthy += h.Aside
	}
	want := got
	want.taken, want.attempts, want.aside, want.healthy, want.stopped = s.taken, s.attempts, s.aside, s.aside, 1
	want.open, want.decide = s.open, s.decide
	if got != want {
		t.Errorf("%s: %+v, want %+v", s.mode, got, want)
	}
}

// Whatever mix of payments an organisation has: nothing of its test applications is in a sum, a
// list, a search or a file of the live side, and nothing of its live ones on the test side.
func TestMoneyOfTestsIsNowhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	live := &side{business: w.inMode(t, w.ours, domain.ModeLive), mode: domain.ModeLive}
	test := &side{business: w.inMode(t, w.ours, domain.ModeTest), mode: domain.ModeTest}
	for _, s := range []*side{live, test} {
		w.setURL(t, s.business, 0)
	}
	for range 40 {
		[]*side{live, test}[random.IntN(2)].sell(t, w, random)
	}
	w.project(t)
	_, err := w.pool.Exec(t.Context(), `
		INSERT INTO webhook_endpoints (application_uuid, url, disabled_at, disabled_for)
		SELECT uuid, webhook_url, now(), 'gone' FROM applications WHERE webhook_url IS NOT NULL
		ON CONFLICT (application_uuid) DO UPDATE SET disabled_at = now(), disabled_for = 'gone'`)
	if err != nil {
		t.Fatal(err)
	}

	owner := w.owner(t)
	for _, here := range []*side{live, test} {
		there := live
		if here == live {
			there = test
		}
		here.figures(t, w)
		here.showsNothingOf(t, owner, there)
	}
}

// showsNothingOf opens every list and file of the side.
func (s *side) showsNothingOf(t *testing.T, c *client, other *side) {
	t.Helper()
	pages := []string{
		"payments", "payments?status=late", "payments?status=succeeded", "payments?q=order",
		"payments.csv", "money",
		"money.csv", "methods", "decisions", "decisions/decided", "decisions.csv", "webhooks", "applications",
		"developers", "links/new", "reconcile",
	}
	for _, i := range other.payments {
		pages = append(pages, "payments?q="+string(i.Reference), "payments?q="+i.ID.String())
	}
	for _, page := range pages {
		text := c.get(s.path(page)).is(t, http.StatusOK).body
		for _, i := range other.payments {
			names := []string{"payments/" + i.ID.String(), string(i.MerchantReference)}
			if !strings.Contains(page, "q=") { // which the page of a search repeats
				names = append(names, i.ID.String(), i.Reference.Capitals())
			}
			for _, name := range names {
				if strings.Contains(text, name) {
					t.Errorf("%s has %s of the %s side", page, name, other.mode)
				}
			}
		}
		if strings.Contains(text, string(other.mode)+" shop") {
			t.Errorf("%s names an application of the %s side", page, other.mode)
		}
	}
	for _, i := range other.payments {
		c.get(s.path("payments/"+i.ID.String())).is(t, http.StatusNotFound)
	}
	for _, app := range other.apps {
		c.get(s.path("applications/"+app.ID.String())).is(t, http.StatusNotFound)
	}
}

// addresses are those of links and forms.
var addresses = regexp.MustCompile(`(?:href|action)="([^"]*)"`)

// The switch leads to the same section of the other side, and every link of a page stays on its side.
func TestTheSwitchKeepsItsPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	live := &side{business: w.ours, mode: domain.ModeLive}
	test := &side{business: w.inMode(t, w.ours, domain.ModeTest), mode: domain.ModeTest}
	for _, section := range []string{"payments", "money", "decisions", "applications", "tokens", "webhooks",
		"developers", "people", "audit"} {
		here := owner.get(live.path(section)+"?lang=en").is(t, http.StatusOK)
		if to := here.link(t, "Test"); to != test.path(section)+"?lang=en" {
			t.Errorf("%s: the switch leads to %s", section, to)
		}
		there := owner.get(test.path(section)+"?lang=en").is(t, http.StatusOK)
		if to := there.link(t, "Live"); to != live.path(section)+"?lang=en" {
			t.Errorf("%s: the switch leads back to %s", section, to)
		}
		there.has(t, "Test mode: no real money moves")
		here.lacks(t, "Test mode: no real money moves")
		for _, to := range addresses.FindAllStringSubmatch(there.body, -1) {
			if strings.HasPrefix(to[1], live.path("")) && !strings.HasPrefix(to[1], test.path("")) &&
				to[1] != live.path(section)+"?lang=en" {
				t.Errorf("%s: a link of the test side leads to %s", section, to[1])
			}
		}
	}
	// Pages outside of an organisation keep the side of the page before them.
	account := owner.get("/dashboard/account?lang=en").is(t, http.StatusOK)
	if to := account.link(t, "Payments"); to != test.path("payments")+"?lang=en" {
		t.Errorf("from the account the menu leads to %s", to)
	}
}

// An application is made in the mode that its form says, which is at first that of the page.
func TestAFormMakesATestApplication(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.owner(t)
	live := &side{business: w.ours, mode: domain.ModeLive}
	test := &side{business: w.ours, mode: domain.ModeTest}
	for _, s := range []*side{live, test} {
		form := owner.get(s.path("applications/new")).is(t, http.StatusOK)
		if !strings.Contains(form.body, `value="`+string(s.mode)+`" checked`) {
			t.Errorf("the form of the %s side does not propose its mode", s.mode)
		}
	}
	owner.post(live.path("applications")+"?lang=en", "name", "trials", "mode", "play").
		is(t, http.StatusUnprocessableEntity).has(t, "Choose the mode of the application.")
	page := owner.post(live.path("applications")+"?lang=en", "name", "trials", "mode", "test").
		is(t, http.StatusOK).has(t, "Test mode: no real money moves")
	to := page.link(t, "To the application")
	if !strings.HasPrefix(to, test.path("applications/")) {
		t.Errorf("the secrets' page leads to %s", to)
	}
	owner.get(to).is(t, http.StatusOK).has(t, "needs no account with a payment provider")
	owner.get(live.path("applications")).is(t, http.StatusOK).lacks(t, "trials")
	owner.get(test.path("applications")).is(t, http.StatusOK).has(t, "trials")
}

package dashboard_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
)

// unknownPayment is a payment with Plutu, which cannot be asked.
func (w *world) unknownPayment(t *testing.T, b business, id domain.AttemptID) domain.Intent {
	t.Helper()
	i := w.sale(t, b, 0, nil, domain.StartAttempt{Attempt: id, Acquirer: "plutu", Method: "adfali",
		Payer: "091•••5678"})
	_, err := w.pool.Exec(t.Context(), `
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer, created_at,
		    stage, stage_since, trouble, updated_at)
		VALUES ($1, $2, 'plutu', 'adfali', 'ar', '091•••5678', $3, 'quarantined', now(),
		    '{"kind":"unaskable"}', now())`, string(id), i.ID, w.now().Add(-30*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func (w *world) status(t *testing.T, i domain.Intent) domain.Status {
	t.Helper()
	after, err := w.ledger.Load(t.Context(), i.ID)
	if err != nil {
		t.Fatal(err)
	}
	return after.Status
}

// One member settles at once, and sees what to look for.
func TestAMemberSettlesAnOutcome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.unknownPayment(t, w.ours, attemptA)
	w.unknownPayment(t, w.other, attemptB)
	finance := w.finance(t)
	list := w.ours.path("outcomes?lang=en")
	page := finance.get(list).is(t, http.StatusOK).has(t, "One person is always enough", "5.000",
		"Plutu", string(attemptA), "cannot be asked").lacks(t, string(attemptB))
	settle := page.link(t, "Record the outcome "+i.Reference.Capitals())
	finance.get(settle).is(t, http.StatusOK).has(t, "In Plutu’s dashboard", string(attemptA), "091•••5678",
		"What did you find?").lacks(t, "This needs two people")
	w.viewer(t).get(list).is(t, http.StatusOK).has(t, string(attemptA)).lacks(t, "Record the outcome")
	w.developer(t).get(settle).is(t, http.StatusForbidden)
	w.as(t, w.other.email(accounts.RoleOwner)).get(strings.Replace(settle, w.ours.org.ID.String(),
		w.other.org.ID.String(), 1)).is(t, http.StatusNotFound)
	for says, fields := range map[string][]string{
		"Choose what you found.": {"note", "x"},
		"Write one line":         {"outcome", "paid", "note", " "},
		"more than 100":          {"outcome", "paid", "note", "x", "reference", strings.Repeat("1", 101)},
	} {
		finance.post(settle, fields...).is(t, http.StatusUnprocessableEntity).has(t, says)
	}
	finance.follow(finance.post(settle, "outcome", "paid", "reference", "TX-1", "note", "in the portal")).
		is(t, http.StatusOK).has(t, "What you found was recorded", "Every outcome is known")
	if s := w.status(t, i); s != domain.StatusSucceeded {
		t.Errorf("it is %s", s)
	}
	finance.get(w.ours.path("payments/"+i.ID.String()+"?lang=en")).is(t, http.StatusOK).
		has(t, "TX-1", "in the portal", w.ours.email(accounts.RoleFinance)).lacks(t, "First recorded by")
	finance.get(w.ours.path("outcomes/order/"+string(attemptA))).is(t, http.StatusNotFound)
}

// With four eyes, one proposes and another confirms; nobody confirms their own.
func TestTwoMembersSettleAnOutcome(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, other := w.unknownPayment(t, w.ours, attemptA), w.unknownPayment(t, w.ours, attemptB)
	owner, finance := w.owner(t), w.finance(t)
	rule := w.ours.path("outcomes/rule?lang=en")
	finance.get(rule).is(t, http.StatusForbidden)
	owner.get(rule).is(t, http.StatusOK).has(t, "A second person always confirms")
	owner.post(rule, "rule", "sometimes").is(t, http.StatusUnprocessableEntity).has(t, "Choose when")
	owner.post(rule, "rule", "above", "above", "many").is(t, http.StatusUnprocessableEntity).
		has(t, "Enter an amount")
	owner.follow(owner.post(rule, "rule", "above", "above", "4.999")).is(t, http.StatusOK).
		has(t, "The rule was saved", "confirms amounts above", "4.999")

	settle := w.ours.path("outcomes/payment/" + string(attemptA) + "?lang=en")
	finance.get(settle).is(t, http.StatusOK).has(t, "This needs two people")
	finance.follow(finance.post(settle, "outcome", "paid", "note", "in the portal")).is(t, http.StatusOK).
		has(t, "What needs a second person", "Waiting for another person")
	if s := w.status(t, paid); s != domain.StatusProcessing {
		t.Errorf("it is %s before the second person", s)
	}
	own := finance.get(settle).is(t, http.StatusOK).has(t, "Withdraw it").lacks(t, "Confirm the outcome").
		form(t, "reject")
	confirm := w.ours.path("outcomes/confirm?lang=en")
	finance.post(confirm, "proposal", own.Get("proposal")).is(t, http.StatusUnprocessableEntity).
		has(t, "No one confirms what they recorded themselves")
	if s := w.status(t, paid); s != domain.StatusProcessing {
		t.Errorf("it is %s by one person", s)
	}
	owner.get(w.ours.path("outcomes?lang=en")).is(t, http.StatusOK).
		has(t, "Waiting for you to confirm", w.ours.email(accounts.RoleFinance), "in the portal")
	form := owner.get(settle).is(t, http.StatusOK).has(t, "Check for yourself").form(t, "confirm")
	owner.follow(owner.send(http.MethodPost, confirm, form)).is(t, http.StatusOK).has(t, "You confirmed")
	if s := w.status(t, paid); s != domain.StatusSucceeded {
		t.Errorf("it is %s after the second person", s)
	}
	owner.get(w.ours.path("payments/"+paid.ID.String()+"?lang=en")).is(t, http.StatusOK).
		has(t, "First recorded by", w.ours.email(accounts.RoleFinance), w.ours.email(accounts.RoleOwner))
	owner.get(w.ours.path("audit?lang=en")).is(t, http.StatusOK).
		has(t, "Outcome proposed", "Outcome confirmed", "Rule about two people")

	settle = w.ours.path("outcomes/payment/" + string(attemptB) + "?lang=en")
	finance.post(settle, "outcome", "failed", "note", "not there").is(t, http.StatusSeeOther)
	reject := owner.get(settle).is(t, http.StatusOK).form(t, "reject")
	owner.follow(owner.send(http.MethodPost, w.ours.path("outcomes/reject?lang=en"), reject)).
		is(t, http.StatusOK).has(t, "It was rejected")
	if s := w.status(t, other); s != domain.StatusProcessing {
		t.Errorf("what was rejected is %s", s)
	}
	owner.follow(owner.send(http.MethodPost, confirm, reject)).is(t, http.StatusOK).
		has(t, "There is nothing left to record")
	owner.post(confirm, "proposal", "x").is(t, http.StatusNotFound)
	owner.follow(owner.post(rule, "rule", "never")).is(t, http.StatusOK).has(t, "You made this rule weaker")
	owner.get(settle).is(t, http.StatusOK).has(t, "This needs two people")
}

// What a statement shows is settled at once, and confirmed at once when the second person has compared it.
func TestAStatementSettlesOutcomes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid, refused, none := domain.NewAttemptID(uuid.New()), domain.NewAttemptID(uuid.New()),
		domain.NewAttemptID(uuid.New())
	w.unknownPayment(t, w.ours, paid)
	w.unknownPayment(t, w.ours, refused)
	absent := w.unknownPayment(t, w.ours, none)
	at := w.now().UTC().Format(time.RFC3339)
	file := "invoice_no,transaction_id,amount,approved,created_at\n" +
		string(paid) + ",TX-A,5.000,true," + at + "\n" + string(refused) + ",TX-B,5.000,false," + at + "\n"
	day := w.now().Add(-72 * time.Hour).Format(time.DateOnly)
	compare := func(c *client) answer {
		return c.upload(w.ours.path("reconcile?lang=en"), file, "acquirer", "plutu", "application",
			w.ours.apps[0].ID.String(), "from", day, "to", w.now().Add(48*time.Hour).Format(time.DateOnly))
	}
	owner, finance := w.owner(t), w.finance(t)
	owner.post(w.ours.path("outcomes/rule"), "rule", "always").is(t, http.StatusSeeOther)
	compare(w.viewer(t)).is(t, http.StatusOK).lacks(t, "Unknown outcomes of which")
	finance.get(w.ours.path("outcomes?lang=en")).is(t, http.StatusOK).lacks(t, "A statement shows these")
	compare(finance).is(t, http.StatusOK).has(t, "shows what became: 3")
	form := finance.get(w.ours.path("outcomes?lang=en")).is(t, http.StatusOK).
		has(t, "A statement shows these", "Line 2", "TX-A", "no line of it").form(t, "settle")
	keys := []string{"payment:" + string(paid), "payment:" + string(refused)}
	slices.Sort(keys)
	if got := slices.Sorted(slices.Values(form["proven"])); !slices.Equal(got, keys) {
		t.Errorf("chosen are %q", got)
	}
	form.Set("note", " ")
	settle := w.ours.path("outcomes/settle?lang=en")
	finance.send(http.MethodPost, settle, form).is(t, http.StatusUnprocessableEntity).has(t, "Write one line")
	form["proven"], form["note"] = append(form["proven"], "payment:"+string(none)), []string{"Monday"}
	finance.follow(finance.send(http.MethodPost, settle, form)).is(t, http.StatusOK).
		has(t, "What needs a second person")
	finance.follow(finance.send(http.MethodPost, settle, form)).is(t, http.StatusOK).
		has(t, "There is nothing left to record")
	finance.post(settle, "proven", "x", "note", "x").is(t, http.StatusNotFound)
	owner.post(w.ours.path("outcomes/settle?lang=en"), "note", "x").is(t, http.StatusUnprocessableEntity).
		has(t, "Nothing is ticked")
	owner.post(w.ours.path("outcomes/confirm?lang=en")).is(t, http.StatusUnprocessableEntity).
		has(t, "Nothing is ticked")

	waiting := func() url.Values {
		return owner.get(w.ours.path("outcomes?lang=en")).is(t, http.StatusOK).form(t, "confirm")
	}
	if got := waiting()["proposal"]; len(got) != 0 {
		t.Errorf("before the owner compares, chosen are %q", got)
	}
	compare(owner).is(t, http.StatusOK)
	form = waiting()
	if len(form["proposal"]) != 3 {
		t.Errorf("after the owner has compared, chosen are %q", form["proposal"])
	}
	owner.follow(owner.send(http.MethodPost, w.ours.path("outcomes/confirm?lang=en"), form)).
		is(t, http.StatusOK).has(t, "You confirmed", "Every outcome is known")
	w.recordOutcomes(t)
	for id, status := range map[domain.AttemptID]domain.Status{
		paid: domain.StatusSucceeded, refused: domain.StatusRequiresPaymentMethod,
		none: domain.StatusRequiresPaymentMethod,
	} {
		var got domain.Status
		row := w.pool.QueryRow(t.Context(), `
			SELECT i.status FROM intents i JOIN checkout_attempts a ON a.intent_uuid = i.uuid
			WHERE a.attempt = $1`, string(id))
		if err := row.Scan(&got); err != nil || got != status {
			t.Errorf("%s is %s, want %s (%v)", id, got, status, err)
		}
	}
	owner.get(w.ours.path("payments/"+absent.ID.String()+"?lang=en")).is(t, http.StatusOK).
		has(t, "no line of it")
}

// recordOutcomes lets a server record what was settled.
func (w *world) recordOutcomes(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { w.outcomes.Run(ctx, zerolog.Nop()) })
	for left := 1; left > 0; {
		row := w.pool.QueryRow(ctx, `SELECT count(*) FROM outcome_proposals WHERE state = 'recording'`)
		if err := row.Scan(&left); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	running.Wait()
}

package dashboard_test

import (
	"net/http"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments"
)

// tried is a payment with an attempt at a method, which ended by the commands after it.
func (w *world) tried(
	t *testing.T, b business, method, stage string, attempt domain.AttemptID, then ...domain.Command,
) {
	t.Helper()
	started := domain.StartAttempt{Attempt: attempt, Acquirer: "bank", Method: method}
	i := w.sale(t, b, 0, nil, append([]domain.Command{started}, then...)...)
	_, err := w.pool.Exec(t.Context(), `
		INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer,
		    created_at, stage, stage_since, updated_at)
		VALUES ($1, $2, 'bank', $3, 'ar', '',
		    now() - interval '90 seconds', $4, now(), now())`, attempt, i.ID, method, stage)
	if err != nil {
		t.Fatal(err)
	}
}

func TestHowMethodsFare(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.viewer(t)
	page := w.ours.path("methods?lang=en")
	c.get(w.ours.path("money?lang=en")).is(t, http.StatusOK).link(t, "Method performance today")
	c.get(page).is(t, http.StatusOK).has(t, "No one has tried to pay").link(t, "Revenue")
	support := w.support(t)
	support.get(w.ours.path("payments?lang=en")).is(t, http.StatusOK).link(t, "Method performance today")
	support.get(page).is(t, http.StatusOK).link(t, "Payments")
	pays := func(a domain.AttemptID) domain.Command {
		return domain.RecordPayment{Attempt: a, Amount: domain.Money{Minor: 5000, Currency: domain.LYD}}
	}
	fails := func(a domain.AttemptID, reason string) domain.Command {
		return domain.FailAttempt{Attempt: a, Reason: reason}
	}
	w.tried(t, w.ours, "adfali", "closed", "a1", pays("a1"))
	w.tried(t, w.ours, "adfali", "closed", "a2", pays("a2"))
	w.tried(t, w.ours, "adfali", "closed", "a3", fails("a3", "declined"))
	w.tried(t, w.ours, "adfali", "code", "a4")
	w.tried(t, w.ours, "adfali", "asking", "a5")
	w.tried(t, w.ours, "adfali", "quarantined", "a6")
	w.tried(t, w.ours, "sadad", "closed", "s1", fails("s1", "unreachable")) // our reason, not the acquirer's
	w.tried(t, w.other, "cards", "closed", "c1", pays("c1"))
	w.project(t)

	all, err := payments.NewOperations(w.pool, w.ledger).Health(t.Context(), w.ours.org.ID.In(domain.ModeLive),
		w.now().Add(-time.Hour))
	if err != nil || len(all) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	adfali, sadad := all[0], all[1]
	if adfali.LastAnswer == nil || adfali.ToPay < 89*time.Second || adfali.ToPay > 5*time.Minute ||
		sadad.LastAnswer != nil {
		t.Errorf("answers %+v, %+v", adfali, sadad)
	}
	adfali.LastAnswer, adfali.ToPay = nil, 0
	want := (payments.Health{Acquirer: "bank", Method: "adfali", Paid: 2, Failed: 1, Open: 1,
		Unknown: 1, Aside: 1})
	if adfali != want {
		t.Errorf("%+v, want %+v", adfali, want)
	}
	if want := (payments.Health{Acquirer: "bank", Method: "sadad", Failed: 1}); sadad != want {
		t.Errorf("%+v, want %+v", sadad, want)
	}
	c.get(page).is(t, http.StatusOK).has(t, "Adfali", "66%", "Sadad", "0%", "No answer").
		lacks(t, "Local bank card")
	later, err := payments.NewOperations(w.pool, w.ledger).Health(t.Context(), w.ours.org.ID.In(domain.ModeLive),
		w.now().Add(time.Hour))
	if err != nil || len(later) != 0 {
		t.Errorf("of what was created since: %+v, %v", later, err)
	}
}

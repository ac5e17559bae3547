package webhooks_test

import (
	"testing"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/webhooks"
)

// A delivery that arrived has no references of its own. It is listed with those of its intent, and
// sent again with them, also by a server of the previous version, which reads the row alone.
func TestReferencesOfWhatArrived(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	id := w.createDelivery(w.shop(e.URL))
	before := w.delivery(id)
	w.dispatch()
	w.eventually("the webhook", func() bool { return w.delivery(id).State == webhooks.StateDelivered })
	const rowSQL = `SELECT reference || merchant_reference FROM webhook_deliveries`
	if got := value[string](w, rowSQL); got != "" {
		t.Errorf("the row has the references %q", got)
	}
	const triesSQL = `SELECT num_nonnulls(step, try_attempt) FROM webhook_deliveries`
	if got := value[int](w, triesSQL); got != 0 || w.tries(id)[0].Attempt != 1 {
		t.Errorf("the row has %d of its step and its try, the log %+v", got, w.tries(id))
	}
	after := w.delivery(id)
	if after.Reference != before.Reference || after.MerchantReference != before.MerchantReference ||
		before.Reference == "" || before.MerchantReference == "" {
		t.Errorf("listed as %+v, before as %+v", after, before)
	}
	if _, err := w.pool.Exec(t.Context(), `
		UPDATE webhook_deliveries SET state = 'held', next_attempt_at = NULL`); err != nil {
		t.Fatal(err)
	}
	if got := value[string](w, rowSQL); got != string(before.Reference)+string(before.MerchantReference) {
		t.Errorf("to be sent again with the references %q", got)
	}
	if got := value[*int](w, `SELECT try_attempt FROM webhook_deliveries`); got == nil || *got != 1 {
		t.Errorf("the try that delivered has the number %v", got)
	}
}

// How long the try took that delivered is in the log in any case, and goes on into the log of
// earlier tries.
func TestDurationOfTheTryThatDelivered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	id := w.createDelivery(w.shop(e.URL))
	w.dispatch()
	w.eventually("the webhook", func() bool { return w.delivery(id).State == webhooks.StateDelivered })
	first := w.tries(id)[0].Duration
	if _, err := w.deliveries.Resend(t.Context(), operator, webhooks.Operator(), id); err != nil {
		t.Fatal(err)
	}
	w.eventually("the second try", func() bool { return w.delivery(id).Attempts == 2 })
	if all := w.tries(id); first <= 0 || len(all) != 2 || all[0].Duration != first || all[1].Duration <= 0 {
		t.Errorf("the first took %v, later %+v", first, all)
	}
}

// The deliveries of an intent are found by ids that are derived from it.
func TestDeliveriesOfAnIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shop(newEndpoint(t).URL)
	of := w.create(s)
	w.create(s)
	w.execute(of, domain.StartAttempt{Attempt: "first", Acquirer: "sandbox", Method: "wallet"})
	w.record()
	got := w.list(webhooks.Filter{Tenant: webhooks.TenantOf(w.org), Intent: &of, Application: &s.ID})
	if len(got) != 2 || got[0].ID != webhooks.IDOf(uuid.UUID(of), 2) || *got[1].Intent != of {
		t.Errorf("found %+v", got)
	}
	if got := w.list(webhooks.Filter{Tenant: webhooks.Operator(), Intent: &domain.IntentID{1}}); len(got) > 0 {
		t.Errorf("of an intent that does not exist: %+v", got)
	}
	for event, want := range map[string]bool{webhooks.TypeCreated: true, webhooks.TypeSucceeded: false} {
		if _, err := w.pool.Exec(t.Context(), `
			UPDATE webhook_deliveries SET state = 'delivered', next_attempt_at = NULL`); err != nil {
			t.Fatal(err)
		}
		if got, err := w.deliveries.Delivered(t.Context(), of, event); err != nil || got != want {
			t.Errorf("%s: delivered %v, %v", event, got, err)
		}
	}
}

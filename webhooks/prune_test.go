package webhooks_test

import (
	"testing"
	"time"

	"daftar/webhooks"
)

// Prune deletes only deliveries that finished before the cutoff, with their tries; the log keeps
// the events.
func TestPrune(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	s, other := w.shop(e.URL), w.shop(e.URL)
	owner := w.db.OwnerPool(t)
	cutoff := time.Now().Add(-30 * 24 * time.Hour)
	old, young := cutoff.Add(-time.Hour), cutoff.Add(time.Hour)
	kept, gone := map[webhooks.DeliveryID]string{}, map[webhooks.DeliveryID]string{}
	for _, c := range []struct {
		name, state      string
		occurred, lastAt time.Time // a zero lastAt: never tried
		gone             bool
	}{
		{"delivered long ago", webhooks.StateDelivered, old, old, true},
		{"failed long ago", webhooks.StateFailed, old, old, true},
		{"delivered long ago, no try logged", webhooks.StateDelivered, old, time.Time{}, true},
		{"of long ago, sent again lately", webhooks.StateDelivered, old, young, false},
		{"delivered lately", webhooks.StateDelivered, young, young, false},
		{"failed lately", webhooks.StateFailed, young, young, false},
		{"held", webhooks.StateHeld, old, old, false},
		{"pending", webhooks.StatePending, old, old, false},
	} {
		for _, of := range []shop{s, other} {
			id := w.createDelivery(of)
			_, err := owner.Exec(t.Context(), `
				UPDATE webhook_deliveries
				SET state = $2, occurred_at = $3, next_attempt_at = CASE WHEN $2 = 'pending' THEN now() END
				WHERE uuid = $1`, id, c.state, c.occurred)
			if err == nil && !c.lastAt.IsZero() {
				_, err = owner.Exec(t.Context(), `
					WITH first AS (INSERT INTO webhook_tries VALUES ($1, 1, $2, '1 s', 500, 'status', ''))
					UPDATE webhook_deliveries
					SET try_attempt = 2, try_at = $3, try_duration = '1 s', last_status = 200,
					    try_error = '', try_answer = ''
					WHERE uuid = $1`, id, old, c.lastAt)
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.gone {
				gone[id] = c.name
			} else {
				kept[id] = c.name
			}
		}
	}
	check := func(pruned webhooks.Pruned, err error, deliveries, tries int64) {
		t.Helper()
		if want := (webhooks.Pruned{Deliveries: deliveries, Tries: tries}); err != nil || pruned != want {
			t.Errorf("pruned %+v (%v), want %+v", pruned, err, want)
		}
	}
	pruned, err := w.deliveries.Prune(t.Context(), operator, cutoff, true)
	check(pruned, err, 6, 8)
	if left := len(w.list(webhooks.Filter{Tenant: webhooks.Operator()})); left != 16 {
		t.Errorf("a dry run left %d of 16 deliveries", left)
	}
	pruned, err = w.deliveries.Prune(t.Context(), operator, cutoff, false)
	check(pruned, err, 6, 8)
	for _, v := range w.list(webhooks.Filter{Tenant: webhooks.Operator()}) {
		if name, is := gone[v.ID]; is {
			t.Errorf("%s is still there", name)
		}
		delete(kept, v.ID)
	}
	for _, name := range kept {
		t.Errorf("%s is gone", name)
	}
	if left := value[int](w, `SELECT count(*) FROM webhook_log`); left != 20 {
		t.Errorf("%d tries are left, want the 20 of what is left", left)
	}
	pruned, err = w.deliveries.Prune(t.Context(), operator, cutoff, false)
	check(pruned, err, 0, 0)
	const countRecords = `SELECT count(*) FROM audit_records WHERE action = $1 AND organization_uuid IS NULL`
	if got := value[int](w, countRecords, string(webhooks.ActionPrune)); got != 2 {
		t.Errorf("the trail has %d records of it, want 2: a dry run has none", got)
	}

	// A replay creates them from the log again, with the same ids.
	due, err := w.deliveries.Replay(t.Context(), operator, webhooks.Operator(), s.ID, time.Now().Add(-time.Hour))
	if err != nil || due != 8 {
		t.Errorf("replayed %d of 8 (%v)", due, err)
	}
	again := 0
	for _, v := range w.list(webhooks.Filter{Tenant: webhooks.TenantOf(w.org), Application: &s.ID}) {
		if gone[v.ID] != "" {
			again++
		}
	}
	if again != 3 {
		t.Errorf("%d of the 3 that were deleted are there again under their ids", again)
	}
}

// There are more deliveries than one transaction reads; most of them are kept.
func TestPruneInBatches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.shop("https://shop.ly/hook")
	_, err := w.db.OwnerPool(t).Exec(t.Context(), `
		INSERT INTO webhook_deliveries (uuid, application_uuid, event, occurred_at, state)
		SELECT gen_random_uuid(), $1, 'webhook.test',
		       CASE WHEN n % 3 = 0 THEN now() - interval '2 days' ELSE now() END, 'delivered'
		FROM generate_series(1, 4500) n`, s.ID)
	if err != nil {
		t.Fatal(err)
	}
	pruned, err := w.deliveries.Prune(t.Context(), operator, time.Now().Add(-24*time.Hour), false)
	if err != nil || pruned.Deliveries != 1500 {
		t.Errorf("pruned %+v (%v), want 1500", pruned, err)
	}
	if left := value[int](w, `SELECT count(*) FROM webhook_deliveries`); left != 3000 {
		t.Errorf("%d are left", left)
	}
}

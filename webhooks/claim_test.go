package webhooks_test

import (
	"testing"

	"daftar/webhooks"
)

// pauseSQL makes a claim wait after its snapshot, at its first delivery, until nobody holds the advisory
// lock.
const pauseSQL = `
CREATE FUNCTION pause() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF current_query() LIKE '%, owned AS MATERIALIZED%' THEN
        PERFORM pg_advisory_xact_lock_shared(7);
    END IF;
    RETURN true;
END
$$;
CREATE POLICY pause ON webhook_deliveries USING (pause());
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY`

const pausedSQL = `
SELECT EXISTS (SELECT
               FROM pg_locks
               WHERE locktype = 'advisory'
                 AND NOT granted
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`

// What another dispatcher has leased, sent and released between a claim's snapshot and its lock of the
// endpoint is not sent again, although it is pending in the snapshot.
func TestClaimSeesWhatWasReleasedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	s := w.shop(e.URL)
	w.createDelivery(s)
	owner := w.db.OwnerPool(t)
	if _, err := owner.Exec(t.Context(), pauseSQL); err != nil {
		t.Fatal(err)
	}
	other, err := owner.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	change := func(sql string) {
		t.Helper()
		if _, err := other.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	change(`SELECT pg_advisory_xact_lock(7)`)
	w.dispatch()
	w.eventually("a claim that waits", func() bool { return value[bool](w, pausedSQL) })
	change(`UPDATE webhook_endpoints SET busy_with = gen_random_uuid(), busy_until = now()`)
	change(`UPDATE webhook_deliveries SET state = 'delivered', next_attempt_at = NULL`)
	change(`UPDATE webhook_endpoints SET busy_with = NULL, busy_until = NULL`)
	if err := other.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := w.createDelivery(s)
	w.wantState(next, webhooks.StateDelivered)
	if got := e.got(); len(got) != 1 {
		t.Errorf("%d requests, the first is %s again", len(got), got[0].id())
	}
}

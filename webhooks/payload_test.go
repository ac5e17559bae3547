package webhooks_test

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/webhooks"
)

// Payload returns exactly the bytes that the endpoint received: for every event and every try,
// before the try and after it.
func TestPayloadIsWhatArrives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	s := w.shop(e.URL)
	id := w.create(s)
	first := domain.AttemptID("first")
	money := domain.Money{Minor: 45_750, Currency: domain.LYD}
	for _, c := range []domain.Command{
		domain.StartAttempt{Attempt: first, Acquirer: "sandbox", Method: "wallet"},
		domain.RecordPayment{Attempt: first, Amount: money, ProviderReference: "p"},
		domain.RecordRefund{
			Refund: domain.RefundID{1}, Attempt: first, Amount: money, Evidence: domain.EvidencePerson,
		},
	} {
		w.execute(id, c)
	}
	events := w.eventsAfter(0)
	late := events[2] // the same, but late
	late.Position, late.Version, late.Type = 5, 5, domain.TypeLateSucceeded
	w.handle(append(events, late))
	test, err := w.deliveries.SendTest(t.Context(), operator, webhooks.Operator(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	of := webhooks.TenantOf(w.org)
	payload := func(id webhooks.DeliveryID) string {
		t.Helper()
		body, err := w.deliveries.Payload(t.Context(), of, id)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	before := map[string]string{test.ID.WebhookID(): payload(test.ID)}
	for version := 1; version <= 5; version++ {
		id := webhooks.IDOf(uuid.UUID(id), version)
		before[id.WebhookID()] = payload(id)
	}
	w.dispatch()
	w.eventually("all webhooks", func() bool { return len(e.got()) >= len(before) })
	for _, a := range e.got() {
		id, err := webhooks.ParseDeliveryID(a.id())
		if err != nil {
			t.Fatal(err)
		}
		if a.Body != before[a.id()] || a.Body != payload(id) {
			t.Errorf("%s received\n%s\nshown before\n%s\nand after\n%s", a.id(), a.Body, before[a.id()], payload(id))
		}
	}
	other, err := w.accounts.CreateOrganization(t.Context(), operator, "Other")
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []webhooks.Tenant{webhooks.TenantOf(other.ID), {}} {
		body, err := w.deliveries.Payload(t.Context(), of, test.ID)
		if !errors.Is(err, webhooks.ErrNoDelivery) || body != nil {
			t.Errorf("another organisation's payload: %s, %v", body, err)
		}
	}
}

// The time of a try is that of its signature, also where time passes before it is signed.
func TestTryHasTheTimestampOfItsHeader(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	w.prepare(func(c *webhooks.Config) {
		c.Now = func() time.Time { w.later(time.Second); return w.now() }
	}).start(t)
	id := w.createDelivery(w.shop(e.URL))
	w.wantState(id, webhooks.StateDelivered)
	tries, arrivals := w.tries(id), e.got()
	if len(tries) != len(arrivals) {
		t.Fatalf("%d tries, %d arrived", len(tries), len(arrivals))
	}
	for n, a := range arrivals {
		got, want := strconv.FormatInt(tries[n].Timestamp(), 10), a.Header.Get("webhook-timestamp")
		if got != want {
			t.Errorf("try %d is shown with the timestamp %s, and was sent with %s", n+1, got, want)
		}
	}
}

package webhooks_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/webhooks"
)

// Each event is sent under the type that merchants know, to its application only.
func TestTypesOfWebhooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	s, silent := w.shop(e.URL+"/hook"), w.shop("")
	id := w.create(s)
	w.create(silent)
	first, second := domain.AttemptID("first"), domain.AttemptID("second")
	paid := domain.Money{Minor: 45_750, Currency: domain.LYD}
	refunded := domain.Money{Minor: 45_000, Currency: domain.LYD}
	for _, c := range []domain.Command{
		domain.StartAttempt{Attempt: first, Acquirer: "sandbox", Method: "wallet"},
		domain.FailAttempt{Attempt: first, Reason: "declined"},
		domain.StartAttempt{Attempt: second, Acquirer: "sandbox", Method: "wallet"},
		domain.RecordPayment{Attempt: second, Amount: paid, ProviderReference: "p"},
		domain.RecordPayment{Attempt: first, Amount: paid, ProviderReference: "q"}, // a duplicate
		domain.RecordRefund{
			Refund: domain.RefundID{1}, Attempt: first, Amount: refunded, Evidence: domain.EvidencePerson,
		},
		domain.RecordRefundFailure{Refund: domain.RefundID{2}, Attempt: second, Amount: paid, Reason: "refused"},
	} {
		w.execute(id, c)
	}
	w.record()
	var got []string
	for _, v := range w.list(webhooks.Filter{Tenant: webhooks.Operator()}) {
		got = append([]string{v.Event}, got...)
		if v.Intent == nil || *v.Intent != id || v.Application != s.ID ||
			v.ID != webhooks.IDOf(uuid.UUID(id), v.Sequence) {
			t.Errorf("recorded %+v", v)
		}
	}
	want := []string{
		"payment_intent.created",
		"payment_intent.processing",
		"payment_intent.payment_failed",
		"payment_intent.processing",
		"payment_intent.succeeded",
		"payment_intent.duplicate_payment",
		"payment_intent.refunded",
		"payment_intent.refund_failed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	// The webhooks of refunds have what the intent does not show.
	w.dispatch()
	for sequence := range 8 {
		w.wantState(webhooks.IDOf(uuid.UUID(id), sequence+1), webhooks.StateDelivered)
	}
	const refund = `,"sequence":7,"refund":{` +
		`"uuid":"01000000-0000-0000-0000-000000000000","amount":45000,"currency":"LYD"}}}`
	const failed = `,"sequence":8,"refund":{"uuid":"02000000-0000-0000-0000-000000000000",` +
		`"amount":45750,"currency":"LYD","failure_reason":"refused"}}}`
	refunds := 0
	for _, a := range e.got() {
		if strings.Contains(a.Body, refund) || strings.Contains(a.Body, failed) {
			refunds++
		} else if strings.Contains(a.Body, "refund") {
			t.Errorf("body %s", a.Body)
		}
	}
	if refunds != 2 {
		t.Errorf("%d webhooks have their refund", refunds)
	}
}

func TestEventsThatEndAnIntent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	s := w.shop(e.URL)
	id := w.create(s)
	events := w.eventsAfter(0)
	added := map[int]string{2: domain.TypeExpired, 3: domain.TypeLateSucceeded, 4: domain.TypeDuplicatePayment}
	for version, name := range added {
		e := events[0]
		e.Position, e.Version, e.Type = int64(version), version, name
		events = append(events, e)
	}
	w.handle(events)
	w.handle(events) // the feed may give a batch a second time
	got := map[int]string{}
	for _, v := range w.list(webhooks.Filter{Tenant: webhooks.Operator(), Application: &s.ID}) {
		got[v.Sequence] = v.Event
	}
	want := map[int]string{
		1: webhooks.TypeCreated,
		2: webhooks.TypeCanceled,
		3: webhooks.TypeSucceeded,
		4: webhooks.TypeDuplicatePayment,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	w.dispatch()
	for sequence := range got {
		w.wantState(webhooks.IDOf(uuid.UUID(id), sequence), webhooks.StateDelivered)
	}
	for _, a := range e.got() {
		late := a.id() == webhooks.IDOf(uuid.UUID(id), 3).WebhookID()
		if strings.HasSuffix(a.Body, `"sequence":3,"late":true}}`) != late ||
			strings.Contains(a.Body, "late") != late {
			t.Errorf("body %s", a.Body)
		}
	}
}

// An event of a later version may need a webhook: the feed parks it until a version that knows
// it runs.
func TestUnknownEventsAreNotSkipped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.create(w.shop("https://shop.example/hook"))
	events := w.eventsAfter(0)
	e := events[0]
	e.Position, e.Version, e.Type = 2, 2, "intent.unheard_of"
	tx, err := w.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	err = webhooks.Group().Handle(t.Context(), tx, append(events, e))
	if !errors.Is(err, domain.ErrUnknownEvent) || !strings.Contains(err.Error(), "position 2") {
		t.Errorf("%v, want one that says that position 2 is unknown", err)
	}
}

// An application without an endpoint wakes nobody: the group learns that from its events. It forgets it
// with the first event after the application got an endpoint. What people, payers and acquirers do is
// urgent all the same.
func TestOnlyDeliveriesAreUrgent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	g := webhooks.Group()
	with, without := w.shop("https://shop.example/hook"), w.shop("")
	for _, step := range []struct {
		what          string
		of            shop
		before, after bool // whether the event is urgent before and after the group has handled it
	}{
		{"the first of a shop without an endpoint", without, true, false},
		{"the first of another shop", with, true, true},
		{"its second", with, true, true},
		{"the second of the shop without", without, false, false},
		{"the third, after it got an endpoint", without, false, true},
		{"the fourth", without, true, true},
	} {
		if strings.HasPrefix(step.what, "the third") {
			w.set(without, "https://other.example/hook")
		}
		w.create(step.of)
		events := w.eventsAfter(w.recorded)
		before := g.Urgent(events[0])
		tx, err := w.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(g.Handle(t.Context(), tx, events), tx.Commit(t.Context())); err != nil {
			t.Fatal(err)
		}
		w.recorded = events[len(events)-1].Position
		if after := g.Urgent(events[0]); before != step.before || after != step.after {
			t.Errorf("%s: urgent before %t and after %t, want %t and %t",
				step.what, before, after, step.before, step.after)
		}
		events[0].Metadata = []byte(`{"actor":"payer"}`)
		if !g.Urgent(events[0]) {
			t.Errorf("%s: what the payer did is not urgent", step.what)
		}
	}
}

func TestDelivery(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusAccepted)
		_, _ = rw.Write([]byte(strings.Repeat("شكرا ", 1<<16)))
	})
	s := w.shop(e.URL + "/hook?a=b")
	w.dispatch()
	id := w.createDelivery(s)
	v := w.wantState(id, webhooks.StateDelivered)
	if v.Attempts != 1 || v.NextAttemptAt != nil || v.LastStatus == nil || *v.LastStatus != http.StatusAccepted {
		t.Errorf("delivered: %+v", v)
	}
	got := e.got()
	if len(got) != 1 {
		t.Fatalf("%d requests", len(got))
	}
	event := w.eventsAfter(0)[0]
	reference := value[string](w, `SELECT reference FROM intents`)
	updated := value[time.Time](w, `SELECT updated_at FROM intents`).UTC().Format("2006-01-02T15:04:05.000000Z")
	body := `{"type":"payment_intent.created","timestamp":"` + updated + `","data":{"uuid":"` +
		event.Stream.String() + `","reference":"` + reference +
		`","merchant_reference":"طلب <1>","sequence":1}}`
	if got[0].Body != body {
		t.Errorf("body\n%s\nwant\n%s", got[0].Body, body)
	}
	h := got[0].Header
	if got[0].id() != "evt_"+id.String() || h.Get("User-Agent") != "Daftar-Webhooks/test" ||
		h.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", h)
	}
	tries := w.tries(id)
	if len(tries) != 1 || tries[0].Error != "" || len(tries[0].Answer) > 4<<10 ||
		!strings.HasPrefix(tries[0].Answer, "شكرا") || tries[0].Duration <= 0 {
		t.Errorf("tries %+v", tries)
	}
}

// The whole life of a delivery that never succeeds, by the clock.
func TestScheduleIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(status(http.StatusInternalServerError))
	s := w.shop(e.URL)
	d := w.dispatch()
	id := w.createDelivery(s)
	for try := 1; try < len(webhooks.Schedule); try++ {
		v := w.attempted(id, try)
		ended := w.tries(id)[try-1].At
		base := webhooks.Schedule[try]
		if v.State != webhooks.StatePending || v.NextAttemptAt == nil {
			t.Fatalf("after try %d: %+v", try, v)
		}
		if in := v.NextAttemptAt.Sub(ended); in < base*8/10-time.Millisecond || in > base*12/10+time.Millisecond {
			t.Errorf("try %d comes after %s, want %s and 20 %% more or less", try+1, in, base)
		}
		w.later(v.NextAttemptAt.Sub(w.now()) + time.Millisecond)
		d.Wake()
	}
	v := w.wantState(id, webhooks.StateFailed)
	if v.Attempts != len(webhooks.Schedule) || v.NextAttemptAt != nil {
		t.Errorf("failed: %+v", v)
	}
	e.answers(nil)
	w.later(24 * time.Hour)
	v, err := w.deliveries.Resend(t.Context(), operator, webhooks.Operator(), id)
	if err != nil || v.State != webhooks.StatePending {
		t.Fatalf("resend: %+v, %v", v, err)
	}
	w.wantState(id, webhooks.StateDelivered)
	for _, a := range e.got() {
		if a.id() != id.WebhookID() || a.Body != e.got()[0].Body {
			t.Errorf("a try with another id or body: %s %s", a.id(), a.Body)
		}
	}
	tries := w.tries(id)
	if len(tries) != 11 || tries[0].Error != "status" || *tries[0].Status != 500 || tries[10].Error != "" {
		t.Errorf("tries %+v", tries)
	}
}

func TestRetryAfterIsRespected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := newEndpoint(t)
	e.answers(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Retry-After", "3600")
		rw.WriteHeader(http.StatusTooManyRequests)
	})
	w.dispatch()
	id := w.createDelivery(w.shop(e.URL))
	v := w.attempted(id, 1)
	if in := v.NextAttemptAt.Sub(w.tries(id)[0].At); in != 10*time.Second {
		t.Errorf("next in %s, want twice the 5 s of the schedule", in)
	}
}

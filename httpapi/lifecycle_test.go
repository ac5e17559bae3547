package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
)

// of sends a request for a path below an intent.
func (s *service) of(t *testing.T, m merchant, method, id, what string) reply {
	t.Helper()
	return s.do(t, m.request(t, method, s.server.URL+httpapi.Prefix+"/payment-intents/"+id+"/"+what, ""))
}

var paid = domain.RecordPayment{
	Attempt: "a", Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, ProviderReference: "p",
}

// An open intent ends at once; a second request changes nothing.
func TestExpire(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	created := s.create(t, s.merchant, bodyWith())
	id := created.field(t, "uuid").(string)
	expired := s.of(t, s.merchant, http.MethodPost, id, "expire")
	if expired.status != http.StatusOK || expired.field(t, "status") != "canceled" {
		t.Fatalf("got %d %s", expired.status, expired.body)
	}
	if expired.field(t, "expires_at") != created.field(t, "expires_at") {
		t.Errorf("expires_at was %v and is %v", created.field(t, "expires_at"), expired.field(t, "expires_at"))
	}
	if got := s.retrieve(t, s.merchant, id); got.body != expired.body {
		t.Errorf("retrieved %s", got.body)
	}
	url := s.server.URL + httpapi.Prefix + "/payment-intents/" + id + "/expire"
	r := s.merchant.request(t, http.MethodPost, url, `{"any":"body"}`)
	if again := s.do(t, r); again.status != http.StatusOK || again.body != expired.body {
		t.Errorf("again: %d %s", again.status, again.body)
	}
	recorded, err := s.store.ReadStream(t.Context(), uuid.MustParse(id))
	if err != nil || len(recorded) != 2 {
		t.Fatalf("%d events, %v", len(recorded), err)
	}
	from, err := recorded[1].Origin()
	if err != nil || from.Actor != "application:"+s.merchant.app.ID.String() ||
		from.RequestID != expired.header.Get("X-Request-Id") {
		t.Errorf("ended by %+v, %v", from, err)
	}
	// A create with the same reference returns the canceled intent.
	again := s.create(t, s.merchant, bodyWith())
	if again.status != http.StatusOK || again.body != expired.body {
		t.Errorf("created again: %d %s", again.status, again.body)
	}
}

// An intent cannot be ended while an attempt is under way, for it may be paid, or after it is paid.
func TestExpireConflicts(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	for _, row := range []struct {
		rule     string
		commands []domain.Command
		want     string
	}{
		{"an attempt is open", []domain.Command{domain.StartAttempt{Attempt: "a"}},
			"A payment attempt is under way. Please try again when it has ended."},
		{"paid", []domain.Command{paid}, "This payment intent is paid."},
	} {
		s.execute(t, id, row.commands...)
		before := s.retrieve(t, s.merchant, id)
		got := s.of(t, s.merchant, http.MethodPost, id, "expire")
		if got.status != http.StatusConflict || got.body != `{"message":"`+row.want+`"}` {
			t.Errorf("%s: %d %s", row.rule, got.status, got.body)
		}
		if after := s.retrieve(t, s.merchant, id); after.body != before.body {
			t.Errorf("%s: the intent was %s\nand is %s", row.rule, before.body, after.body)
		}
	}
}

// After a failed attempt an intent can be ended. If the acquirer reports later that the attempt
// was paid, it is a late payment.
func TestMoneyAfterExpireIsLate(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	s.execute(t, id, domain.StartAttempt{Attempt: "a"}, domain.FailAttempt{Attempt: "a", Reason: "timed_out"})
	if got := s.of(t, s.merchant, http.MethodPost, id, "expire"); got.status != http.StatusOK {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	s.execute(t, id, paid)
	if got := s.retrieve(t, s.merchant, id).field(t, "status"); got != "succeeded" {
		t.Errorf("the intent is %v", got)
	}
	events := s.of(t, s.merchant, http.MethodGet, id, "events").body
	if !strings.Contains(events, `"late":true`) {
		t.Errorf("the events are %s", events)
	}
}

// The events are those of the webhooks, with the same types and sequences, with amounts
// and reasons, and without data of the payer.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	created := s.create(t, s.merchant, bodyWith("customer", `{"external_id":"secret-customer"}`))
	id := created.field(t, "uuid").(string)
	second := paid
	second.Attempt, second.ProviderReference = "b", "q"
	s.execute(t, id,
		domain.StartAttempt{Attempt: "a", Acquirer: "sandbox", Method: "wallet", Payer: "09•••01"},
		domain.FailAttempt{Attempt: "a", Reason: "insufficient_funds"},
		domain.StartAttempt{Attempt: "b", Acquirer: "sandbox", Method: "wallet", Payer: "09•••02"},
		domain.FailAttempt{Attempt: "b", Reason: "a word of the acquirer's own"},
		domain.Expire{Stopped: true},
		paid,
		second,
		domain.RecordRefund{
			Refund:   domain.RefundID{1},
			Attempt:  "b",
			Amount:   domain.Money{Minor: 1500, Currency: domain.LYD},
			Evidence: domain.EvidencePerson,
		},
		domain.RecordRefundFailure{
			Refund: domain.RefundID{2}, Attempt: "b", Amount: domain.Money{Minor: 500, Currency: domain.LYD},
			Reason: "not_sent",
		})
	got := s.of(t, s.merchant, http.MethodGet, id, "events")
	var answered struct {
		Data []map[string]any `json:"data"`
	}
	if err := json.Unmarshal([]byte(got.body), &answered); err != nil || got.status != http.StatusOK {
		t.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	var times []string
	for _, e := range answered.Data {
		times = append(times, e["at"].(string))
		delete(e, "at")
	}
	if !slices.IsSorted(times) || times[0] != s.retrieve(t, s.merchant, id).field(t, "created_at") {
		t.Errorf("times %v", times)
	}
	event := func(sequence float64, kind string, more map[string]any) map[string]any {
		more["sequence"], more["type"] = sequence, "payment_intent."+kind
		return more
	}
	want := []map[string]any{
		event(1, "created", map[string]any{"amount": 5000.0, "currency": "LYD"}),
		event(2, "processing", map[string]any{"attempt": "a"}),
		event(3, "payment_failed", map[string]any{"attempt": "a", "reason": "insufficient_funds"}),
		event(4, "processing", map[string]any{"attempt": "b"}),
		event(5, "payment_failed", map[string]any{"attempt": "b", "reason": "declined"}),
		event(6, "canceled", map[string]any{"reason": "stopped"}),
		event(7, "succeeded", map[string]any{"attempt": "a", "amount": 5000.0, "currency": "LYD", "late": true}),
		event(8, "duplicate_payment", map[string]any{"attempt": "b", "amount": 5000.0, "currency": "LYD"}),
		event(9, "refunded", map[string]any{
			"attempt": "b", "amount": 1500.0, "currency": "LYD",
			"refund": "01000000-0000-0000-0000-000000000000",
		}),
		event(10, "refund_failed", map[string]any{
			"attempt": "b", "amount": 500.0, "currency": "LYD", "reason": "not_sent",
			"refund": "02000000-0000-0000-0000-000000000000",
		}),
	}
	if diff := cmp.Diff(want, answered.Data); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, part := range []string{"•", "secret-customer", "sandbox"} {
		if strings.Contains(got.body, part) {
			t.Errorf("%s of the payer is in %s", part, got.body)
		}
	}
}

func TestExtensionsRefuse(t *testing.T) {
	t.Parallel()
	s := serve(t, pgtest.Database(t).ServiceURL(), nil)
	id := s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	sibling, stranger := s.newApplication(t, s.merchant.app.Organization), s.newMerchant(t)
	const (
		forbidden = `{"message":"This payment intent belongs to another application."}`
		missing   = `{"message":"Not found."}`
	)
	for what, method := range map[string]string{"expire": http.MethodPost, "events": http.MethodGet} {
		for _, row := range []struct {
			by     merchant
			id     string
			status int
			body   string
		}{
			{sibling, id, 403, forbidden},
			{stranger, id, 403, forbidden},
			{s.merchant, uuid.NewString(), 404, missing},
			{s.merchant, "order-1", 404, missing},
		} {
			if got := s.of(t, row.by, method, row.id, what); got.status != row.status || got.body != row.body {
				t.Errorf("%s %s: got %d %s, want %d %s", what, row.id, got.status, got.body, row.status, row.body)
			}
		}
	}
	if got := s.retrieve(t, s.merchant, id).field(t, "status"); got != "requires_payment_method" {
		t.Errorf("after the refused requests the intent is %v", got)
	}
}

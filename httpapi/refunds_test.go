package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/httpapi"
	"daftar/internal/postgres/pgtest"
	"daftar/payments/refunds"
)

// refundShop is a merchant whose token may refund.
type refundShop struct {
	*service
	merchant
	db *pgtest.DB
}

func newRefundShop(t *testing.T) refundShop {
	t.Helper()
	db := pgtest.Database(t)
	s := serve(t, db.ServiceURL(), nil)
	return refundShop{s, s.withToken(t, accounts.TokenDraft{
		Name: "refunds", Scopes: []accounts.Scope{accounts.ScopePayments, accounts.ScopeRefunds},
	}), db}
}

// pay creates an intent of 5.000 LYD, and pays it by an attempt with each of these acquirers. The last
// one makes it succeed.
func (s refundShop) pay(t *testing.T, acquirers ...string) string {
	t.Helper()
	body := bodyWith("merchant_reference", `"`+uuid.NewString()+`"`, "amount", "5000")
	id := s.create(t, s.merchant, body).field(t, "uuid").(string)
	var paid []domain.Command
	for n, name := range acquirers {
		of := domain.AttemptID(name + fmt.Sprint(n))
		s.execute(t, id, domain.StartAttempt{Attempt: of, Acquirer: name, Method: "wallet"})
		if n < len(acquirers)-1 {
			s.execute(t, id, domain.FailAttempt{Attempt: of, Reason: "declined"})
		}
		paid = append([]domain.Command{domain.RecordPayment{
			Attempt: of, Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, ProviderReference: string(of),
		}}, paid...)
	}
	s.execute(t, id, paid...)
	return id
}

func (s refundShop) refund(t *testing.T, m merchant, intent, body string) reply {
	t.Helper()
	return s.do(t, m.request(t, "POST", s.server.URL+httpapi.Prefix+"/payment-intents/"+intent+"/refunds", body))
}

func (s refundShop) get(t *testing.T, m merchant, path string) reply {
	t.Helper()
	return s.do(t, m.request(t, "GET", s.server.URL+httpapi.Prefix+path, ""))
}

// A refund is shown with all of its fields, alone and in the list of its intent, and a repeated
// request makes no second one.
func TestRefund(t *testing.T) {
	t.Parallel()
	s := newRefundShop(t)
	id := s.pay(t, "bank")
	first := s.refund(t, s.merchant, id, `{"refund_reference":"r-1","amount":1500,"reason":"عاد المنتج","x":1}`)
	if first.status != http.StatusCreated {
		t.Fatalf("%d %s", first.status, first.body)
	}
	var shown struct {
		Data map[string]any `json:"data"`
	}
	if err := json.Unmarshal([]byte(first.body), &shown); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"data":{"uuid":"%s","refund_reference":"r-1","payment_intent":"%s","attempt":"bank0",`+
		`"amount":1500,"currency":"LYD","status":"pending","reason":"عاد المنتج","failure_reason":null,`+
		`"created_at":"%s","updated_at":"%[3]s"}}`, shown.Data["uuid"], id, shown.Data["created_at"])
	if first.body != want {
		t.Errorf("got  %s\nwant %s", first.body, want)
	}
	again := s.refund(t, s.merchant, id, `{"refund_reference":"r-1","reason":"عاد المنتج"}`)
	if again.status != http.StatusOK || again.body != first.body ||
		again.header.Get("Idempotent-Replayed") != "true" || again.header.Get("Idempotent-Replayed-Differs") != "" {
		t.Errorf("repeated: %d %s %v", again.status, again.body, again.header)
	}
	other := s.pay(t, "bank")
	again = s.refund(t, s.merchant, other, `{"refund_reference":"r-1","amount":1,"attempt":"bank1"}`)
	if differs := again.header.Get("Idempotent-Replayed-Differs"); again.status != http.StatusOK ||
		again.body != first.body || differs != "payment_intent, amount, reason, attempt" {
		t.Errorf("for another intent: %d %s, differs %q", again.status, again.body, differs)
	}
	rest := s.refund(t, s.merchant, id, `{"refund_reference":"r-2","amount":null,"reason":null,"attempt":null}`)
	if rest.status != http.StatusCreated || rest.field(t, "amount") != 3500. || rest.field(t, "reason") != nil {
		t.Errorf("the rest: %d %s", rest.status, rest.body)
	}
	if got := s.get(t, s.merchant, "/refunds/"+shown.Data["uuid"].(string)); got.body != first.body {
		t.Errorf("retrieved: %d %s", got.status, got.body)
	}
	inner := func(r reply) string { return strings.TrimSuffix(strings.TrimPrefix(r.body, `{"data":`), "}") }
	list := s.get(t, s.merchant, "/payment-intents/"+id+"/refunds")
	if want := `{"data":[` + inner(first) + `,` + inner(rest) + `]}`; list.body != want {
		t.Errorf("listed %s\nwant   %s", list.body, want)
	}
	if got := s.get(t, s.merchant, "/payment-intents/"+other+"/refunds"); got.body != `{"data":[]}` {
		t.Errorf("of the other: %s", got.body)
	}
}

// What an application may not have, or not any more, is refused in words that say why, and leaves
// nothing behind.
func TestRefundRefuses(t *testing.T) {
	t.Parallel()
	s := newRefundShop(t)
	id, unpaid := s.pay(t, "bank"), s.create(t, s.merchant, bodyWith()).field(t, "uuid").(string)
	byHand, twice := s.pay(t, "plutu"), s.pay(t, "bank", "bank")
	stranger := s.merchant // with the same token
	stranger.app = s.newApplication(t, s.merchant.app.Organization).app
	message := func(text string) string { return `{"message":"` + text + `"}` }
	invalid := func(field, text string) string {
		return `{"message":"` + text + `","errors":{"` + field + `":["` + text + `"]}}`
	}
	const unknownAttempt = "The attempt is not one of this payment intent that was paid."
	for _, row := range []struct {
		rule, intent, body string
		status             int
		want               string
	}{
		{"no reference", id, `{}`, 422, invalid("refund_reference", "The refund_reference is required.")},
		{"a long reference", id, `{"refund_reference":"` + strings.Repeat("ر", 256) + `"}`, 422,
			invalid("refund_reference", "The refund_reference must be at most 255 characters.")},
		{"nothing", id, `{"refund_reference":"r","amount":0}`, 422,
			invalid("amount", "The amount must be at least 1 (0.001 LYD).")},
		{"a fraction", id, `{"refund_reference":"r","amount":1.5}`, 422, invalid("amount", "The amount must be "+
			"an integer in minor units, written without fraction or exponent: 5.000 LYD is 5000.")},
		{"a long reason", id, `{"refund_reference":"r","reason":"` + strings.Repeat("ر", 256) + `"}`, 422,
			invalid("reason", "The reason must be at most 255 characters.")},
		{"a reason that is no text", id, `{"refund_reference":"r","reason":7}`, 422,
			invalid("reason", "The reason must be a string or null.")},
		{"more than was paid", id, `{"refund_reference":"r","amount":5001}`, 422,
			invalid("amount", "The amount is more than the 5000 (5.000 LYD) that is left of this payment.")},
		{"an unknown attempt", id, `{"refund_reference":"r","attempt":"bank7"}`, 422,
			invalid("attempt", unknownAttempt)},
		{"no JSON", id, `[`, 400, ""},
		{"not paid", unpaid, `{"refund_reference":"r"}`, 409, message("This payment intent is not paid.")},
		{"not paid, by attempt", unpaid, `{"refund_reference":"r","attempt":"bank0"}`, 409,
			message("This payment intent is not paid.")},
		{"no call", byHand, `{"refund_reference":"r"}`, 409, message("The provider of this payment (plutu) " +
			"cannot be asked for refunds: a person can give the money back and record it in the dashboard.")},
		{"no intent", uuid.NewString(), `{"refund_reference":"r"}`, 404, message("Not found.")},
	} {
		got := s.refund(t, s.merchant, row.intent, row.body)
		if got.status != row.status || row.want != "" && got.body != row.want {
			t.Errorf("%s: %d %s, want %d %s", row.rule, got.status, got.body, row.status, row.want)
		}
	}
	if all, err := s.refunds.List(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("left behind: %+v, %v", all, err)
	}
	whole := s.refund(t, s.merchant, id, `{"refund_reference":"whole"}`)
	for _, more := range []string{`{"refund_reference":"r"}`, `{"refund_reference":"r","amount":1}`} {
		got := s.refund(t, s.merchant, id, more)
		if got.status != 409 || got.body != message("Nothing is left to refund of this payment.") {
			t.Errorf("after all of it, %s: %d %s", more, got.status, got.body)
		}
	}
	const ours = "/payment-intents/"
	for path, text := range map[string]string{
		ours + id + "/refunds":                        "This payment intent belongs to another application.",
		"/refunds/" + whole.field(t, "uuid").(string): "This refund belongs to another application.",
	} {
		if got := s.get(t, stranger, path); got.status != 403 || got.body != message(text) {
			t.Errorf("%s of another application: %d %s", path, got.status, got.body)
		}
	}
	if got := s.refund(t, stranger, twice, `{"refund_reference":"whole"}`); got.status != 403 {
		t.Errorf("another application refunds: %d %s", got.status, got.body)
	}
	for _, name := range []string{uuid.NewString(), "r-1"} {
		if got := s.get(t, s.merchant, "/refunds/"+name); got.status != 404 {
			t.Errorf("refund %s: %d %s", name, got.status, got.body)
		}
	}
}

// Where money came twice, the second payment goes back first, and then what paid the intent; a part
// of one cannot be taken from the other.
func TestRefundOfTwoPayments(t *testing.T) {
	t.Parallel()
	s := newRefundShop(t)
	id := s.pay(t, "bank", "bank") // bank1 made it succeed
	for n, row := range []struct{ body, attempt string }{
		{`"amount":1000`, "bank0"},
		{`"amount":1000,"attempt":"bank1"`, "bank1"},
		{`"x":0`, "bank0"},
		{`"x":0`, "bank1"},
	} {
		got := s.refund(t, s.merchant, id, fmt.Sprintf(`{"refund_reference":"r-%d",%s}`, n, row.body))
		if got.status != http.StatusCreated || got.field(t, "attempt") != row.attempt {
			t.Errorf("%d: %d %s, want of %s", n, got.status, got.body, row.attempt)
		}
	}
	if got := s.refund(t, s.merchant, id, `{"refund_reference":"more"}`); got.status != 409 {
		t.Errorf("after both: %d %s", got.status, got.body)
	}
}

// An application sees what people did, without their notes, and the outcome as it changes.
func TestRefundOutcomes(t *testing.T) {
	t.Parallel()
	s := newRefundShop(t)
	id := s.pay(t, "bank")
	intent, err := domain.ParseIntentID(id)
	if err != nil {
		t.Fatal(err)
	}
	byPerson, err := s.refunds.Request(t.Context(), operator, s.merchant.app.Organization, refunds.Order{
		Intent: intent, Amount: &domain.Money{Minor: 500, Currency: domain.LYD}, Note: "a private note",
	})
	if err != nil {
		t.Fatal(err)
	}
	got := s.get(t, s.merchant, "/refunds/"+byPerson.ID.String())
	if got.field(t, "status") != "succeeded" || got.field(t, "refund_reference") != nil ||
		strings.Contains(got.body, "private") {
		t.Errorf("by a person: %s", got.body)
	}
	ref := s.refund(t, s.merchant, id, `{"refund_reference":"r"}`).field(t, "uuid").(string)
	pool := s.db.Pool(t)
	for _, row := range []struct{ state, trouble, status string }{
		{"asking", "", "pending"}, {"unknown", "no_answer", "unknown"}, {"recording", "", "pending"},
		{"recorded", "", "succeeded"}, {"failed", "refused", "failed"},
	} {
		_, err := pool.Exec(t.Context(), `
			UPDATE refunds
			SET state = $2, trouble = $3, busy_until = now(),
			    ended_at = CASE WHEN $2 IN ('recorded', 'failed') THEN now() END
			WHERE uuid = $1`, ref, row.state, row.trouble)
		if err != nil {
			t.Fatal(err)
		}
		got := s.get(t, s.merchant, "/refunds/"+ref)
		reason := got.field(t, "failure_reason")
		if got.field(t, "status") != row.status || (reason == "refused") != (row.status == "failed") {
			t.Errorf("%s: %s", row.state, got.body)
		}
	}
}

package openapi_test

import (
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

// The messages of refusals that are about refunds, as the document's examples have them.
const (
	nothingLeft = "409 Nothing is left to refund of this payment."
	notPaid     = "409 This payment intent is not paid."
	noCall      = "409 The provider of this payment (plutu) cannot be asked for refunds: " +
		"a person can give the money back and record it in the dashboard."
	otherWay = "409 Someone recorded that this money went back in another way."
)

const (
	aRefund   = `{"refund_reference":"refund-1","amount":1500}`
	noRefund  = "/refunds/00000000-0000-4000-8000-000000000000"
	refunding = "sandbox" // an acquirer with a call for refunds
)

// refundFailures are the failure reasons of refunds.
var refundFailures = []string{
	"not_sent", "refused", "account_refused", "no_account", "not_refunded", "not_recorded",
}

func dinars(n int64) domain.Money { return domain.Money{Minor: n * 1000, Currency: domain.LYD} }

// checkRefunds requests everything about refunds, of an intent on which 5000 were paid, and returns the
// path of a refund.
func checkRefunds(t *testing.T,
	check func(merchant, string, string, string, http.Header, int) string,
	m, sibling, reader merchant, paid string,
) string {
	t.Helper()
	of := intents + "/" + paid + "/refunds"
	first := intentOf(t, check(m, "POST", of, aRefund, nil, 201))
	check(m, "POST", of, aRefund, nil, 200)
	check(m, "POST", of, `{"refund_reference":"refund-1","amount":1,"reason":"برد","attempt":"b"}`, nil, 200)
	for _, body := range []string{
		`{}`, `{"refund_reference":null}`, `{"refund_reference":""}`, `{"refund_reference":7}`,
		fmt.Sprintf(`{"refund_reference":%q}`, strings.Repeat("د", 256)),
		`{"refund_reference":"r","amount":0}`, `{"refund_reference":"r","amount":-1}`,
		`{"refund_reference":"r","amount":1000000001}`, `{"refund_reference":"r","amount":"1500"}`,
		`{"refund_reference":"r","amount":1.5}`, `{"refund_reference":"r","amount":3501}`,
		`{"refund_reference":"r","reason":7}`,
		fmt.Sprintf(`{"refund_reference":"r","reason":%q}`, strings.Repeat("د", 256)),
		`{"refund_reference":"r","attempt":7}`, `{"refund_reference":"r","attempt":"b"}`,
		fmt.Sprintf(`{"refund_reference":"r","attempt":%q}`, strings.Repeat("a", 65)),
	} {
		check(m, "POST", of, body, nil, 422)
	}
	check(m, "POST", of, "[", nil, 400)
	check(m, "POST", of, strings.Repeat(" ", 128<<10+1), nil, 413)
	check(m, "POST", of, aRefund, http.Header{"Content-Type": {"text/plain"}}, 415)
	check(m, "POST", of, `{"refund_reference":"rest","amount":null,"reason":null,"attempt":null}`, nil, 201)
	check(m, "GET", of, "", nil, 200)
	check(m, "GET", "/refunds/"+first, "", nil, 200)
	check(reader, "GET", "/refunds/"+first, "", nil, 200)

	check(reader, "POST", of, aRefund, nil, 403)
	check(sibling, "POST", of, aRefund, nil, 403)
	check(sibling, "GET", of, "", nil, 403)
	check(sibling, "GET", "/refunds/"+first, "", nil, 403)
	for _, none := range []string{nowhere, intents + "/order-1001"} {
		check(m, "POST", none+"/refunds", aRefund, nil, 404)
		check(m, "GET", none+"/refunds", "", nil, 404)
	}
	check(m, "GET", noRefund, "", nil, 404)
	check(m, "GET", "/refunds/refund-1", "", nil, 404)
	return "/refunds/" + first
}

// pay pays an intent of 5000.
func (s *service) pay(t *testing.T, intent, acquirer string) {
	t.Helper()
	attempt := domain.AttemptID(strings.ReplaceAll(uuid.NewString(), "-", ""))
	s.execute(t, intent, domain.StartAttempt{Attempt: attempt, Acquirer: acquirer})
	s.execute(t, intent, domain.RecordPayment{Attempt: attempt, Amount: dinars(5), ProviderReference: intent})
}

// servePaid is a service whose customers pay before money is asked back, for clients that know only the
// document: an intent that the merchant has ended meanwhile is paid late.
func servePaid(t *testing.T) (s *service) {
	t.Helper()
	payer := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			path := strings.Split(strings.TrimPrefix(r.URL.Path, httpapi.Prefix+intents+"/"), "/")
			id, err := domain.ParseIntentID(path[0])
			if r.Method == http.MethodPost && len(path) == 2 && err == nil {
				s.payWhenAskedTo(t, id, path[1])
			}
			next.ServeHTTP(w, r)
		})
	}
	s = serve(t, pgtest.Database(t).Pool(t), setup{around: payer})
	return s
}

func (s *service) payWhenAskedTo(t *testing.T, id domain.IntentID, request string) {
	t.Helper()
	i, err := s.ledger.Load(t.Context(), id)
	attempt := domain.AttemptID(id.String())
	switch {
	case err != nil || i.Status == domain.StatusSucceeded: // there is no such intent, or it is paid
	case request == "expire" && len(i.Attempts) == 0:
		s.execute(t, id.String(), domain.StartAttempt{Attempt: attempt, Acquirer: refunding})
		s.execute(t, id.String(), domain.FailAttempt{Attempt: attempt, Reason: "timed_out"})
	case request == "refunds":
		s.execute(t, id.String(), domain.RecordPayment{Attempt: attempt, Amount: i.Amount, ProviderReference: "p"})
	}
}

// notRefundable asks for money that was not paid, has gone back, is with an acquirer that cannot be
// asked, or went back in another way, as a person said.
func notRefundable(t *testing.T) *witness {
	db := pgtest.Database(t)
	s := serve(t, db.Pool(t), setup{})
	w := observe(t, s, nil)
	create := func(reference string) string {
		_, created := w.send(t, s.merchant, "POST", intents, bodyWith("merchant_reference", `"`+reference+`"`), nil)
		return intentOf(t, created)
	}
	refused := func(id, want string) {
		t.Helper()
		w.expect(t, s.merchant, "POST", intents+"/"+id+"/refunds", aRefund, want)
	}
	id := create("order-1")
	refused(id, notPaid)
	s.pay(t, id, refunding)
	body := `{"refund_reference":"everything"}`
	if got, answered := w.send(t, s.merchant, "POST", intents+"/"+id+"/refunds", body, nil); got != 201 {
		t.Errorf("everything: %d %s", got, answered)
	}
	refused(id, nothingLeft)

	id = create("order-2")
	s.pay(t, id, "plutu")
	refused(id, noCall)

	id = create("order-3")
	s.pay(t, id, refunding)
	if _, err := db.OwnerPool(t).Exec(t.Context(), givenBackSQL, id); err != nil {
		t.Fatal(err)
	}
	refused(id, otherWay)
	return w
}

// givenBackSQL makes the last event of an intent one that a person had to decide about, and decided.
const givenBackSQL = `
WITH paid AS (
	SELECT e.stream_id, e.version, i.application_uuid, e.payload::json->>'attempt' AS attempt
	FROM events e
	JOIN intents i ON i.uuid = e.stream_id
	WHERE e.stream_id = $1
	ORDER BY e.version DESC
	LIMIT 1
), exception AS (
	INSERT INTO payment_exceptions
		(intent_uuid, version, application_uuid, kind, attempt, amount, currency, since)
	SELECT stream_id, version, application_uuid, 'late', attempt, 5000, 'LYD', now()
	FROM paid
)
INSERT INTO payment_decisions (intent_uuid, version, decided_at, decided_by, kind, note)
SELECT stream_id, version, now(), 'owner@shop.example', 'refunded', 'by bank'
FROM paid`

// refundExamples gives money back and compares each example of a refund with the answer.
func refundExamples(t *testing.T, w *witness, d *documented, s *service) {
	t.Helper()
	m := s.newMerchant(t)
	ask := func(by merchant, method, path, body string, want int) string {
		t.Helper()
		status, answered := w.send(t, by, method, path, body, nil)
		if status != want {
			t.Fatalf("%s %s: %d %s, want %d", method, path, status, answered, want)
		}
		return answered
	}
	intent := intentOf(t, ask(m, "POST", intents, bodyWith(), 201))
	of := intents + "/" + intent + "/refunds"
	d.mustEqual("listRefunds 200 none", ask(m, "GET", of, "", 200))
	s.pay(t, intent, refunding)
	part := exampleRequest(t, intents+"/{uuid}/refunds", "part")
	created := ask(m, "POST", of, part, 201)
	d.mustEqual("createRefund 201 created", created)
	id := intentOf(t, created)
	one := "/refunds/" + id
	for _, outcome := range []struct{ state, trouble, example string }{
		{"unknown", "no_answer", "unknown"}, {"failed", "refused", "failed"}, {"recorded", "", "succeeded"},
	} {
		s.endRefund(t, id, outcome.state, outcome.trouble)
		d.mustEqual("retrieveRefund 200 "+outcome.example, ask(m, "GET", one, "", 200))
	}
	d.mustEqual("createRefund 200 replayed", ask(m, "POST", of, part, 200))

	sibling, reader := s.newApplication(t, m.organization), m
	reader.token = s.newToken(t, m.organization, accounts.ScopeRead)
	ask(m, "POST", of, `{"refund_reference":"too much","amount":3501}`, 422)
	ask(m, "POST", of, `{"refund_reference":"of another","attempt":"another"}`, 422)
	ask(reader, "POST", of, part, 403)
	ask(sibling, "POST", of, part, 403)
	ask(sibling, "GET", one, "", 403)
	ask(m, "GET", noRefund, "", 404)

	stream, err := domain.ParseIntentID(intent)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.refunds.Request(t.Context(), accounts.Operator("test"), m.organization,
		refunds.Order{Intent: stream, Note: "The rest in cash"})
	if err != nil {
		t.Fatal(err)
	}
	d.mustEqual("listRefunds 200 two", ask(m, "GET", of, "", 200))
}

// endRefund writes how a refund stands, as the worker does after the acquirer's answer.
func (s *service) endRefund(t *testing.T, id, state, trouble string) {
	t.Helper()
	var of domain.IntentID
	var r domain.RecordRefund
	err := s.pool.QueryRow(t.Context(), `
		UPDATE refunds
		SET state = $2, trouble = $3,
		    ended_at = CASE WHEN $2 IN ('recorded', 'failed') THEN now() END
		WHERE uuid = $1
		RETURNING uuid, intent_uuid, attempt, amount, currency`, id, state, trouble,
	).Scan((*[16]byte)(&r.Refund), (*[16]byte)(&of), &r.Attempt, &r.Amount.Minor, &r.Amount.Currency)
	if err != nil {
		t.Fatal(err)
	}
	if r.Evidence = domain.EvidenceAcquirer; state == "recorded" {
		s.execute(t, of.String(), r)
	}
}

package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"daftar/accounts"
	"daftar/domain"
	"daftar/ledger"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
	"daftar/payments/refunds"
)

// paidIntent is a new payment that was paid with the acquirer "bank".
func (r *asking) paidIntent() domain.Intent {
	r.t.Helper()
	i := r.intent()
	for _, c := range paidAt("bank", domain.AttemptID(i.Reference+"0000000000000000"), i.Amount.Minor) {
		if _, err := r.w.ledger.Execute(r.t.Context(), i.ID, c, ledger.Origin{Actor: "acquirer:bank"}); err != nil {
			r.t.Fatal(err)
		}
	}
	return i
}

func refunding(fields ...string) func(*asking) request {
	return func(r *asking) request {
		return r.below("/payments/"+r.paidIntent().ID.String()+"/refund", fields...)
	}
}

// unknownRefund is a refund that was requested from the acquirer, without an answer.
func (w *world) unknownRefund(t *testing.T, b business, i domain.Intent) refunds.Refund {
	t.Helper()
	back, err := w.refunds.Request(t.Context(), operator, b.org.ID,
		refunds.Order{Intent: i.ID, ByAcquirer: true, Note: "asked"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.pool.Exec(t.Context(),
		`UPDATE refunds SET state = 'unknown', trouble = 'no_answer' WHERE uuid = $1`, back.ID)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestMoneyIsGivenBackByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.sale(t, w.ours, 0, nil, paid(attemptA, 5000)...)
	owner := w.owner(t)
	payment := w.ours.path("payments/" + i.ID.String())
	refund := payment + "/refund"
	w.developer(t).get(payment+"?lang=en").is(t, http.StatusOK).lacks(t, "Refund the customer")
	to := owner.get(payment+"?lang=en").is(t, http.StatusOK).link(t, "Refund the customer")
	if to != refund+"?lang=en" {
		t.Errorf("the page leads to %s", to)
	}
	owner.get(refund+"?lang=en").is(t, http.StatusOK).has(t, "5.000", "SBX-AAAA", "It went back outside Daftar").
		lacks(t, "Have the acquirer give it back")
	w.as(t, w.other.email(accounts.RoleOwner)).get(w.other.path("payments/"+i.ID.String()+"/refund")).
		is(t, http.StatusNotFound)
	for says, fields := range map[string][]string{
		"Choose how the money goes back.": {"note", "x"},
		"Enter an amount":                 {"way", "hand", "amount", "five", "note", "x"},
		"more than nothing":               {"way", "hand", "amount", "0", "note", "x"},
		"more than is left":               {"way", "hand", "amount", "5.001", "note", "x"},
		"Write one line":                  {"way", "hand", "note", ""},
		"The number has more than":        {"way", "hand", "note", "x", "reference", strings.Repeat("1", 101)},
		"cannot be asked for a refund":    {"way", "acquirer", "note", "x"},
		"There is no paid money here":     {"way", "hand", "note", "x", "attempt", string(attemptB)},
	} {
		owner.post(refund+"?lang=en", append(fields, "form", says)...).is(t, http.StatusUnprocessableEntity).
			has(t, says)
	}
	form := []string{"form", "1", "way", "hand", "amount", "٢٫٥", "note", "half of it", "reference", "CASH-1",
		"attempt", string(attemptA)}
	for range 2 { // the form is sent twice
		owner.follow(owner.post(refund+"?lang=en", form...)).is(t, http.StatusOK).
			has(t, "It was recorded that the money went back", "Given back", "2.500", "CASH-1", "half of it",
				"Money was given back", w.ours.email(accounts.RoleOwner), "Found by a person")
	}
	owner.post(refund+"?lang=en", append(form, "form", "2")[2:]...).is(t, http.StatusUnprocessableEntity).
		has(t, "this number has been recorded already")
	owner.get(refund+"?lang=en").is(t, http.StatusOK).has(t, "2.500")
	owner.follow(owner.post(refund, "form", "3", "way", "hand", "note", "الباقي نقدًا")).is(t, http.StatusOK).
		has(t, "رُدّ مبلغ إلى الزبون")
	owner.get(refund+"?lang=en").is(t, http.StatusOK).has(t, "All that was paid has been given back.")
	after, err := w.ledger.Load(t.Context(), i.ID)
	if err != nil || len(after.Refunds) != 2 || after.Refundable(attemptA).Minor != 0 {
		t.Errorf("the ledger has %+v, %v", after.Refunds, err)
	}
	w.project(t)
	owner.get(w.ours.path("money")+"?lang=en").is(t, http.StatusOK).has(t, "Given back2")
	owner.get(w.ours.path("payments")+"?lang=en").is(t, http.StatusOK).has(t, "Refunded")
	for file, want := range map[string]string{"money.csv": ",0,0.000,2,5.000\r\n",
		"payments.csv": ",0,5.000,wallet,sandbox,SBX-AAAA,091•••5678\r\n"} {
		if got := owner.get(w.ours.path(file)).is(t, http.StatusOK).body; !strings.HasSuffix(got, want) {
			t.Errorf("%s does not end with %q:\n%s", file, want, got)
		}
	}
}

func TestMoneyIsGivenBackByTheAcquirer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.sale(t, w.ours, 0, nil, paidAt("bank", attemptA, 5000)...)
	owner := w.owner(t)
	payment := w.ours.path("payments/" + i.ID.String())
	owner.get(payment+"/refund?lang=en").is(t, http.StatusOK).has(t, "Have the acquirer give it back now")
	form := []string{"form", "1", "way", "acquirer", "note", "sold out"}
	owner.follow(owner.post(payment+"/refund?lang=en", form...)).is(t, http.StatusOK).has(t, "is being asked",
		"Under way", "sold out")
	owner.post(payment+"/refund?lang=en", append(form, "form", "2")[2:]...).
		is(t, http.StatusUnprocessableEntity).has(t, "Another refund of this money has not ended")
	records := w.trail(t, w.ours, refunds.ActionRefund)
	if len(records) != 1 || records[0].Actor != w.ours.email(accounts.RoleOwner) {
		t.Errorf("the trail has %+v", records)
	}

	other := w.sale(t, w.ours, 0, nil, paidAt("bank", attemptB, 5000)...)
	back := w.unknownRefund(t, w.ours, other)
	payment = w.ours.path("payments/" + other.ID.String())
	settle := owner.get(payment+"?lang=en").is(t, http.StatusOK).
		has(t, "Outcome unknown", "no answer that makes sense").link(t, "Record the outcome")
	owner.get(settle).is(t, http.StatusOK).has(t, "What became of this refund?", "5.000")
	w.developer(t).get(payment+"?lang=en").is(t, http.StatusOK).lacks(t, "Record the outcome")
	owner.post(settle, "note", "x").is(t, http.StatusUnprocessableEntity).has(t, "Choose what you found.")
	owner.post(settle, "outcome", "refunded").is(t, http.StatusUnprocessableEntity).has(t, "Write one line")
	owner.follow(owner.post(settle, "outcome", "refunded", "note", "in the portal", "reference", "P-1")).
		is(t, http.StatusOK).has(t, "Every outcome is known")
	owner.get(payment+"?lang=en").is(t, http.StatusOK).has(t, "Given back", "P-1", "in the portal")
	owner.post(settle, "outcome", "failed", "note", "x").is(t, http.StatusNotFound)
	after, err := w.ledger.Load(t.Context(), other.ID)
	if err != nil || len(after.Refunds) != 1 || after.Refunds[0].ID != back.ID {
		t.Errorf("the ledger has %+v, %v", after.Refunds, err)
	}
}

// An attempt whose acquirer contradicts the ledger is shown to the organisation of the payment.
func TestQuarantinedAttemptsAreShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for b, trouble := range map[*business]string{
		&w.ours:  "paid 45000 LYD, want 5000",
		&w.other: "of another shop",
	} {
		attempt := attemptA + domain.AttemptID(b.org.Name)
		i := w.sale(t, *b, 0, nil,
			domain.StartAttempt{Attempt: attempt, Acquirer: "lypay", Method: "lypay"})
		_, err := w.pool.Exec(t.Context(), `
			INSERT INTO checkout_attempts (attempt, intent_uuid, acquirer, method, language, payer,
			    created_at, stage, stage_since, trouble, updated_at)
			VALUES ($1, $2, 'lypay', 'lypay', 'ar', '',
			    now(), 'quarantined', now(), $3, now())`, string(attempt), i.ID, trouble)
		if err != nil {
			t.Fatal(err)
		}
	}
	viewer := w.viewer(t)
	viewer.get(w.ours.path("decisions?lang=en")).is(t, http.StatusOK).
		has(t, "Needs a decision 1", "whose outcome is unknown: 1").lacks(t, "Nothing needs")
	viewer.get(w.ours.path("outcomes?lang=en")).is(t, http.StatusOK).
		has(t, "paid 45000 LYD, want 5000", "LYPay").
		lacks(t, "of another shop")
	asked := attempt.Sum{Minor: 5000, Currency: domain.LYD}
	shown := func(trouble string, arabic, english []string) {
		t.Helper()
		if _, err := w.pool.Exec(t.Context(), `UPDATE checkout_attempts SET trouble = $1`, trouble); err != nil {
			t.Fatal(err)
		}
		for lang, says := range map[string][]string{"ar": arabic, "en": english} {
			viewer.get(w.ours.path("outcomes?lang="+lang)).is(t, http.StatusOK).has(t, says...).lacks(t, "45000").
				lacks(t, "5000 ")
		}
	}
	again := attempt.Trouble{Kind: attempt.TroublePaidAgain,
		Sums: []attempt.Sum{{Minor: 45_000, Currency: domain.LYD, Reference: "P2"}}}
	for _, trouble := range []string{again.Stored(),
		`paid, and paid again: 45000 LYD under "P2"`} { // the second as the previous release wrote it
		shown(trouble,
			[]string{"دُفعت مرتين", "45.000", "د.ل", "P2"}, []string{"paid again", "45.000", "LYD", "P2"})
	}
	other := attempt.Trouble{
		Kind: attempt.TroubleMismatch, State: acquirer.StatePaid, Asked: &asked,
		Sums: []attempt.Sum{{Minor: 700, Currency: "USD", Reference: "P3"}},
	}
	shown(other.Stored(), []string{"مدفوعة بمبلغ", "700 من أصغر وحدات العملة", "USD", "5.000"},
		[]string{"paid, of", "700 of the smallest unit", "USD", "5.000"})
	shown(attempt.Trouble{Kind: attempt.TroubleNoInquiry}.Stored(), []string{"النتيجة غير معروفة"},
		[]string{"The outcome is unknown"})
	shown(attempt.Trouble{Kind: attempt.TroubleNoAccount, Acquirer: "plutu"}.Stored(),
		[]string{"حساب لدى", "بلوتو"}, []string{"no account with", "Plutu"})
	for _, what := range []string{attempt.RefusedPaid, attempt.RefusedDeclined, attempt.RefusedTimeOver,
		attempt.RefusedAbandoned} {
		refused := attempt.Trouble{Kind: attempt.TroubleRefused, What: what,
			Refusal: domain.RefusedAttemptPaid}
		shown(refused.Stored(), []string{"سجلنا لا يقبل", "هي مدفوعة فيه"},
			[]string{"our ledger does not take", "it is paid there"})
	}
}

// Duplicate money that was given back completely needs no decision. The ledger decides this, even
// before the dashboard's projection has the refund.
func TestGivingBackDecides(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.late(t, w.ours)
	w.project(t)
	owner, decisions := w.owner(t), w.ours.path("decisions?lang=en")
	to := owner.get(decisions).is(t, http.StatusOK).has(t, "Needs a decision 2").
		link(t, "Refund the customer "+i.Reference.Capitals())
	if !strings.Contains(to, "attempt="+string(attemptA)) {
		t.Errorf("the page leads to %s", to)
	}
	refund, _, _ := strings.Cut(to, "?")
	owner.post(refund+"?lang=en", "form", "1", "way", "hand", "amount", "1", "note", "a part")
	owner.get(decisions).is(t, http.StatusOK).has(t, "Needs a decision 2", "Given back", "1.000")
	w.project(t)
	owner.get(decisions).is(t, http.StatusOK).has(t, "Needs a decision 2", "Given back", "1.000")
	owner.post(refund+"?lang=en", "form", "2", "way", "hand", "note", "all of it", "reference", "CASH-9",
		"attempt", string(attemptA))
	decide := w.ours.path("decisions/" + i.ID.String() + "/5")
	for _, projected := range []bool{false, true} {
		owner.get(decisions).is(t, http.StatusOK).has(t, "all of it", "CASH-9", w.ours.email(accounts.RoleOwner)).
			lacks(t, "attempt="+string(attemptA), "/decisions/"+i.ID.String()+"/5")
		owner.get(w.ours.path("payments/"+i.ID.String())+"?lang=en").is(t, http.StatusOK).
			has(t, "all of it", "CASH-9")
		owner.follow(owner.post(decide+"?lang=en", "kind", "refunded", "note", "by bank")).is(t, http.StatusOK).
			has(t, "or all of the money had gone back").lacks(t, "by bank")
		if !projected {
			w.project(t)
		}
	}
	owner.get(decisions).is(t, http.StatusOK).has(t, "Nothing needs a decision.")
	owner.get(w.ours.path("decisions/decided?lang=en&kind=refunded")).is(t, http.StatusOK).
		has(t, "all of it", "CASH-9")
	owner.get(w.ours.path("decisions/decided?lang=en&kind=other")).is(t, http.StatusOK).lacks(t, "all of it")
	owner.get(w.ours.path("decisions.csv?lang=en")).is(t, http.StatusOK).has(t, "all of it", "CASH-9",
		w.ours.email(accounts.RoleOwner))
}

// While a refund of money is under way, it cannot be decided that it went back in another way.
func TestNoDecisionDuringARefund(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.late(t, w.ours)
	w.project(t)
	_, err := w.pool.Exec(t.Context(), `
		INSERT INTO refunds (uuid, intent_uuid, application_uuid, attempt, acquirer, amount, currency,
		    by_acquirer, state, note, actor, requested_by, requested_at)
		VALUES (gen_random_uuid(), $1, $2, $3, 'bank', 1000, 'LYD',
		    true, 'unknown', 'asked', 'x', 'x', now())`, i.ID, w.ours.apps[0].ID, attemptA)
	if err != nil {
		t.Fatal(err)
	}
	owner, decide := w.owner(t), w.ours.path("decisions/"+i.ID.String()+"/5?lang=en")
	owner.follow(owner.post(decide, "kind", "refunded", "note", "by bank")).is(t, http.StatusOK).
		has(t, "a refund of this money is under way", "Needs a decision 3")
	if records := w.trail(t, w.ours, "payment.decide"); len(records) != 0 {
		t.Errorf("the trail has %+v", records)
	}
	owner.follow(owner.post(decide, "kind", "delivered", "note", "kept it")).is(t, http.StatusOK).
		has(t, "kept it", "Needs a decision 2")
}

// The acquirer cannot be asked to refund money that went back in another way.
func TestNoRefundAfterADecision(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := []domain.Command{domain.StartAttempt{Attempt: attemptB, Acquirer: "bank", Method: "wallet"},
		domain.FailAttempt{Attempt: attemptB, Reason: "declined"}}
	i := w.sale(t, w.ours, 0, nil, append(first, paidAt("bank", attemptA, 5000)...)...)
	w.happen(t, i.ID, domain.DuplicatePayment{At: w.ledger.Now(), Attempt: attemptB, Amount: i.Amount,
		ProviderReference: "TWICE"})
	w.project(t)
	owner, refund := w.owner(t), w.ours.path("payments/"+i.ID.String()+"/refund?lang=en")
	form := []string{"form", "1", "way", "acquirer", "note", "again", "attempt", string(attemptB)}
	owner.follow(owner.post(w.ours.path("decisions/"+i.ID.String()+"/6?lang=en"), "kind", "refunded",
		"note", "by bank")).is(t, http.StatusOK).has(t, "Decision saved")
	owner.post(refund, form...).is(t, http.StatusUnprocessableEntity).has(t, "went back in another way")
	owner.post(strings.TrimSuffix(refund, "en")+"ar", form...).is(t, http.StatusUnprocessableEntity).
		has(t, "رُدّ بطريقة أخرى")
	form[3] = "hand"
	owner.follow(owner.post(refund, form...)).is(t, http.StatusOK).
		has(t, "It was recorded that the money went back")
}

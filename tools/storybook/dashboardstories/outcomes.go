package dashboardstories

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/ledger"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/attempt"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
)

// The members who settle outcomes in the stories.
var (
	ownerUser   = accounts.UserID(fixedUUID(101))
	financeUser = accounts.UserID(fixedUUID(102))
)

// unknownOf is a payment of which nobody knows what became.
func unknownOf(of view.PaymentRow, id domain.AttemptID, acquirer, method string, ago time.Duration,
) view.OutcomeRow {
	return view.OutcomeRow{Application: of.Application, Outcome: outcomes.Outcome{
		Key: outcomes.KeyOfPayment(id), Intent: of.ID, Reference: of.Reference, Attempt: id, Acquirer: acquirer,
		Method: method, Amount: of.Amount, BegunAt: now.Add(-ago), Since: now.Add(-ago + 2*time.Minute),
	}}
}

// unaskable is a payment of an acquirer that has no inquiries.
func unaskable(of view.PaymentRow, id domain.AttemptID, ago time.Duration) view.OutcomeRow {
	o := unknownOf(of, id, "plutu", "adfali", ago)
	o.Payer, o.Trouble = "091•••5678", attempt.Trouble{Kind: attempt.TroubleNoInquiry}.Stored()
	return o
}

// unknownRefund is a refund whose request was not answered.
func unknownRefund(of view.PaymentRow, id domain.AttemptID, ago time.Duration) view.OutcomeRow {
	o := unknownOf(of, id, "moamalat", "moamalat", ago)
	o.Key, o.Trouble = outcomes.KeyOfRefund(domain.RefundID(fixedUUID(5))), string(refunds.NoAnswer)
	return o
}

// foundBy adds what a statement shows to a member; line 0: it has none.
func foundBy(o view.OutcomeRow, u accounts.UserID, v outcomes.Verdict, line int) view.OutcomeRow {
	p := outcomes.Proof{Key: o.Key, FoundBy: u, Finder: ownerIdentity.Email, Verdict: v, Line: line}
	if u == financeUser {
		p.Finder = financeIdentity.Email
	}
	if line > 0 {
		at := o.BegunAt.Add(time.Minute)
		p.ProviderReference, p.Amount, p.At = fmt.Sprintf("5581%03d", line), o.Amount.Minor, &at
	}
	o.Proofs = append(o.Proofs, p)
	return o
}

// proposedBy adds that a member has said what became of it.
func proposedBy(o view.OutcomeRow, u accounts.UserID, v outcomes.Verdict, note, statement string,
) view.OutcomeRow {
	p := outcomes.Proposal{
		Key: o.Key, ID: outcomes.ProposalID(uuid.NewSHA1(uuid.Nil, []byte(o.Subject))), Attempt: o.Attempt,
		Verdict: v, Note: note, Statement: statement, State: outcomes.Proposed,
		ProposedBy: u, Proposer: ownerIdentity.Email, ProposedAt: now.Add(-50 * time.Minute),
	}
	if u == financeUser {
		p.Proposer = financeIdentity.Email
	}
	o.Proposal = &p
	return o
}

// attemptOf is the id of an invented attempt.
func attemptOf(n int) domain.AttemptID {
	return domain.NewAttemptID([16]byte(uuid.NewSHA1(uuid.Nil, []byte{byte(n)})))
}

// mixedOutcomes are outcomes of every kind, as the finance member sees them.
func mixedOutcomes(rows []view.PaymentRow) view.OutcomesPage {
	above := int64(500_000)
	p := view.OutcomesPage{
		Me: financeUser, Rule: outcomes.Rule{Above: &above}, Note: view.ProvenNote(locale.Arabic),
	}
	agreed := foundBy(unaskable(rows[0], attemptOf(1), 7*time.Hour), financeUser, outcomes.Paid, 31)
	differing := foundBy(unaskable(rows[4], attemptOf(2), 9*time.Hour), financeUser, outcomes.Failed, 0)
	unseen := unknownOf(rows[5], attemptOf(3), "lypay", "lypay", 30*time.Hour)
	asked := unknownOf(rows[1], attemptOf(8), "moamalat", "moamalat", 10*time.Minute)
	asked.AskAt = new(now.Add(4 * time.Minute))
	mismatched := unknownOf(rows[2], attemptOf(9), "lypay", "lypay", 40*time.Minute)
	mismatched.Trouble = attempt.Trouble{
		Kind: attempt.TroubleMismatch, State: acquirer.StatePaid,
		Sums:  []attempt.Sum{{Minor: 45_000, Currency: domain.LYD, Reference: "99120778"}},
		Asked: &attempt.Sum{Minor: rows[2].Amount.Minor, Currency: domain.LYD},
	}.Stored()
	for _, o := range []view.OutcomeRow{
		proposedBy(agreed, ownerUser, outcomes.Paid, "وجدتها في كشف بلوتو ليوم الجمعة",
			"#214 5581031 2026-11-20T13:42:00Z 1,234.500 LYD"),
		proposedBy(differing, ownerUser, outcomes.Paid, "The customer sent a picture of the message", ""),
		proposedBy(unseen, ownerUser, outcomes.Failed, "اتصلت بالمصرف: لا حوالة بهذا المرجع", outcomes.NoLine),
		foundBy(unaskable(rows[3], attemptOf(4), 11*time.Hour), financeUser, outcomes.Paid, 88),
		foundBy(unaskable(rows[2], attemptOf(5), 26*time.Hour), financeUser, outcomes.Failed, 93),
		foundBy(unaskable(rows[1], attemptOf(6), 27*time.Hour), financeUser, outcomes.Failed, 0),
		unaskable(rows[3], attemptOf(7), 3*time.Hour), asked, mismatched,
		unknownRefund(rows[0], attemptOf(10), 5*time.Minute),
		proposedBy(unaskable(rows[0], attemptOf(11), 50*time.Hour), financeUser, outcomes.Paid,
			"وجدتها في لوحة بلوتو", ""),
	} {
		p = p.With(o)
	}
	return p
}

// loosenedOutcomes are those of an owner who made the rule weaker, and then would confirm their own word.
func loosenedOutcomes(rows []view.PaymentRow) view.OutcomesPage {
	p := view.OutcomesPage{
		Me: ownerUser, Rule: outcomes.Rule{LoosenedBy: ownerUser}, FormErrors: view.OutcomeErrors(outcomes.ErrOwn),
	}
	p = p.With(proposedBy(unaskable(rows[3], attemptOf(12), 3*time.Hour), ownerUser, outcomes.Paid,
		"وجدتها في لوحة بلوتو", ""))
	p = p.With(unaskable(rows[4], attemptOf(13), 2*time.Hour))
	return p
}

// manyOutcomes are as many as a page shows, proven by a statement.
func manyOutcomes(rows []view.PaymentRow) view.OutcomesPage {
	p := view.OutcomesPage{Me: ownerUser, Note: view.ProvenNote(locale.Arabic), More: true}
	for n := range 200 {
		o := unaskable(rows[n%len(rows)], attemptOf(n), time.Duration(300-n)*time.Minute)
		switch n % 9 {
		case 4:
			o = foundBy(o, ownerUser, outcomes.Failed, 0)
		case 7:
			o = foundBy(o, ownerUser, outcomes.Failed, n+2)
		default:
			o = foundBy(o, ownerUser, outcomes.Paid, n+2)
		}
		p = p.With(o)
	}
	return p
}

func outcomeStories() []Story {
	_, rows := paymentRows()
	mixed := mixedOutcomes(rows)
	noNote := view.OutcomesPage{
		Me: financeUser, Proven: mixed.Proven[:2], FormErrors: view.OutcomeErrors(payments.NoteError{}),
	}
	return []Story{
		{"outcomes", inside(view.SectionDecisions, mixed).seenBy(financeIdentity)},
		{"outcomes-viewer", inside(view.SectionDecisions, mixed).seenBy(viewerIdentity)},
		{"outcomes-loosened", inside(view.SectionDecisions, loosenedOutcomes(rows))},
		{"outcomes-note-missing", inside(view.SectionDecisions, noNote).seenBy(financeIdentity)},
		{"outcomes-many", inside(view.SectionDecisions, manyOutcomes(rows)).after("outcome-settled")},
		{"outcomes-none", inside(view.SectionDecisions, view.OutcomesPage{}).after("outcome-confirmed")},
	}
}

// oneOutcomeStories are the pages about one outcome, and about the rule.
func oneOutcomeStories() []Story {
	_, rows := paymentRows()
	mixed := mixedOutcomes(rows)
	about := func(o view.OutcomeRow) view.OutcomePage { return view.OutcomePage{OutcomeRow: o, Me: financeUser} }
	proven := about(foundBy(foundBy(unaskable(rows[0], attemptOf(1), 7*time.Hour),
		financeUser, outcomes.Paid, 31), ownerUser, outcomes.Failed, 0))
	proven.Two = true
	wrong := about(unaskable(rows[0], attemptOf(1), 7*time.Hour))
	wrong.Form.Reference = "5581031"
	for _, err := range []error{outcomes.ErrVerdict, outcomes.ErrReference, payments.NoteError{}} {
		wrong.FormErrors = append(wrong.FormErrors, view.OutcomeErrors(err)...)
	}
	rule := func(above *int64) view.OutcomeRulePage { return view.OutcomeRule(outcomes.Rule{Above: above}) }
	noAmount, alone := rule(new(int64(500_000))), rule(nil)
	noAmount.Above = "خمسمئة"
	_, noAmount.FormErrors = noAmount.Read()
	alone.Choice, alone.FormErrors = "always", view.OutcomeErrors(outcomes.ErrAlone)
	return []Story{
		{"outcome", inside(view.SectionDecisions, about(mixed.Open[0])).seenBy(financeIdentity)},
		{"outcome-two", inside(view.SectionDecisions, proven).seenBy(financeIdentity)},
		{"outcome-proposed", inside(view.SectionDecisions, about(mixed.Waiting[0])).seenBy(financeIdentity)},
		{"outcome-mine", inside(view.SectionDecisions, about(mixed.Mine[0])).seenBy(financeIdentity)},
		{"outcome-refund", inside(view.SectionDecisions, about(mixed.Open[3])).seenBy(financeIdentity)},
		{"outcome-wrong", inside(view.SectionDecisions, wrong).seenBy(financeIdentity)},
		{"outcome-rule", inside(view.SectionDecisions, rule(nil))},
		{"outcome-rule-wrong", inside(view.SectionDecisions, noAmount)},
		{"outcome-rule-alone", inside(view.SectionDecisions, alone)},
	}
}

// unknownPayment is a payment with two attempts without an answer: two people settled the first, and nobody
// the second yet.
func unknownPayment(applications []accounts.Application, r view.PaymentRow) view.PaymentPage {
	p := paidPayment(applications, r)
	p.History = p.History[:4]
	p.Deliveries = p.Deliveries[1:]
	proposer, actor := ledger.ActorUser(fixedUUID(101)), ledger.ActorUser(fixedUUID(102))
	failed, again := &p.History[2], &p.History[3]
	failed.Event = domain.AttemptFailed{
		At: failed.Event.OccurredAt(), Attempt: failed.Attempt(), Reason: string(acquirer.SettledByOperator),
	}
	failed.After = domain.Evolve(failed.Before, failed.Event)
	again.After = domain.Evolve(failed.After, again.Event)
	p.Attempts, p.Unknown = again.After.Attempts, []domain.AttemptID{again.Attempt()}
	failed.Actor, failed.ProposedBy, failed.Statement = actor, proposer, outcomes.NoLine
	failed.Note = "الكشف كامل ولا سطر لها فيه"
	p.Names = map[string]string{proposer: ownerIdentity.Email, actor: financeIdentity.Email}
	return p
}

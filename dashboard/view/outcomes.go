package view

import (
	"errors"
	"slices"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments"
	"daftar/payments/acquirer/registry"
	"daftar/payments/attempt"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
)

// OutcomeRow is a payment or a refund whose outcome is unknown.
type OutcomeRow struct {
	outcomes.Outcome

	Application string
}

// Path is the address of its page, below the organisation.
func (o OutcomeRow) Path() string { return "outcomes/" + string(o.Kind) + "/" + o.Subject }

// Sent is the number under which the acquirer knows the payment.
func (o OutcomeRow) Sent() string {
	id := string(o.Attempt)
	if d, known := registry.Named(o.Acquirer); known && d.Statement.ReferenceLength > 0 {
		return id[:min(d.Statement.ReferenceLength, len(id))]
	}
	return id
}

// ProvenNote is the note that the form about statements has at first.
func ProvenNote(l locale.Lang) string { return textsIn(l).Outcomes.NotePrefilled }

// OutcomesPage has what is unknown: what waits for a second person, what statements show, and the rest.
type OutcomesPage struct {
	FormErrors
	Rule    outcomes.Rule
	Me      accounts.UserID
	Waiting []OutcomeRow // proposed by others
	Mine    []OutcomeRow // proposed by the reader
	Proven  []OutcomeRow // the reader's statement shows what became of it
	Open    []OutcomeRow
	More    bool // there are others, which are not shown
	Note    string
}

func (OutcomesPage) head(t *Texts) (template, title string) { return "outcomes", t.Outcomes.Title }

// With is the page with a row in its part.
func (p OutcomesPage) With(o OutcomeRow) OutcomesPage {
	switch {
	case o.Proposal != nil && o.Proposal.ProposedBy == p.Me:
		p.Mine = append(p.Mine, o)
	case o.Proposal != nil:
		p.Waiting = append(p.Waiting, o)
	case o.ProofOf(p.Me) != nil:
		p.Proven = append(p.Proven, o)
	default:
		p.Open = append(p.Open, o)
	}
	return p
}

// Rows are all of it, for readers who may not settle it.
func (p OutcomesPage) Rows() []OutcomeRow { return slices.Concat(p.Waiting, p.Mine, p.Proven, p.Open) }

// Loosened reports whether the reader has made the rule weaker, and settles nothing alone.
func (p OutcomesPage) Loosened() bool {
	return p.Rule.LoosenedBy != (accounts.UserID{}) && p.Rule.LoosenedBy == p.Me
}

// OutcomePage is about one thing whose outcome is unknown.
type OutcomePage struct {
	FormErrors
	OutcomeRow

	Me   accounts.UserID
	Two  bool // the reader's word needs a second person
	Form outcomes.Claim
}

func (p OutcomePage) head(t *Texts) (template, title string) {
	title = t.Outcomes.PaymentTitle
	if p.Kind == outcomes.Refund {
		title = t.Outcomes.RefundTitle
	}
	return "outcome", title
}

// Contradicted reports whether the acquirer's words do not match the ledger: it may have taken another
// amount.
func (p OutcomePage) Contradicted() bool {
	if p.Kind == outcomes.Refund {
		return false
	}
	switch attempt.ReadTrouble(p.Trouble).Kind {
	case attempt.TroubleMismatch, attempt.TroublePaidAgain, attempt.TroubleRefused:
		return true
	}
	return false
}

// Own reports whether the reader has proposed it.
func (p OutcomePage) Own() bool { return p.Proposal != nil && p.Proposal.ProposedBy == p.Me }

// The errors of a form of several in which none is ticked.
var (
	NoneProven  = FormError("proven", func(t *Texts) string { return t.Outcomes.NoneTicked })
	NoneWaiting = FormError("waiting", func(t *Texts) string { return t.Outcomes.NoneTicked })
)

// OutcomeErrors are the errors that a user can correct in the form.
func OutcomeErrors(err error) FormErrors {
	field := func(name string, text func(t *outcomeTexts) string) FormErrors {
		return FormError(name, func(t *Texts) string { return text(&t.Outcomes) })
	}
	if _, wrong := errors.AsType[payments.NoteError](err); wrong {
		return RefundNote
	}
	switch {
	case errors.Is(err, outcomes.ErrVerdict):
		return RefundOutcome
	case errors.Is(err, outcomes.ErrReference):
		return RefundReference
	case errors.Is(err, refunds.ErrKnown):
		return RefundKnown
	case errors.Is(err, refunds.ErrTooLarge):
		return FormError("outcome", func(t *Texts) string { return t.Refunds.TooLarge })
	case errors.Is(err, outcomes.ErrPaid):
		return field("outcome", func(t *outcomeTexts) string { return t.PaidBefore })
	case errors.Is(err, outcomes.ErrOwn):
		return field("mine", func(t *outcomeTexts) string { return t.OwnRefused })
	case errors.Is(err, outcomes.ErrAlone):
		return field("rule", func(t *outcomeTexts) string { return t.Alone })
	}
	return nil
}

// OutcomeRulePage sets when a second person is needed.
type OutcomeRulePage struct {
	FormErrors
	Choice string // never, always or above
	Above  string // dinars, as they were typed
}

func (OutcomeRulePage) head(t *Texts) (template, title string) {
	return "outcome-rule", t.Outcomes.RuleTitle
}

// The choices of a rule, as the form has them.
const (
	ruleNever  = "never"
	ruleAlways = "always"
	ruleAbove  = "above"
)

// OutcomeRule is the form with the rule.
func OutcomeRule(r outcomes.Rule) (p OutcomeRulePage) {
	switch {
	case r.Above == nil:
		p.Choice = ruleNever
	case *r.Above == 0:
		p.Choice = ruleAlways
	default:
		p.Choice, p.Above = ruleAbove, domain.Money{Minor: *r.Above, Currency: domain.LYD}.Figures()
	}
	return p
}

// Read returns from which amount on the form wants two people; nil: never.
func (p OutcomeRulePage) Read() (above *int64, wrong FormErrors) {
	switch p.Choice {
	case ruleNever:
	case ruleAlways:
		above = new(int64)
	case ruleAbove:
		var known bool
		if above, known = readAmount(p.Above); !known || above == nil || *above == 0 {
			wrong.Add("above", func(t *Texts) string { return t.Refunds.AmountBad })
		}
	default:
		wrong.Add("rule", func(t *Texts) string { return t.Outcomes.RuleMissing })
	}
	return above, wrong
}

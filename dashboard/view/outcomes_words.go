package view

import (
	"cmp"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/payments/acquirer/registry"
	"daftar/payments/attempt"
	"daftar/payments/outcomes"
	"daftar/payments/refunds"
)

// Lookup tells where to look for it.
func (r rendering) Lookup(o OutcomeRow) string {
	d, _ := registry.Named(o.Acquirer)
	return cmp.Or(d.Lookup.In(r.Lang), r.T.Outcomes.LookupAny)
}

// Through is the acquirer, the method and the payer.
func (r rendering) Through(o OutcomeRow) template.HTML {
	name, method := r.T.Acquirers.Name(o.Acquirer), r.T.Payment.MethodName(o.Method)
	text := isolated(name)
	if method != "" && method != name {
		text += " · " + isolated(method)
	}
	if o.Payer != "" {
		text += ` · <bdi dir="ltr">` + escaped(o.Payer) + "</bdi>"
	}
	return text
}

// OutcomeTrouble is why the outcome is unknown.
func (r rendering) OutcomeTrouble(o OutcomeRow) template.HTML {
	switch {
	case o.Kind == outcomes.Refund:
		return escaped(r.T.Refunds.TroubleText(refunds.Trouble(o.Trouble)))
	case o.Trouble != "":
		return escaped(r.TroubleWords(attempt.ReadTrouble(o.Trouble)))
	case o.AskAt != nil:
		return escaped(r.T.Outcomes.AskedAgain+" ") + r.Stamp(*o.AskAt)
	}
	return escaped(r.T.Outcomes.NoAnswer)
}

// outcomeChoice is an outcome in a form of several.
type outcomeChoice struct {
	OutcomeRow

	Value    string
	Verdict  pill
	Shown    template.HTML // what a statement shows
	Agrees   *pill         // whether the reader's own statement shows what was proposed; nil: they have none
	OwnShown template.HTML // what it shows instead
	Chosen   bool
	Two      bool // the reader's word needs a second person
}

// Proven are the choices of the form that settles what the reader's statement shows. What it only does not
// have comes last, and is chosen by a person.
func (r rendering) Proven(p OutcomesPage) (all []outcomeChoice) {
	var absent []outcomeChoice
	for _, o := range p.Proven {
		proof := *o.ProofOf(p.Me)
		c := outcomeChoice{
			OutcomeRow: o, Value: o.Key.String(), Verdict: r.VerdictPill(o.Kind, proof.Verdict),
			Shown: r.shown(o, proof, p.Me), Chosen: proof.Line > 0, Two: p.Rule.NeedsTwo(p.Me, o.Amount),
		}
		if c.Chosen {
			all = append(all, c)
		} else {
			absent = append(absent, c)
		}
	}
	return slices.Concat(all, absent)
}

// Waiting are the choices of the form that confirms others' proposals. Those that the reader's own
// statement shows are chosen.
func (r rendering) Waiting(p OutcomesPage) (all []outcomeChoice) {
	for _, o := range p.Waiting {
		c := outcomeChoice{
			OutcomeRow: o, Value: o.Proposal.ID.String(), Verdict: r.VerdictPill(o.Kind, o.Proposal.Verdict),
			Shown: r.Statement(o.Proposal.Statement),
		}
		if own := o.ProofOf(p.Me); own != nil {
			if c.Chosen = own.Verdict == o.Proposal.Verdict; c.Chosen {
				c.Agrees = &pill{r.T.Outcomes.Agrees, "ok"}
			} else {
				c.Agrees, c.OwnShown = &pill{r.T.Outcomes.Differs, "late"}, r.found(o, *own)
			}
		}
		all = append(all, c)
	}
	return all
}

// Shown are what statements have of it.
func (r rendering) Shown(p OutcomePage) (all []outcomeChoice) {
	for _, proof := range p.Proofs {
		all = append(all, outcomeChoice{
			Verdict: r.VerdictPill(p.Kind, proof.Verdict), Shown: r.shown(p.OutcomeRow, proof, p.Me),
		})
	}
	return all
}

// shown is what a statement has of an outcome, and who compared it.
func (r rendering) shown(o OutcomeRow, p outcomes.Proof, me accounts.UserID) template.HTML {
	of := escaped(r.T.Outcomes.OwnStatement)
	if p.FoundBy != me {
		of = escaped(r.T.Outcomes.FoundBy+" ") + `<bdi dir="ltr">` + escaped(p.Finder) + "</bdi>"
	}
	return of + ": " + r.found(o, p)
}

// found is what a statement has of an outcome.
func (r rendering) found(o OutcomeRow, p outcomes.Proof) template.HTML {
	if p.Line == 0 {
		return escaped(r.T.Outcomes.NoLine)
	}
	var differs *domain.Money
	if p.Amount != o.Amount.Minor {
		differs = &domain.Money{Minor: p.Amount, Currency: o.Amount.Currency}
	}
	return r.line(strconv.Itoa(p.Line), p.ProviderReference, p.At, differs)
}

// line is a line of a statement: its number, and what it has.
func (r rendering) line(number, reference string, at *time.Time, amount *domain.Money) template.HTML {
	text := escaped(r.T.Reconcile.Line+" ") + isolated(number)
	if reference != "" {
		text += " · " + monospace(reference)
	}
	if at != nil {
		text += " · " + r.Stamp(*at)
	}
	if amount != nil {
		text += " · " + locale.AmountHTML(r.Lang, *amount)
	}
	return text
}

// ledgerLine is a line of a statement as the ledger has it: its number, and what the line has.
var ledgerLine = regexp.MustCompile(`^#([1-9]\d*)(?: (.+?))??(?: (\d{4}-\d\d-\d\dT\S+))? (\S+) LYD$`)

// Statement is the evidence of a statement as the ledger has it; empty: there is none.
func (r rendering) Statement(text string) template.HTML {
	switch text {
	case "":
		return ""
	case outcomes.NoLine:
		return escaped(r.T.Outcomes.NoLine)
	}
	if m := ledgerLine.FindStringSubmatch(text); m != nil {
		amount, err := domain.ParseMoney(m[4], domain.LYD)
		at, wrong := time.Parse(time.RFC3339, m[3])
		switch {
		case err == nil && m[3] == "":
			return r.line(m[1], m[2], nil, &amount)
		case err == nil && wrong == nil:
			return r.line(m[1], m[2], &at, &amount)
		}
	}
	return monospace(text) // of a later release
}

// VerdictPill is what became of something, in a word.
func (r rendering) VerdictPill(k outcomes.Kind, v outcomes.Verdict) pill {
	switch {
	case v == outcomes.Paid:
		return pill{r.T.Outcomes.Paid, "ok"}
	case v == outcomes.Refunded:
		return pill{r.T.Refunds.RecordedPill, "ok"}
	case v == outcomes.Failed && k == outcomes.Refund:
		return pill{r.T.Refunds.FailedPill, "off"}
	case v == outcomes.Failed:
		return pill{r.T.Outcomes.NotPaid, "off"}
	}
	return pill{string(v), "wait"} // of a later release
}

// RuleWords is the rule in a sentence.
func (r rendering) RuleWords(rule outcomes.Rule) template.HTML {
	t := r.T.Outcomes
	switch {
	case rule.Above == nil:
		return escaped(t.RuleNever)
	case *rule.Above == 0:
		return escaped(t.RuleAlways)
	}
	above := domain.Money{Minor: *rule.Above, Currency: domain.LYD}
	return escaped(t.RuleMore+" ") + locale.AmountHTML(r.Lang, above)
}

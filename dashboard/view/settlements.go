package view

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/books"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/internal/plaintext"
	"daftar/payments"
	"daftar/payments/outcomes"
	"daftar/payments/settlements"
	"daftar/reconcile"
)

// sharesShown is how many payments of a settlement a page lists.
const sharesShown = 100

// TermsForm is what a person says of a statement or of a settlement, as it was typed.
type TermsForm struct{ Day, Fees, Net, Bank, Note, Withdraw string }

// TermsOf is a form with what a settlement has.
func TermsOf(s books.Settlement) TermsForm {
	figures := func(minor int64) string { return domain.Money{Minor: minor, Currency: domain.LYD}.Figures() }
	return TermsForm{
		Day: s.ValueDate.String(), Fees: figures(s.Fees), Net: figures(s.Net), Bank: s.BankReference,
	}
}

// Read returns what the form says. Amounts may be below zero: fees that were given back, or refunds that
// were more than the payments.
func (f TermsForm) Read(dated bool) (t settlements.Terms, wrong FormErrors) {
	var known bool
	if t.ValueDate, known = readDay(f.Day); !known || dated && t.ValueDate.IsZero() {
		wrong.Add("day", func(t *Texts) string { return t.Payments.BadDay })
	}
	for _, one := range []struct {
		id, typed string
		into      **int64
	}{{"fees", f.Fees, &t.Fees}, {"net", f.Net, &t.Net}} {
		typed, below := strings.CutPrefix(strings.Replace(one.typed, "\u2212", "-", 1), "-")
		amount, known := readAmount(typed)
		if *one.into = amount; !known {
			wrong.Add(one.id, func(t *Texts) string { return t.Settlements.BadAmount })
		} else if below && amount != nil {
			*amount = -*amount
		}
	}
	if t.BankReference = f.Bank; !plaintext.OneLine(f.Bank) || len([]rune(f.Bank)) > books.MaxText {
		wrong.Add("bank", func(t *Texts) string { return t.Settlements.BadReference })
	}
	return t, wrong
}

// Whole adds what a correction lacks: it has both amounts.
func (f TermsForm) Whole(t settlements.Terms) (wrong FormErrors) {
	for id, amount := range map[string]*int64{"fees": t.Fees, "net": t.Net} {
		if amount == nil {
			wrong.Add(id, func(t *Texts) string { return t.Settlements.BadAmount })
		}
	}
	return wrong
}

// FileName is the name of an uploaded file as it is kept: without what cannot be seen, and not longer than
// the books take.
func FileName(sent string) string {
	name := []rune(strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, sent))
	return string(name[:min(len(name), books.MaxText)])
}

// TooLarge is the error of a statement with more than the books take at once.
func (p ReconcilePage) TooLarge() FormErrors {
	if p.Draft.Shares() <= books.MaxStatement {
		return nil
	}
	return FormError("file", func(t *Texts) string { return t.Reconcile.Problems[reconcile.ProblemTooLong] })
}

// CanAccept reports whether the page offers to accept the statement.
func (r rendering) CanAccept(p ReconcilePage) bool {
	return p.Draft != nil && len(p.Draft.Accepted) == 0 && len(p.Draft.Parts) > 0
}

// TermsDay is the day that the form has at first: the last of the statement.
func (p ReconcilePage) TermsDay() string {
	return cmp.Or(p.Form.Terms.Day, domain.DayOf(p.LastDay()).String())
}

// SettlementErrors are the errors that a user can understand, or correct in the form.
func SettlementErrors(err error) FormErrors {
	if _, wrong := errors.AsType[payments.NoteError](err); wrong {
		return RefundNote
	}
	for _, known := range []struct {
		err   error
		field string
		text  func(settlementTexts) string
	}{
		{books.RefusedStatementKnown, "accept", func(t settlementTexts) string { return t.KnownFile }},
		{books.RefusedCovered, "accept", func(t settlementTexts) string { return t.CoveredError }},
		{books.RefusedWithdrawn, "withdraw", func(t settlementTexts) string { return t.WithdrawnError }},
		{books.RefusedMalformed, "net", func(t settlementTexts) string { return t.Malformed }},
		{settlements.ErrChanged, "accept", func(t settlementTexts) string { return t.Changed }},
		{settlements.ErrNothing, "accept", func(t settlementTexts) string { return t.Nothing }},
		{settlements.ErrFees, "fees", func(t settlementTexts) string { return t.FeesMissing }},
		{outcomes.ErrProposed, "accept", func(t settlementTexts) string { return t.ProposedBefore }},
		{outcomes.ErrOwn, "accept", func(t settlementTexts) string { return t.OwnRefused }},
		{outcomes.ErrNoProposal, "accept", func(t settlementTexts) string { return t.Changed }},
	} {
		if errors.Is(err, known.err) {
			return FormError(known.field, func(t *Texts) string { return known.text(t.Settlements) })
		}
	}
	return nil
}

// SettlementPage is a settlement.
type SettlementPage struct {
	FormErrors
	settlements.Settlement

	Names map[string]string // of members, by what the ledger calls them
	Form  TermsForm
}

func (SettlementPage) head(t *Texts) (template, title string) {
	return "settlement", t.Settlements.Title
}

// ProposalPage is what a member says of the books.
type ProposalPage struct {
	FormErrors
	settlements.Proposal

	Me    accounts.UserID
	Ended bool // the books refused it
	// What the books have already of it.
	Covered  []settlements.Covered
	Accepted []uuid.UUID
}

func (p ProposalPage) head(t *Texts) (template, title string) {
	return "settlement-proposal", t.Settlements.Kinds[p.Kind]
}

// Own reports whether the reader has proposed it, and another member has to confirm it.
func (p ProposalPage) Own() bool { return p.Two() && p.ProposedBy == p.Me }

// SettlementPath is the address of a settlement's page, below the organisation.
func SettlementPath(s settlements.Settlement) string { return settlementAt(s.Acquirer, s.Settlement) }

func settlementAt(acquirer string, id uuid.UUID) string {
	return "settlements/" + acquirer + "/" + id.String()
}

// SettlementPath and SettlementAt are for the templates.
func (r rendering) SettlementPath(s settlements.Settlement) string { return SettlementPath(s) }

// SettlementAt is the address of a settlement of which nothing but the id is known.
func (r rendering) SettlementAt(acquirer string, id uuid.UUID) string {
	return settlementAt(acquirer, id)
}

// Dirhams is an amount of the books.
func (r rendering) Dirhams(minor int64) template.HTML {
	return locale.AmountHTML(r.Lang, domain.Money{Minor: minor, Currency: domain.LYD})
}

// Difference is what neither fees nor payments explain.
func (r rendering) Difference(s books.Sums) int64 { return s.Gross - s.Fees - s.Net }

// KeptBy is the member of whom the ledger has the id.
func (r rendering) KeptBy(actor string, p SettlementPage) template.HTML {
	return r.Member(actor, PaymentPage{Names: p.Names})
}

// First are so many of the shares, or of those that are covered, as a page lists.
func (r rendering) First(all []books.Share) []books.Share { return all[:min(len(all), sharesShown)] }

// FirstCovered is First of covered shares.
func (r rendering) FirstCovered(all []settlements.Covered) []settlements.Covered {
	return all[:min(len(all), shownOfGroup)]
}

// Rest is how many shares are not among First.
func (r rendering) Rest(all []books.Share) int { return max(0, len(all)-sharesShown) }

// Gross is the gross of a settlement that is to be recorded.
func (r rendering) Gross(s books.NewSettlement) int64 { return settlements.Gross(s) }

// CoveredIn is the acquirer of the page.
func (r rendering) CoveredIn() string {
	if p, is := r.V.(ProposalPage); is {
		return p.Acquirer
	}
	p, _ := r.V.(ReconcilePage)
	return p.Form.Acquirer
}

// FeesHint and NetHint explain what becomes of an empty field; a correction has none.
func (r rendering) FeesHint() template.HTML {
	p, is := r.V.(ReconcilePage)
	switch t := r.T.Settlements; {
	case !is:
		return escaped(t.Whole)
	case p.Draft.FeesStated:
		return escaped(t.FeesOfFile+" ") + r.Dirhams(p.Draft.Sums().Fees)
	default:
		return escaped(t.FeesHint)
	}
}

// NetHint is that of the net amount.
func (r rendering) NetHint() string {
	if _, is := r.V.(ReconcilePage); is {
		return r.T.Settlements.NetHint
	}
	return r.T.Settlements.Whole
}

// proposed is what a proposal would record.
type proposed struct {
	File, SHA256 string
	Bank         string // its reference
	Rows         []books.NewSettlement
	Shares       []books.Share
	Corrects     string // the address of a settlement; empty: it corrects none
	Withdraw     bool
	Facts        []fact
}

// Proposed is what a proposal would record.
func (r rendering) Proposed(p settlements.Proposal) (all proposed) {
	t := r.T.Settlements
	switch c := p.Command.(type) {
	case books.RecordStatement:
		all.File, all.SHA256, all.Rows = c.File, c.SHA256, c.Settlements
		for _, s := range c.Settlements {
			all.Bank = s.BankReference
			all.Shares = append(all.Shares, s.Shares...)
		}
	case books.CorrectSettlement:
		all.Corrects, all.Withdraw = settlementAt(p.Acquirer, c.ID), c.Withdraw
		if !c.Withdraw {
			all.Bank = c.BankReference
			all.Facts = []fact{
				{t.Day, escaped(r.DayOf(c.ValueDate))}, {t.FeesName, r.Dirhams(c.Fees)},
				{t.NetName, r.Dirhams(c.Net)},
			}
		}
	case books.ScheduleFee:
		all.Facts = []fact{
			{t.Method, escaped(r.T.Payment.MethodName(c.Method))}, {t.From, escaped(r.DayOf(c.From))},
			{t.Rate, isolated(fmt.Sprintf("%d.%02d%%", c.Rate/100, c.Rate%100))},
			{t.Minimum, r.Dirhams(c.Minimum)},
		}
	}
	return all
}

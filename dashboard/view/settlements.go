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

// CanAccept reports whether the page offers to accept the statement.
func (r rendering) CanAccept(p ReconcilePage) bool {
	return p.Draft != nil && len(p.Draft.Accepted) == 0 && len(p.Draft.Settlements) > 0
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
		{books.RefusedDayClosed, "day", func(t settlementTexts) string { return t.DayClosed }},
		{books.RefusedMalformed, "accept", func(t settlementTexts) string { return t.Malformed }},
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

	Form TermsForm
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
	return "settlement-proposal", t.Settlements.Kinds[p.Action()]
}

// Own reports whether the reader has proposed it, and another member has to confirm it.
func (p ProposalPage) Own() bool { return p.Waits() && p.ProposedBy == uuid.UUID(p.Me) }

// Waits reports whether another member has to confirm it.
func (p ProposalPage) Waits() bool { return p.State == outcomes.Proposed }

// SettlementPath is the address of a settlement's page, below the organisation.
func SettlementPath(acquirer string, id uuid.UUID) string {
	return "settlements/" + acquirer + "/" + id.String()
}

// SettlementPath is for the templates.
func (r rendering) SettlementPath(acquirer string, id uuid.UUID) string {
	return SettlementPath(acquirer, id)
}

// Dirhams is an amount of the books.
func (r rendering) Dirhams(minor int64) template.HTML {
	return locale.AmountHTML(r.Lang, domain.Money{Minor: minor, Currency: domain.LYD})
}

// Difference is what neither fees nor payments explain.
func (r rendering) Difference(s books.Sums) template.HTML { return r.Dirhams(s.Gross - s.Fees - s.Net) }

// First are so many of the shares as a page lists.
func (r rendering) First(all []books.Share) []books.Share { return all[:min(len(all), sharesShown)] }

// Gross is the gross of a settlement that is to be recorded, or of several.
func (r rendering) Gross(all ...books.NewSettlement) template.HTML {
	sums, _ := settlements.Sum(all)
	return r.Dirhams(sums.Gross)
}

// FeeRate is a rate of a contract.
func (r rendering) FeeRate(rate int64) template.HTML {
	return isolated(fmt.Sprintf("%d.%02d%%", rate/100, rate%100))
}

package dashboardstories

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/books"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/payments"
	"daftar/payments/outcomes"
	"daftar/payments/settlements"
)

var fileHash = strings.Repeat("3f9a", 16)

// sharesOf are shares of payments of the stories.
func sharesOf(rows []view.PaymentRow, refund uuid.UUID) []books.Share {
	return []books.Share{
		{Intent: uuid.UUID(rows[0].ID), Attempt: firstAttempt, Amount: 1_234_500, Line: 2},
		{Intent: uuid.UUID(rows[2].ID), Attempt: secondAttempt, Amount: 78_250, Line: 3},
		{Intent: uuid.UUID(rows[2].ID), Attempt: secondAttempt, Refund: &refund, Amount: -8_250, Line: 4},
	}
}

// aSettlement is a settlement that two people accepted.
func aSettlement(rows []view.PaymentRow) settlements.Settlement {
	expected := int64(19_570)
	e := books.SettlementRecorded{
		At: now, Acquirer: "moamalat", Settlement: fixedUUID(201), ValueDate: domain.DayOf(now).Add(-1),
		Gross: 1_304_500, Fees: 20_000, Net: 1_284_000, ExpectedFees: &expected, Currency: domain.LYD,
		BankReference: "FT26324001", File: "كشف نوفمبر 2026.xlsx", SHA256: fileHash,
		Shares: sharesOf(rows, fixedUUID(202)),
	}
	return settlements.Settlement{
		SettlementRecorded: e,
		Now: books.Settlement{
			Sums:      books.Sums{Gross: e.Gross, Fees: e.Fees, Net: e.Net},
			ValueDate: e.ValueDate, BankReference: e.BankReference, SHA256: e.SHA256,
		},
		Changes: []settlements.Change{{
			At: now.Add(-time.Hour), Actor: ownerIdentity.Email, ProposedBy: financeIdentity.Email,
		}},
	}
}

// withdrawn is the settlement after two changes.
func withdrawn(s settlements.Settlement) settlements.Settlement {
	s.Now.Sums, s.Now.Withdrawn = books.Sums{}, true
	by := financeIdentity.Email
	s.Changes = append(s.Changes,
		settlements.Change{At: now.Add(-40 * time.Minute), Actor: by,
			Note: "عمولة المصرف كما في كشف الحساب"},
		settlements.Change{At: now.Add(-5 * time.Minute),
			Actor: by, Note: "الكشف يخص متجرًا آخر"})
	return s
}

// aDraft is what a statement of two days would add.
func aDraft(rows []view.PaymentRow) settlements.Draft {
	shares, expected := sharesOf(rows, fixedUUID(202)), int64(18_518)
	return settlements.Draft{
		Key: books.Key{Acquirer: "moamalat"}, File: "november.csv", SHA256: fileHash, FeesStated: true,
		Settlements: []books.NewSettlement{
			{ValueDate: domain.DayOf(now).Add(-1), Fees: 18_518, ExpectedFees: &expected, Shares: shares[:1]},
			{ValueDate: domain.DayOf(now), Fees: 1_200, Shares: shares[1:]},
		},
		Covered: []settlements.Covered{{Share: shares[1], Settlement: fixedUUID(203)}},
	}
}

// settlementStories are the pages about settlements, and those of a comparison that can be accepted.
func settlementStories(compared, form view.ReconcilePage, rows []view.PaymentRow) []Story {
	s, draft := aSettlement(rows), aDraft(rows)
	accept, undated, accepted, kept := compared, compared, compared, form
	accept.Draft, accept.Digest = &draft, fileHash
	bare := draft
	bare.FeesStated, bare.Covered = false, nil
	bare.Settlements = []books.NewSettlement{{Shares: s.Shares}}
	undated.Draft, undated.FormErrors = &bare, view.SettlementErrors(settlements.ErrFees)
	known := draft
	known.Covered = nil
	known.Accepted = []uuid.UUID{fixedUUID(201)}
	accepted.Draft, accepted.FormErrors = &known, view.SettlementErrors(books.RefusedStatementKnown)
	second := withdrawn(s)
	second.SettlementRecorded.Settlement = fixedUUID(203)
	proposal := settlements.Proposal{
		Key: books.Key{Acquirer: "moamalat"}, ID: fixedUUID(204),
		State: outcomes.Proposed, ProposedBy: uuid.UUID(financeUser), Proposer: financeIdentity.Email,
		ProposedAt: now.Add(-time.Hour),
		Statement: &books.RecordStatement{File: s.File, SHA256: fileHash, Settlements: []books.NewSettlement{{
			ID: s.SettlementRecorded.Settlement, ValueDate: s.ValueDate, Fees: s.Fees, Net: s.Net,
			ExpectedFees: s.ExpectedFees, BankReference: s.BankReference, Shares: s.Shares,
		}}},
	}
	kept.Settlements, kept.Waiting = []settlements.Settlement{s, second}, []settlements.Proposal{proposal}
	correction, fee, recording := proposal, proposal, proposal
	correction.Statement, correction.Note = nil, "كما في كشف المصرف"
	correction.Correction = &books.CorrectSettlement{
		ID: fixedUUID(201), ValueDate: s.ValueDate, Fees: 20_500, Net: s.Net, BankReference: "FT26324001",
	}
	fee.Statement, fee.Note = nil, "عقد 2026"
	fee.Fee = &books.ScheduleFee{Method: "moamalat", From: s.ValueDate, Rate: 150, Minimum: 250}
	recording.State = outcomes.Recording
	page := func(p settlements.Proposal) view.ProposalPage {
		return view.ProposalPage{Proposal: p, Me: ownerUser}
	}
	own, refused := page(correction), page(proposal)
	own.Me = financeUser
	refused.FormErrors, refused.Ended = view.SettlementErrors(books.RefusedCovered), true
	refused.Covered = draft.Covered
	one := view.SettlementPage{Settlement: s, Form: view.TermsOf(s.Now)}
	wrong := one
	wrong.FormErrors = append(view.SettlementErrors(payments.NoteError{}),
		view.SettlementErrors(settlements.ErrFees)...)
	fees := view.FeesPage{
		Acquirers: form.Acquirers,
		Fees: []books.FeeScheduled{{
			Acquirer: "moamalat", Method: "moamalat", From: s.ValueDate, Rate: 150, Minimum: 250,
		}},
	}
	badFees := fees
	badFees.Form = view.FeeForm{Method: "plutu/adfali", Rate: "1.505", Minimum: "ربع"}
	_, _, badFees.FormErrors = badFees.Read()
	of := view.SectionMoney
	return []Story{
		{"reconcile-accept", inside(of, accept)},
		{"reconcile-accept-undated", inside(of, undated).seenBy(financeIdentity)},
		{"reconcile-accepted", inside(of, accepted)},
		{"reconcile-settlements", inside(of, kept).after("settlement-recorded")},
		{"settlement", inside(of, one)},
		{"settlement-wrong", inside(of, wrong)},
		{"settlement-withdrawn", inside(of, view.SettlementPage{Settlement: second})},
		{"settlement-viewer", inside(of, one).seenBy(viewerIdentity)},
		{"settlement-proposal", inside(of, page(proposal))},
		{"settlement-proposal-own", inside(of, own).seenBy(financeIdentity)},
		{"settlement-proposal-refused", inside(of, refused)},
		{"settlement-proposal-recording", inside(of, page(recording))},
		{"settlement-proposal-fee", inside(of, page(fee))},
		{"settlement-fees", inside(of, fees)},
		{"settlement-fees-wrong", inside(of, badFees)},
		{"settlement-fees-viewer", inside(of, fees).seenBy(viewerIdentity)},
	}
}

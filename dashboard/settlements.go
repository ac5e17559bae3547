package dashboard

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/books"
	"daftar/dashboard/view"
	"daftar/payments/outcomes"
	"daftar/payments/settlements"
)

const (
	settlementPath = "/settlements/{acquirer}/{settlement}"
	proposalPath   = "/settlements/proposals/{proposal}"
	feesPath       = "/settlements/fees"
)

var _ = declare(
	get(settlementPath, member(accounts.SeeMoney),
		loaded(view.SectionMoney, (*Dashboard).settlementPage)),
	post(settlementPath, member(accounts.KeepBooks), (*Dashboard).correctSettlement).fresh(),
	get(feesPath, member(accounts.SeeMoney), loaded(view.SectionMoney, (*Dashboard).feesPage)),
	post(feesPath, member(accounts.KeepBooks), (*Dashboard).scheduleFee).fresh(),
	get(proposalPath, member(accounts.SeeMoney), loaded(view.SectionMoney, (*Dashboard).proposalPage)),
	post(proposalPath, member(accounts.KeepBooks), (*Dashboard).decideProposal).fresh(),
)

// reconcileStart is the form with the settlements that were made by it.
func (d *Dashboard) reconcileStart(req *request) (view.ReconcilePage, error) {
	p, err := d.reconcilePage(req)
	if err != nil {
		return p, err
	}
	if p.Waiting, err = d.settlements.Waiting(req.ctx, req.tenant(), earlierShown); err != nil {
		return p, err
	}
	p.Settlements, err = d.settlements.Latest(req.ctx, req.tenant(), earlierShown)
	return p, err
}

// lay makes the draft of a comparison, from the bytes that were compared.
func (d *Dashboard) lay(req *request, page *view.ReconcilePage, file *received) error {
	hash := sha256.New()
	_, err := file.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(hash, file)
	}
	if err != nil {
		return fmt.Errorf("hash statement: %w", err)
	}
	page.Form.FileName = view.FileName(page.Form.FileName)
	draft, err := d.settlements.Lay(req.ctx, books.KeyOf(req.tenant(), page.Form.Acquirer), page.Report,
		page.Form.FileName, hex.EncodeToString(hash.Sum(nil)))
	if err != nil {
		return err
	}
	page.Draft = &draft
	page.Digest, err = draft.Digest()
	return err
}

// accept accepts what the form has shown.
func (d *Dashboard) accept(req *request, page view.ReconcilePage) error {
	var terms settlements.Terms
	if terms, page.FormErrors = page.Form.Terms.Read(page.Draft.Undated()); len(page.FormErrors) > 0 {
		return req.show(view.SectionMoney, page)
	}
	state, err := d.settlements.Accept(req.ctx, req.by, *page.Draft, terms, page.Form.Shown)
	if page.FormErrors = view.SettlementErrors(err); err != nil {
		return req.correct(view.SectionMoney, page, err)
	}
	return req.done(req.in("reconcile"), settlementNotice(state))
}

func settlementNotice(s outcomes.State) string {
	if s == outcomes.Proposed {
		return "settlement-proposed"
	}
	return "settlement-recorded"
}

func (d *Dashboard) settlementPage(req *request) (p view.SettlementPage, err error) {
	id, err := uuid.Parse(req.variable("settlement"))
	if err != nil {
		return p, errNoPage
	}
	k := books.KeyOf(req.tenant(), req.variable("acquirer"))
	if p.Settlement, err = d.settlements.Find(req.ctx, k, id); err != nil {
		return p, err
	}
	p.Form = view.TermsOf(p.Now)
	return p, nil
}

func (d *Dashboard) correctSettlement(req *request) error {
	p, err := d.settlementPage(req)
	if err != nil {
		return err
	}
	p.Form = view.TermsForm{
		Day: req.field("day"), Fees: req.field("fees"), Net: req.field("net"), Bank: req.field("bank"),
		Note: req.field("note"), Withdraw: req.field("withdraw"),
	}
	var terms settlements.Terms
	if terms, p.FormErrors = p.Form.Read(true); len(p.FormErrors) > 0 {
		return req.show(view.SectionMoney, p)
	}
	sums, err := terms.Sums(p.Now.Gross, nil)
	if err != nil {
		p.FormErrors = view.SettlementErrors(err)
		return req.show(view.SectionMoney, p)
	}
	c := books.CorrectSettlement{
		ID: p.Settlement.Settlement, ValueDate: terms.ValueDate, Fees: sums.Fees, Net: sums.Net,
		BankReference: terms.BankReference, Withdraw: p.Form.Withdraw != "",
	}
	k := books.KeyOf(req.tenant(), p.Acquirer)
	state, err := d.settlements.Record(req.ctx, req.by, k, c, p.Form.Note)
	if p.FormErrors = view.SettlementErrors(err); err != nil {
		return req.correct(view.SectionMoney, p, err)
	}
	return req.done(req.in(view.SettlementPath(p.Acquirer, c.ID)), settlementNotice(state))
}

func (d *Dashboard) proposalPage(req *request) (p view.ProposalPage, err error) {
	id, err := uuid.Parse(req.variable("proposal"))
	if err != nil {
		return p, errNoPage
	}
	p.Me = req.by.User
	p.Proposal, err = d.settlements.Proposal(req.ctx, req.tenant(), id)
	if errors.Is(err, outcomes.ErrNoProposal) {
		return p, errNoPage
	}
	return p, err
}

// decideProposal confirms or rejects a proposal. Where the books refuse it, the page says why.
func (d *Dashboard) decideProposal(req *request) error {
	p, err := d.proposalPage(req)
	if err != nil {
		return err
	}
	notice := "settlement-rejected"
	if req.field("decision") == "reject" {
		err = d.settlements.Reject(req.ctx, req.by, req.tenant(), p.ID)
	} else {
		ctx, cancel := req.takeLonger(settleLimit)
		defer cancel()
		notice, err = "settlement-recorded", d.settlements.Confirm(ctx, req.by, req.tenant(), p.ID)
	}
	if p.FormErrors = view.SettlementErrors(err); err == nil || len(p.FormErrors) == 0 {
		return req.doneUnless(err, req.in("reconcile"), notice)
	}
	_, refused := errors.AsType[books.Refusal](err)
	if p.Ended = refused || errors.Is(err, settlements.ErrChanged); p.Ended {
		if p.Covered, p.Accepted, err = d.settlements.Conflicts(req.ctx, p.Proposal); err != nil {
			return err
		}
	}
	return req.show(view.SectionMoney, p)
}

// feesPage is the form as it was sent, with the contracts on record.
func (d *Dashboard) feesPage(req *request) (p view.FeesPage, err error) {
	p.Acquirers = d.providers(req)
	p.Form = view.FeeForm{
		Method: req.field("method"), Day: req.field("day"), Rate: req.field("rate"),
		Minimum: req.field("minimum"), Note: req.field("note"),
	}
	p.Fees, err = d.settlements.Fees(req.ctx, req.tenant())
	return p, err
}

func (d *Dashboard) scheduleFee(req *request) error {
	p, err := d.feesPage(req)
	if err != nil {
		return err
	}
	acquirer, c, wrong := p.Read()
	if p.FormErrors = wrong; len(wrong) > 0 {
		return req.show(view.SectionMoney, p)
	}
	state, err := d.settlements.Record(req.ctx, req.by, books.KeyOf(req.tenant(), acquirer), c, p.Form.Note)
	if p.FormErrors = view.SettlementErrors(err); err != nil {
		return req.correct(view.SectionMoney, p, err)
	}
	return req.done(req.in("settlements/fees"), settlementNotice(state))
}

package dashboard

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/payments/outcomes"
)

const (
	outcomePath = "/outcomes/{kind}/{subject}"
	rulePath    = "/outcomes/rule"
)

var _ = declare(
	get("/outcomes", member(accounts.SeePayments), loaded(view.SectionDecisions, (*Dashboard).outcomesPage)),
	post("/outcomes/settle", member(accounts.SettleOutcomes), (*Dashboard).settleProven).fresh(),
	post("/outcomes/confirm", member(accounts.SettleOutcomes), (*Dashboard).confirmOutcomes).fresh(),
	post("/outcomes/reject", member(accounts.SettleOutcomes), (*Dashboard).rejectOutcome).fresh(),
	get(outcomePath, member(accounts.SettleOutcomes),
		loaded(view.SectionDecisions, (*Dashboard).outcomePage)).fresh(),
	post(outcomePath, member(accounts.SettleOutcomes), (*Dashboard).settleOutcome).fresh(),
	get(rulePath, member(accounts.ManagePeople), loaded(view.SectionDecisions, (*Dashboard).rulePage)).fresh(),
	post(rulePath, member(accounts.ManagePeople), (*Dashboard).setRule).fresh(),
)

const (
	// outcomesOnPage bounds what one form settles, too.
	outcomesOnPage = 200
	// settleLimit bounds a request that settles many.
	settleLimit = 30 * time.Second
)

func (d *Dashboard) outcomesPage(req *request) (p view.OutcomesPage, err error) {
	p.Me, p.Note = req.by.User, view.ProvenNote(req.lang)
	if p.Rule, err = d.config.Outcomes.Rule(req.ctx, req.organization.ID); err != nil {
		return p, err
	}
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	if err != nil {
		return p, err
	}
	all, err := d.config.Outcomes.List(req.ctx, req.tenant(), outcomesOnPage+1)
	for n, o := range all {
		if n == outcomesOnPage {
			p.More = true
			break
		}
		p = p.With(view.OutcomeRow{Outcome: o, Application: nameOf(applications, o.Application)})
	}
	return p, err
}

// settledIn leads to the list with the notice, unless the user can correct the error in it.
func (d *Dashboard) settledIn(req *request, notice string, err error) error {
	switch {
	case errors.Is(err, outcomes.ErrNoOutcome), errors.Is(err, outcomes.ErrNoProposal),
		errors.Is(err, outcomes.ErrProposed):
		notice = "outcome-known"
	case err != nil:
		return d.correctOutcomes(req, view.OutcomeErrors(err), err)
	}
	return req.done(req.in("outcomes"), notice)
}

// correctOutcomes shows the list again, with what is wrong in one of its forms; err is returned if that is
// nothing.
func (d *Dashboard) correctOutcomes(req *request, wrong view.FormErrors, err error) error {
	p, failed := d.outcomesPage(req)
	if failed != nil {
		return failed
	}
	if note := req.fields("note"); len(note) > 0 {
		p.Note = note[0]
	}
	p.FormErrors = wrong
	return req.correct(view.SectionDecisions, p, err)
}

// settleProven settles what statements show of the outcomes that the form chooses.
func (d *Dashboard) settleProven(req *request) error {
	var keys []outcomes.Key
	for _, text := range req.fields("proven") {
		k, err := outcomes.ParseKey(text)
		if err != nil {
			return errNoPage
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return d.correctOutcomes(req, view.NoneProven, nil)
	}
	ctx, cancel := req.takeLonger(settleLimit)
	defer cancel()
	n, err := d.config.Outcomes.SettleProven(ctx, req.by, req.tenant(), keys, req.field("note"))
	return d.settledIn(req, settledNotice(n.Proposed > 0), err)
}

func settledNotice(proposed bool) string {
	if proposed {
		return "outcome-proposed"
	}
	return "outcome-settled"
}

func (d *Dashboard) confirmOutcomes(req *request) error {
	var ids []outcomes.ProposalID
	for _, text := range req.fields("proposal") {
		id, err := parseProposal(text)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return d.correctOutcomes(req, view.NoneWaiting, nil)
	}
	ctx, cancel := req.takeLonger(settleLimit)
	defer cancel()
	n, err := d.config.Outcomes.Confirm(ctx, req.by, req.tenant(), ids)
	notice := "outcome-confirmed"
	if n == 0 {
		notice = "outcome-known"
	}
	return d.settledIn(req, notice, err)
}

func parseProposal(text string) (outcomes.ProposalID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return outcomes.ProposalID{}, errNoPage
	}
	return outcomes.ProposalID(id), nil
}

func (d *Dashboard) rejectOutcome(req *request) error {
	id, err := parseProposal(req.field("proposal"))
	if err != nil {
		return err
	}
	err = d.config.Outcomes.Reject(req.ctx, req.by, req.tenant(), id)
	return d.settledIn(req, "outcome-rejected", err)
}

func (d *Dashboard) outcomePage(req *request) (p view.OutcomePage, err error) {
	k := outcomes.Key{Kind: outcomes.Kind(req.variable("kind")), Subject: req.variable("subject")}
	o, err := d.config.Outcomes.Find(req.ctx, req.tenant(), k)
	if errors.Is(err, outcomes.ErrNoOutcome) {
		return p, errNoPage
	}
	if err != nil {
		return p, err
	}
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	if err != nil {
		return p, err
	}
	rule, err := d.config.Outcomes.Rule(req.ctx, req.organization.ID)
	if err != nil {
		return p, err
	}
	p.OutcomeRow = view.OutcomeRow{Outcome: o, Application: nameOf(applications, o.Application)}
	p.Me, p.Two = req.by.User, rule.NeedsTwo(req.by.User, o.Amount)
	p.Form = outcomes.Claim{
		Verdict:   outcomes.Verdict(req.field("outcome")),
		Reference: req.field("reference"),
		Note:      req.field("note"),
	}
	return p, nil
}

func (d *Dashboard) settleOutcome(req *request) error {
	p, err := d.outcomePage(req)
	if err != nil {
		return err
	}
	s, err := d.config.Outcomes.Settle(req.ctx, req.by, req.tenant(), p.Key, p.Form)
	if p.FormErrors = view.OutcomeErrors(err); len(p.FormErrors) > 0 {
		return req.show(view.SectionDecisions, p)
	}
	return d.settledIn(req, settledNotice(s == outcomes.Proposed), err)
}

func (d *Dashboard) rulePage(req *request) (view.OutcomeRulePage, error) {
	rule, err := d.config.Outcomes.Rule(req.ctx, req.organization.ID)
	return view.OutcomeRule(rule), err
}

func (d *Dashboard) setRule(req *request) error {
	p := view.OutcomeRulePage{Choice: req.field("rule"), Above: req.field("above")}
	above, wrong := p.Read()
	if p.FormErrors = wrong; len(wrong) > 0 {
		return req.show(view.SectionDecisions, p)
	}
	err := d.config.Outcomes.SetRule(req.ctx, req.by, req.organization.ID, above)
	if p.FormErrors = view.OutcomeErrors(err); len(p.FormErrors) > 0 {
		return req.show(view.SectionDecisions, p)
	}
	return req.doneUnless(err, req.in("outcomes"), "outcome-rule")
}

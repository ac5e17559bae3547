package dashboard

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/facts"
	"daftar/payments"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
)

var _ = declare(
	get("/decisions", member(accounts.SeePayments), loaded(view.SectionDecisions, (*Dashboard).toDecide)),
	get("/decisions/decided", member(accounts.SeePayments), loaded(view.SectionDecisions, (*Dashboard).decided)),
	get("/decisions.csv", member(accounts.ExportPayments), exportDecided(asCSV)),
	get("/decisions.xlsx", member(accounts.ExportPayments), exportDecided(asXLSX)),
	post("/decisions/{payment}/{version}", member(accounts.DecidePayments), (*Dashboard).decide),
)

// Attempts reads the health of payment methods; see package payments.
type Attempts interface {
	Health(ctx context.Context, of domain.Tenant, since time.Time) ([]payments.Health, error)
}

const (
	openOnPage    = 50
	decidedOnPage = 20
)

// waiting is the number of payments that wait for a decision and of unknown outcomes, up to
// view.MaxCounted of each.
func (d *Dashboard) waiting(req *request) (int, error) {
	if req.organization == (view.Organization{}) {
		return 0, nil
	}
	payments, err := d.config.Payments.Undecided(req.ctx, req.tenant(), view.MaxCounted)
	if err != nil {
		return 0, err
	}
	unknown, err := d.config.Outcomes.Count(req.ctx, req.tenant(), view.MaxCounted)
	return payments + unknown, err
}

// toDecide is the page, with the form open that the address names.
func (d *Dashboard) toDecide(req *request) (view.DecisionsPage, error) {
	p, err := d.decisionsPage(req)
	p.Choose(req.r.URL.Query())
	return p, err
}

func (d *Dashboard) decisionsPage(req *request) (p view.DecisionsPage, err error) {
	p.Now = d.config.Now()
	tenant := req.tenant()
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.tenant())
	if err != nil {
		return p, err
	}
	open, total, err := d.config.Decisions.ToDecide(req.ctx, tenant, openOnPage)
	if err != nil {
		return p, err
	}
	p.Total = total
	for _, x := range open {
		row, err := d.exceptionRow(req, x, applications)
		if err != nil {
			return p, err
		}
		if row.Decision == nil {
			p.Open = append(p.Open, row)
		} else {
			p.Total--
			p.Decided = append(p.Decided, row)
		}
	}
	if p.Unknown, err = d.config.Outcomes.Count(req.ctx, tenant, view.MaxCounted); err != nil {
		return p, err
	}
	decided, _, err := d.config.Decisions.Decided(req.ctx, tenant, decisions.Filter{}, "", decidedOnPage)
	p.Decided = append(p.Decided, decidedRows(decided, applications)...)
	return p, err
}

func (d *Dashboard) exceptionRow(
	req *request, x decisions.Exception, applications []accounts.Application,
) (view.ExceptionRow, error) {
	row := view.ExceptionRow{Exception: x, Application: nameOf(applications, x.Application)}
	events, err := d.history(req, x.Intent)
	if err != nil {
		return view.ExceptionRow{}, err
	}
	for _, h := range events {
		if h.Version != x.Version {
			continue
		}
		row.Paid, _ = h.After.Attempt(x.Attempt)
		row.ProviderReference = facts.DetailsOf(h.Event).ProviderReference
	}
	all, err := d.config.Refunds.Of(req.ctx, req.organization.ID, x.Intent)
	for _, r := range all {
		if r.Attempt == x.Attempt {
			row.Refunds = append(row.Refunds, r)
		}
	}
	if n := len(events); n > 0 {
		row.Decision = decidedByRefund(events[n-1].After, x.Attempt, all)
	}
	return row, err
}

// decidedByRefund is the decision of refunds that gave back all of an attempt's money; nil if some
// is left. It is read from the ledger, because the dashboard's projection may not have it yet.
func decidedByRefund(
	i domain.Intent, of domain.AttemptID, all []refunds.Refund,
) (decision *decisions.Decision) {
	if i.Refundable(of).Minor > 0 {
		return nil
	}
	for _, back := range i.Refunds {
		if back.Attempt != of {
			continue
		}
		decision = &decisions.Decision{
			At:        back.At,
			Kind:      decisions.Refunded,
			Reference: back.ProviderReference,
		}
		for _, r := range all {
			if r.ID == back.ID {
				decision.By, decision.Note = r.RequestedBy, r.Note
			}
		}
	}
	return decision
}

func (d *Dashboard) decide(req *request) error {
	id, err := domain.ParseIntentID(req.variable("payment"))
	if err != nil {
		return errNoPage
	}
	version, err := strconv.Atoi(req.variable("version"))
	if err != nil {
		return errNoPage
	}
	form := decisions.Decision{
		At:        d.config.Now(),
		By:        req.by.Name,
		Kind:      decisions.Kind(req.field("kind")),
		Reference: req.field("reference"),
		Note:      req.text("note"),
		Informed:  req.field("informed"),
	}
	detail := map[string]any{
		"version":   version,
		"kind":      string(form.Kind),
		"reference": form.Reference,
		"note":      form.Note,
		"informed":  form.Informed,
	}
	err = d.config.Accounts.Do(req.ctx, req.by, req.organization.ID, accounts.DecidePayments,
		func(tx pgx.Tx) (accounts.Entry, error) {
			entry := accounts.Entry{
				Action:    view.ActionDecide,
				Subject:   "payment",
				SubjectID: uuid.UUID(id),
				Detail:    detail,
			}
			return entry, decisions.Decide(req.ctx, tx, uuid.UUID(req.organization.ID), id, version, form)
		})
	switch {
	case errors.Is(err, decisions.ErrNothingToDecide):
		return errNoPage
	case errors.Is(err, decisions.ErrDecided):
		return req.done(req.in("decisions"), "decided-already")
	case errors.Is(err, decisions.ErrRefunding):
		return req.done(req.in("decisions"), "decided-refunding")
	case len(view.ExceptionRow{Form: form}.Corrections(err)) == 0:
		return req.doneUnless(err, req.in("decisions"), "decided")
	}
	return d.correctDecision(req, id, version, form, err)
}

// correctDecision shows the page again with the errors of the form. If the money no longer
// waits for a decision, the error is errNoPage.
func (d *Dashboard) correctDecision(
	req *request, id domain.IntentID, version int, form decisions.Decision, wrong error,
) error {
	p, err := d.decisionsPage(req)
	if err != nil {
		return err
	}
	for n := range p.Open {
		if x := &p.Open[n]; x.Intent == id && x.Version == version {
			x.Form = form
			p.FormErrors = x.Corrections(wrong)
			return req.show(view.SectionDecisions, p)
		}
	}
	return errNoPage
}

package dashboard

import (
	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

// The overview has an address of its own: that of the organisation leads on, as it always did.
var _ = declare(
	get("/overview", member(accounts.SeePayments), loaded(view.SectionOverview, (*Dashboard).overview)),
)

// Limits of the overview.
const (
	latestOnOverview  = 5
	waitingOnOverview = 5
)

// overview reads no more than the list of payments does: sums that are kept, and the beginnings of
// lists. What waits for a decision and which webhooks stopped is read for the frame of every page.
func (d *Dashboard) overview(req *request) (p view.Overview, err error) {
	late, tenant := d.config.Late, req.tenant()
	p.AsOf, p.Today = late.AsOf(), domain.DayOf(d.config.Now())
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, tenant); err != nil {
		return p, err
	}
	found, err := late.Payments.List(req.ctx, tenant, projections.Filter{}, projections.NewestFirst, "",
		latestOnOverview)
	if err != nil {
		return p, err
	}
	for _, one := range found.Payments {
		p.Rows = append(p.Rows, d.paymentRow(one, p.Applications))
	}
	// An organisation with more payments has taken its first steps.
	if len(p.Rows) < latestOnOverview {
		if p.Steps, err = d.firstSteps(req, p.Applications, len(p.Rows) > 0); err != nil {
			return p, err
		}
	}
	health, err := d.config.Attempts.Health(req.ctx, tenant, d.config.Now().Add(-healthSpan))
	if err != nil {
		return p, err
	}
	p.Failing = view.FailingMethods(health)
	if req.role.Allows(accounts.SeeMoney) {
		week, err := late.Payments.Turnover(req.ctx, tenant, nil, p.Today.Add(-view.OverviewDays), p.Today)
		if err != nil {
			return p, err
		}
		p.Days = view.DaysOf(week, domain.LYD, p.Today.Add(-view.OverviewDays), p.Today)
	}
	err = d.overviewOf(req, &p)
	return p, err
}

// overviewOf adds what the user's role is for: open decisions for finance, what fails for developers.
func (d *Dashboard) overviewOf(req *request, p *view.Overview) (err error) {
	tenant := req.tenant()
	switch req.role { //nolint:exhaustive // the others see what everybody sees
	case accounts.RoleFinance:
		p.Open, _, err = d.config.Late.Decisions.ToDecide(req.ctx, tenant, waitingOnOverview)
	case accounts.RoleDeveloper:
		endpoints, err := d.config.Deliveries.Endpoints(req.ctx, req.by, tenant)
		if err != nil {
			return err
		}
		for _, a := range p.Applications {
			if e := endpoints[a.ID]; e.Failing() && e.DisabledAt == nil {
				p.Endpoints = append(p.Endpoints, a.Name)
			}
		}
		failed, err := d.config.Requests.Failed(req.ctx, req.by, tenant, d.config.Now().Add(-healthSpan))
		for _, f := range failed {
			name := nameOf(p.Applications, f.Application)
			p.Requests = append(p.Requests, view.FailedRequests{Failed: f, Name: name})
		}
		return err
	}
	return err
}

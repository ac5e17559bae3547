package dashboard

import (
	"errors"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

var _ = declare(
	get("/payments", member(accounts.SeePayments), loaded(view.SectionPayments, (*Dashboard).payments)),
	get("/payments.csv", member(accounts.ExportPayments), exportPayments(asCSV)),
	get("/payments.xlsx", member(accounts.ExportPayments), exportPayments(asXLSX)),
	get("/payments/{payment}", member(accounts.SeePayments),
		loaded(view.SectionPayments, (*Dashboard).paymentPage)),
)

func (d *Dashboard) payments(req *request) (p view.PaymentList, err error) {
	p.Form, p.AsOf = view.FormOf(req.r.URL.Query()), d.config.Late.AsOf()
	p.Today = domain.DayOf(d.config.Now())
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.tenant()); err != nil {
		return p, err
	}
	if p.Tiles, err = d.tiles(req); err != nil {
		return p, err
	}
	if p.Views, err = d.config.Settings.SavedViews(req.ctx, req.by, req.organization.ID); err != nil {
		return p, err
	}
	f, wrong := p.Form.Filter(p.Applications)
	if len([]rune(p.Form.Search)) > view.MaxSearch {
		wrong.Add("q", func(t *view.Texts) string { return t.Payments.SearchLong })
	}
	if p.FormErrors = wrong; len(wrong) > 0 {
		return p, nil
	}
	found, err := d.config.Late.Payments.Search(req.ctx, req.tenant(), p.Form.Asked(f))
	if errors.Is(err, projections.ErrCursor) {
		return p, errNoPage
	}
	if err != nil {
		return p, err
	}
	d.fill(&p, found)
	return p, nil
}

// fill adds the results to the page, with links to the previous and the next page.
func (d *Dashboard) fill(p *view.PaymentList, found projections.Results) {
	for _, m := range found.Matches {
		row := d.paymentRow(m.Payment, p.Applications)
		row.By = m.By
		p.Rows = append(p.Rows, row)
	}
	p.Counts, p.Sortable = found.Counts, found.Complete
	if found.Complete && p.Form.At == "" {
		page := p.Form.Asked(projections.Filter{}).Page
		if page > 0 {
			p.Before = p.Form.PageLink(page - 1)
		}
		if found.More {
			p.Next = p.Form.PageLink(page + 1)
		}
		return
	}
	link := func(cursor string) string {
		if cursor == "" {
			return ""
		}
		return p.Form.Link(cursor)
	}
	p.Before, p.Next = link(found.Adjacent.Newer), link(found.Adjacent.Older)
	if p.Form.Sort == view.SortOldest {
		p.Before, p.Next = p.Next, p.Before
	}
	if found.Adjacent.Partial {
		p.SearchedTo, p.Continue = &found.Adjacent.SearchedTo, p.Next
		if len(found.Matches) > 0 &&
			found.Adjacent.SearchedTo.After(found.Matches[0].CreatedAt) == (p.Form.Sort != view.SortOldest) {
			p.Continue = p.Before
		}
	}
}

func (d *Dashboard) paymentRow(p projections.Payment, applications []accounts.Application) view.PaymentRow {
	return view.PaymentRow{
		Payment:     p,
		Application: nameOf(applications, p.Application),
		Overdue:     p.Overdue(d.config.Now()),
	}
}

func nameOf(all []accounts.Application, id domain.ApplicationID) string {
	for _, a := range all {
		if a.ID == id {
			return a.Name
		}
	}
	return id.String()
}

func (d *Dashboard) tiles(req *request) (view.Tiles, error) {
	tenant, today := req.tenant(), domain.DayOf(d.config.Now())
	t := view.Tiles{Today: domain.Money{Currency: domain.LYD}}
	turnover, err := d.config.Late.Payments.Turnover(req.ctx, tenant, nil, today, today)
	if err != nil {
		return view.Tiles{}, err
	}
	for _, total := range turnover.Totals {
		t.Paid += total.Succeeded.Count
		if total.Currency == t.Today.Currency {
			t.Today.Minor = total.Succeeded.Sum
		}
	}
	if t.Open, err = d.config.Late.Payments.Open(req.ctx, tenant, view.MaxCounted); err != nil {
		return view.Tiles{}, err
	}
	t.Decide, err = d.waiting(req)
	return t, err
}

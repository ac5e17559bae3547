package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

var paymentRoutes = []route{
	{method: http.MethodGet, path: inOrganization + "/payments", access: member, needs: accounts.SeePayments, handle: (*Dashboard).listPayments},
	{method: http.MethodGet, path: inOrganization + "/payments.csv", access: member, needs: accounts.ExportPayments, handle: exportPayments(asCSV)},
	{method: http.MethodGet, path: inOrganization + "/payments.xlsx", access: member, needs: accounts.ExportPayments, handle: exportPayments(asXLSX)},
	{method: http.MethodGet, path: inOrganization + "/payments/{payment}", access: member, needs: accounts.SeePayments, handle: loaded(view.SectionPayments, (*Dashboard).paymentPage)},
}

func readPaymentsForm(q url.Values) view.PaymentsForm {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	return view.PaymentsForm{
		// Blanks may be part of a name that is searched for.
		Search: strings.Trim(q.Get("q"), "\r\n"), Application: get("application"), Status: get("status"), From: get("from"), To: get("to"),
		Min: get("min"), Max: get("max"), At: get("at"),
	}
}

func (d *Dashboard) listPayments(req *request) error {
	p := view.PaymentList{Form: readPaymentsForm(req.r.URL.Query()), AsOf: d.config.Late.AsOf()}
	p.Searched = strings.TrimSpace(p.Form.Search) != ""
	var err error
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.organization.ID); err != nil {
		return err
	}
	if p.Tiles, err = d.tiles(req); err != nil {
		return err
	}
	f, wrong := p.Form.Filter(p.Applications)
	if len([]rune(p.Form.Search)) > view.MaxSearch {
		wrong = append(wrong, view.FormError("q", func(t *view.Texts) string { return t.Payments.SearchLong })...)
	}
	if p.FormErrors = wrong; len(wrong) > 0 {
		return req.showInvalid(view.SectionPayments, p)
	}
	if p.Searched {
		err = d.searchInto(req, &p)
	} else {
		err = d.listInto(req, &p, f)
	}
	if err != nil {
		return err
	}
	return req.show(view.SectionPayments, p)
}

func (d *Dashboard) searchInto(req *request, p *view.PaymentList) error {
	found, err := d.config.Late.Payments.Search(req.ctx, uuid.UUID(req.organization.ID), p.Form.Search)
	if err != nil {
		return err
	}
	for _, m := range found {
		row := d.paymentRow(m.Payment, p.Applications)
		row.By = m.By
		p.Rows = append(p.Rows, row)
	}
	return nil
}

func (d *Dashboard) listInto(req *request, p *view.PaymentList, f projections.Filter) error {
	page, err := d.config.Late.Payments.List(req.ctx, uuid.UUID(req.organization.ID), f, p.Form.At, view.PaymentsOnPage)
	if errors.Is(err, projections.ErrCursor) {
		return errNoPage
	}
	if err != nil {
		return err
	}
	for _, found := range page.Payments {
		p.Rows = append(p.Rows, d.paymentRow(found, p.Applications))
	}
	link := func(cursor string) string {
		if cursor == "" {
			return ""
		}
		return "payments?" + p.Form.Query(cursor)
	}
	p.Newer, p.Older = link(page.Newer), link(page.Older)
	if page.Partial {
		p.SearchedTo, p.Continue = &page.SearchedTo, p.Older
		if len(page.Payments) > 0 && page.SearchedTo.After(page.Payments[0].CreatedAt) {
			p.Continue = p.Newer
		}
	}
	return nil
}

func (d *Dashboard) paymentRow(p projections.Payment, applications []accounts.Application) view.PaymentRow {
	return view.PaymentRow{Payment: p, Application: nameOf(applications, p.Application), Overdue: p.Overdue(d.config.Now())}
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
	org, today := uuid.UUID(req.organization.ID), projections.DayOf(d.config.Now())
	t := view.Tiles{Today: domain.Money{Currency: domain.LYD}}
	turnover, err := d.config.Late.Payments.Turnover(req.ctx, org, nil, today, today)
	if err != nil {
		return view.Tiles{}, err
	}
	for _, total := range turnover.Totals {
		t.Paid += total.Succeeded.Count
		if total.Currency == t.Today.Currency {
			t.Today.Minor = total.Succeeded.Sum
		}
	}
	if t.Open, err = d.config.Late.Payments.Open(req.ctx, org, view.MaxCounted); err != nil {
		return view.Tiles{}, err
	}
	t.Decide, err = d.waiting(req)
	return t, err
}

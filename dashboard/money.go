package dashboard

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

var moneyRoutes = append([]route{
	{method: http.MethodGet, path: inOrganization + "/money", access: member, needs: accounts.SeeMoney, handle: (*Dashboard).showMoney},
	{method: http.MethodGet, path: inOrganization + "/methods", access: member, needs: accounts.SeePayments, handle: loaded(view.SectionMoney, (*Dashboard).methods)},
	{method: http.MethodGet, path: inOrganization + "/money.csv", access: member, needs: accounts.ExportPayments, handle: (*Dashboard).exportMoney},
}, decisionRoutes...)

func readMoneyForm(q url.Values) view.MoneyForm {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	f := view.MoneyForm{Application: get("application"), Span: view.Span(get("span")), From: get("from"), To: get("to")}
	if f.Span == "" && f.From == "" && f.To == "" {
		f.Span = view.SpanMonth
	}
	return f
}

func (d *Dashboard) showMoney(req *request) error {
	p := view.MoneyPage{Form: readMoneyForm(req.r.URL.Query()), AsOf: d.config.Late.AsOf()}
	var err error
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.organization.ID); err != nil {
		return err
	}
	var of []domain.ApplicationID
	if p.From, p.To, of, p.FormErrors = p.Form.Read(p.Applications, projections.DayOf(d.config.Now())); len(p.FormErrors) > 0 {
		return req.showInvalid(view.SectionMoney, p)
	}
	turnover, err := d.config.Late.Payments.Turnover(req.ctx, uuid.UUID(req.organization.ID), of, p.From, p.To)
	if err != nil {
		return err
	}
	p.Form.From, p.Form.To = p.From.String(), p.To.String()
	p.Charts = view.ChartsOf(turnover, p.From, p.To)
	return req.show(view.SectionMoney, p)
}

// healthSpan is how far back the health of methods looks.
const healthSpan = 24 * time.Hour

func (d *Dashboard) methods(req *request) (p view.MethodsPage, err error) {
	p.Methods, err = d.config.Attempts.Health(req.ctx, req.organization.ID, d.config.Now().Add(-healthSpan))
	return p, err
}

func (d *Dashboard) exportMoney(req *request) error {
	form := readMoneyForm(req.r.URL.Query())
	applications, err := d.config.Accounts.Applications(req.ctx, req.by, req.organization.ID)
	if err != nil {
		return err
	}
	from, to, of, wrong := form.Read(applications, projections.DayOf(d.config.Now()))
	if len(wrong) > 0 {
		return req.redirect(req.in("money") + "?" + form.Query())
	}
	if len(of) == 0 {
		for _, a := range applications {
			of = append(of, a.ID)
		}
	}
	detail := map[string]any{"from_day": from.String(), "to_day": to.String()}
	if form.Application != "" {
		detail["application"] = form.Application
	}
	if err := d.recordExport(req, view.ActionExportTurnover, detail); err != nil {
		return err
	}
	name := "turnover-" + from.String() + "-" + to.String() + ".csv"
	return req.export(name, turnoverHeads, func(yield func([]string, error) bool) {
		for _, id := range of {
			turnover, err := d.config.Late.Payments.Turnover(req.ctx, uuid.UUID(req.organization.ID), []domain.ApplicationID{id}, from, to)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, day := range turnover.Days {
				if !yield(turnoverCells(id, nameOf(applications, id), day), nil) {
					return
				}
			}
		}
	})
}

var turnoverHeads = []string{
	"day", "application_uuid", "application", "currency", "paid_count", "paid_sum", "late_count", "late_sum",
	"canceled_count", "canceled_sum", "duplicate_count", "duplicate_sum", "refund_count", "refund_sum",
}

func turnoverCells(id domain.ApplicationID, name string, d projections.DayFigures) []string {
	cells := []string{d.Day.String(), id.String(), cell(name), string(d.Currency)}
	for _, t := range []projections.Total{d.Succeeded, d.Late, d.Canceled, d.Duplicates, d.Refunds} {
		cells = append(cells, strconv.FormatInt(t.Count, 10), cellMoney(domain.Money{Minor: t.Sum, Currency: d.Currency}))
	}
	return cells
}

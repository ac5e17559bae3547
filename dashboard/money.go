package dashboard

import (
	"net/url"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
)

var _ = declare(
	get("/money", member(accounts.SeeMoney), loaded(view.SectionMoney, (*Dashboard).money)),
	get("/methods", member(accounts.SeePayments), loaded(view.SectionMoney, (*Dashboard).methods)),
	get("/money.csv", member(accounts.ExportPayments), exportMoney(asCSV)),
	get("/money.xlsx", member(accounts.ExportPayments), exportMoney(asXLSX)),
)

func readMoneyForm(q url.Values) view.MoneyForm {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	f := view.MoneyForm{
		Application: get("application"),
		Span:        view.Span(get("span")),
		From:        get("from"),
		To:          get("to"),
	}
	if f.Span == "" && f.From == "" && f.To == "" {
		f.Span = view.SpanMonth
	}
	return f
}

func (d *Dashboard) money(req *request) (p view.MoneyPage, err error) {
	p.Form, p.AsOf = readMoneyForm(req.r.URL.Query()), d.config.Late.AsOf()
	if p.Applications, err = d.config.Accounts.Applications(req.ctx, req.by, req.tenant()); err != nil {
		return p, err
	}
	var of []domain.ApplicationID
	today := domain.DayOf(d.config.Now())
	p.From, p.To, of, p.FormErrors = p.Form.Read(p.Applications, today)
	if len(p.FormErrors) > 0 {
		return p, nil
	}
	tenant := req.tenant()
	turnover, err := d.config.Late.Payments.Turnover(req.ctx, tenant, of, p.From, p.To)
	if err != nil {
		return p, err
	}
	p.BeforeFrom, p.BeforeTo = view.SpanBefore(p.From, p.To)
	before, err := d.config.Late.Payments.Turnover(req.ctx, tenant, of, p.BeforeFrom, p.BeforeTo)
	if err != nil {
		return p, err
	}
	if p.Outcomes, err = d.config.Late.Payments.Outcomes(req.ctx, tenant, of, p.From, p.To); err != nil {
		return p, err
	}
	p.Form.From, p.Form.To = p.From.String(), p.To.String()
	p.Charts = view.ChartsOf(turnover, before, p.From, p.To)
	return p, nil
}

// healthSpan is how far back the health of methods looks.
const healthSpan = 24 * time.Hour

func (d *Dashboard) methods(req *request) (p view.MethodsPage, err error) {
	p.Methods, err = d.config.Attempts.Health(req.ctx, req.tenant(), d.config.Now().Add(-healthSpan))
	return p, err
}

package dashboard

import (
	"daftar/accounts"
	"daftar/books"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

var _ = declare(
	get("/day", member(accounts.SeeMoney), loaded(view.SectionMoney, (*Dashboard).dayPage)),
	post("/day", member(accounts.KeepBooks), (*Dashboard).closeDay),
)

// dayPage is what a day took, and what was known of it when it was closed. A decision is made by it: it
// reads nothing that may be late.
func (d *Dashboard) dayPage(req *request) (p view.DayPage, err error) {
	today := domain.DayOf(d.config.Now())
	closed, err := d.settlements.Days(req.ctx, req.tenant())
	if err != nil {
		return p, err
	}
	if p = view.NewDayPage(req.r.URL.Query().Get("day"), today, closed); len(p.FormErrors) > 0 {
		return p, nil
	}
	p.Form = view.DayForm{Expected: req.field("expected"), Counted: req.field("counted")}
	p.Now, err = d.dayNow(req, p.Day)
	return p, err
}

// dayNow is what a day has now.
func (d *Dashboard) dayNow(req *request, day domain.Day) (now books.CloseDay, err error) {
	now.Day = day
	taken, err := d.config.Payments.Day(req.ctx, req.tenant(), day)
	for _, t := range taken.Totals { // there is one currency
		now.Returned += t.Refunds.Sum
	}
	for _, m := range taken.Methods {
		now.Methods = append(now.Methods, books.DayMethod{
			Acquirer: m.Acquirer, Method: m.Method, Count: m.Count, Amount: m.Sum,
		})
	}
	if err != nil {
		return now, err
	}
	waiting := projections.Filter{Status: domain.StatusProcessing, From: day, To: day}
	for one, err := range d.config.Payments.Export(req.ctx, req.tenant(), projections.Query{Filter: waiting}) {
		if err != nil {
			return now, err
		}
		now.WaitingCount++
		now.Waiting += one.Amount.Minor
	}
	return now, nil
}

func (d *Dashboard) closeDay(req *request) error {
	p, err := d.dayPage(req)
	if err != nil {
		return err
	}
	c, wrong := p.Read()
	if p.FormErrors = append(p.FormErrors, wrong...); len(p.FormErrors) > 0 {
		return req.show(view.SectionMoney, p)
	}
	err = d.settlements.CloseDay(req.ctx, req.by, req.tenant(), c)
	if p.FormErrors = view.SettlementErrors(err); err != nil {
		return req.correct(view.SectionMoney, p, err)
	}
	return req.done(req.in(view.DayPath(p.Day)), "day-closed")
}

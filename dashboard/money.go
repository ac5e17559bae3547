package dashboard

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/projections"
)

var moneyRoutes = append([]route{
	{method: http.MethodGet, path: of + "/money", access: member, needs: accounts.SeePayments, handle: (*Dashboard).showMoney},
	{method: http.MethodGet, path: of + "/money.csv", access: member, needs: accounts.SeePayments, handle: (*Dashboard).exportMoney},
}, decisionRoutes...)

var moneyNotices = decisionNotices

// maxDays is how many days one chart has at most.
const maxDays = 366

// span is a range of days with a name.
type span string

const (
	spanWeek      span = "7"
	spanMonth     span = "30"
	spanQuarter   span = "90"
	spanThisMonth span = "month"
	spanLastMonth span = "last-month"
)

var spans = []span{spanWeek, spanMonth, spanQuarter, spanThisMonth, spanLastMonth}

// days are the first and the last of a span that ends today.
func (s span) days(today projections.Day) (from, to projections.Day) {
	first := projections.Day{Year: today.Year, Month: today.Month, Day: 1}
	switch s {
	case spanWeek:
		return today.Add(-6), today
	case spanMonth:
		return today.Add(-29), today
	case spanQuarter:
		return today.Add(-89), today
	case spanThisMonth:
		return first, today
	case spanLastMonth:
		last := first.Add(-1)
		return projections.Day{Year: last.Year, Month: last.Month, Day: 1}, last
	}
	panic("dashboard: unknown span " + string(s))
}

// moneyForm says which days and whose.
type moneyForm struct {
	Application string
	Span        span // empty: From and To were typed
	From, To    string
}

func readMoneyForm(q url.Values) moneyForm {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	f := moneyForm{Application: get("application"), Span: span(get("span")), From: get("from"), To: get("to")}
	if f.Span == "" && f.From == "" && f.To == "" {
		f.Span = spanMonth
	}
	return f
}

// query writes the form as an address has it.
func (f moneyForm) query() string {
	q := url.Values{}
	for name, value := range map[string]string{"application": f.Application, "span": string(f.Span)} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Span == "" {
		q.Set("from", f.From)
		q.Set("to", f.To)
	}
	return q.Encode()
}

// read finds the days and the applications.
func (f moneyForm) read(all []accounts.Application, today projections.Day) (from, to projections.Day, of []domain.ApplicationID, wrong flaws) {
	is := func(field string, text func(t *texts) string) { wrong = append(wrong, flaw{field, text}) }
	if f.Application != "" {
		id := applicationCalled(all, f.Application)
		if id == nil {
			is("application", func(t *texts) string { return t.Payments.NoApplication })
		} else {
			of = []domain.ApplicationID{*id}
		}
	}
	for _, s := range spans {
		if s == f.Span {
			from, to = s.days(today)
			return from, to, of, wrong
		}
	}
	var known bool
	if from, known = readDay(f.From); !known || from.IsZero() {
		is("from", func(t *texts) string { return t.Payments.BadDay })
	}
	if to, known = readDay(f.To); !known || to.IsZero() {
		is("to", func(t *texts) string { return t.Payments.BadDay })
	}
	switch {
	case len(wrong) > 0:
	case to.Before(from):
		is("to", func(t *texts) string { return t.Payments.DaysCross })
	case !to.Before(from.Add(maxDays)):
		is("to", func(t *texts) string { return t.Money.TooLong })
	}
	return from, to, of, wrong
}

// moneyPage is what came in.
type moneyPage struct {
	flaws
	Form         moneyForm
	Applications []accounts.Application
	From, To     projections.Day
	Charts       []chart // one for each currency; none where nothing happened
}

func (moneyPage) Template() string { return "money" }

func (moneyPage) title(t *texts) string { return t.Sections.Money }

// Several says that there are applications to choose from.
func (p moneyPage) Several() bool { return len(p.Applications) > 1 }

// Query is the form in an address, for the export.
func (p moneyPage) Query() string { return p.Form.query() }

// spanLink leads to a span of days.
type spanLink struct {
	Text, Path string
	Current    bool
}

// Spans are the ranges to choose from at once.
func (r rendering) Spans(f moneyForm) []spanLink {
	var links []spanLink
	for _, s := range spans {
		links = append(links, spanLink{
			Text: r.T.Money.span(s), Path: "money?" + moneyForm{Application: f.Application, Span: s}.query(), Current: s == f.Span,
		})
	}
	return links
}

// DayOf is a day of the calendar.
func (r rendering) DayOf(d projections.Day) string { return r.Day(noon(d)) }

// noon is within the day in every zone that pages are shown in.
func noon(d projections.Day) time.Time { return d.Start().Add(12 * time.Hour) }

func (d *Dashboard) showMoney(v *visit) error {
	p := moneyPage{Form: readMoneyForm(v.r.URL.Query())}
	var err error
	if p.Applications, err = d.accounts.Applications(v.ctx, v.by, v.organization.ID); err != nil {
		return err
	}
	var of []domain.ApplicationID
	if p.From, p.To, of, p.flaws = p.Form.read(p.Applications, projections.DayOf(d.now())); len(p.flaws) > 0 {
		return v.correct(sectionMoney, p)
	}
	turnover, err := d.payments.Turnover(v.ctx, uuid.UUID(v.organization.ID), of, p.From, p.To)
	if err != nil {
		return err
	}
	p.Form.From, p.Form.To = p.From.String(), p.To.String()
	p.Charts = chartsOf(turnover, p.From, p.To)
	return v.show(sectionMoney, p)
}

func (d *Dashboard) exportMoney(v *visit) error {
	form := readMoneyForm(v.r.URL.Query())
	applications, err := d.accounts.Applications(v.ctx, v.by, v.organization.ID)
	if err != nil {
		return err
	}
	from, to, of, wrong := form.read(applications, projections.DayOf(d.now()))
	if len(wrong) > 0 {
		v.see(v.in("money") + "?" + form.query())
		return nil
	}
	if len(of) == 0 {
		for _, a := range applications {
			of = append(of, a.ID)
		}
	}
	e := newExport(v, "turnover-"+from.String()+"-"+to.String()+".csv",
		"day", "application_uuid", "application", "currency", "paid_count", "paid_sum", "late_count", "late_sum",
		"canceled_count", "canceled_sum", "duplicate_count", "duplicate_sum")
	if v.r.Method == http.MethodHead {
		return e.end(nil)
	}
	detail := map[string]any{"from_day": from.String(), "to_day": to.String()}
	if form.Application != "" {
		detail["application"] = form.Application
	}
	if err := d.recordExport(v, actionExportTurnover, detail); err != nil {
		return err
	}
	for _, id := range of {
		turnover, err := d.payments.Turnover(v.ctx, uuid.UUID(v.organization.ID), []domain.ApplicationID{id}, from, to)
		for _, day := range turnover.Days {
			if err == nil {
				err = e.write(turnoverCells(id, nameOf(applications, id), day)...)
			}
		}
		if err != nil {
			return e.end(err)
		}
	}
	return e.end(nil)
}

func turnoverCells(id domain.ApplicationID, name string, d projections.DayFigures) []string {
	cells := []string{d.Day.String(), id.String(), cell(name), string(d.Currency)}
	for _, t := range []projections.Total{d.Succeeded, d.Late, d.Canceled, d.Duplicates} {
		cells = append(cells, strconv.FormatInt(t.Count, 10), cellMoney(domain.Money{Minor: t.Sum, Currency: d.Currency}))
	}
	return cells
}

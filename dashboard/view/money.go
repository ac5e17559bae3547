package view

import (
	"slices"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/projections"
)

// maxDays is the greatest number of days in a chart.
const maxDays = 366

// Span is a range of days with a name.
type Span string

// The spans that the page offers.
const (
	spanWeek      Span = "7"
	SpanMonth     Span = "30"
	spanQuarter   Span = "90"
	spanThisMonth Span = "month"
	spanLastMonth Span = "last-month"
)

var spans = []Span{spanWeek, SpanMonth, spanQuarter, spanThisMonth, spanLastMonth}

// days are the first and the last day of the span.
func (s Span) days(today domain.Day) (from, to domain.Day) {
	first := domain.Day{Year: today.Year, Month: today.Month, Day: 1}
	switch s {
	case spanWeek:
		return today.Add(-6), today
	case SpanMonth:
		return today.Add(-29), today
	case spanQuarter:
		return today.Add(-89), today
	case spanThisMonth:
		return first, today
	case spanLastMonth:
		last := first.Add(-1)
		return domain.Day{Year: last.Year, Month: last.Month, Day: 1}, last
	}
	panic("view: unknown span " + string(s))
}

// MoneyForm selects the days and the application.
type MoneyForm struct {
	Application string
	Span        Span // empty: From and To were typed
	From, To    string
}

// Query is the form as the query of an address.
func (f MoneyForm) Query() string {
	fields := map[string]string{"application": f.Application, "span": string(f.Span)}
	if f.Span == "" {
		fields["from"], fields["to"] = f.From, f.To
	}
	return queryOf(fields)
}

// Read returns the days and the applications that the form chooses.
func (f MoneyForm) Read(
	all []accounts.Application, today domain.Day,
) (from, to domain.Day, of []domain.ApplicationID, wrong FormErrors) {
	if f.Application != "" {
		id := ApplicationByID(all, f.Application)
		if id == nil {
			wrong.Add("application", func(t *Texts) string { return t.Payments.NoApplication })
		} else {
			of = []domain.ApplicationID{*id}
		}
	}
	if slices.Contains(spans, f.Span) {
		from, to = f.Span.days(today)
		return from, to, of, wrong
	}
	var known bool
	if from, known = readDay(f.From); !known || from.IsZero() {
		wrong.Add("from", func(t *Texts) string { return t.Payments.BadDay })
	}
	if to, known = readDay(f.To); !known || to.IsZero() {
		wrong.Add("to", func(t *Texts) string { return t.Payments.BadDay })
	}
	switch {
	case len(wrong) > 0:
	case to.Before(from):
		wrong.Add("to", func(t *Texts) string { return t.Payments.DaysCross })
	case !to.Before(from.Add(maxDays)):
		wrong.Add("to", func(t *Texts) string { return t.Money.TooLong })
	}
	return from, to, of, wrong
}

// MoneyPage is the turnover of some days.
type MoneyPage struct {
	FormErrors
	Form         MoneyForm
	Applications []accounts.Application
	From, To     domain.Day
	Charts       []chart // one for each currency; none if there were no payments
	// BeforeFrom and BeforeTo are as many days right before, with which the figures are compared.
	BeforeFrom, BeforeTo domain.Day
	Outcomes             projections.Outcomes // of attempts
	AsOf                 *time.Time           // as in PaymentList
}

// SpanBefore is the span of the same length that ends the day before from.
func SpanBefore(from, to domain.Day) (first, last domain.Day) {
	return from.Add(-from.DaysUntil(to) - 1), from.Add(-1)
}

func (MoneyPage) head(t *Texts) (template, title string) { return "money", t.Sections[SectionMoney] }

// spanLink is a link to a span of days.
type spanLink struct {
	Text, Path string
	Current    bool
}

// Spans are the links to the named spans.
func (r rendering) Spans(f MoneyForm) []spanLink {
	var links []spanLink
	for _, s := range spans {
		links = append(links, spanLink{
			Text:    r.T.Money.SpanNames[s],
			Path:    "money?" + MoneyForm{Application: f.Application, Span: s}.Query(),
			Current: s == f.Span,
		})
	}
	return links
}

// DayOf is a day of the calendar.
func (r rendering) DayOf(d domain.Day) string { return r.Day(noon(d)) }

// noon is an instant that is within the day in every zone of the pages.
func noon(d domain.Day) time.Time { return d.Start().Add(12 * time.Hour) }

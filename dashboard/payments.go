package dashboard

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/plaintext"
	"daftar/internal/web"
	"daftar/projections"
)

var paymentRoutes = []route{
	{method: http.MethodGet, path: of + "/payments", access: member, needs: accounts.SeePayments, handle: (*Dashboard).listPayments},
	{method: http.MethodGet, path: of + "/payments.csv", access: member, needs: accounts.SeePayments, handle: (*Dashboard).exportPayments},
	{method: http.MethodGet, path: of + "/payments/{payment}", access: member, needs: accounts.SeePayments, handle: (*Dashboard).showPayment},
}

var paymentNotices = map[string]notice{}

const (
	paymentsOnPage = 50
	// maxCounted is how far the tiles and the navigation count.
	maxCounted = 1000
	maxSearch  = 300 // characters
)

// statusLate is in the filter what is no status of its own.
const statusLate = "late"

// paymentsForm is the filter as it was typed.
type paymentsForm struct{ Search, Application, Status, From, To, Min, Max, at string }

func readPaymentsForm(q url.Values) paymentsForm {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	return paymentsForm{
		// Blanks may be part of a name that is searched for.
		Search: strings.Trim(q.Get("q"), "\r\n"), Application: get("application"), Status: get("status"), From: get("from"), To: get("to"),
		Min: get("min"), Max: get("max"), at: get("at"),
	}
}

// query writes the filter as an address has it, from a cursor on.
func (f paymentsForm) query(at string) string {
	q := url.Values{}
	for name, value := range map[string]string{
		"application": f.Application, "status": f.Status, "from": f.From, "to": f.To, "min": f.Min, "max": f.Max, "at": at,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q.Encode()
}

// Narrowed says that the filter leaves something out.
func (f paymentsForm) Narrowed() bool { return f.query("") != "" }

// filter reads the form. Applications are the organisation's: another's cannot be
// chosen.
func (f paymentsForm) filter(applications []accounts.Application) (projections.Filter, flaws) {
	var out projections.Filter
	var wrong flaws
	is := func(field string, text func(t *paymentTexts) string) {
		wrong = append(wrong, flaw{field, func(t *texts) string { return text(&t.Payments) }})
	}
	out.Application = applicationCalled(applications, f.Application)
	if f.Application != "" && out.Application == nil {
		is("application", func(t *paymentTexts) string { return t.NoApplication })
	}
	switch s := domain.Status(f.Status); s {
	case "", domain.StatusRequiresPaymentMethod, domain.StatusProcessing, domain.StatusSucceeded, domain.StatusCanceled:
		out.Status = s
	case statusLate:
		out.Late = true
	default:
		is("payment-status", func(t *paymentTexts) string { return t.NoStatus })
	}
	var known bool
	if out.From, known = readDay(f.From); !known {
		is("from", func(t *paymentTexts) string { return t.BadDay })
	}
	if out.To, known = readDay(f.To); !known {
		is("to", func(t *paymentTexts) string { return t.BadDay })
	}
	if !out.From.IsZero() && !out.To.IsZero() && out.To.Before(out.From) {
		is("to", func(t *paymentTexts) string { return t.DaysCross })
	}
	if out.MinAmount, known = readAmount(f.Min); !known {
		is("min", func(t *paymentTexts) string { return t.BadAmount })
	}
	if out.MaxAmount, known = readAmount(f.Max); !known {
		is("max", func(t *paymentTexts) string { return t.BadAmount })
	}
	if out.MinAmount != nil && out.MaxAmount != nil && *out.MaxAmount < *out.MinAmount {
		is("max", func(t *paymentTexts) string { return t.AmountsCross })
	}
	return out, wrong
}

// applicationCalled is the one with the uuid; nil: there is none.
func applicationCalled(all []accounts.Application, id string) *domain.ApplicationID {
	for _, a := range all {
		if a.ID.String() == id {
			return &a.ID
		}
	}
	return nil
}

// readDay reads a day in the form that date fields send. An empty text is no day.
func readDay(typed string) (projections.Day, bool) {
	if typed == "" {
		return projections.Day{}, true
	}
	day, err := projections.ParseDay(latinFigures(typed))
	return day, err == nil && day.Year > 1970 && day.Year < 9000
}

// amountForm is an amount in dinars, with or without the commas that pages show.
var amountForm = regexp.MustCompile(`^([0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2})(?:\.([0-9]{1,3}))?$`)

// readAmount reads dinars into minor units, to the last dirham. An empty text is
// no amount.
func readAmount(typed string) (*int64, bool) {
	if typed == "" {
		return nil, true
	}
	parts := amountForm.FindStringSubmatch(latinFigures(typed))
	if parts == nil {
		return nil, false
	}
	figures := strings.ReplaceAll(parts[1], ",", "") + (parts[2] + "000")[:3]
	minor, err := strconv.ParseInt(figures, 10, 64)
	return &minor, err == nil
}

// latinFigures writes the digits and separators of Arabic and Persian keyboards as
// pages show them, without the marks and blanks of a copied number.
func latinFigures(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '٫':
			return '.'
		case r == '٬', r == '،':
			return ','
		case r == ' ', r == '\u00a0', r == '\u200e', r == '\u200f', r == '\u061c', r >= '\u2066' && r <= '\u2069':
			return -1
		}
		return plaintext.LatinDigit(r)
	}, s)
}

// paymentRow is a payment in a list.
type paymentRow struct {
	projections.Payment
	Application string                // its name
	By          projections.MatchedBy // empty: it was not searched for
	// Overdue says that its time has run out and the cancellation is about to be
	// written down: nobody is told that it can still be paid.
	Overdue bool
}

// Pill is how it stands.
func (r paymentRow) Pill(t *texts) pill {
	if r.Overdue {
		return t.Status.pill(domain.StatusCanceled, false)
	}
	return t.Status.pill(r.Status, r.Late)
}

// tiles are the figures above the list.
type tiles struct {
	Today        domain.Money
	Paid         int64
	Open, Decide int // at most maxCounted, which stands for more
}

// paymentList is the page of the payments.
type paymentList struct {
	flaws
	Form         paymentsForm
	Applications []accounts.Application
	Tiles        tiles
	Rows         []paymentRow
	Searched     bool // the rows are what a text was found in
	Newer, Older string
	SearchedTo   *time.Time // the search stopped there; nil: it did not
	GoOn         string
}

func (paymentList) Template() string { return "payments" }

func (paymentList) title(t *texts) string { return t.Sections.Payments }

// Several says that payments may be of different applications.
func (p paymentList) Several() bool { return len(p.Applications) > 1 }

// Filtered says that somebody is looking for something.
func (p paymentList) Filtered() bool { return p.Form.Narrowed() || p.Searched }

// Query is the filter in an address, for the export.
func (p paymentList) Query() string { return p.Form.query("") }

func (d *Dashboard) listPayments(v *visit) error {
	p := paymentList{Form: readPaymentsForm(v.r.URL.Query())}
	p.Searched = strings.TrimSpace(p.Form.Search) != ""
	var err error
	if p.Applications, err = d.accounts.Applications(v.ctx, v.by, v.organization.ID); err != nil {
		return err
	}
	if p.Tiles, err = d.tiles(v); err != nil {
		return err
	}
	f, wrong := p.Form.filter(p.Applications)
	if len([]rune(p.Form.Search)) > maxSearch {
		wrong = append(wrong, flaw{"q", func(t *texts) string { return t.Payments.SearchLong }})
	}
	if p.flaws = wrong; len(wrong) > 0 {
		return v.correct(sectionPayments, p)
	}
	if p.Searched {
		err = d.searchInto(v, &p)
	} else {
		err = d.listInto(v, &p, f)
	}
	if err != nil {
		return err
	}
	return v.show(sectionPayments, p)
}

func (d *Dashboard) searchInto(v *visit, p *paymentList) error {
	found, err := d.payments.Search(v.ctx, uuid.UUID(v.organization.ID), p.Form.Search)
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

func (d *Dashboard) listInto(v *visit, p *paymentList, f projections.Filter) error {
	page, err := d.payments.List(v.ctx, uuid.UUID(v.organization.ID), f, p.Form.at, paymentsOnPage)
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
		return "payments?" + p.Form.query(cursor)
	}
	p.Newer, p.Older = link(page.Newer), link(page.Older)
	if page.Partial {
		p.SearchedTo, p.GoOn = &page.SearchedTo, p.Older
		if len(page.Payments) > 0 && page.SearchedTo.After(page.Payments[0].CreatedAt) {
			p.GoOn = p.Newer
		}
	}
	return nil
}

func (d *Dashboard) paymentRow(p projections.Payment, applications []accounts.Application) paymentRow {
	return paymentRow{Payment: p, Application: nameOf(applications, p.Application), Overdue: p.Overdue(d.now())}
}

func nameOf(all []accounts.Application, id domain.ApplicationID) string {
	for _, a := range all {
		if a.ID == id {
			return a.Name
		}
	}
	return id.String()
}

func (d *Dashboard) tiles(v *visit) (tiles, error) {
	org, today := uuid.UUID(v.organization.ID), projections.DayOf(d.now())
	t := tiles{Today: domain.Money{Currency: domain.LYD}}
	turnover, err := d.payments.Turnover(v.ctx, org, nil, today, today)
	if err != nil {
		return tiles{}, err
	}
	for _, total := range turnover.Totals {
		t.Paid += total.Succeeded.Count
		if total.Currency == t.Today.Currency {
			t.Today.Minor = total.Succeeded.Sum
		}
	}
	if t.Open, err = d.payments.Open(v.ctx, org, maxCounted); err != nil {
		return tiles{}, err
	}
	t.Decide, err = d.waiting(v)
	return t, err
}

// Counted is a number that was counted up to maxCounted only.
func (rendering) Counted(n int) string {
	if n >= maxCounted {
		return strconv.Itoa(maxCounted-1) + "+"
	}
	return strconv.Itoa(n)
}

// Stamp is a time in a table, whose heading says that it is Tripoli's.
func (r rendering) Stamp(t time.Time) template.HTML {
	comma := web.Text{Arabic: "،", English: ","}.In(r.Lang)
	//nolint:gosec // made of figures and of names of months
	return template.HTML(`<time datetime="` + web.Tripoli(t).Format(time.RFC3339) + `">` + web.Date(r.Lang, t) + comma +
		` <bdi dir="ltr">` + web.Clock(t) + `</bdi></time>`)
}

// Here is a path below the organisation without a language: forms with the method
// GET send that as a field.
func (r rendering) Here(path string) string { return within(r.Page.Who.Organization.ID, path) }

// choice is an entry of a list to choose from.
type choice struct{ Value, Text string }

// Statuses are what payments can be filtered by.
func (r rendering) Statuses() []choice {
	t := r.T.Status
	return []choice{
		{string(domain.StatusRequiresPaymentMethod), t.Waiting}, {string(domain.StatusProcessing), t.Processing},
		{string(domain.StatusSucceeded), t.Succeeded}, {statusLate, t.Late}, {string(domain.StatusCanceled), t.Canceled},
	}
}

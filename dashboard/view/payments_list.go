package view

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
	"daftar/internal/locale"
	"daftar/projections"
)

// PaymentList is the page of the payments.
type PaymentList struct {
	FormErrors
	Form         PaymentsForm
	Applications []accounts.Application
	Tiles        Tiles
	Rows         []PaymentRow
	Counts       projections.Counts
	Sortable     bool // by amount, too
	Views        []settings.SavedView
	Today        domain.Day
	Before, Next string     // the links to the previous and the next page
	SearchedTo   *time.Time // where the search stopped; nil: it is complete
	Continue     string
	AsOf         *time.Time // up to when the list is complete; nil: it is current
}

func (PaymentList) head(t *Texts) (template, title string) {
	return "payments", t.Sections[SectionPayments]
}

// Searched reports whether there is a text to search for.
func (p PaymentList) Searched() bool { return p.Form.Searched() }

// Searched reports whether there is a text to search for.
func (f PaymentsForm) Searched() bool { return strings.TrimSpace(f.Search) != "" }

// Orders of the list, as values in its address.
const (
	SortOldest   = "oldest"
	sortSmallest = "smallest"
	sortLargest  = "largest"
)

// order is the order that the form selects; by default the newest first.
func (f PaymentsForm) order() projections.Sort {
	switch f.Sort {
	case SortOldest:
		return projections.OldestFirst
	case sortSmallest:
		return projections.SmallestFirst
	case sortLargest:
		return projections.LargestFirst
	}
	return projections.NewestFirst
}

// maxPageNumber is more pages than a search has.
const maxPageNumber = 1_000

// Asked is the query that the form asks for.
func (f PaymentsForm) Asked(filter projections.Filter) projections.Query {
	q := projections.Query{Filter: filter, Sort: f.order(), At: f.At, Limit: PaymentsOnPage}
	if f.Searched() {
		q.Text = f.Search
	}
	if n, err := strconv.Atoi(f.Page); err == nil && n > 1 && n < maxPageNumber {
		q.Page = n - 1
	}
	return q
}

// Link is the link to the list with the form, from a cursor on.
func (f PaymentsForm) Link(at string) string { return linkTo(f.Query(at)) }

// PageLink is the link to a page of results that are known completely; the first is 0.
func (f PaymentsForm) PageLink(page int) string {
	query := f.Query("")
	if page > 0 {
		number := "page=" + strconv.Itoa(page+1)
		query = strings.TrimPrefix(query+"&"+number, "&")
	}
	return linkTo(query)
}

func linkTo(query string) string {
	if query == "" {
		return "payments"
	}
	return "payments?" + query
}

// FormOf reads a query that Query has written.
func FormOf(q url.Values) PaymentsForm {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	return PaymentsForm{
		// Blanks may be part of a name that is searched for.
		Search:      strings.Trim(q.Get("q"), "\r\n"),
		Application: get("application"),
		Status:      get("status"),
		From:        get("from"),
		To:          get("to"),
		Min:         get("min"),
		Max:         get("max"),
		Sort:        get("sort"),
		Page:        get("page"),
		At:          get("at"),
	}
}

// tab is a link to the list with a change in its form.
type tab struct {
	Text, Address, Count string
	Current              bool
}

// Tabs are the statuses, each with the number of its payments.
func (p PaymentList) Tabs(r rendering) []tab {
	c := p.Counts
	counts := []struct {
		count int
		more  bool
	}{
		{c.All(), c.OpenAtLeast},
		{c.Waiting, c.OpenAtLeast},
		{c.Processing, c.OpenAtLeast && c.Processing > 0},
		{c.Succeeded, false},
		{c.Late, false},
		{c.Canceled, false},
	}
	var all []tab
	for n, s := range r.statuses() {
		form := p.Form
		form.Status = s.Value
		all = append(all, tab{
			Text:    s.Text,
			Address: r.In(form.Link("")),
			Count:   atLeast(r.Lang, counts[n].count, counts[n].more || c.AtLeast),
			Current: s.Value == p.Form.Status,
		})
	}
	return all
}

// statuses are the choices of the status filter.
func (r rendering) statuses() []choice {
	t := r.T.Status
	return []choice{
		{"", r.T.Payments.AnyStatus},
		{string(domain.StatusRequiresPaymentMethod), t.Waiting},
		{string(domain.StatusProcessing), t.Processing},
		{string(domain.StatusSucceeded), t.Succeeded},
		{statusLate, t.Late},
		{string(domain.StatusCanceled), t.Canceled},
	}
}

// atLeast is the text of a number; with more, of a lower bound, which is rounded down to thousands.
func atLeast(l locale.Lang, n int, more bool) string {
	const round = 1_000
	if !more {
		return grouped(n)
	}
	if n >= round {
		n -= n % round
	}
	return locale.MoreThan(l, grouped(n))
}

// grouped writes a comma between thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// ResultCount is the number of payments in the list, with its status.
func (p PaymentList) ResultCount(r rendering) string {
	for _, t := range p.Tabs(r) {
		if t.Current {
			return t.Count
		}
	}
	return ""
}

// Presets are links to common ranges of days.
func (p PaymentList) Presets(r rendering) []tab {
	t := r.T.Payments
	yesterday, month := p.Today.Add(-1), p.Today
	month.Day = 1
	var all []tab
	for _, preset := range []struct {
		text     string
		from, to string
	}{
		{t.AnyTime, "", ""}, {t.Today, p.Today.String(), p.Today.String()},
		{t.Yesterday, yesterday.String(), yesterday.String()},
		{t.ThisMonth, month.String(), p.Today.String()},
	} {
		form := p.Form
		form.From, form.To = preset.from, preset.to
		all = append(all, tab{
			Text:    preset.text,
			Address: r.In(form.Link("")),
			Current: p.Form.From == preset.from && p.Form.To == preset.to,
		})
	}
	return all
}

// Saved are the user's saved views of the list.
func (p PaymentList) Saved(r rendering) []tab {
	all := make([]tab, len(p.Views))
	for n, v := range p.Views {
		all[n] = tab{Text: v.Name, Address: r.In(linkTo(v.Query)), Current: v.Query == p.Form.Query("")}
	}
	return all
}

// Sorts are the orders that the list can have, and the one that was asked for.
func (p PaymentList) Sorts(r rendering) []choice {
	t := r.T.Payments
	orders := []choice{{"", t.Newest}, {SortOldest, t.Oldest}}
	for _, o := range []choice{{sortLargest, t.Largest}, {sortSmallest, t.Smallest}} {
		if p.Sortable || o.Value == p.Form.Sort {
			orders = append(orders, o)
		}
	}
	return orders
}

// sortColumn is the heading of a column by which the list can be sorted.
type sortColumn struct{ Text, Address, Sorted string }

// SortedBy are the headings of the amount and of the time. A click reverses the order.
func (p PaymentList) SortedBy(r rendering) struct{ Amount, Created sortColumn } {
	t := r.T.Payments
	all := struct{ Amount, Created sortColumn }{sortColumn{Text: t.Amount}, sortColumn{Text: t.Created}}
	link := func(c *sortColumn, down, up string) {
		form := p.Form
		form.Sort = down
		switch p.Form.Sort {
		case down:
			form.Sort, c.Sorted = up, "descending"
		case up:
			c.Sorted = "ascending"
		}
		c.Address = r.In(form.Link(""))
	}
	link(&all.Created, "", SortOldest)
	if p.Sortable {
		link(&all.Amount, sortLargest, sortSmallest)
	}
	return all
}

// ToBefore is the text of the link to the previous page.
func (p PaymentList) ToBefore(t paymentTexts) string { return p.byOrder(t.Newer, t.Older, t.Previous) }

// ToNext is the text of the link to the next page.
func (p PaymentList) ToNext(t paymentTexts) string { return p.byOrder(t.Older, t.Newer, t.Next) }

// byOrder selects a text by the order of the list.
func (p PaymentList) byOrder(newestFirst, oldestFirst, otherwise string) string {
	switch p.Form.order() { //nolint:exhaustive // the others are by amount
	case projections.NewestFirst:
		return newestFirst
	case projections.OldestFirst:
		return oldestFirst
	}
	return otherwise
}

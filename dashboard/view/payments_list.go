package view

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/domain"
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
	Steps        Steps // of an organisation without a payment, for who may take them
	Today        projections.Day
	Before, Next string     // the pages beside this one
	SearchedTo   *time.Time // the search stopped there; nil: it did not
	Continue     string
	AsOf         *time.Time // up to when everything is shown; nil: there is nothing later
}

func (PaymentList) head(t *Texts) (template, title string) { return "payments", t.Sections.Payments }

// Searched says that there is a text to search for.
func (p PaymentList) Searched() bool { return p.Form.Searched() }

// Searched says that there is a text to search for.
func (f PaymentsForm) Searched() bool { return strings.TrimSpace(f.Search) != "" }

// Orders of the list, as its address has them.
const (
	SortOldest   = "oldest"
	sortSmallest = "smallest"
	sortLargest  = "largest"
)

// order reads the sort of the form; anything else is the newest first.
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

// Asked is what the form asks for.
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

// Link is the list as a form asks for it, from a cursor on.
func (f PaymentsForm) Link(at string) string { return linkTo(f.Query(at)) }

// PageLink is a page of what is known whole; the first is 0.
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
		Search: strings.Trim(q.Get("q"), "\r\n"), Application: get("application"), Status: get("status"),
		From: get("from"), To: get("to"),
		Min: get("min"), Max: get("max"), Sort: get("sort"), Page: get("page"), At: get("at"),
	}
}

// tab is a link to the list with something else in its form.
type tab struct {
	Text, Address, Count string
	Current              bool
}

// Tabs are the statuses, each with how many payments it has.
func (r rendering) Tabs() []tab {
	p, is := r.V.(PaymentList)
	if !is {
		return nil
	}
	c := p.Counts
	counts := []struct {
		count int
		more  bool
	}{{c.All(), c.OpenAtLeast}, {c.Waiting, c.OpenAtLeast}, {c.Processing, c.OpenAtLeast &&
		c.Processing > 0}, {c.Succeeded, false}, {c.Late, false}, {c.Canceled, false}}
	var all []tab
	for n, s := range r.statuses() {
		form := p.Form
		form.Status = s.Value
		all = append(all, tab{s.Text, r.In(form.Link("")), atLeast(counts[n].count, counts[n].more || c.AtLeast),
			s.Value == p.Form.Status})
	}
	return all
}

// statuses are what payments can be filtered by.
func (r rendering) statuses() []choice {
	t := r.T.Status
	return []choice{
		{"", r.T.Payments.AnyStatus}, {string(domain.StatusRequiresPaymentMethod), t.Waiting},
		{string(domain.StatusProcessing), t.Processing},
		{string(domain.StatusSucceeded), t.Succeeded}, {statusLate, t.Late},
		{string(domain.StatusCanceled), t.Canceled},
	}
}

// atLeast is a number, or what it is at least: then whole thousands, where there are some.
func atLeast(n int, more bool) string {
	const round = 1_000
	if !more {
		return grouped(n)
	}
	if n >= round {
		n -= n % round
	}
	return grouped(n) + "+"
}

// grouped writes a comma between thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// ResultCount is how many payments the list has, with its status.
func (r rendering) ResultCount() string {
	for _, t := range r.Tabs() {
		if t.Current {
			return t.Count
		}
	}
	return ""
}

// Presets are times that people ask for every day.
func (r rendering) Presets() []tab {
	p, is := r.V.(PaymentList)
	if !is {
		return nil
	}
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
		all = append(all, tab{Text: preset.text, Address: r.In(form.Link("")),
			Current: p.Form.From == preset.from && p.Form.To == preset.to})
	}
	return all
}

// Filtered says that the filter has something that is shown nowhere else: it is open then.
func (r rendering) Filtered() bool {
	p, is := r.V.(PaymentList)
	days := !slices.ContainsFunc(r.Presets(), func(t tab) bool { return t.Current })
	return is && (days || p.Form.Application+p.Form.Min+p.Form.Max != "")
}

// Saved are the person's own views of the list.
func (r rendering) Saved() []tab {
	p, is := r.V.(PaymentList)
	if !is {
		return nil
	}
	all := make([]tab, len(p.Views))
	for n, v := range p.Views {
		all[n] = tab{Text: v.Name, Address: r.In(linkTo(v.Query)), Current: v.Query == p.Form.Query("")}
	}
	return all
}

// Sorts are the orders that the list can have.
func (r rendering) Sorts() []tab {
	p, is := r.V.(PaymentList)
	if !is {
		return nil
	}
	t := r.T.Payments
	orders := []struct{ value, text string }{{"", t.Newest}, {SortOldest, t.Oldest}}
	if p.Sortable {
		orders = append(orders, struct{ value, text string }{sortLargest, t.Largest},
			struct{ value, text string }{sortSmallest, t.Smallest})
	}
	all := make([]tab, len(orders))
	for n, o := range orders {
		form := p.Form
		form.Sort = o.value
		all[n] = tab{Text: o.text, Address: r.In(form.Link("")), Current: o.value == p.Form.Sort}
	}
	return all
}

// sortColumn is the heading of one that the list can be sorted by.
type sortColumn struct{ Text, Address, Sorted string }

// SortedBy are the headings of the amount and of the time: a click turns the order.
func (r rendering) SortedBy() struct{ Amount, Created sortColumn } {
	t := r.T.Payments
	all := struct{ Amount, Created sortColumn }{sortColumn{Text: t.Amount}, sortColumn{Text: t.Created}}
	p, is := r.V.(PaymentList)
	if !is {
		return all
	}
	turn := func(c *sortColumn, down, up string) {
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
	turn(&all.Created, "", SortOldest)
	if p.Sortable {
		turn(&all.Amount, sortLargest, sortSmallest)
	}
	return all
}

// Previous is what the link to the page before this one is called.
func (r rendering) Previous() string {
	t := r.T.Payments
	return r.beside(t.Newer, t.Older, t.Previous)
}

// Next is what the link to the page behind this one is called.
func (r rendering) Next() string {
	t := r.T.Payments
	return r.beside(t.Older, t.Newer, t.Next)
}

func (r rendering) beside(newestFirst, oldestFirst, otherwise string) string {
	p, is := r.V.(PaymentList)
	switch {
	case is && p.Form.order() == projections.NewestFirst:
		return newestFirst
	case is && p.Form.order() == projections.OldestFirst:
		return oldestFirst
	}
	return otherwise
}

// copying is a button that copies the text of an element.
type copying struct{ ID, Label, Done string }

// Copying is such a button.
func (r rendering) Copying(element, label string) copying {
	return copying{element, label, r.T.Payments.Copied}
}

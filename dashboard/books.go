package dashboard

import (
	"time"

	"daftar/accounts"
	"daftar/books"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

var _ = declare(
	get("/books", member(accounts.SeeMoney), loaded(view.SectionMoney, (*Dashboard).books)),
	get("/books/letter", member(accounts.SeeMoney), loaded(view.SectionMoney, (*Dashboard).letterToProvider)),
)

// books is where the money is: with the providers, and on the accounts before a month and after it.
func (d *Dashboard) books(req *request) (p view.BooksPage, err error) {
	p.Today, p.AsOf = domain.DayOf(d.config.Now()), d.config.Late.AsOf()
	var known bool
	p.Month = req.r.URL.Query().Get("month")
	if p.First, known = view.ReadMonth(p.Month, p.Today); !known {
		p.FormErrors.Add("month", func(t *view.Texts) string { return t.Books.BadMonth })
		return p, nil
	}
	p.Month = p.First.String()[:len("2026-10")]
	before, err := d.bookBalance(req, p.First.Start())
	if err != nil {
		return p, err
	}
	after, err := d.bookBalance(req, view.NextMonth(p.First).Start())
	if err != nil {
		return p, err
	}
	p.Rows = view.BookRowsOf(before, after)
	p.Providers, err = d.providersDue(req, p.Today, before, after)
	return p, err
}

// providersDue is what each provider owes, and how it has paid before.
func (d *Dashboard) providersDue(
	req *request, today domain.Day, before, after []projections.BookBalance,
) ([]view.ProviderDue, error) {
	due, err := d.config.Late.Books.Due(req.ctx, req.tenant())
	if err != nil {
		return nil, err
	}
	all := view.ProvidersDue(due, before, after)
	for n := range all {
		all[n].Today = today
		all[n].Habit, err = d.config.Late.Books.Habit(req.ctx, books.KeyOf(req.tenant(), all[n].Acquirer))
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// letterToProvider asks a provider for what is overdue.
func (d *Dashboard) letterToProvider(req *request) (p view.LetterPage, err error) {
	all, err := d.providersDue(req, domain.DayOf(d.config.Now()), nil, nil)
	if err != nil {
		return p, err
	}
	for _, one := range all {
		if one.Acquirer == req.r.URL.Query().Get("acquirer") {
			p.ProviderDue = one
		}
	}
	return p, nil
}

// bookBalance is what the accounts had before an instant.
func (d *Dashboard) bookBalance(req *request, at time.Time) ([]projections.BookBalance, error) {
	position, err := d.config.Late.Books.PositionAt(req.ctx, at.Add(-time.Microsecond))
	if err != nil {
		return nil, err
	}
	return d.config.Late.Books.Balance(req.ctx, req.tenant(), position)
}

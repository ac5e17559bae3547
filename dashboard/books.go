package dashboard

import (
	"time"

	"daftar/accounts"
	"daftar/dashboard/view"
	"daftar/domain"
	"daftar/projections"
)

var _ = declare(get("/books", member(accounts.SeeMoney), loaded(view.SectionMoney, (*Dashboard).books)))

// books is what the accounts had before a month, and have after it.
func (d *Dashboard) books(req *request) (p view.BooksPage, err error) {
	today := domain.DayOf(d.config.Now())
	p.AsOf = d.config.Late.AsOf()
	first, known := view.ReadMonth(req.r.URL.Query().Get("month"), today)
	if p.First = first; !known {
		p.FormErrors.Add("month", func(t *view.Texts) string { return t.Books.BadMonth })
		return p, nil
	}
	p.Today = today
	before, err := d.bookBalance(req, first.Start())
	if err != nil {
		return p, err
	}
	after, err := d.bookBalance(req, view.NextMonth(first).Start())
	p.Rows = view.BookRowsOf(before, after)
	return p, err
}

// bookBalance is what the accounts had before an instant.
func (d *Dashboard) bookBalance(req *request, at time.Time) ([]projections.BookBalance, error) {
	books := d.config.Late.Books
	position, err := books.PositionAt(req.ctx, at.Add(-time.Microsecond))
	if err != nil {
		return nil, err
	}
	return books.Balance(req.ctx, req.tenant(), position)
}

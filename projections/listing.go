package projections

import (
	"context"
	"errors"
	"time"

	"daftar/domain"
)

// ErrBehind says that the dashboard group is too far behind the log for a complete list. The
// group catches up, or an alert says why it does not.
var ErrBehind = errors.New("too much of the log is not in the lists yet")

// Listing says which intents of an application are listed, newest first.
type Listing struct {
	Application domain.ApplicationID
	ID          *domain.IntentID // nil: any
	Status      domain.Status    // empty: any
	Customer    *string          // nil: any
	From, To    time.Time        // of the creation, both included; zero: without limit
	Cursor      string           // Next of the page before; empty: from the newest on
	Limit       int              // 1 to MaxListed
}

// Listed is a page of a Listing.
type Listed struct {
	Intents []Intent
	// Next is the cursor of the following page; empty: there is none. The page at Next may turn
	// out to be empty. A page may have fewer intents than the limit, even none, and a Next:
	// the search stopped at its bound and continues from there.
	Next string
}

const (
	// MaxListed is how many intents a page has at most.
	MaxListed = 100
)

// listingBounds limit the cost of one page.
type listingBounds struct {
	// maxRows is how many rows are read at most. More are never needed where one index answers
	// the filter.
	maxRows int
	// maxBehind is how many events are read at most that the dashboard group has not handled: it
	// handles as many in some seconds.
	maxBehind int
}

var defaultBounds = listingBounds{maxRows: 2_500, maxBehind: 10_000}

// List is a page of a listing. It has every intent and shows every status that was committed
// before the call: intents are found by the dashboard group's table, and those that it lacks
// by the log. Errors: ErrCursor, ErrBehind, the database's.
func (p *Intents) List(ctx context.Context, l Listing) (Listed, error) {
	low, high, err := l.bounds()
	if err != nil {
		return Listed{}, err
	}
	limit := min(max(l.Limit, 1), MaxListed)
	w := walk{
		applications: []domain.ApplicationID{l.Application}, filter: l.filter(), direction: older,
		low: low, high: high, wanted: limit + 1, maxRows: p.bounds.maxRows, tail: p.bounds.maxBehind,
		sparse: l.Customer != nil && l.Status != "",
	}
	var best walked
	for n, sql := range l.walks() {
		w.sql = sql
		found, err := w.read(ctx, p.lists)
		if err != nil {
			return Listed{}, err
		}
		if n == 0 || found.isPast(best) {
			best = found
		}
		if best.exhausted || len(best.found) > limit {
			break
		}
	}
	payments, next := best.page(older, limit)
	page := Listed{Next: next}
	for _, one := range payments {
		page.Intents = append(page.Intents, one.Intent)
	}
	return page, nil
}

// IsNext reports whether a text is the Next of a page, or empty.
func IsNext(text string) bool {
	_, _, err := Listing{Cursor: text}.bounds()
	return err == nil
}

// Takes reports whether an intent is listed after the cursor. The error is ErrCursor.
func (l Listing) Takes(i Intent) (bool, error) {
	low, high, err := l.bounds()
	at := keyOf(i)
	return i.Application == l.Application && low.before(at) && at.before(high) && l.filter().shows(i), err
}

// filter has what the listing asks of an intent apart from its creation.
func (l Listing) filter() Filter {
	f := Filter{Status: l.Status, customer: l.Customer}
	if l.Customer != nil {
		f.text.customers = []int64{*customerKeyOf(l.Application, l.Customer)}
	}
	return f
}

func keyOf(i Intent) key { return key{at: i.CreatedAt, id: i.ID} }

// bounds are the keys between which a page is, both excluded.
func (l Listing) bounds() (low, high key, err error) {
	at, err := parseCursor(l.Cursor)
	if err == nil && at.direction != older {
		err = ErrCursor
	}
	to := l.To
	if !to.IsZero() {
		to = to.Add(time.Microsecond)
	}
	low, high = at.bounds(l.From, to)
	return low, high, err
}

// walks are the statements that find the intents, the most promising first. If two filters are
// combined, either may have few rows.
func (l Listing) walks() []string {
	switch {
	case l.Status == domain.StatusProcessing:
		return []string{walkAttemptsSQL}
	case l.Customer == nil:
		return []string{walkOlderSQL}
	case l.Status == "":
		return []string{walkCustomerSQL}
	}
	return []string{walkCustomerSQL, walkOlderSQL}
}

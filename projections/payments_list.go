package projections

import (
	"context"
	"fmt"
	"slices"
	"time"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Payments finds intents for the people of an organisation. Every call names
// the tenant, and only intents of its applications are found. It is
// safe for concurrent use.
//
// The values of an intent are those of its row in intents. Which intents are found, and
// Late, Duplicates and the times of Payment, come from the dashboard group, which
// follows the log within about a second.
type Payments struct {
	// MaxScan is about how many rows are read for one page. NewPayments sets it
	// to 20,000.
	MaxScan int
	// MaxFound is up to how many payments Search finds all. NewPayments sets it to 10,000.
	MaxFound int

	q postgres.Querier
}

// NewPayments reads through a pool, which the caller closes, or a postgres.Replica.
func NewPayments(q postgres.Querier) *Payments {
	return &Payments{q: q, MaxScan: maxScan, MaxFound: maxFound}
}

// Payment is an intent in a list.
type Payment struct {
	Intent
	Late        bool
	Duplicates  int // how often money came after it was paid
	SucceededAt *time.Time
	CanceledAt  *time.Time // also if a late payment followed
	Refunded    int64      // of all that was paid, in minor units
}

// Page is a part of a list.
type Page struct {
	Payments []Payment // in the order that was asked for
	// Newer and Older are the cursors of the adjacent pages; empty if
	// there is none. Those pages may turn out to be empty.
	Newer, Older string
	// Partial is true if the search stopped at its limit before the page was full.
	// The cursor in its direction continues it, from SearchedTo.
	Partial    bool
	SearchedTo time.Time
}

const (
	// MaxPage is how many payments a page has at most.
	MaxPage  = 200
	maxScan  = 20_000
	maxFound = 10_000
	// exportChunk is how many payments an export reads at a time.
	exportChunk = 1_000
)

// List is a page of up to limit payments (1 to MaxPage), from a cursor of an earlier page or,
// if that is empty, from the newest or the oldest on. Any other order is treated as
// NewestFirst. The error is ErrCursor for a text that is no cursor.
func (p *Payments) List(
	ctx context.Context, tenant domain.Tenant, f Filter, order Sort, from string, limit int,
) (Page, error) {
	w, err := p.applications(ctx, tenant, f.Application)
	if err != nil {
		return Page{}, err
	}
	return p.list(ctx, w.applications, f, order, from, limit)
}

func (p *Payments) list(
	ctx context.Context, applications []domain.ApplicationID, f Filter, order Sort, from string, limit int,
) (Page, error) {
	limit = min(max(limit, 1), MaxPage)
	at, err := parseCursor(from)
	if err != nil {
		return Page{}, err
	}
	if from == "" && order == OldestFirst {
		at = cursor{newer, oldest}
	}
	s, err := p.walk(ctx, applications, f, at, limit+1)
	if err == nil && at.direction == newer && s.exhausted && len(s.found) <= limit {
		// At the newest end a full page is shown instead of the few payments that are left.
		at = cursor{older, newest}
		s, err = p.walk(ctx, applications, f, at, limit+1)
	}
	if err != nil {
		return Page{}, fmt.Errorf("list payments: %w", err)
	}
	var page Page
	var ahead, behind string
	page.Payments, ahead = s.page(at.direction, limit)
	if ahead != "" && len(s.found) <= limit {
		page.Partial, page.SearchedTo = true, s.reached.at
	}
	switch back := opposite(at.direction); {
	case at.key == newest, at.key == oldest:
	case len(page.Payments) > 0:
		behind = cursor{back, keyOf(page.Payments[0].Intent)}.String()
	default:
		behind = cursor{back, at.key.including(back)}.String()
	}
	page.Newer, page.Older = behind, ahead
	if at.direction == newer {
		page.Newer, page.Older = ahead, behind
	}
	if (at.direction == newer) != (order == OldestFirst) {
		slices.Reverse(page.Payments)
	}
	return page, nil
}

// walk reads from a cursor on the payments that fit the filter, until it has as many as wanted, has
// read about MaxScan rows, or there are no more.
func (p *Payments) walk(
	ctx context.Context, applications []domain.ApplicationID, f Filter, at cursor, wanted int,
) (walked, error) {
	w := walk{
		sql: walkOlderSQL, applications: applications, filter: f, direction: at.direction,
		wanted: wanted, maxRows: p.MaxScan, sparse: f.sparse(),
	}
	w.low, w.high = at.bounds(f.created())
	if at.direction == newer {
		w.sql = walkNewerSQL
	}
	return w.read(ctx, p.q)
}

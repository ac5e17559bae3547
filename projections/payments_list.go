package projections

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/internal/postgres"
)

// Payments finds intents for the people of an organisation. Every call names
// the organisation, and only intents of its applications are found. It is
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

	key key
}

// Filter says which intents a list has. The zero Filter takes all of the
// organisation's.
type Filter struct {
	Application *domain.ApplicationID // nil: all
	Status      domain.Status         // empty: any
	Late        bool                  // only those paid after they were canceled
	From, To    Day                   // of the creation, both included; zero: without limit
	MinAmount   *int64                // in minor units, included; nil: without limit
	MaxAmount   *int64

	text *textQuery // nil: there is no text
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
	// firstScan is how many rows are read first if there is a filter.
	firstScan = 250
	// maxChunk bounds how many rows one query reads, and keeps in memory.
	maxChunk = 5_000
	// exportChunk is how many payments an export reads at a time.
	exportChunk = 1_000
)

// List is a page of up to limit payments (1 to MaxPage), from a cursor of an earlier page or,
// if that is empty, from the newest or the oldest on. Any other order is treated as
// NewestFirst. The error is ErrCursor for a text that is no cursor.
func (p *Payments) List(
	ctx context.Context, organization uuid.UUID, f Filter, order Sort, from string, limit int,
) (Page, error) {
	limit = min(max(limit, 1), MaxPage)
	at, err := parseCursor(from)
	if err != nil {
		return Page{}, err
	}
	if order != OldestFirst {
		return p.list(ctx, organization, f, at, limit)
	}
	if from == "" {
		at = cursor{newer, oldest}
	}
	page, err := p.list(ctx, organization, f, at, limit)
	slices.Reverse(page.Payments)
	return page, err
}

// list is a page, newest first.
func (p *Payments) list(
	ctx context.Context, organization uuid.UUID, f Filter, at cursor, limit int,
) (Page, error) {
	s, err := p.scan(ctx, organization, f, at, limit+1)
	if err != nil {
		return Page{}, fmt.Errorf("list payments: %w", err)
	}
	if at.direction == newer && s.exhausted && len(s.found) <= limit {
		// At the newest end a full page is shown instead of the few payments that are left.
		return p.list(ctx, organization, f, cursor{older, newest}, limit)
	}
	page := Page{Payments: s.found}
	next := cursor{direction: at.direction}
	switch {
	case len(s.found) > limit:
		page.Payments = s.found[:limit]
		next.key = page.Payments[limit-1].key
	case !s.exhausted:
		page.Partial, page.SearchedTo = true, s.reached.at
		next.key = s.reached
	}
	ahead, behind := "", ""
	if next.key != (key{}) {
		ahead = next.String()
	}
	switch back := opposite(at.direction); {
	case at.key == newest, at.key == oldest:
	case len(page.Payments) > 0:
		behind = cursor{back, page.Payments[0].key}.String()
	default:
		behind = cursor{back, at.key.including(back)}.String()
	}
	if at.direction == newer {
		slices.Reverse(page.Payments)
		page.Newer, page.Older = ahead, behind
		return page, nil
	}
	page.Newer, page.Older = behind, ahead
	return page, nil
}

func opposite(d direction) direction {
	if d == older {
		return newer
	}
	return older
}

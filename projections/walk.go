package projections

import (
	"context"

	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/internal/postgres"
)

// walk reads payments in the order of their keys, a chunk at a time, until it has found as many as
// are wanted.
type walk struct {
	sql          string // one of the statements of walkSQL
	applications []domain.ApplicationID
	filter       Filter // without its days, which are in low and high
	direction    direction
	low, high    key // both excluded
	wanted       int
	sparse       bool // many rows that are read do not fit the filter
	// maxRows is how many rows are read at most, but as many as are wanted of each application and
	// state are always read.
	maxRows int
	// tail is how many events are read at most that the dashboard group has not handled. Their
	// intents are found as they are now; of the filter, by status and customer alone. If it is 0,
	// what is found is what the group knows.
	tail int
}

// walked is the result of a walk.
type walked struct {
	found     []Payment // in the direction of the walk; at most as many as were wanted
	reached   key       // the last row that was read, found or not
	exhausted bool      // there is nothing after reached
}

const (
	// firstScan is how many rows are read first if many of them do not fit the filter.
	firstScan = 250
	// maxChunk bounds how many rows one query reads, and keeps in memory.
	maxChunk = 5_000
)

// read is the walk. Its errors are ErrBehind and the database's.
func (w walk) read(ctx context.Context, q postgres.Querier) (walked, error) {
	states, _ := w.filter.states()
	branches := len(w.applications) * len(states)
	if branches == 0 {
		return walked{exhausted: true}, nil
	}
	// Of each application and state as many rows are read as of all together: the newest may all
	// be of one.
	left, atMost := max(w.wanted, w.maxRows/branches), max(w.wanted, maxChunk/branches)
	chunk, second := w.wanted, firstScan
	if w.tail > 0 {
		second = w.maxRows // each chunk reads the tail again
	}
	if w.sparse {
		chunk = max(chunk, second)
	}
	var s walked
	for left > 0 && len(s.found) < w.wanted && !s.exhausted {
		chunk = min(chunk, atMost, left)
		if err := w.step(ctx, q, chunk, &s); err != nil {
			return walked{}, err
		}
		if w.direction == older {
			w.high = s.reached
		} else {
			w.low = s.reached
		}
		left -= chunk
		chunk = max(4*chunk, second)
	}
	return s, nil
}

// step reads the next rows.
func (w walk) step(ctx context.Context, q postgres.Querier, chunk int, s *walked) error {
	wanted := w.wanted - len(s.found)
	var looked, behind int
	var reached key
	f := w.filter
	args := append(f.args(w.applications, w.low, w.high, chunk),
		wanted, f.text.query, f.text.customers, string(f.Status), f.customer, w.tail)
	rows, err := postgres.List(ctx, q, "walk through payments", func(row pgx.CollectableRow) (Payment, error) {
		return scanPayment(row, &looked, &reached.at, &reached.id, &behind)
	}, w.sql, args...)
	switch {
	case err != nil:
		return err
	case behind > w.tail:
		return ErrBehind
	}
	for _, one := range rows {
		// A row without a version only has how far the step went.
		if one.Version > 0 && f.shows(one.Intent) {
			s.found = append(s.found, one)
		}
	}
	s.reached, s.exhausted = key{at: reached.at.UTC(), id: reached.id}, looked < chunk
	if last := rows[len(rows)-1]; len(rows) == wanted && last.Version > 0 {
		// There may be more among the rows that were read.
		s.reached, s.exhausted = keyOf(last.Intent), false
	}
	return nil
}

// page is what was found, up to a limit below what was wanted, and the cursor of what follows;
// empty: nothing does.
func (w walked) page(d direction, limit int) (payments []Payment, next string) {
	switch {
	case len(w.found) > limit:
		payments = w.found[:limit]
		return payments, cursor{d, keyOf(payments[limit-1].Intent)}.String()
	case w.exhausted:
		return w.found, ""
	}
	return w.found, cursor{d, w.reached}.String()
}

// isPast reports whether a walk to older payments came further than another one.
func (w walked) isPast(other walked) bool {
	return w.exhausted || !other.exhausted && w.reached.before(other.reached)
}

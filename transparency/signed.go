package transparency

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5/pgxpool"
)

// signedQueue gives checkpoints in the order of their sizes: those stored, page
// by page, and those that were kept elsewhere.
type signedQueue struct {
	pool  *pgxpool.Pool
	kept  []Checkpoint
	page  []Checkpoint
	after int64
	upTo  int64
	last  bool
}

const signedPage = 1000

func sortedBySize(all []Checkpoint) []Checkpoint {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Checkpoint) int { return int(a.Size - b.Size) })
}

// peek is the next checkpoint up to upTo; nil where there is none. A kept one of
// size 0 says nothing and is passed over.
func (q *signedQueue) peek(ctx context.Context) (*Checkpoint, error) {
	for len(q.kept) > 0 && q.kept[0].Size == 0 {
		q.kept = q.kept[1:]
	}
	if len(q.page) == 0 && !q.last {
		page, err := checkpointsAfter(ctx, q.pool, q.after, q.upTo, signedPage)
		if err != nil {
			return nil, err
		}
		q.page, q.last = page, len(page) < signedPage
		if len(page) > 0 {
			q.after = page[len(page)-1].Size
		}
	}
	keptNext := len(q.kept) > 0 && q.kept[0].Size <= q.upTo
	switch {
	case keptNext && (len(q.page) == 0 || q.kept[0].Size <= q.page[0].Size):
		return &q.kept[0], nil
	case len(q.page) > 0:
		return &q.page[0], nil
	}
	return nil, nil
}

// drop takes away what peek gave.
func (q *signedQueue) drop() {
	if len(q.kept) > 0 && q.kept[0].Size <= q.upTo && (len(q.page) == 0 || q.kept[0].Size <= q.page[0].Size) {
		q.kept = q.kept[1:]
		return
	}
	q.page = q.page[1:]
}

package ledger

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections"
)

// List is a page of an application's intents, each as it must be shown now: overdue ones are
// first canceled in the log. A list of canceled intents may lack one whose time ran out a moment
// ago. Its errors are projections.ErrCursor, projections.ErrBehind, ErrContention and those of
// the store.
func (l *Ledger) List(ctx context.Context, q projections.Listing) (projections.Listed, error) {
	if q.ID != nil {
		return l.listOne(ctx, q)
	}
	page, err := l.intents.List(ctx, q)
	if err != nil {
		return projections.Listed{}, err
	}
	failures := make([]error, len(page.Intents))
	var expiring sync.WaitGroup // at the same time, so that they share batches of the log
	for n, i := range page.Intents {
		if i.Overdue(l.Now()) {
			expiring.Go(func() { page.Intents[n], failures[n] = l.expireIfOverdue(ctx, i) })
		}
	}
	expiring.Wait()
	if err := errors.Join(failures...); err != nil {
		return projections.Listed{}, err
	}
	page.Intents = slices.DeleteFunc(page.Intents, func(i projections.Intent) bool {
		return q.Status != "" && q.Status != i.Status
	})
	return page, nil
}

// listOne lists the one intent that q names, or none.
func (l *Ledger) listOne(ctx context.Context, q projections.Listing) (projections.Listed, error) {
	i, err := l.Current(ctx, *q.ID, 0)
	if errors.Is(err, ErrNotFound) {
		return projections.Listed{}, nil
	}
	if err != nil {
		return projections.Listed{}, err
	}
	takes, err := q.Takes(i)
	if err != nil || !takes {
		return projections.Listed{}, err
	}
	return projections.Listed{Intents: []projections.Intent{i}}, nil
}

// History is every event of an intent, the first one being version 1. The error is ErrNotFound
// where it has none.
func (l *Ledger) History(ctx context.Context, id domain.IntentID) ([]domain.Event, error) {
	recorded, err := l.store.ReadStream(ctx, uuid.UUID(id))
	if err != nil {
		return nil, err
	}
	if !ofIntent(recorded) {
		return nil, ErrNotFound
	}
	events := make([]domain.Event, len(recorded))
	for n, r := range recorded {
		if events[n], err = domain.Decode(r); err != nil {
			return nil, err
		}
	}
	return events, nil
}

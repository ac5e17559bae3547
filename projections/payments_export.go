package projections

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/facts"
)

// Exported is a payment with the attempt that paid it. If none did, By is the last one;
// if there is no attempt, it is zero.
type Exported struct {
	Payment
	By domain.Attempt
}

// Export yields every payment that the query finds, read a part at a time while the caller writes:
// first the payments that its text names, as in Search, then the newest first. The query's order
// and page are ignored. An error is the last thing that it yields. An intent that exists when the
// export begins is in it at most once, and exactly once if the query has no text.
func (p *Payments) Export(ctx context.Context, tenant domain.Tenant, q Query) iter.Seq2[Exported, error] {
	return func(yield func(Exported, error) bool) {
		for part, err := range p.parts(ctx, tenant, q) {
			var by map[uuid.UUID]domain.Attempt
			if err == nil {
				by, err = p.paidBy(ctx, part)
			}
			if err != nil {
				yield(Exported{}, fmt.Errorf("export payments: %w", err))
				return
			}
			for _, found := range part {
				if !yield(Exported{found, by[uuid.UUID(found.ID)]}, nil) {
					return
				}
			}
		}
	}
}

// parts yields the payments that the query finds, up to exportChunk at a time.
func (p *Payments) parts(ctx context.Context, tenant domain.Tenant, q Query) iter.Seq2[[]Payment, error] {
	return func(yield func([]Payment, error) bool) {
		w, first, complete, err := p.searchAll(ctx, tenant, q)
		for part := range slices.Chunk(first, exportChunk) {
			if !yield(part, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
		if err != nil || complete {
			return
		}
		q.text = w
		at := cursor{older, newest}
		for {
			s, err := p.walk(ctx, w.applications, q.Filter, at, exportChunk)
			part := slices.DeleteFunc(s.found, func(one Payment) bool {
				return slices.ContainsFunc(first, func(other Payment) bool { return other.ID == one.ID })
			})
			if !yield(part, err) || err != nil || s.exhausted {
				return
			}
			at.key = s.reached
		}
	}
}

// searchAll finds the payments for the query's text, all of them if complete is true. Otherwise there
// are too many: it returns those that the text names, and a walk with the query's filter finds the
// rest.
func (p *Payments) searchAll(
	ctx context.Context, tenant domain.Tenant, q Query,
) (w textQuery, found []Payment, complete bool, err error) {
	if q.Text == "" {
		w, err = p.applications(ctx, tenant, q.Application)
		return w, nil, false, err
	}
	q.Sort, q.Page, q.At, q.Limit = NewestFirst, 0, "", p.MaxFound
	w, named, all, err := p.search(ctx, tenant, q)
	for _, m := range named {
		if q.takes(m.Payment) && q.takesStatus(m.Payment) {
			found = append(found, m.Payment)
		}
	}
	if all.complete {
		found = append(found, all.payments...)
	}
	return w, found, all.complete, err
}

// paidBy looks up in the log the attempts by which these payments were paid.
func (p *Payments) paidBy(ctx context.Context, payments []Payment) (map[uuid.UUID]domain.Attempt, error) {
	streams := make([]uuid.UUID, len(payments))
	for n, found := range payments {
		streams[n] = uuid.UUID(found.ID)
	}
	paying := append(facts.Moving(facts.Received), domain.TypeAttemptStarted)
	recorded, err := eventstore.ReadStreams(ctx, p.q, streams, paying...)
	if err != nil {
		return nil, err
	}
	intents := make(map[uuid.UUID]domain.Intent, len(payments))
	for _, r := range recorded {
		event, err := domain.Decode(r)
		if err != nil {
			return nil, fmt.Errorf("position %d: %w", r.Position, err)
		}
		intents[r.Stream] = domain.Evolve(intents[r.Stream], event)
	}
	by := make(map[uuid.UUID]domain.Attempt, len(payments))
	for id, i := range intents {
		attempt, paid := i.Attempt(i.PaidBy)
		if n := len(i.Attempts); !paid && n > 0 {
			attempt = i.Attempts[n-1]
		}
		by[id] = attempt
	}
	return by, nil
}

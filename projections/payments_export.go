package projections

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
)

// Exported is a payment with the attempt that paid it. Where none did, By is the last one;
// where nobody has tried to pay, it is zero.
type Exported struct {
	Payment
	By domain.Attempt
}

// Export is every payment that the filter takes, newest first, read a part at a
// time while the caller writes. An error is the last thing it yields. An intent
// that exists when the export begins is in it exactly once.
func (p *Payments) Export(ctx context.Context, organization uuid.UUID, f Filter) iter.Seq2[Exported, error] {
	return func(yield func(Exported, error) bool) {
		at := cursor{older, newest}
		for {
			s, err := p.scan(ctx, organization, f, at, exportChunk)
			var by map[uuid.UUID]domain.Attempt
			if err == nil {
				by, err = p.paidBy(ctx, s.found)
			}
			if err != nil {
				yield(Exported{}, fmt.Errorf("export payments: %w", err))
				return
			}
			for _, found := range s.found {
				if !yield(Exported{found, by[uuid.UUID(found.ID)]}, nil) {
					return
				}
			}
			switch {
			case len(s.found) >= exportChunk:
				at.key = s.found[len(s.found)-1].key
			case s.exhausted:
				return
			default:
				at.key = s.reached
			}
		}
	}
}

// paidBy looks up in the log by which attempts these payments were paid.
func (p *Payments) paidBy(ctx context.Context, payments []Payment) (map[uuid.UUID]domain.Attempt, error) {
	streams := make([]uuid.UUID, len(payments))
	for n, found := range payments {
		streams[n] = uuid.UUID(found.ID)
	}
	recorded, err := eventstore.ReadStreams(ctx, p.q, streams, domain.TypeAttemptStarted, domain.TypeSucceeded, domain.TypeLateSucceeded)
	if err != nil {
		return nil, err
	}
	by := make(map[uuid.UUID]domain.Attempt, len(payments))
	type attemptOf struct {
		stream  uuid.UUID
		attempt domain.AttemptID
	}
	begun := make(map[attemptOf]domain.Attempt, len(recorded))
	paid := func(r eventstore.Recorded, id domain.AttemptID, reference string) {
		a := begun[attemptOf{r.Stream, id}]
		a.ID, a.State, a.ProviderReference = id, domain.AttemptStatePaid, reference
		by[r.Stream] = a
	}
	for _, r := range recorded {
		event, err := Decode(r)
		if err != nil {
			return nil, err
		}
		switch e := event.(type) {
		case domain.AttemptStarted:
			a := domain.Attempt{ID: e.Attempt, Acquirer: e.Acquirer, Method: e.Method, Payer: e.Payer, State: domain.AttemptStateOpen, StartedAt: e.At}
			begun[attemptOf{r.Stream, e.Attempt}] = a
			if by[r.Stream].State != domain.AttemptStatePaid {
				by[r.Stream] = a
			}
		case domain.Succeeded:
			paid(r, e.Attempt, e.ProviderReference)
		case domain.LateSucceeded:
			paid(r, e.Attempt, e.ProviderReference)
		case domain.Created, domain.AttemptFailed, domain.Expired, domain.DuplicatePayment, domain.RefundRecorded:
			// None was asked for.
		}
	}
	return by, nil
}

package recovery

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/projections"
	"daftar/transparency"
)

// Errors of Restore. With each, nothing was written.
var (
	// ErrDiverged says that lost positions were used again for other events: the log cannot be
	// restored.
	ErrDiverged = errors.New("the log has other events at positions that were acknowledged")
	// ErrNoCopy says that the copy does not have the next event of the log.
	ErrNoCopy = errors.New("there is no copy of the events that follow the log's last one")
	// ErrUnproven says that no kept checkpoint covers the events of the copy.
	ErrUnproven = errors.New("no kept checkpoint covers the events")
	// ErrNotSigned says that the log and the copy's events are not what was signed.
	ErrNotSigned = errors.New("with the copy's events the log is not what was signed")
	// ErrMoved says that the log has grown meanwhile.
	ErrMoved = errors.New("the log has grown meanwhile: stop all servers")
)

// Restored is what Restore did.
type Restored struct {
	Written *Span `json:"restored"` // nil: nothing was missing
	Events  int64 `json:"events"`   // in the log now
	// Proven is how many of them the largest matching checkpoint covers.
	Proven int64 `json:"proven"`
	// Missing are acknowledged positions that the copy does not have.
	Missing *Span `json:"missing"`
	// Processing are intents that are being paid: the rows of their attempts may be lost, and
	// are written again when the payer opens the checkout.
	Processing []uuid.UUID `json:"processing"`
}

// Restore writes the events that the log lacks and the copy has, in one transaction, to the
// byte and at their positions, with the rows that the API serves. They must be the exact
// continuation of the log. It commits only where the log then has the root of the largest kept
// checkpoint that it reaches; unproven allows events after that checkpoint. Errors: those
// above, and those of Find.
func Restore(ctx context.Context, pool *pgxpool.Pool, e Evidence, unproven bool) (Restored, error) {
	s := &search{log: eventstore.NewReader(pool), evidence: e}
	if err := s.find(ctx, pool); err != nil {
		return Restored{}, fmt.Errorf("look for missing events: %w", err)
	}
	r := s.report
	switch {
	case r.Differs != nil:
		return Restored{}, fmt.Errorf("%w: from %d", ErrDiverged, r.Differs.From)
	case r.Missing == nil:
		return Restored{Events: r.Events, Proven: r.SameTo, Processing: []uuid.UUID{}}, nil
	case len(s.lost) == 0 || s.lost[0].Position != r.Events+1:
		return Restored{}, fmt.Errorf("%w, at %d", ErrNoCopy, r.Events)
	}
	done := Restored{Written: &Span{r.Events + 1, s.lost[len(s.lost)-1].Position}}
	done.Events = done.Written.To
	if r.Missing.To > done.Events {
		done.Missing = &Span{done.Events + 1, r.Missing.To}
	}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var err error
		if done.Processing, err = write(ctx, tx, r.Events, s.lost); err != nil {
			return err
		}
		signed, err := transparency.Agree(ctx, tx, e.Kept, e.Keys)
		done.Proven = signed.Contained
		switch {
		case err != nil:
			return err
		case signed.Differs > 0:
			return fmt.Errorf("%w, at size %d", ErrNotSigned, signed.Differs)
		case signed.Contained < done.Events && !unproven:
			first := max(signed.Contained, r.Events) + 1
			return fmt.Errorf("%w from position %d to %d", ErrUnproven, first, done.Events)
		}
		return nil
	})
	if err != nil {
		return Restored{}, fmt.Errorf("restore: %w", err)
	}
	return done, nil
}

// write appends the events to the log, writes the rows of their intents, and returns the intents
// that are being paid.
func write(ctx context.Context, tx pgx.Tx, end int64, events []eventstore.Recorded) ([]uuid.UUID, error) {
	if err := eventstore.LockAppends(ctx, tx); err != nil {
		return nil, err
	}
	log := eventstore.NewReader(tx)
	head, err := log.Head(ctx)
	if err == nil && head != end {
		err = ErrMoved
	}
	if err != nil {
		return nil, err
	}
	for some := range slices.Chunk(events, readAtOnce) {
		if err := eventstore.Restore(ctx, tx, some); err != nil {
			return nil, err
		}
	}
	streams, err := log.ChangedStreams(ctx, end, events[len(events)-1].Position)
	if err != nil {
		return nil, err
	}
	processing := []uuid.UUID{}
	for _, stream := range streams {
		recorded, err := log.ReadStream(ctx, stream)
		if err != nil {
			return nil, err
		}
		if !domain.OfIntent(recorded[0].Type) {
			continue // it has no row
		}
		i, err := projections.WriteIntent(ctx, tx, recorded)
		if err != nil {
			return nil, err
		}
		if i.Status == domain.StatusProcessing {
			processing = append(processing, stream)
		}
	}
	return processing, nil
}

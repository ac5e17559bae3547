package projections

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/eventstore"
)

// Replay folds a stream's events, in the order of their versions, into the
// state they add up to. The error is domain.ErrUnknownEvent, or says that a
// version is missing.
func Replay(id domain.IntentID, recorded []eventstore.Recorded) (domain.Intent, error) {
	i := domain.Blank(id)
	for _, r := range recorded {
		if r.Version != i.Version+1 {
			return domain.Intent{}, fmt.Errorf("replay intent %s: version %d follows %d", id, r.Version, i.Version)
		}
		e, err := Decode(r)
		if err != nil {
			return domain.Intent{}, fmt.Errorf("replay intent %s: %w", id, err)
		}
		i = domain.Evolve(i, e)
	}
	return i, nil
}

// Load folds an intent's stream as q sees it. Errors: as of Replay.
func Load(ctx context.Context, q eventstore.Querier, id domain.IntentID) (domain.Intent, error) {
	recorded, err := eventstore.NewReader(q).ReadStream(ctx, uuid.UUID(id))
	if err != nil {
		return domain.Intent{}, err
	}
	return Replay(id, recorded)
}

// Decode reads the event that a record holds.
func Decode(r eventstore.Recorded) (domain.Event, error) {
	e, err := domain.DecodeEvent(domain.StoredEvent{Type: r.Type, SchemaVersion: r.SchemaVersion, Payload: r.Payload})
	if err != nil {
		return nil, fmt.Errorf("position %d: %w", r.Position, err)
	}
	return e, nil
}

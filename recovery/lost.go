package recovery

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
)

// Lost is an acknowledged event that the log does not have.
type Lost struct {
	Position *int64    `json:"position"`    // nil where only a webhook shows it
	Intent   uuid.UUID `json:"intent_uuid"` // or the account at a provider, as Type says
	Version  int       `json:"version"`
	// Type is the event's; where only a webhook shows it, the webhook's.
	Type              string    `json:"type"`
	At                time.Time `json:"at"`
	Reference         string    `json:"reference"`
	MerchantReference string    `json:"merchant_reference"`
	Amount            *int64    `json:"amount"` // nil where the event has none, or only a webhook shows it
	Currency          string    `json:"currency"`
	// Received says that the merchant's server has received its webhook.
	Received bool `json:"webhook_received"`
	// Instead is the position of the log's event with the same version of the intent; nil: none.
	Instead *int64 `json:"instead"`
}

// lookAtOnce is how many events are looked up at once.
const lookAtOnce = 1000

// describe lists in the report the events that the copy has and the log does not have, and then
// those that only webhooks show.
func (s *search) describe(ctx context.Context, q eventstore.Querier) error {
	byPlace := make(map[eventstore.Place]*Lost, len(s.lost))
	events := make(map[eventstore.Place]eventstore.Recorded, len(s.lost))
	var order []*Lost
	for _, e := range s.lost {
		l := lostOf(e)
		byPlace[e.Place()], events[e.Place()] = l, e
		order = append(order, l)
	}
	have, err := s.inLog(ctx)
	if err != nil {
		return err
	}
	for _, n := range s.evidence.Received {
		if e, is := events[n.Place]; is && n.IsOf(e) {
			byPlace[n.Place].Received = true
			continue
		}
		ours, is := have[n.Place]
		if is && n.IsOf(ours) || byPlace[n.Place] != nil {
			continue // the log has it, or the copy has another event there
		}
		l := &Lost{
			Intent: n.Place.Stream, Version: n.Place.Version, Type: n.Event, At: n.At.UTC(),
			Reference: n.Reference, MerchantReference: n.MerchantReference, Received: true,
		}
		byPlace[n.Place] = l
		order = append(order, l)
	}
	if err := fillReferences(ctx, q, order); err != nil {
		return err
	}
	for _, l := range order {
		if e, is := have[eventstore.Place{Stream: l.Intent, Version: l.Version}]; is {
			l.Instead = &e.Position
		}
		s.report.Lost = append(s.report.Lost, *l)
	}
	return nil
}

// inLog are the log's events at the places of the evidence's events.
func (s *search) inLog(ctx context.Context) (map[eventstore.Place]eventstore.Recorded, error) {
	places := make([]eventstore.Place, 0, len(s.lost)+len(s.evidence.Received))
	for _, e := range s.lost {
		places = append(places, e.Place())
	}
	for _, n := range s.evidence.Received {
		places = append(places, n.Place)
	}
	have := map[eventstore.Place]eventstore.Recorded{}
	for some := range slices.Chunk(places, lookAtOnce) {
		found, err := s.log.ReadPlaces(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, e := range found {
			have[e.Place()] = e
		}
	}
	return have, nil
}

// lostOf reads the fields by which people recognise an event, also of a type that this version
// does not know.
func lostOf(e eventstore.Recorded) *Lost {
	var p struct {
		At                time.Time `json:"at"`
		Reference         string    `json:"reference"`
		MerchantReference string    `json:"merchant_reference"`
		Amount            *int64    `json:"amount"`
		Currency          string    `json:"currency"`
	}
	l := &Lost{Position: &e.Position, Intent: e.Stream, Version: e.Version, Type: e.Type, At: e.RecordedAt}
	if json.Unmarshal(e.Payload, &p) == nil {
		l.Amount, l.Currency = p.Amount, p.Currency
		if e.Type == domain.TypeCreated {
			l.Reference, l.MerchantReference = p.Reference, p.MerchantReference
		}
		if !p.At.IsZero() {
			l.At = p.At.UTC()
		}
	}
	return l
}

const referencesSQL = `
SELECT uuid, reference, merchant_reference
FROM intents
WHERE uuid = ANY($1::uuid[])`

type references struct {
	intent              uuid.UUID
	reference, merchant string
}

// fillReferences fills in references where the event itself has none.
func fillReferences(ctx context.Context, q postgres.Querier, all []*Lost) error {
	names := map[uuid.UUID]references{}
	for _, l := range all {
		if l.Reference != "" {
			names[l.Intent] = references{l.Intent, l.Reference, l.MerchantReference}
		}
	}
	var unnamed []uuid.UUID
	for _, l := range all {
		if _, named := names[l.Intent]; !named {
			unnamed = append(unnamed, l.Intent)
		}
	}
	for some := range slices.Chunk(unnamed, lookAtOnce) {
		found, err := postgres.List(ctx, q, "read references of intents",
			func(row pgx.CollectableRow) (r references, err error) {
				err = row.Scan(&r.intent, &r.reference, &r.merchant)
				return r, err
			}, referencesSQL, some)
		if err != nil {
			return err
		}
		for _, r := range found {
			names[r.intent] = r
		}
	}
	for _, l := range all {
		if r, named := names[l.Intent]; named {
			l.Reference, l.MerchantReference = r.reference, r.merchant
		}
	}
	return nil
}

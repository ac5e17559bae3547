package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/ledger"
	"daftar/projections"
)

// lives makes a log as years of business leave it: the events of intents most of which
// have ended, and the rows of intents. The program's rebuild makes the other read models
// from the events.
type lives struct {
	storing
	open   int // how many of the newest intents are still open
	copies int // of all intents, the original included
}

// life is what happens to an intent after its creation.
type life int

const (
	paid      life = iota // attempted and paid
	paidAgain             // declined at first, then paid
	expired               // without any attempt
	declined              // attempted once, then expired
	late                  // paid after it expired
	waiting               // created, no attempt yet
)

// ofHundred is the life of each of a hundred intents in a row: three quarters are paid, as with merchants
// that create an intent when the customer has chosen to pay. eventsOfHundred is how many events they have.
var ofHundred, eventsOfHundred = livesOfHundred()

func livesOfHundred() (all [100]life, events int) {
	n := 0
	for _, part := range []struct {
		life  life
		times int
	}{{paid, 66}, {paidAgain, 9}, {expired, 17}, {declined, 7}, {late, 1}} {
		for range part.times {
			all[n*37%100] = part.life // 37 and 100 share no factor, so this spreads the lives evenly
			n++
			events += part.life.events()
		}
	}
	return all, events
}

// events is the number of events in a life.
func (l life) events() int {
	return [...]int{paid: 3, paidAgain: 5, expired: 2, declined: 4, late: 5, waiting: 1}[l]
}

// of returns the life of intent n.
func (g lives) of(n int) life {
	if n >= g.intents-g.open {
		return waiting
	}
	return ofHundred[n%100]
}

// before returns how many events the first n intents have; n is a multiple of a hundred.
func (g lives) before(n int) int64 {
	if ended := g.intents - g.open; n > ended {
		return g.before(ended) + int64(n-ended)
	}
	return int64(n) / 100 * int64(eventsOfHundred)
}

// events is the total number of events, copies included.
func (g lives) events() int64 { return int64(g.copies) * g.before(g.intents) }

const (
	// livedOver is the period in which the intents were created. It ended livedUntil ago, which
	// is longer than timeToPay: every intent that was not paid has expired.
	livedOver  = 3 * 365 * 24 * time.Hour
	livedUntil = 48 * time.Hour
	timeToPay  = 25 * time.Hour
	// mostEncoded is about how many events are encoded one by one. For a larger log the database
	// copies these under other ids and references.
	mostEncoded = 300_000
	copyWorkers = 4
)

// newLives plans about the given number of events. The newest hundredth of the intents, at least a hundred
// and at most a thousand, are open.
func newLives(shop merchant, events int, now time.Time) lives {
	hundreds := max(2, min(events, mostEncoded)/eventsOfHundred)
	g := lives{
		storing: storing{shop: shop, named: "lived", intents: hundreds * 100, progress: func(int) {}},
		copies:  max(1, events/mostEncoded),
	}
	g.open = min(1000, max(100, hundreds/100*100))
	ended, last := g.intents-g.open, now.Add(-livedUntil)
	g.created = func(n int) time.Time {
		if n >= ended {
			return now.Add(-time.Hour)
		}
		return last.Add(-time.Duration(float64(livedOver) * float64(ended-n) / float64(ended)))
	}
	g.expires = func(n int) time.Time { return g.created(n).Add(timeToPay) }
	return g
}

// copyEventsSQL and copyIntentsSQL store copy $1 of what was encoded; $2 is the number of encoded events.
const (
	copyEventsSQL = `
INSERT INTO events (position, stream_id, version, type, schema_version, payload, metadata, recorded_at)
SELECT position + $1::int8 * $2::int8,
       md5(stream_id::text || $1::int8)::uuid,
       version, type, schema_version,
       CASE WHEN version = 1 THEN replace(payload, '"lived-', '"lived' || $1::int8 || '-') ELSE payload END,
       metadata, recorded_at
FROM encoded_events`
	copyIntentsSQL = `
INSERT INTO intents (uuid, application_uuid, version, reference, merchant_reference,
                     amount, currency, status, description, customer, return_url, metadata,
                     expires_at, checkout_url, created_at, updated_at)
SELECT md5(uuid::text || $1::int8)::uuid, application_uuid, version, reference,
       replace(merchant_reference, 'lived-', 'lived' || $1::int8 || '-'),
       amount, currency, status, description, customer, return_url, metadata, expires_at,
       replace(checkout_url, uuid::text, md5(uuid::text || $1::int8)::uuid::text), created_at, updated_at
FROM encoded_intents`
)

// store writes the events and the rows of intents. The log must be empty.
func (g lives) store(ctx context.Context, pool *pgxpool.Pool) error {
	return withoutIndexes(ctx, pool, []string{"events", "intents"}, func() error {
		err := inBatches(ctx, pool, storeWorkers, g.intents, storeBatch, func(int) {}, g.copyBatch)
		if err != nil || g.copies == 1 {
			return err
		}
		const prepareSQL = `
CREATE UNLOGGED TABLE encoded_events AS TABLE events;
CREATE UNLOGGED TABLE encoded_intents AS TABLE intents`
		if _, err := pool.Exec(ctx, prepareSQL); err != nil {
			return fmt.Errorf("prepare copies: %w", err)
		}
		if err := inBatches(ctx, pool, copyWorkers, g.copies-1, 1, g.progress, g.storeCopy); err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, `DROP TABLE encoded_events, encoded_intents`); err != nil {
			return fmt.Errorf("drop what was copied: %w", err)
		}
		return nil
	})
}

// storeCopy lets the database store copy n+1 of what was encoded.
func (g lives) storeCopy(ctx context.Context, tx pgx.Tx, n, _ int) error {
	if _, err := tx.Exec(ctx, copyEventsSQL, n+1, g.before(g.intents)); err != nil {
		return fmt.Errorf("store copy %d: %w", n+1, err)
	}
	if _, err := tx.Exec(ctx, copyIntentsSQL, n+1); err != nil {
		return fmt.Errorf("store copy %d: %w", n+1, err)
	}
	return nil
}

// eventRow is an event in the form of its table.
type eventRow struct {
	stream  domain.IntentID
	version int
	at      time.Time
	stored  domain.StoredEvent
}

// copyBatch writes the events of some intents: first all creations, then each intent's second event, and so
// on. So the events of a stream lie apart, as they do where many customers pay at a time.
func (g lives) copyBatch(ctx context.Context, tx pgx.Tx, from, to int) error {
	var waves [5][]eventRow
	rows := make([]storedIntent, 0, to-from)
	for n := from; n < to; n++ {
		id, all := g.history(n)
		rows = append(rows, storedIntent{row: projections.IntentOf(domain.Fold(id, all))})
		for k, e := range all {
			stored, err := domain.EncodeEvent(e)
			if err != nil {
				return err
			}
			waves[k] = append(waves[k], eventRow{id, k + 1, e.OccurredAt(), stored})
		}
	}
	origin, err := newOrigin("application:" + uuid.UUID(g.shop.application.ID).String())
	if err != nil {
		return err
	}
	expiry, err := newOrigin(ledger.ActorExpiry)
	if err != nil {
		return err
	}
	position := g.before(from)
	for _, wave := range waves {
		values := pgx.CopyFromSlice(len(wave), func(n int) ([]any, error) {
			e, by := wave[n], origin
			if e.stored.Type == domain.TypeExpired {
				by = expiry
			}
			position++
			return []any{
				position, [16]byte(e.stream), e.version, e.stored.Type, e.stored.SchemaVersion,
				string(e.stored.Payload), by, e.at,
			}, nil
		})
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"events"}, eventColumns, values); err != nil {
			return fmt.Errorf("store events: %w", err)
		}
	}
	return copyRows(ctx, tx, "intents", intentColumns, rows, func(_ int, i storedIntent) []any {
		return i.intentRow()
	})
}

func newOrigin(actor string) (string, error) {
	text, err := json.Marshal(eventstore.Metadata{
		Actor:         actor,
		RequestID:     uuid.NewString(),
		CorrelationID: uuid.NewString(),
	})
	if err != nil {
		return "", fmt.Errorf("store events: %w", err)
	}
	return string(text), nil
}

// history returns all events of intent n.
func (g lives) history(n int) (domain.IntentID, []domain.Event) {
	id, created := g.creation(n)
	all := []domain.Event{created}
	end := created.ExpiresAt
	switch tries := newTries(created, n); g.of(n) {
	case paid:
		return id, append(all, tries.start(time.Minute), tries.pay(2*time.Minute))
	case paidAgain:
		all = append(all, tries.start(time.Minute), tries.fail(2*time.Minute, "declined"))
		return id, append(all, tries.start(3*time.Minute), tries.pay(4*time.Minute))
	case expired:
		return id, append(all, domain.Expired{At: end})
	case declined:
		return id, append(all,
			tries.start(time.Minute),
			tries.fail(2*time.Minute, "declined"),
			domain.Expired{At: end})
	case late:
		all = append(all,
			tries.start(time.Minute),
			tries.fail(end.Sub(created.At), domain.ReasonExpired),
			domain.Expired{At: end})
		p := tries.pay(end.Sub(created.At) + time.Minute)
		return id, append(all, domain.LateSucceeded(p))
	case waiting:
		return id, all
	}
	panic("bench: no such life")
}

// tries makes the events of attempts to pay an intent.
type tries struct {
	created domain.Created
	n       int
	attempt domain.AttemptID
}

func newTries(created domain.Created, n int) *tries { return &tries{created: created, n: n} }

func (t *tries) start(after time.Duration) domain.AttemptStarted {
	var random [16]byte
	for k := range random {
		random[k] = byte(rand.Uint32()) //nolint:gosec // it need not be unpredictable
	}
	t.attempt = domain.NewAttemptID(random)
	return domain.AttemptStarted{
		At: t.created.At.Add(after), Attempt: t.attempt, Acquirer: "sandbox", Method: "wallet",
		Payer: fmt.Sprintf("09*****%03d", t.n%1000),
	}
}

func (t *tries) fail(after time.Duration, reason string) domain.AttemptFailed {
	return domain.AttemptFailed{At: t.created.At.Add(after), Attempt: t.attempt, Reason: reason}
}

func (t *tries) pay(after time.Duration) domain.Succeeded {
	return domain.Succeeded{
		At: t.created.At.Add(after), Attempt: t.attempt, Amount: t.created.Amount,
		ProviderReference: fmt.Sprintf("SB-%010d", t.n),
	}
}

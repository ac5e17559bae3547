package torture

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/books"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/projections"
)

const (
	bookkeeperEvery = 2 * time.Second
	storeCloseLimit = 20 * time.Second
)

// runBookkeeper acts as the organisations' people who accept statements: it records that what acquirers
// took was paid out, and corrects or withdraws some of it. Nothing outside of a server does that, so it
// writes through a ledger in this process, as one more server.
func (c *crowd) runBookkeeper(ctx context.Context, d dice) {
	store := eventstore.New(c.pool, c.pool, eventstore.Options{Inline: projections.Inline()})
	intents := projections.NewIntents(c.pool)
	defer intents.Close()
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeCloseLimit)
		defer cancel()
		_ = store.Close(closing) // what it has not written by then is not written
	}()
	l, after := ledger.New(store, intents), int64(0)
	for wait(ctx, bookkeeperEvery) {
		after = c.settleTaken(ctx, l, d, after)
	}
}

const takenSQL = `
SELECT e.position, a.organization_uuid, a.mode, b.payload::json->>'acquirer', e.stream_id,
       e.payload::json->>'attempt', (e.payload::json->>'amount')::int8
FROM events e
JOIN intents i ON i.uuid = e.stream_id
JOIN applications a ON a.uuid = i.application_uuid
JOIN events b ON b.stream_id = e.stream_id
             AND b.type = 'intent.attempt_started'
             AND b.payload::json->>'attempt' = e.payload::json->>'attempt'
WHERE e.position > $1
  AND e.type IN ('intent.succeeded', 'intent.late_succeeded', 'intent.duplicate_payment')
ORDER BY e.position
LIMIT 20`

// settleTaken settles the next payments of the log after a position, and returns the position of the last.
// Where a fault makes it fail, the next call tries again; what was recorded is refused then.
func (c *crowd) settleTaken(ctx context.Context, l *ledger.Ledger, d dice, after int64) int64 {
	last, shares := after, map[books.Key][]books.Share{}
	_, err := postgres.List(ctx, c.pool, "read payments", func(row pgx.CollectableRow) (struct{}, error) {
		var k books.Key
		var s books.Share
		err := row.Scan(&last, (*[16]byte)(&k.Organization), &k.Mode, &k.Acquirer, (*[16]byte)(&s.Intent),
			&s.Attempt, &s.Amount)
		shares[k] = append(shares[k], s)
		return struct{}{}, err
	}, takenSQL, after)
	if err != nil {
		return after
	}
	for k, of := range shares {
		s := books.NewSettlement{ID: uuid.New(), ValueDate: domain.DayOf(l.Now()), Shares: of, Fees: d.Int64N(500)}
		for _, one := range of {
			s.Net += one.Amount
		}
		s.Taken = []books.Taken{{On: s.ValueDate, Amount: s.Net}}
		s.Net -= s.Fees + d.Int64N(3) // now and then something is missing
		commands := []books.Command{books.RecordStatement{Settlements: []books.NewSettlement{s}}}
		if d.in(40) {
			commands = append(commands, books.CorrectSettlement{
				ID: s.ID, ValueDate: s.ValueDate, Fees: s.Fees + 7, Net: s.Net - 7, Withdraw: d.in(30),
			})
		}
		for _, command := range commands {
			events, err := l.Book(ctx, k, command, ledger.Origin{Actor: "user:bookkeeper"})
			if _, refused := errors.AsType[books.Refusal](err); err != nil && !refused {
				return after
			}
			c.recorder.Count(countBooked, int64(len(events)))
		}
	}
	return last
}

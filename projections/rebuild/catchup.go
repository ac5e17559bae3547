package rebuild

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

const (
	// tailStep is how many positions the new tables move on in one transaction.
	tailStep = 5_000
	// shortTail is how many may be left for the swap, under the lock.
	shortTail = 200
	// maxCatchUps bounds how often the rebuild follows the writers before it stops
	// them for the rest.
	maxCatchUps = 200
)

// A group that never ran has no row yet.
const positionSQL = `SELECT coalesce(max(position), 0) FROM consumer_offsets WHERE consumer_group = $1`

// target is up to where the live tables hold every event.
func (m modelTables) target(ctx context.Context, q eventstore.Querier) (int64, error) {
	if m.Group == "" {
		return eventstore.NewReader(q).Head(ctx)
	}
	var position int64
	if err := q.QueryRow(ctx, positionSQL, m.Group).Scan(&position); err != nil {
		return 0, fmt.Errorf("read position of %s: %w", m.Group, err)
	}
	return position, nil
}

// advance brings the new tables from one position to another, by replaying the
// streams that have changed in between. It writes no more than those rows.
func (r *rebuild) advance(ctx context.Context, tx pgx.Tx, from, upTo int64) error {
	reader := eventstore.NewReader(tx)
	b := newTableBuilder(r.modelTables)
	for from < upTo {
		next := min(from+tailStep, upTo)
		changed, err := reader.ChangedStreams(ctx, from, next)
		if err != nil {
			return err
		}
		events, err := streamsUpTo(ctx, tx, changed, next)
		if err != nil {
			return err
		}
		for stream := range streamsIn(events) {
			held := 0
			for held < len(stream) && stream[held].Position <= from {
				held++
			}
			if err := b.move(stream, held); err != nil {
				return err
			}
		}
		if err := b.write(ctx, tx, r.at); err != nil {
			return err
		}
		from = next
	}
	return nil
}

// catchUp moves the new tables on until little is left. The rows and the position
// are one transaction, so that no event is taken twice.
func (r *rebuild) catchUp(ctx context.Context) error {
	for range maxCatchUps {
		target, err := r.target(ctx, r.conn)
		if err != nil {
			return err
		}
		before := r.position
		for r.position < target {
			if err := r.move(ctx, min(target, r.position+tailStep)); err != nil {
				return err
			}
		}
		if r.position-before <= shortTail {
			return nil
		}
	}
	return nil
}

func (r *rebuild) move(ctx context.Context, upTo int64) error {
	err := pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		if err := r.advance(ctx, tx, r.position, upTo); err != nil {
			return err
		}
		r.position, r.done = upTo, upTo
		return r.save(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("catch up to position %d: %w", upTo, err)
	}
	r.reportThrottled()
	return nil
}

const streamsUpToSQL = `
SELECT position, stream_id, version, type, schema_version, payload
FROM events WHERE stream_id = ANY($1) AND position <= $2 ORDER BY stream_id, version`

// streamsUpTo reads streams as they were at a position, in the order of their ids.
func streamsUpTo(ctx context.Context, tx pgx.Tx, ids []uuid.UUID, position int64) ([]eventstore.Recorded, error) {
	return postgres.List(ctx, tx, "read streams", scanEvent, streamsUpToSQL, postgres.PlanEachTime, bytesOf(ids), position)
}

// scanEvent reads what a model needs of an event.
func scanEvent(row pgx.CollectableRow) (eventstore.Recorded, error) {
	var e eventstore.Recorded
	// A uuid.UUID would be read through its text, which a million events show.
	err := row.Scan(&e.Position, (*[16]byte)(&e.Stream), &e.Version, &e.Type, &e.SchemaVersion, &e.Payload)
	return e, err
}

func bytesOf(ids []uuid.UUID) [][16]byte {
	all := make([][16]byte, len(ids))
	for n, id := range ids {
		all[n] = id
	}
	return all
}

package rebuild

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
)

const (
	// tailStep is how many positions the new tables advance in one transaction.
	tailStep = 5_000
	// shortTail is how many positions may be left for the swap, under the lock.
	shortTail = 200
	// maxCatchUps bounds how often the rebuild catches up with the writers before it stops
	// them for the rest.
	maxCatchUps = 200
)

// A group that never ran has no row yet.
const positionSQL = `
SELECT coalesce(max(position), 0)
FROM consumer_offsets
WHERE consumer_group = $1`

// target is the position up to which the live tables have every event.
func (m model) target(ctx context.Context, q eventstore.Querier) (int64, error) {
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
// streams that have changed in between. It writes only the rows of those.
func (r *rebuild) advance(ctx context.Context, tx pgx.Tx, from, upTo int64) error {
	b := newTableBuilder(r.model)
	for from < upTo {
		next := min(from+tailStep, upTo)
		changed, err := eventstore.NewReader(tx).ChangedStreams(ctx, from, next)
		if err != nil {
			return err
		}
		replace := func(stream []eventstore.Recorded) error { return b.replace(stream, from) }
		if _, err := eachStream(ctx, tx, replace, streamsSQL, bytesOf(changed), next); err != nil {
			return err
		}
		if err := b.write(ctx, tx, r.at); err != nil {
			return err
		}
		from = next
	}
	return nil
}

// catchUp advances the new tables until little is left. The rows and the position
// are written in one transaction, so that no event is applied twice.
func (r *rebuild) catchUp(ctx context.Context) error {
	for range maxCatchUps {
		target, err := r.target(ctx, r.conn)
		if err != nil {
			return err
		}
		before := r.run.Position
		for r.run.Position < target {
			if err := r.advanceTo(ctx, min(target, r.run.Position+tailStep)); err != nil {
				return err
			}
		}
		if r.run.Position-before <= shortTail {
			return nil
		}
	}
	return nil
}

// advanceTo brings the new tables to a position, in a transaction.
func (r *rebuild) advanceTo(ctx context.Context, upTo int64) error {
	err := pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		if err := r.advance(ctx, tx, r.run.Position, upTo); err != nil {
			return err
		}
		r.run.Position, r.run.Events = upTo, upTo
		return r.save(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("catch up to position %d: %w", upTo, err)
	}
	r.reportThrottled()
	return nil
}

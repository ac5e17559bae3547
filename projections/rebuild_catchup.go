package projections

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
)

const (
	// tailStep is how many positions the new tables move on in one transaction.
	tailStep = 5_000
	// shortTail is how many may be left for the exchange, under the lock.
	shortTail = 200
	// maxCatchUps bounds how often the rebuild follows the writers before it stops
	// them for the rest.
	maxCatchUps = 200
)

// target is up to where the live tables hold every event.
func (r *rebuild) target(ctx context.Context, q eventstore.Querier) (int64, error) {
	if r.group == "" {
		return eventstore.NewReader(q).Head(ctx)
	}
	var position int64
	if err := q.QueryRow(ctx, positionSQL, r.group).Scan(&position); err != nil {
		return 0, fmt.Errorf("read position of %s: %w", r.group, err)
	}
	return position, nil
}

// advance brings the new tables from one position to another, by replaying the
// streams that have changed in between. It writes no more than those rows.
func (r *rebuild) advance(ctx context.Context, tx pgx.Tx, from, upTo int64) error {
	reader := eventstore.NewReader(tx)
	f := r.shape.begin()
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
			if err := f.move(stream, held); err != nil {
				return err
			}
		}
		if _, err := f.write(ctx, tx, r.at); err != nil {
			return err
		}
		from = next
	}
	return nil
}

const moveSQL = `UPDATE projection_runs SET position = $2 WHERE id = $1`

// catchUp moves the new tables on until little is left. The rows and the position
// are one transaction, so that no event is taken twice.
func (r *rebuild) catchUp(ctx context.Context) error {
	for range maxCatchUps {
		target, err := r.target(ctx, r.conn)
		if err != nil {
			return err
		}
		if target == r.position {
			return nil
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
		_, err := tx.Exec(ctx, moveSQL, r.id, upTo)
		return err
	})
	if err != nil {
		return fmt.Errorf("catch up from position %d: %w", r.position, err)
	}
	r.moved(upTo)
	r.tellOften()
	return nil
}

func (r *rebuild) moved(upTo int64) {
	r.position = upTo
	r.done.Store(upTo)
}

// verify compares the live tables with the new ones in one snapshot, in which
// both are brought to the same position: writers are not mistaken for drift. What
// it does to the new tables for that it takes back.
func (r *rebuild) verify(ctx context.Context) (Report, error) {
	report := Report{Name: r.name, Drift: []Drift{}}
	tx, err := r.conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead})
	if err != nil {
		return report, fmt.Errorf("verify: %w", err)
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	if _, err := tx.Exec(ctx, `SET LOCAL work_mem = '64MB'`); err != nil {
		return report, fmt.Errorf("verify: %w", err)
	}
	position, err := r.target(ctx, tx)
	if err != nil {
		return report, err
	}
	if err := r.advance(ctx, tx, r.position, position); err != nil {
		return report, err
	}
	f := r.shape.begin()
	if err := f.check(ctx, tx, r.at, position); err != nil {
		return report, err
	}
	found, err := f.compare(ctx, tx, r.at, position)
	if err != nil {
		return report, err
	}
	report.note(found)
	report.OK, report.Events = len(report.Drift) == 0, position
	return report, nil
}

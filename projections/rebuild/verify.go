package rebuild

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/eventstore"
	"daftar/projections"
)

// Progress is called with how many of all events have been replayed.
type Progress func(done, total int64)

// snapshot is a transaction that sees one moment and changes nothing.
var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// Verify replays the whole log and compares a read model with it, field by field,
// in one snapshot: writers are not disturbed and not mistaken for drift. Where a
// group keeps the read model, its writes and its position commit together, so the
// log counts up to there. It needs SELECT only.
func Verify(ctx context.Context, pool *pgxpool.Pool, model projections.Model, progress Progress) (Report, error) {
	started := time.Now()
	m := tablesOf(model)
	report := Report{Name: m.Name, Drift: []Drift{}}
	err := pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		// This comes before the moment is chosen at which everything is looked at. A
		// rebuild that swapped the tables after that moment would leave ones whose rows
		// this transaction cannot see: each would seem to be missing.
		if _, err := tx.Exec(ctx, "LOCK TABLE "+list(m.tableNames(live))+" IN ACCESS SHARE MODE"); err != nil {
			return err
		}
		position, err := m.target(ctx, tx)
		if err != nil {
			return err
		}
		return m.verify(ctx, tx, position, &report, progress)
	})
	if err != nil {
		return Report{}, fmt.Errorf("verify %s: %w", m.Name, err)
	}
	report.Seconds, report.OK = time.Since(started).Seconds(), len(report.Drift) == 0
	return report, nil
}

func (m modelTables) verify(ctx context.Context, tx pgx.Tx, position int64, report *Report, progress Progress) error {
	b := newTableBuilder(m)
	var err error
	report.Events, err = walk(ctx, eventstore.NewReader(tx), position, progress, func(s span) error {
		if err := b.addAll(s.events); err != nil {
			return err
		}
		return b.compare(ctx, tx, live, live, report, "BETWEEN $1 AND $2", s.from, s.upTo)
	})
	if err != nil {
		return err
	}
	return b.compareSums(ctx, tx, report)
}

// compare compares the rows of the streams that were taken in, and forgets them,
// with those of the tables whose stream fits a condition.
func (b *tableBuilder) compare(ctx context.Context, tx pgx.Tx, at, with tableNamer, report *Report, condition string, args ...any) error {
	for n, t := range b.Tables {
		if t.Sums {
			continue // known after the last event only
		}
		stored, err := b.read(ctx, tx, n, at, with, condition, args...)
		if err != nil {
			return err
		}
		report.note(b.differences(n, stored, b.rows[n]))
		b.rows[n] = nil
	}
	return nil
}

// compareSums compares the sums of all that was taken in.
func (b *tableBuilder) compareSums(ctx context.Context, tx pgx.Tx, report *Report) error {
	for n, t := range b.Tables {
		if !t.Sums {
			continue
		}
		stored, err := b.read(ctx, tx, n, live, live, "")
		if err != nil {
			return err
		}
		report.note(b.differences(n, stored, b.take(n)))
	}
	return nil
}

// readTogether is how many events a verification replays at a time, about.
const readTogether = 5000

// span is a part of all intents: their ids, both ends included, and their events
// up to some position, sorted by stream and version.
type span struct {
	from, upTo uuid.UUID
	events     []eventstore.Recorded
}

// walk reads the log up to a position, stream by stream, and hands it to visit in
// spans that follow each other without a gap, from the first uuid to the last. It
// returns how many events it read.
func walk(ctx context.Context, reader *eventstore.Reader, position int64, progress Progress, visit func(span) error) (int64, error) {
	var done int64
	after, from := uuid.Nil, uuid.Nil // streams after, rows from: a forged row may have the nil uuid
	for {
		events, err := reader.ReadStreams(ctx, after, readTogether)
		if err != nil {
			return done, err
		}
		upTo := uuid.Max
		if len(events) > 0 {
			upTo = events[len(events)-1].Stream
		}
		events = slices.DeleteFunc(events, func(e eventstore.Recorded) bool { return e.Position > position })
		if err := visit(span{from, upTo, events}); err != nil {
			return done, err
		}
		done += int64(len(events))
		progress(done, position)
		if upTo == uuid.Max {
			return done, nil
		}
		after, from = upTo, successor(upTo)
	}
}

// successor is the next uuid in the order of the table.
func successor(id uuid.UUID) uuid.UUID {
	for n := len(id) - 1; n >= 0; n-- {
		if id[n]++; id[n] != 0 {
			break
		}
	}
	return id
}

// streamsIn cuts events that are sorted by stream into streams.
func streamsIn(events []eventstore.Recorded) iter.Seq[[]eventstore.Recorded] {
	return func(yield func([]eventstore.Recorded) bool) {
		for len(events) > 0 {
			stream := events[0].Stream
			n := slices.IndexFunc(events, func(e eventstore.Recorded) bool { return e.Stream != stream })
			if n < 0 {
				n = len(events)
			}
			if !yield(events[:n]) {
				return
			}
			events = events[n:]
		}
	}
}

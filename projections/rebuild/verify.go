package rebuild

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/projections"
)

// Progress is called with how many of all events have been replayed.
type Progress func(done, total int64)

// snapshot is a transaction that sees one moment and changes nothing.
var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

// Verify replays the whole log and compares a read model with it, field by field,
// in one snapshot: writers are not disturbed, and their writes not reported as drift. If a
// group writes the read model, its writes and its position commit together, so the
// log is replayed up to that position. It needs SELECT only.
func Verify(
	ctx context.Context, pool *pgxpool.Pool, of projections.Model, progress Progress,
) (Report, error) {
	started := time.Now()
	m := model{of}
	report := Report{Name: m.Name, Drift: []Drift{}}
	err := pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		// The lock is taken before the snapshot. If a rebuild swapped the tables after the
		// snapshot, this transaction could not see the rows of the new ones: each would seem
		// to be missing.
		if _, err := tx.Exec(ctx, "LOCK TABLE "+list(m.tableNames(liveTable))+" IN ACCESS SHARE MODE"); err != nil {
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

// verifyEvents is about how many events a verification replays at a time.
const verifyEvents = 5_000

func (m model) verify(
	ctx context.Context, tx pgx.Tx, position int64, report *Report, progress Progress,
) error {
	b := newTableBuilder(m)
	chunks := int(position/verifyEvents) + 1
	for chunk := range chunks {
		first, last := chunkEnds(chunk, chunks)
		replayed, err := eachStream(ctx, tx, b.add, chunkSQL, first, last, position)
		if err != nil {
			return err
		}
		if err := b.compare(ctx, tx, liveTable, liveTable, report, "BETWEEN $1 AND $2", first, last); err != nil {
			return err
		}
		b.clearRows()
		report.Events += replayed
		progress(report.Events, position)
	}
	for n, t := range m.Tables {
		if !t.Sums {
			continue
		}
		stored, err := m.read(ctx, tx, n, liveTable, liveTable, "")
		if err != nil {
			return err
		}
		report.note(m.differences(n, stored, b.takeSums(n)))
	}
	return nil
}

// compare compares the rows of the added streams with those of the
// tables whose stream fits a condition.
func (b *tableBuilder) compare(
	ctx context.Context, tx pgx.Tx, at, with tableNamer, report *Report, condition string, args ...any,
) error {
	for n, t := range b.Tables {
		if t.Sums {
			continue // known after the last event only
		}
		stored, err := b.read(ctx, tx, n, at, with, condition, args...)
		if err != nil {
			return err
		}
		report.note(b.differences(n, stored, b.rows[n]))
	}
	return nil
}

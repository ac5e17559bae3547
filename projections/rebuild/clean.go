package rebuild

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/projections"
)

// KeepReplaced is how long the tables that a rebuild replaced are kept at least.
// The next rebuild of the same read model drops older ones. They are not
// updated any more: they are kept for inspection.
const KeepReplaced = 24 * time.Hour

// Clean drops the tables that rebuilds replaced longer than a time ago and, if
// halfDone is set, the tables of unfinished rebuilds that are not under way. It returns
// the names of the tables. A read model that is being rebuilt is skipped. It
// needs the rights of the tables' owner.
func Clean(
	ctx context.Context, pool *pgxpool.Pool, olderThan time.Duration, halfDone bool,
) ([]string, error) {
	dropped := []string{}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("clean read models: %w", err)
	}
	defer conn.Release()
	for _, of := range projections.Models() {
		m := model{of}
		tables, err := m.clean(ctx, conn.Conn(), olderThan, halfDone)
		dropped = append(dropped, tables...)
		if err != nil {
			return dropped, fmt.Errorf("clean %s: %w", m.Name, err)
		}
	}
	return dropped, nil
}

func (m model) clean(
	ctx context.Context, conn *pgx.Conn, olderThan time.Duration, halfDone bool,
) ([]string, error) {
	release, err := m.lock(ctx, conn)
	if errors.Is(err, ErrRebuilding) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer release()
	dropped, err := m.dropReplaced(ctx, conn, olderThan)
	if err != nil || !halfDone {
		return dropped, err
	}
	left, err := m.discard(ctx, conn)
	return append(dropped, left...), err
}

const (
	replacedSQL = `
SELECT id, tables
FROM projection_runs
WHERE name = $1
  AND outcome = 'swapped'
  AND dropped_at IS NULL
  AND finished_at <= clock_timestamp() - make_interval(secs => $2)
ORDER BY id`
	droppedSQL = `
UPDATE projection_runs
SET dropped_at = clock_timestamp()
WHERE id = $1`
)

// dropReplaced drops the tables that were replaced longer than a time ago.
func (m model) dropReplaced(ctx context.Context, conn *pgx.Conn, olderThan time.Duration) ([]string, error) {
	return drop(ctx, conn, droppedSQL, replaced, replacedSQL, m.Name, olderThan.Seconds())
}

const (
	halfDoneSQL = `
SELECT id, tables
FROM projection_runs
WHERE name = $1
  AND finished_at IS NULL`
	discardSQL = `
UPDATE projection_runs
SET finished_at = clock_timestamp(), outcome = 'discarded', dropped_at = clock_timestamp()
WHERE id = $1`
)

// discard drops the tables of an unfinished run.
func (m model) discard(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	return drop(ctx, conn, discardSQL, shadow, halfDoneSQL, m.Name)
}

// drop drops the tables of the runs that a query finds, and records each run in the
// same transaction.
func drop(
	ctx context.Context, conn *pgx.Conn, noteSQL string, named func(id int64) tableNamer, runsSQL string,
	args ...any,
) ([]string, error) {
	type run struct {
		id     int64
		tables []string
	}
	runs, err := postgres.List(ctx, conn, "list tables to drop",
		func(row pgx.CollectableRow) (r run, err error) {
			return r, row.Scan(&r.id, &r.tables)
		}, runsSQL, args...)
	if err != nil {
		return nil, err
	}
	var dropped []string
	for _, run := range runs {
		var names []string
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, longLockTimeoutSQL); err != nil {
				return err
			}
			for _, table := range run.tables {
				name := named(run.id)(table)
				if _, err := tx.Exec(ctx, "DROP TABLE IF EXISTS "+quoted(name)); err != nil {
					return err
				}
				names = append(names, name)
			}
			_, err := tx.Exec(ctx, noteSQL, run.id)
			return err
		})
		if err != nil {
			return dropped, fmt.Errorf("drop tables: %w", err)
		}
		dropped = append(dropped, names...)
	}
	return dropped, nil
}

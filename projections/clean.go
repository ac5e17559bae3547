package projections

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// KeepReplaced is how long the tables that a rebuild replaced are kept at least.
// The next rebuild of the same read model drops those that are older. Nobody
// keeps them up to date: they are there to be looked at.
const KeepReplaced = 24 * time.Hour

// Clean drops the tables that rebuilds replaced longer than a time ago and, if
// asked to, what rebuilds that are not under way have left half done. It returns
// the names of the tables. A read model that is being rebuilt is passed over. It
// needs the rights of the tables' owner.
func Clean(ctx context.Context, pool *pgxpool.Pool, olderThan time.Duration, halfDone bool) ([]string, error) {
	dropped := []string{}
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("clean read models: %w", err)
	}
	defer conn.Release()
	for _, p := range All() {
		tables, err := p.shape.clean(ctx, conn.Conn(), olderThan, halfDone)
		dropped = append(dropped, tables...)
		if err != nil {
			return dropped, fmt.Errorf("clean %s: %w", p.Name, err)
		}
	}
	return dropped, nil
}

func (s shape) clean(ctx context.Context, conn *pgx.Conn, olderThan time.Duration, halfDone bool) ([]string, error) {
	release, err := s.lock(ctx, conn)
	if errors.Is(err, ErrRebuilding) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer release()
	dropped, err := s.dropReplaced(ctx, conn, olderThan)
	if err != nil || !halfDone {
		return dropped, err
	}
	left, err := s.unfinishedTables(ctx, conn)
	if err != nil {
		return dropped, err
	}
	return append(dropped, left...), s.discard(ctx, conn)
}

const (
	replacedSQL = `
SELECT id, tables FROM projection_runs
WHERE name = $1 AND outcome = 'swapped' AND dropped_at IS NULL AND finished_at <= clock_timestamp() - make_interval(secs => $2)
ORDER BY id`
	droppedSQL = `UPDATE projection_runs SET dropped_at = clock_timestamp() WHERE id = $1`
)

// dropReplaced drops the tables that were replaced longer than a time ago.
func (s shape) dropReplaced(ctx context.Context, conn *pgx.Conn, olderThan time.Duration) ([]string, error) {
	type old struct {
		id     int64
		tables []string
	}
	rows, err := conn.Query(ctx, replacedSQL, s.name, olderThan.Seconds())
	if err != nil {
		return nil, fmt.Errorf("list replaced tables: %w", err)
	}
	runs, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (o old, err error) { return o, row.Scan(&o.id, &o.tables) })
	if err != nil {
		return nil, fmt.Errorf("list replaced tables: %w", err)
	}
	var dropped []string
	for _, run := range runs {
		r := rebuild{id: run.id}
		names, err := drop(ctx, conn, run.tables, r.replaced, droppedSQL, run.id)
		if err != nil {
			return dropped, err
		}
		dropped = append(dropped, names...)
	}
	return dropped, nil
}

const discardSQL = `
UPDATE projection_runs SET finished_at = clock_timestamp(), outcome = 'discarded', dropped_at = clock_timestamp() WHERE id = $1`

// discard throws a half-done run away.
func (s shape) discard(ctx context.Context, conn *pgx.Conn) error {
	r, tables, err := s.unfinished(ctx, conn)
	if err != nil || r == nil {
		return err
	}
	if _, err := conn.Exec(ctx, forgetChunksSQL, r.id); err != nil {
		return fmt.Errorf("discard run: %w", err)
	}
	_, err = drop(ctx, conn, tables, r.at, discardSQL, r.id)
	return err
}

const unfinishedTablesSQL = `SELECT id, tables FROM projection_runs WHERE name = $1 AND finished_at IS NULL`

func (s shape) unfinished(ctx context.Context, conn *pgx.Conn) (*rebuild, []string, error) {
	r := &rebuild{shape: s}
	var tables []string
	err := conn.QueryRow(ctx, unfinishedTablesSQL, s.name).Scan(&r.id, &tables)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("look for a half-done run: %w", err)
	}
	return r, tables, nil
}

func (s shape) unfinishedTables(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	r, tables, err := s.unfinished(ctx, conn)
	if err != nil || r == nil {
		return nil, err
	}
	for n, table := range tables {
		tables[n] = r.at(table)
	}
	return tables, nil
}

// drop drops tables and notes it in the same transaction.
func drop(ctx context.Context, conn *pgx.Conn, tables []string, at placing, note string, id int64) ([]string, error) {
	var dropped []string
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, calmlySQL); err != nil {
			return err
		}
		for _, table := range tables {
			name := at(table)
			if _, err := tx.Exec(ctx, "DROP TABLE IF EXISTS "+pgx.Identifier{name}.Sanitize()); err != nil {
				return err
			}
			dropped = append(dropped, name)
		}
		_, err := tx.Exec(ctx, note, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("drop tables: %w", err)
	}
	return dropped, nil
}

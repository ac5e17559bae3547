package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// indexesSQL finds the keys, the other indexes and the INSERT triggers of tables: for
// each the statement that removes it and the one that restores it. The triggers refuse
// gaps, which batches that are written in parallel leave until all are written.
const indexesSQL = `
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', t.oid::regclass, k.conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.oid::regclass, k.conname, pg_get_constraintdef(k.oid))
FROM pg_class t
JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype IN ('p', 'u')
WHERE t.oid = ANY($1::regclass[])
UNION ALL
SELECT format('DROP INDEX %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
FROM pg_index i
WHERE i.indrelid = ANY($1::regclass[])
  AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
UNION ALL
SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', g.tgrelid::regclass, g.tgname),
       format(
           'ALTER TABLE %s ENABLE %s TRIGGER %I',
           g.tgrelid::regclass, CASE g.tgenabled WHEN 'A' THEN 'ALWAYS' ELSE '' END, g.tgname)
FROM pg_trigger g
WHERE g.tgrelid = ANY($1::regclass[])
  AND NOT g.tgisinternal
  AND g.tgtype & 4 <> 0
ORDER BY 1`

// withoutIndexes does work while tables have no indexes and no INSERT triggers, and
// restores them afterwards. Ten million rows with random keys are stored twice as fast
// that way. Fresh indexes do not improve the figures: their pages are full, so that
// PostgreSQL has to split more of them.
func withoutIndexes(ctx context.Context, pool *pgxpool.Pool, tables []string, work func() error) error {
	type index struct{ Drop, Make string }
	rows, err := pool.Query(ctx, indexesSQL, tables)
	if err != nil {
		return fmt.Errorf("find indexes: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index])
	if err != nil {
		return fmt.Errorf("find indexes: %w", err)
	}
	for _, i := range all {
		if _, err := pool.Exec(ctx, i.Drop); err != nil {
			return fmt.Errorf("%s: %w", i.Drop, err)
		}
	}
	if err := work(); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL maintenance_work_mem = '512MB'`); err != nil {
			return fmt.Errorf("make indexes: %w", err)
		}
		for _, i := range slices.Backward(all) {
			if _, err := tx.Exec(ctx, i.Make); err != nil {
				return fmt.Errorf("%s: %w", i.Make, err)
			}
		}
		return nil
	})
}

package checker

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"daftar/internal/postgres"
)

// frozenTables may only grow. The exception are old checkpoints, which servers delete as far
// as the trigger allows it.
var frozenTables = []string{"events", "audit_records", "transparency_checkpoints", "transparency_keys"}

const (
	rightsSQL = `
SELECT r.rolname, t.name, p.privilege
FROM unnest($1::text[]) AS t(name)
CROSS JOIN unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS p(privilege)
CROSS JOIN pg_roles r
WHERE r.rolname IN ($2, 'daftar_auditor')
  AND (r.rolname, t.name, p.privilege) <> ($2, 'transparency_checkpoints', 'DELETE')
  AND (has_table_privilege(r.oid, t.name, p.privilege)
       OR p.privilege = 'UPDATE' AND has_any_column_privilege(r.oid, t.name, 'UPDATE'))`
	// A trigger whose tgtype has the bit 4 fires on INSERT.
	guardsSQL = `
SELECT t.name,
       (SELECT count(*)
        FROM pg_trigger g
        WHERE g.tgrelid = t.name::regclass
          AND NOT g.tgisinternal
          AND g.tgenabled = 'A'
          AND g.tgtype & 4 = 0)
FROM unnest($1::text[]) AS t(name)`
	touchedSQL = `
SELECT relname, n_tup_upd + n_tup_hot_upd, n_tup_del
FROM pg_stat_user_tables
WHERE relname = ANY ($1)
  AND n_tup_upd + n_tup_hot_upd
      + CASE relname WHEN 'transparency_checkpoints' THEN 0 ELSE n_tup_del END > 0`
	// Positions are assigned under a lock that is held until the commit, and a transaction
	// gets its id with its first write, after it has the lock. So both grow together. A row
	// that was rewritten later has a greater id than the row after it.
	rewrittenSQL = `
SELECT position, xid, before
FROM (
    SELECT position, xmin::text::bigint AS xid, lag(xmin::text::bigint) OVER (ORDER BY position) AS before
    FROM events
    WHERE position <> ALL ($1)
) e
WHERE xid < before
ORDER BY position
LIMIT 100`
)

// guards is the number of triggers of each table that are not on INSERT: one refuses UPDATE
// and DELETE, the other TRUNCATE.
const guards = 2

// appendOnly is I13: no role has the right to rewrite the log, the triggers refuse it even to
// the owner, and the rows show that it did not happen.
func (c *checker) appendOnly(ctx context.Context, f *finding) error {
	f.looked = c.log.events
	err := c.eachRow(ctx, rightsSQL, []any{frozenTables, postgres.ServiceRole}, 3, func(row []string) {
		f.wrongf("%s may %s %s", row[0], row[2], row[1])
	})
	if err != nil {
		return err
	}
	err = c.eachRow(ctx, guardsSQL, []any{frozenTables}, 2, func(row []string) {
		if row[1] != fmt.Sprint(guards) {
			f.wrongf("%s has %s of %d triggers in force", row[0], row[1], guards)
		}
	})
	if err != nil {
		return err
	}
	err = c.eachRow(ctx, touchedSQL, []any{frozenTables}, 3, func(row []string) {
		f.wrongf("%s has had %s rows updated and %s deleted", row[0], row[1], row[2])
	})
	if err != nil {
		return err
	}
	err = c.eachRow(ctx, rewrittenSQL, []any{c.parked()}, 3, func(row []string) {
		f.wrongf("position %s was not written in its turn (transaction %s follows %s): rows were rewritten",
			row[0], row[1], row[2])
	})
	if err != nil {
		return err
	}
	return c.tryRewriting(ctx, f)
}

// eachRow reads rows as texts.
func (c *checker) eachRow(
	ctx context.Context, sql string, args []any, columns int, visit func([]string),
) error {
	rows, err := c.pool.Query(ctx, sql, append([]any{pgx.QueryResultFormats{pgx.TextFormatCode}}, args...)...)
	if err != nil {
		return fmt.Errorf("look at the log's guards: %w", err)
	}
	row, places := make([]string, columns), make([]any, columns)
	for n := range row {
		places[n] = &row[n]
	}
	_, err = pgx.ForEachRow(rows, places, func() error {
		visit(row)
		return nil
	})
	if err != nil {
		return fmt.Errorf("look at the log's guards: %w", err)
	}
	return nil
}

// rewriting are statements that must be refused even to the owner, and even if they affect
// no row.
var rewriting = []string{
	`UPDATE events SET payload = payload WHERE false`,
	`DELETE FROM events WHERE false`,
	`TRUNCATE events`,
}

// tryRewriting tries each statement. It tries again after a lock timeout, because a vacuum
// releases its lock only after a second or more, and after a deadlock: since PostgreSQL 18
// the GRANT of one checker blocks the TRUNCATE of another in the same database.
func (c *checker) tryRewriting(ctx context.Context, f *finding) error {
	const (
		refused = "23001" // restrict_violation
		tries   = 10
	)
	for _, statement := range rewriting {
		err := c.tryRolledBack(ctx, statement)
		for try := 1; postgres.Classify(err) == postgres.Retryable && try < tries; try++ {
			err = c.tryRolledBack(ctx, statement)
		}
		server, answered := errors.AsType[*pgconn.PgError](err)
		switch {
		case errors.Is(err, errNotRefused):
			f.wrongf("%s was carried out", statement)
		case !answered || server.Code != refused:
			return fmt.Errorf("try %q: %w", statement, err)
		}
	}
	return nil
}

// tryRolledBack grants itself the rights, as an owner always can, tries the statement, and
// rolls everything back.
func (c *checker) tryRolledBack(ctx context.Context, statement string) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		// Appends must not wait for the lock of a TRUNCATE.
		if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '2s'`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `GRANT UPDATE, DELETE, TRUNCATE ON events TO CURRENT_USER`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, statement); err != nil {
			return err
		}
		return errNotRefused
	})
}

// errNotRefused rolls the attempt back.
var errNotRefused = errors.New("it was not refused")

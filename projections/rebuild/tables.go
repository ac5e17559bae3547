package rebuild

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"daftar/eventstore"
	"daftar/internal/postgres"
)

// A vacuum of a new table would block the swap. The table gets the settings
// of the old one when it replaces it.
const createTableSQL = `
CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES) WITH (autovacuum_enabled = false)`

// createTables creates the empty tables. Only those of sums get their indexes now, because they
// are added to by their key.
func (r *rebuild) createTables(ctx context.Context, tx pgx.Tx, made int) error {
	for _, t := range r.Tables {
		if err := refuseDependents(ctx, tx, t.Name); err != nil {
			return err
		}
		sql := fmt.Sprintf(createTableSQL, r.at(t.Name), t.Name)
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("create table %s: %w", r.at(t.Name), err)
		}
		if t.Sums {
			if err := r.makeIndexes(ctx, tx, t.Name); err != nil {
				return err
			}
		}
	}
	if made < r.Version && r.Upgrade != "" {
		if _, err := tx.Exec(ctx, withTables(r.Upgrade, r.at)); err != nil {
			return fmt.Errorf("make version %d of %s: %w", r.Version, r.Name, err)
		}
	}
	return nil
}

const dependentsSQL = `
SELECT coalesce(string_agg(DISTINCT what, ', '), '')
FROM (
    SELECT w.ev_class::regclass::text AS what
    FROM pg_depend d
    JOIN pg_rewrite w ON w.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass
      AND d.refclassid = 'pg_class'::regclass
      AND d.refobjid = $1::text::regclass
    UNION ALL
    SELECT conrelid::regclass::text
    FROM pg_constraint
    WHERE contype = 'f'
      AND confrelid = $1::text::regclass
) dependents`

// refuseDependents returns an error if a view or a foreign key depends on the table: a view
// would continue to show the old table, and a foreign key would continue to refer to it.
func refuseDependents(ctx context.Context, tx pgx.Tx, table string) error {
	var dependents string
	if err := tx.QueryRow(ctx, dependentsSQL, table).Scan(&dependents); err != nil {
		return fmt.Errorf("look for dependents of %s: %w", table, err)
	}
	if dependents != "" {
		return fmt.Errorf("%s hangs on the table %s, which is to be replaced; drop it first", dependents, table)
	}
	return nil
}

const structureSQL = `
SELECT md5(coalesce(string_agg(line, E'\n' ORDER BY line), ''))
FROM (
    SELECT a.attrelid::regclass || ' ' || a.attname
           || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' ||
           coalesce((SELECT pg_get_expr(d.adbin, d.adrelid)
                     FROM pg_attrdef d
                     WHERE d.adrelid = a.attrelid
                       AND d.adnum = a.attnum), '') AS line
    FROM pg_attribute a
    WHERE a.attrelid = ANY($1::text[]::regclass[])
      AND a.attnum > 0
      AND NOT a.attisdropped
    UNION ALL
    SELECT pg_get_indexdef(i.indexrelid)
    FROM pg_index i
    WHERE i.indrelid = ANY($1::text[]::regclass[])
    UNION ALL
    SELECT c.conrelid::regclass || ' ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
    FROM pg_constraint c
    WHERE c.conrelid = ANY($1::text[]::regclass[])
      AND c.contype <> 'n'
) lines`

// structure is a digest of the live tables' columns, indexes and constraints. A
// run that began before a migration changed them would undo the change.
func (r *rebuild) structure(ctx context.Context, q eventstore.Querier) (string, error) {
	var digest string
	if err := q.QueryRow(ctx, structureSQL, r.tableNames(liveTable)).Scan(&digest); err != nil {
		return "", fmt.Errorf("read structure: %w", err)
	}
	return digest, nil
}

// Statements that make the indexes of $1 on $2, under names that end in $3.
const indexesSQL = `
SELECT CASE WHEN c.oid IS NOT NULL
            THEN format('ALTER TABLE %I ADD CONSTRAINT %I %s',
                        $2::text, x.relname || $3, pg_get_constraintdef(c.oid))
            ELSE format('CREATE %sINDEX %I ON %I%s',
                        CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END, x.relname || $3, $2::text,
                        substr(pg_get_indexdef(i.indexrelid),
                               strpos(pg_get_indexdef(i.indexrelid), ' USING '))) END
       || coalesce(format('; COMMENT ON INDEX %I IS %L',
                          x.relname || $3, obj_description(i.indexrelid, 'pg_class')), '')
FROM pg_index i
JOIN pg_class x ON x.oid = i.indexrelid
LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid
                         AND c.conrelid = i.indrelid
                         AND c.contype IN ('p', 'u', 'x')
WHERE i.indrelid = $1::text::regclass
ORDER BY i.indisprimary DESC, x.relname`

// index builds the indexes of the filled tables, so that rows can be changed, all or none.
func (r *rebuild) index(ctx context.Context) error {
	err := pgx.BeginFunc(ctx, r.conn, func(tx pgx.Tx) error {
		for _, t := range r.Tables {
			if !t.Sums {
				if err := r.makeIndexes(ctx, tx, t.Name); err != nil {
					return err
				}
			}
			if _, err := tx.Exec(ctx, "ANALYZE "+r.at(t.Name)); err != nil {
				return err
			}
		}
		r.run.Phase, r.run.Position, r.run.Events = PhaseCatchingUp, r.run.H0, r.run.H0
		return r.save(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("build indexes: %w", err)
	}
	return nil
}

func (r *rebuild) makeIndexes(ctx context.Context, tx pgx.Tx, table string) error {
	statements, err := generatedSQL(ctx, tx, indexesSQL, table, r.at(table), r.at(""))
	if err != nil {
		return err
	}
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("make indexes of %s: %w", r.at(table), err)
		}
	}
	return nil
}

// generatedSQL are the statements that a query writes.
func generatedSQL(ctx context.Context, tx pgx.Tx, sql string, args ...any) ([]string, error) {
	return postgres.List(ctx, tx, "write statements", pgx.RowTo[string], sql, args...)
}

// Statements that give $2 the rights, comment, settings and owner of $1, none of
// which LIKE brings. Grantee 0 is PUBLIC.
const attributesSQL = `
WITH old AS (SELECT oid, relowner, relacl, reloptions FROM pg_class WHERE oid = $1::text::regclass),
rights AS (
    SELECT a.privilege_type AS privilege, '' AS place, a.grantee, a.is_grantable
    FROM old, aclexplode(old.relacl) a
    WHERE a.grantee <> old.relowner
    UNION ALL
    SELECT a.privilege_type, format(' (%I)', c.attname), a.grantee, a.is_grantable
    FROM old, pg_attribute c, aclexplode(c.attacl) a
    WHERE c.attrelid = old.oid
      AND NOT c.attisdropped
      AND a.grantee <> old.relowner
)
SELECT format('ALTER TABLE %I RESET (autovacuum_enabled)', $2::text)
UNION ALL
SELECT format('ALTER TABLE %I SET (%s)', $2::text,
              string_agg(format('%s = %L', option_name, option_value), ', '))
FROM old, pg_options_to_table(old.reloptions)
HAVING count(*) > 0
UNION ALL
SELECT format('GRANT %s%s ON %I TO %s%s', privilege, place, $2::text,
              CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
              CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM rights
UNION ALL
SELECT format('COMMENT ON TABLE %I IS %L', $2::text, obj_description(old.oid, 'pg_class'))
FROM old
UNION ALL
SELECT format('ALTER TABLE %I OWNER TO %I', $2::text, pg_get_userbyid(relowner))
FROM old`

// copyAttributes copies the rights, comment, settings and owner of the old tables to the new
// ones.
func (r *rebuild) copyAttributes(ctx context.Context, tx pgx.Tx) error {
	for _, t := range r.Tables {
		statements, err := generatedSQL(ctx, tx, attributesSQL, t.Name, r.at(t.Name))
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, strings.Join(statements, "; "), pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("copy rights to %s: %w", r.at(t.Name), err)
		}
	}
	return nil
}

// Statements that rename $1 to $2 and its indexes from names that end in $3 to ones
// that end in $4 instead.
const renameSQL = `
SELECT format('ALTER INDEX %I RENAME TO %I',
              x.relname, left(x.relname, length(x.relname) - length($3)) || $4)
FROM pg_index i
JOIN pg_class x ON x.oid = i.indexrelid
WHERE i.indrelid = $1::text::regclass
  AND right(x.relname, length($3)) = $3
UNION ALL
SELECT format('ALTER TABLE %I RENAME TO %I', $1::text, $2::text)`

// swapStatements are the statements that replace the old tables by the new ones. The first locks
// the old tables.
func (r *rebuild) swapStatements(ctx context.Context, tx pgx.Tx) (string, error) {
	all := []string{"LOCK TABLE " + list(r.tableNames(liveTable)) + " IN ACCESS EXCLUSIVE MODE"}
	keep := replaced(r.run.ID)
	for _, t := range r.Tables {
		away, err := generatedSQL(ctx, tx, renameSQL, t.Name, keep(t.Name), "", keep(""))
		if err != nil {
			return "", err
		}
		in, err := generatedSQL(ctx, tx, renameSQL, r.at(t.Name), t.Name, r.at(""), "")
		if err != nil {
			return "", err
		}
		all = append(append(all, away...), in...)
	}
	return strings.Join(all, "; "), nil
}

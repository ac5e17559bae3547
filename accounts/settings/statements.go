package settings

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/accounts"
	"daftar/internal/postgres"
)

// StatementFormat is how an organisation reads the statements of an acquirer.
type StatementFormat struct {
	Unit string // of the amounts; empty: as the acquirer's API has them
	// Columns are the names of the columns by the field that they hold; an empty name: it is not read.
	// Empty: they are found by their usual names.
	Columns map[string]string
}

const statementFormatSQL = `
SELECT unit, columns
FROM statement_formats
WHERE organization_uuid = $1
  AND acquirer = $2`

// StatementFormat is the format that was kept for an acquirer; the zero format: none. It needs
// ExportPayments.
func (s *Settings) StatementFormat(ctx context.Context, by accounts.Actor, of accounts.OrganizationID,
	acquirer string,
) (StatementFormat, error) {
	if err := s.accounts.Authorize(ctx, by, of, accounts.ExportPayments); err != nil {
		return StatementFormat{}, err
	}
	all, err := postgres.List(ctx, s.pool, "find format of statements", pgx.RowToStructByPos[StatementFormat],
		statementFormatSQL, of, acquirer)
	if err != nil || len(all) == 0 {
		return StatementFormat{}, err
	}
	return all[0], nil
}

const keepStatementFormatSQL = `
INSERT INTO statement_formats (organization_uuid, acquirer, unit, columns)
VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_uuid, acquirer) DO UPDATE
SET unit = excluded.unit,
    columns = excluded.columns`

// KeepStatementFormat keeps the format of an acquirer's statements for the next comparison, in the
// transaction of the comparison's record.
func KeepStatementFormat(ctx context.Context, tx pgx.Tx, of accounts.OrganizationID, acquirer string,
	f StatementFormat,
) error {
	if f.Columns == nil {
		f.Columns = map[string]string{}
	}
	if _, err := tx.Exec(ctx, keepStatementFormatSQL, of, acquirer, f.Unit, f.Columns); err != nil {
		return fmt.Errorf("keep format of statements of %s: %w", acquirer, err)
	}
	return nil
}

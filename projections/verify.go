package projections

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Verify replays the whole log and compares the intents table with it, field by
// field, in one snapshot: writers are not disturbed and not mistaken for drift.
// It needs SELECT only.
func Verify(ctx context.Context, pool *pgxpool.Pool, progress Progress) (Report, error) {
	started := time.Now()
	var report Report
	err := pgx.BeginTxFunc(ctx, pool, snapshot, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, keepTablesSQL[nameIntents]); err != nil {
			return err
		}
		var err error
		report, err = compare(ctx, tx, progress)
		return err
	})
	if err != nil {
		return Report{}, fmt.Errorf("verify intents: %w", err)
	}
	report.Seconds = time.Since(started).Seconds()
	return report, nil
}

// keepTablesSQL come before the moment is chosen at which everything is looked
// at. A rebuild that exchanged the tables after that moment would leave ones whose
// rows this transaction cannot see: each would seem to be missing.
var keepTablesSQL = map[string]string{
	nameIntents:  `LOCK TABLE intents IN ACCESS SHARE MODE`,
	nameTurnover: `LOCK TABLE turnover IN ACCESS SHARE MODE`,
	namePayments: `LOCK TABLE payments, payment_exceptions IN ACCESS SHARE MODE`,
}

// snapshot is a transaction that sees one moment and changes nothing.
var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

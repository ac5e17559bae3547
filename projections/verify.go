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
		var err error
		report, err = compare(ctx, tx, func([]Intent) error { return nil }, progress)
		return err
	})
	if err != nil {
		return Report{}, fmt.Errorf("verify intents: %w", err)
	}
	report.Seconds = time.Since(started).Seconds()
	return report, nil
}

// snapshot is a transaction that sees one moment and changes nothing.
var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

package sealing

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"daftar/internal/postgres"
)

// Column is a column of sealed secrets.
type Column struct {
	// What names the owners in errors, such as "second factor of user".
	What string
	// Read selects each secret: its row's id as text, the owner that it was sealed for,
	// and the sealed secret. Write gets the id and the secret sealed again.
	Read, Write string
}

// lockRows locks the rows that are to be sealed again, in the order of Read, so that
// nothing else changes them meanwhile.
const lockRows = ` FOR NO KEY UPDATE`

type row struct {
	ID            string
	Owner, Sealed []byte
}

// Check opens every secret and returns how many there are.
func (c Column) Check(ctx context.Context, q postgres.Querier, key Key) (int, error) {
	all, err := postgres.List(ctx, q, "read sealed secrets", pgx.RowToStructByPos[row], c.Read)
	if err != nil {
		return 0, err
	}
	for _, s := range all {
		if _, err := key.Open(s.Sealed, s.Owner); err != nil {
			return 0, fmt.Errorf("%s %s: %w", c.What, s.ID, err)
		}
	}
	return len(all), nil
}

// Reseal seals again, under the present key, every secret that is sealed under the
// old one, and returns how many those were. If one opens under neither key, the error
// names its owner, and the transaction must not be committed.
func (c Column) Reseal(ctx context.Context, tx pgx.Tx, key Key) (int, error) {
	all, err := postgres.List(ctx, tx, "read sealed secrets", pgx.RowToStructByPos[row], c.Read+lockRows)
	if err != nil {
		return 0, err
	}
	var batch pgx.Batch
	present := Key{present: key.present}
	for _, s := range all {
		if _, err := present.Open(s.Sealed, s.Owner); err == nil {
			continue // sealed already, by an earlier run or because it is new
		}
		secret, err := key.Open(s.Sealed, s.Owner)
		if err != nil {
			return 0, fmt.Errorf("%s %s: %w", c.What, s.ID, err)
		}
		sealed, err := present.Seal(secret, s.Owner)
		if err != nil {
			return 0, err
		}
		batch.Queue(c.Write, s.ID, sealed)
	}
	return batch.Len(), tx.SendBatch(ctx, &batch).Close()
}

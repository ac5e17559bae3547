package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/worker"
)

const epochSQL = `SELECT epoch FROM credential_epoch`

const (
	// epochReaders is how many queries for the epoch run at a time: with one, a
	// connection that hangs would block all requests.
	epochReaders = 2
	epochLimit   = 5 * time.Second // of a query; unless Options say otherwise
	// epochAskers bounds how many share a query: thousands of refused requests must not
	// cost a query each.
	epochAskers = 1024
)

// epochs reads the credential epoch: callers at the same time share one query. It is 0
// before the first credential.
type epochs = worker.Coalescer[struct{}, int64]

func newEpochs(pool *pgxpool.Pool, limit time.Duration) *epochs {
	read := func(ctx context.Context, _ []struct{}) (func(struct{}) int64, error) {
		var epoch int64
		if err := pool.QueryRow(ctx, epochSQL).Scan(&epoch); err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return nil, fmt.Errorf("read epoch: %w", err)
		}
		return func(struct{}) int64 { return epoch }, nil
	}
	return worker.NewCoalescer(epochReaders, epochAskers, limit, read)
}

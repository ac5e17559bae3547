package ledger_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
)

// afterQuery is a tracer that is called after each query. It does what a faster server might do
// between the read and the append.
type afterQuery func()

func (afterQuery) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData,
) context.Context {
	return ctx
}

func (f afterQuery) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) { f() }

// traced is a pool to read from that calls after when a query has ended, before the caller gets
// its result.
func (w *world) traced(t *testing.T, after afterQuery) *pgxpool.Pool {
	t.Helper()
	config, err := postgres.ParseURL(w.db.ServiceURL())
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.Tracer = after
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

package ledger_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
)

// queryTracer is a tracer that calls a function after each query that contains a text, with
// white space as single spaces. The function does what a faster server might do between the
// read and the append.
type queryTracer struct {
	text  string
	after func()
}

type matchKey struct{}

func (m queryTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn,
	data pgx.TraceQueryStartData,
) context.Context {
	sql := strings.Join(strings.Fields(data.SQL), " ")
	return context.WithValue(ctx, matchKey{}, strings.Contains(sql, m.text))
}

func (m queryTracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if matches, ok := ctx.Value(matchKey{}).(bool); ok && matches {
		m.after()
	}
}

// traced is a pool that calls after when a query with the text has ended, before the caller
// gets its result.
func (w *world) traced(t *testing.T, text string, after func()) *pgxpool.Pool {
	t.Helper()
	config, err := postgres.ParseURL(w.db.ServiceURL())
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.Tracer = queryTracer{text, after}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

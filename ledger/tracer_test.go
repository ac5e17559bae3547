package ledger_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
)

// queryTracer is a tracer that does something after each query with a certain text:
// what a faster server might do between the reading and the append.
type queryTracer struct {
	text  string
	after func()
}

type meant struct{}

func (m queryTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn,
	data pgx.TraceQueryStartData,
) context.Context {
	return context.WithValue(ctx, meant{}, strings.Contains(data.SQL, m.text))
}

func (m queryTracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if is, ok := ctx.Value(meant{}).(bool); ok && is {
		m.after()
	}
}

// traced is a pool on which something happens after each query with that text,
// before its reader goes on.
func (w *town) traced(t *testing.T, text string, after func()) *pgxpool.Pool {
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

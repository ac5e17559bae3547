package projections

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// The names of the read models.
const (
	nameIntents  = "intents"
	nameTurnover = "turnover"
	namePayments = "payments"
)

// Projection is a read model as operators see it.
type Projection struct {
	Name string
	// Group is which group of the feed keeps it; empty: it is written with the
	// events.
	Group string
	// Version is that of the schema which this program makes. A rebuild switches
	// tables of an older one to it.
	Version int
	// Verify compares it with the events, in one snapshot. It needs SELECT only.
	Verify func(ctx context.Context, pool *pgxpool.Pool, progress Progress) (Report, error)

	shape shape
}

// All are the read models there are.
func All() []Projection {
	return []Projection{
		intentsShape.projection(Verify),
		following(turnoverShape, func() model { return &turnoverModel{replayed: sums{}} }),
		following(paymentsShape, func() model { return paymentsModel{} }),
	}
}

type verification func(ctx context.Context, pool *pgxpool.Pool, progress Progress) (Report, error)

func (s shape) projection(verify verification) Projection {
	return Projection{Name: s.name, Group: s.group, Version: s.version, Verify: verify, shape: s}
}

// following is a read model of the turnover group.
func following(s shape, begin func() model) Projection {
	return s.projection(func(ctx context.Context, pool *pgxpool.Pool, progress Progress) (Report, error) {
		return verifyModel(ctx, pool, s.name, begin(), progress)
	})
}

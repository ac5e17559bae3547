package refunds_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/payments/acquirer"
	"daftar/payments/decisions"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/projections/rebuild"
)

// killed is the panic that ends a call of a server that crashes.
type killed struct{}

// crashEnv has a server that crashes where the test says so, and the group that follows its log.
type crashEnv struct {
	*env
	operations *refunds.Operations
	worker     *refunds.Worker
	owner      *pgxpool.Pool
	decisions  *decisions.Decisions
	position   int64 // of the group
	random     *rand.Rand
	gave       map[domain.RefundID]string // the acquirer's books
	byBank     bool                       // a person decided that the money went back in another way
	asking     domain.RefundID
	crashAt    string             // a place in give, or before or after a statement
	stop       context.CancelFunc // of the request by hand that crashes
	seen       map[string]int
}

func newCrashEnv(t *testing.T) *crashEnv {
	t.Helper()
	d := &crashEnv{env: newEnv(t), gave: map[domain.RefundID]string{}, seen: map[string]int{}}
	config, err := postgres.ParseURL(d.db.ServiceURL())
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.Tracer = d
	config.ConnConfig.RuntimeParams["role"] = postgres.ServiceRole
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	key, err := accounts.ParseSecretKey(strings.Repeat("5a", 32))
	if err != nil {
		t.Fatal(err)
	}
	d.owner, d.decisions = d.db.OwnerPool(t), decisions.New(d.pool)
	can := func(string, string) bool { return true }
	d.operations = refunds.NewOperations(pool, d.ledger,
		accounts.New(pool, accounts.Options{SecretKey: key}), can)
	d.worker = refunds.NewWorker(d.operations, d.give, zerolog.Nop(), nil)
	return d
}

// writesState reports whether a statement writes the state of a refund.
func writesState(sql string) bool {
	return strings.Contains(strings.Join(strings.Fields(sql), " "), "UPDATE refunds SET state = $2")
}

func (d *crashEnv) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData,
) context.Context {
	d.crash("before the row", writesState(q.SQL))
	return context.WithValue(ctx, killed{}, q.SQL)
}

func (d *crashEnv) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	sql, _ := ctx.Value(killed{}).(string)
	d.crash("after the row", writesState(sql))
	if d.crashAt == "before the ledger" && sql == "commit" {
		d.crashAt = ""
		d.seen["killed before the ledger"]++
		d.stop()
	}
}

// crash ends the server if it is to crash at this place.
func (d *crashEnv) crash(place string, here bool) {
	if here && d.crashAt == place {
		d.crashAt = ""
		d.seen["killed "+place]++
		panic(killed{})
	}
}

// give is the acquirer: a refund is in its books, also where the answer is lost.
func (d *crashEnv) give(
	_ context.Context, _ domain.Intent, _ domain.AttemptID, amount domain.Money,
) (acquirer.Refunded, error) {
	d.crash("before it is asked", true)
	id := d.asking
	if _, twice := d.gave[id]; twice {
		d.t.Errorf("refund %s was asked for twice", id)
	}
	d.gave[id] = "BACK-" + id.String()
	d.crash("after its answer", true)
	if d.random.IntN(8) == 0 {
		return acquirer.Refunded{}, acquirer.ErrUndecided
	}
	return acquirer.Refunded{Money: amount, ProviderReference: d.gave[id]}, nil
}

// feed delivers that many events to the group, all where there are a thousand; its server may
// crash before the commit.
func (d *crashEnv) feed(most int, crashes bool) {
	d.t.Helper()
	for {
		events, err := eventstore.NewReader(d.pool).ReadRange(d.t.Context(), d.position, math.MaxInt64, most)
		if err != nil {
			d.t.Fatal(err)
		}
		if len(events) == 0 {
			return
		}
		d.deliver(events, crashes)
		if most < 1000 {
			return
		}
	}
}

func (d *crashEnv) deliver(events []eventstore.Recorded, crashes bool) {
	d.t.Helper()
	tx, err := d.pool.Begin(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.Background()) }()
	if err := projections.DashboardGroup().Handle(d.t.Context(), tx, events); err != nil {
		d.t.Fatal(err)
	}
	last := events[len(events)-1].Position
	const sql = `
		INSERT INTO consumer_offsets AS o (consumer_group, position, updated_at)
		VALUES ($1, $2, now())
		ON CONFLICT (consumer_group) DO UPDATE
		SET position = excluded.position`
	if _, err := tx.Exec(d.t.Context(), sql, projections.DashboardGroupName, last); err != nil {
		d.t.Fatal(err)
	}
	if crashes {
		d.seen["group killed"]++
		return
	}
	if err := tx.Commit(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	d.position = last
}

// rebuild replaces the read model by one made from the events.
func (d *crashEnv) rebuild() {
	d.t.Helper()
	if d.position == 0 {
		return
	}
	d.seen["rebuilt"]++
	models := projections.Models()
	m := models[slices.IndexFunc(models, func(m projections.Model) bool { return m.Name == "payments" })]
	if report, err := rebuild.Replace(d.t.Context(), d.owner, m, rebuild.Options{}); err != nil || !report.OK {
		d.t.Errorf("rebuild: %+v, %v", report, err)
	}
	if _, err := rebuild.Clean(d.t.Context(), d.owner, 0, false); err != nil {
		d.t.Error(err)
	}
}

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

// killed is what the end of a server looks like to the one who called it.
type killed struct{}

// mortal is a house whose server dies where the test says so, and the group that follows its log.
type mortal struct {
	*house
	desk      *refunds.Desk
	worker    *refunds.Worker
	owner     *pgxpool.Pool
	decisions *decisions.Decisions
	position  int64 // of the group
	random    *rand.Rand
	gave      map[domain.RefundID]string // the acquirer's book
	byBank    bool                       // a person decided that the money went back in another way
	asking    domain.RefundID
	dies      string             // where: in ask, or at a statement's beginning or end
	stop      context.CancelFunc // of the request by hand that dies
	seen      map[string]int
}

func newMortal(t *testing.T) *mortal {
	t.Helper()
	d := &mortal{house: newHouse(t), gave: map[domain.RefundID]string{}, seen: map[string]int{}}
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
	d.desk = refunds.NewDesk(pool, d.ledger, accounts.New(pool, accounts.Options{SecretKey: key}), can)
	d.worker = refunds.NewWorker(d.desk, d.give, zerolog.Nop(), nil)
	return d
}

func (d *mortal) TraceQueryStart(ctx context.Context, _ *pgx.Conn,
	q pgx.TraceQueryStartData,
) context.Context {
	writes := strings.HasPrefix(q.SQL, "UPDATE refunds SET state = $2")
	d.dieAt("before the row", writes)
	return context.WithValue(ctx, killed{}, q.SQL)
}

func (d *mortal) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	said, _ := ctx.Value(killed{}).(string)
	d.dieAt("behind the row", strings.HasPrefix(said, "UPDATE refunds SET state = $2"))
	if d.dies == "before the ledger" && said == "commit" {
		d.dies = ""
		d.seen["killed before the ledger"]++
		d.stop()
	}
}

// dieAt ends the server at a place.
func (d *mortal) dieAt(place string, here bool) {
	if here && d.dies == place {
		d.dies = ""
		d.seen["killed "+place]++
		panic(killed{})
	}
}

// give is the acquirer: what it gives back stands in its book, also where the answer is lost.
func (d *mortal) give(_ context.Context, _ domain.Intent, _ domain.AttemptID,
	amount domain.Money,
) (acquirer.Refunded, error) {
	d.dieAt("before it is asked", true)
	id := d.asking
	if _, twice := d.gave[id]; twice {
		d.t.Errorf("refund %s was asked for twice", id)
	}
	d.gave[id] = "BACK-" + id.String()
	d.dieAt("behind its answer", true)
	if d.random.IntN(8) == 0 {
		return acquirer.Refunded{}, acquirer.ErrUndecided
	}
	return acquirer.Refunded{Money: amount, ProviderReference: d.gave[id]}, nil
}

// feed hands the group so many events, and its server may die before the commit.
func (d *mortal) feed(most int, dies bool) {
	d.t.Helper()
	for {
		events, err := eventstore.NewReader(d.pool).ReadRange(d.t.Context(), d.position, math.MaxInt64, most)
		if err != nil {
			d.t.Fatal(err)
		}
		if len(events) == 0 {
			return
		}
		d.deliver(events, dies)
		if most < 1000 {
			return
		}
	}
}

func (d *mortal) deliver(events []eventstore.Recorded, dies bool) {
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
	if _, err := tx.Exec(d.t.Context(), `
		INSERT INTO consumer_offsets AS o (consumer_group, position, updated_at)
		VALUES ($1, $2, now())
		ON CONFLICT (consumer_group) DO UPDATE SET position = excluded.position`, projections.DashboardGroupName, last); err != nil {
		d.t.Fatal(err)
	}
	if dies {
		d.seen["group killed"]++
		return
	}
	if err := tx.Commit(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	d.position = last
}

// rebuild makes the read model again: it differs from the events in nothing.
func (d *mortal) rebuild() {
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

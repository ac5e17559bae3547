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
	refuses    bool                       // every refund
	byBank     bool                       // a person decided that the money went back in another way
	crashAt    string                     // a place in give, or before or after a statement
	stop       context.CancelFunc         // of the request by hand that crashes
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
	d.worker = refunds.NewWorker(d.operations, d.give, nil, zerolog.Nop(), nil)
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
	ctx context.Context, _ domain.Intent, of domain.AttemptID, amount domain.Money,
) (acquirer.Refunded, error) {
	d.crash("before it is asked", true)
	var id domain.RefundID // the one that was claimed last
	const sql = `
		SELECT uuid
		FROM refunds
		WHERE attempt = $1
		  AND state = 'asking'
		ORDER BY busy_until DESC
		LIMIT 1`
	if err := d.owner.QueryRow(ctx, sql, of).Scan((*[16]byte)(&id)); err != nil {
		d.t.Error(err)
	}
	if d.refuses || d.random.IntN(6) == 0 {
		return acquirer.Refunded{}, acquirer.ErrRefused
	}
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

// checkFailures compares the failed refunds of the ledger with the rows: each is there once.
func (d *crashEnv) checkFailures(i domain.Intent, of domain.AttemptID) {
	d.t.Helper()
	all, err := d.Of(d.t.Context(), d.org, i.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	failed := map[domain.RefundID]bool{}
	for _, r := range all {
		if r.State == refunds.Failed && r.ByAcquirer && r.Attempt == of {
			failed[r.ID] = true
			d.seen["failed: "+r.FailureReason()]++
		}
	}
	for _, f := range i.FailedRefunds {
		if !failed[f.ID] {
			d.t.Errorf("the ledger has the failure of %s twice, or of a refund that has not failed", f.ID)
		}
		delete(failed, f.ID)
	}
	for id := range failed {
		d.t.Errorf("refund %s has failed, and the ledger does not say so", id)
	}
}

// A server crashes after it has written that a refund failed, and before it has told the ledger: the
// next one does.
func TestACrashBeforeAFailureIsRecorded(t *testing.T) {
	t.Parallel()
	d := newCrashEnv(t)
	d.refuses = true
	r := d.requestRefund()
	d.crashAt = "after the row"
	d.step()
	if d.seen["killed after the row"] != 1 || len(d.load(r.Intent).FailedRefunds) != 0 {
		t.Fatalf("%v, the ledger has %+v", d.seen, d.load(r.Intent).FailedRefunds)
	}
	d.wantState(r.ID, refunds.Failed, refunds.Refused)
	d.lapseLeases(r.Attempt)
	d.step()
	if n := len(d.load(r.Intent).FailedRefunds); n != 1 {
		t.Errorf("recorded %d times", n)
	}
}

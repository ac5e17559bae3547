package projections_test

import (
	"context"
	"fmt"
	neturl "net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/domain"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
	"daftar/ledger"
	"daftar/projections"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// book is a ledger on the test's own database, with one application.
type book struct {
	*ledger.Ledger
	db        *pgtest.DB
	intents   *projections.Intents
	app       domain.ApplicationID
	namespace domain.Namespace
	serial    atomic.Int64
}

// open starts a book and verifies the read model when the test ends, unless the
// test has changed it.
func open(t testing.TB, changed bool) *book {
	t.Helper()
	db := pgtest.Database(t)
	store := eventstore.New(db.Pool(t), db.Pool(t), eventstore.Options{Inline: projections.Inline()})
	b := &book{
		db: db, intents: projections.NewIntents(db.Pool(t)),
		app: domain.ApplicationID(uuid.New()), namespace: domain.Namespace(uuid.New()),
	}
	b.Ledger = ledger.New(store, b.intents)
	t.Cleanup(func() {
		b.intents.Close()
		if err := store.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
		if !changed {
			b.checkVerified(t)
		}
	})
	return b
}

func quiet(_, _ int64) {}

// checkVerified compares the table with the events.
func (b *book) checkVerified(t testing.TB) {
	t.Helper()
	// The test's own context has ended where this is its last step.
	pool, err := pgxpool.New(context.Background(), b.db.ServiceURL())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	report, err := model(t, "intents").Verify(context.Background(), pool, quiet)
	if err != nil || !report.OK || len(report.Drift) != 0 {
		t.Errorf("verify: %+v, %v", report, err)
	}
}

// plain is a command that creates an ordinary intent, a new one each time.
func (b *book) plain() domain.Create {
	return domain.Create{Terms: domain.Terms{
		Application: b.app, MerchantReference: domain.MerchantReference(fmt.Sprintf("order-%d", b.serial.Add(1))),
		Amount: domain.Money{Minor: 5000, Currency: domain.LYD}, Description: "قهوة",
	}}
}

func (b *book) create(t testing.TB, c domain.Create) projections.Intent {
	t.Helper()
	i, created, err := b.Create(t.Context(), c, b.namespace, ledger.Origin{Actor: "application:test"})
	if err != nil || !created {
		t.Fatalf("create %s: created %v, %v", c.MerchantReference, created, err)
	}
	return i
}

func (b *book) execute(t *testing.T, id domain.IntentID, c domain.Command) {
	t.Helper()
	if _, err := b.Execute(t.Context(), id, c, ledger.Origin{Actor: "payer"}); err != nil {
		t.Fatalf("execute %T: %v", c, err)
	}
}

func (b *book) find(t *testing.T, id domain.IntentID) projections.Found {
	t.Helper()
	found, err := b.intents.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// write creates intents and executes an attempt of each until stop is closed, and returns how many
// it has created.
func (b *book) write(t *testing.T, stop <-chan struct{}, created *atomic.Int64) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		i, _, err := b.Create(t.Context(), b.plain(), b.namespace, ledger.Origin{Actor: "application:test"})
		if err != nil {
			t.Errorf("concurrent create: %v", err)
			return
		}
		created.Add(1)
		attempt := domain.AttemptID(uuid.NewString())
		for _, c := range []domain.Command{
			domain.StartAttempt{Attempt: attempt, Acquirer: "sandbox", Method: "wallet"},
			domain.RecordPayment{Attempt: attempt, Amount: i.Amount, ProviderReference: "p"},
		} {
			if _, err := b.Execute(t.Context(), i.ID, c, ledger.Origin{Actor: "payer"}); err != nil {
				t.Errorf("concurrent %T: %v", c, err)
				return
			}
		}
	}
}

func (b *book) superuser(t *testing.T) *pgxpool.Pool {
	t.Helper()
	return pgtest.Open(t, b.db.SuperuserURL(), postgres.Options{})
}

func exec(t testing.TB, q interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}, sql string, args ...any,
) {
	t.Helper()
	if _, err := q.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func value[T any](t *testing.T, pool *pgxpool.Pool, sql string, args ...any) T {
	t.Helper()
	rows, err := pool.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	v, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// login makes a login role that is a member of another and returns a pool for it. Roles belong to
// the whole server, so its name contains the database's.
func (b *book) login(t *testing.T, of string) *pgxpool.Pool {
	t.Helper()
	u, err := neturl.Parse(b.db.SuperuserURL())
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	name := "login_" + b.db.Name()
	b.role(t, name, fmt.Sprintf(`LOGIN PASSWORD '%s' IN ROLE %s`, strings.ReplaceAll(password, "'", "''"), of))
	u.User = neturl.UserPassword(name, password)
	return pgtest.Open(t, u.String(), postgres.Options{})
}

// role makes a role, whose name must be unique to the test since it belongs to the whole server,
// and drops it with its rights when the test ends. It returns the quoted name.
func (b *book) role(t *testing.T, name, options string) string {
	t.Helper()
	quoted := pgx.Identifier{name}.Sanitize()
	exec(t, b.superuser(t), `CREATE ROLE `+quoted+` `+options)
	t.Cleanup(func() {
		ctx := context.Background() // the test's own has ended
		conn, err := pgx.Connect(ctx, b.db.SuperuserURL())
		if err != nil {
			t.Errorf("drop role: %v", err)
			return
		}
		defer conn.Close(ctx)
		if _, err := conn.Exec(ctx, `DROP OWNED BY `+quoted+`; DROP ROLE `+quoted); err != nil {
			t.Errorf("drop role: %v", err)
		}
	})
	return quoted
}

// inThisDatabase restricts pg_locks, which lists the locks of the whole server.
// Tables have the same oid in every clone of the template.
const inThisDatabase = `database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// awaitCutOff waits until a rebuild that was cut off has released its lock: the server may take a
// moment to notice that the connection is gone, and until then another rebuild is refused.
func awaitCutOff(t *testing.T, owner *pgxpool.Pool) {
	t.Helper()
	pgtest.WaitFor(t, "the rebuild that was cut off to release its lock", func() bool {
		return !value[bool](t, owner,
			`SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND `+inThisDatabase+`)`)
	})
}

// watch sees each query of a pool before it is sent.
type watch func(ctx context.Context, sql string)

func (w watch) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	w(ctx, data.SQL)
	return ctx
}

func (watch) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// watched is a pool whose queries the test watches.
func watched(t *testing.T, url string, w watch) *pgxpool.Pool {
	t.Helper()
	config, err := postgres.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns, config.ConnConfig.Tracer = 4, w
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// live is the tenant of an organisation's live applications.
func live(organization uuid.UUID) domain.Tenant {
	return domain.Tenant{Organization: organization, Mode: domain.ModeLive}
}

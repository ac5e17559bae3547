package pgtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/internal/postgres/pgtest"
)

// world has one client that connects through a proxy, and one that reads what is stored.
type world struct {
	proxy  *pgtest.ProxyServer
	conn   *pgx.Conn
	direct *pgxpool.Pool
}

func newWorld(t *testing.T) world {
	t.Helper()
	db := pgtest.EmptyDatabase(t)
	w := world{proxy: pgtest.Proxy(t, db.URL()), direct: db.OwnerPool(t)}
	if _, err := w.direct.Exec(t.Context(), `CREATE TABLE notes (n int)`); err != nil {
		t.Fatal(err)
	}
	w.conn = w.connect(t)
	return w
}

func (w world) connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), w.proxy.URL())
	if err != nil {
		t.Fatalf("connect through the proxy: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func (w world) stored(t *testing.T) int {
	t.Helper()
	var n int
	if err := w.direct.QueryRow(t.Context(), `SELECT count(*) FROM notes`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func await(t *testing.T, happened <-chan struct{}) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(time.Minute):
		t.Fatal("the fault did not happen")
	}
}

// insertAndCommit runs one transaction with an explicit BEGIN and COMMIT.
func (w world) insertAndCommit(ctx context.Context) error {
	return pgx.BeginFunc(ctx, w.conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO notes VALUES (1)`)
		return err
	})
}

// insertBatch runs one implicit transaction, committed at its Sync.
func (w world) insertBatch(ctx context.Context) error {
	batch := &pgx.Batch{}
	batch.Queue(`INSERT INTO notes VALUES (1)`)
	return w.conn.SendBatch(ctx, batch).Close()
}

// The client gets the same error in all cases; only the database knows the difference.
func TestProxyLosesCommitOrItsReply(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		arm    func(*pgtest.ProxyServer) <-chan struct{}
		work   func(world, context.Context) error
		stored int
	}{
		"commit lost": {
			func(p *pgtest.ProxyServer) <-chan struct{} { return p.LoseRequest(pgtest.IsCommit) },
			world.insertAndCommit, 0,
		},
		"half of commit lost": {
			func(p *pgtest.ProxyServer) <-chan struct{} { return p.LoseHalf(pgtest.IsCommit) },
			world.insertAndCommit, 0,
		},
		"reply to commit lost": {
			func(p *pgtest.ProxyServer) <-chan struct{} { return p.LoseReply(pgtest.IsCommit) },
			world.insertAndCommit, 1,
		},
		"sync of a batch lost": {
			func(p *pgtest.ProxyServer) <-chan struct{} { return p.LoseRequest(pgtest.Nth(2, pgtest.IsSync)) },
			world.insertBatch, 0, // the first Sync belongs to the preparation of the statement
		},
		"reply to a batch lost": {
			func(p *pgtest.ProxyServer) <-chan struct{} { return p.LoseReply(pgtest.Nth(2, pgtest.IsSync)) },
			world.insertBatch, 1,
		},
		"cut after some bytes": {
			func(p *pgtest.ProxyServer) <-chan struct{} { return p.LoseAfter(20) },
			world.insertAndCommit, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			happened := c.arm(w.proxy)
			err := c.work(w, t.Context())
			await(t, happened)
			if kind := postgres.Classify(err); kind != postgres.Unavailable {
				t.Errorf("the client sees %v (%v), want a broken connection", kind, err)
			}
			if n := w.stored(t); n != c.stored {
				t.Errorf("%d rows stored, want %d", n, c.stored)
			}
			w.conn = w.connect(t) // a fault happens once
			if err := w.insertAndCommit(t.Context()); err != nil {
				t.Errorf("the connection after the fault: %v", err)
			}
		})
	}
}

func TestProxyLosesReplyToStatement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	happened := w.proxy.LoseReply(pgtest.Contains("INSERT INTO notes"))
	if err := w.insertBatch(t.Context()); postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("the client sees %v, want a broken connection", err)
	}
	await(t, happened)
}

func TestProxyCutsAndRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.proxy.Cut()
	if err := w.insertAndCommit(t.Context()); postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("on a cut connection: %v", err)
	}
	w.conn = w.connect(t) // new ones pass
	w.proxy.Refuse()
	if err := w.insertAndCommit(t.Context()); postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("on a connection from before Refuse: %v", err)
	}
	if _, err := pgx.Connect(t.Context(), w.proxy.URL()); postgres.Classify(err) != postgres.Unavailable {
		t.Errorf("a new connection under Refuse: %v", err)
	}
	w.proxy.Pass()
	w.conn = w.connect(t)
	if err := w.insertAndCommit(t.Context()); err != nil {
		t.Errorf("after Pass: %v", err)
	}
}

func TestProxyStallsUntilPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.proxy.Stall()
	done := make(chan error, 1)
	go func() { done <- w.insertAndCommit(t.Context()) }()
	pgtest.WaitFor(t, "the proxy to keep the request back", w.proxy.Held)
	select {
	case err := <-done:
		t.Fatalf("a stalled proxy answered: %v", err)
	default:
	}
	w.proxy.Pass()
	if err := <-done; err != nil {
		t.Errorf("after Pass: %v", err)
	}
	if n := w.stored(t); n != 1 {
		t.Errorf("%d rows stored, want 1", n)
	}
}

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/postgres"
	"daftar/migrations"
)

// The roles of every test database.
const (
	Owner   = "daftar_owner" // migrates and owns the tables; no superuser
	Service = "daftar_app"   // logs in with the rights of postgres.ServiceRole

	template   = "template_daftar"
	startLimit = time.Minute
	dropLimit  = 30 * time.Second
)

// server is the process's cluster.
type server struct {
	cluster *postgres.Cluster
	admin   *pgxpool.Pool // superuser, on a database that nobody clones
	serial  atomic.Int64
	drops   sync.WaitGroup
	slots   chan struct{} // bounds the DROPs that run beside the tests
	ending  chan struct{} // closed when what is left goes with the cluster
}

// running is set by Main before the first test begins and never changes then.
var running *server

// Suite is the tests of a package: *testing.M, or something around it.
type Suite interface{ Run() int }

// Main runs the tests of a package around one throw-away cluster and exits.
func Main(m Suite) {
	os.Exit(run(m))
}

func run(m Suite) int {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	sweep(os.TempDir())
	s, err := start(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		return 1
	}
	running = s
	code := m.Run()
	if err := s.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "pgtest:", err)
		return max(code, 1)
	}
	return code
}

func start(ctx context.Context) (*server, error) {
	cluster, err := startCluster(ctx, nil)
	if err != nil {
		return nil, err
	}
	s := &server{cluster: cluster, slots: make(chan struct{}, 1), ending: make(chan struct{})}
	if err := s.prepare(ctx); err != nil {
		cluster.Abort()
		return nil, errors.Join(err, cluster.Remove())
	}
	return s, nil
}

func startCluster(ctx context.Context, settings map[string]string) (*postgres.Cluster, error) {
	dir, err := os.MkdirTemp("", dirPrefix)
	if err != nil {
		return nil, fmt.Errorf("create cluster directory: %w", err)
	}
	all := map[string]string{
		"shared_buffers":   "64MB",
		"max_wal_size":     "512MB",
		"max_connections":  "300",   // several servers to a test, and many tests at a time
		"log_min_messages": "fatal", // refused statements are what tests provoke
	}
	maps.Copy(all, settings)
	cluster, err := postgres.StartCluster(ctx, postgres.ClusterConfig{Dir: dir, Settings: all})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return cluster, nil
}

// prepare makes the roles and the migrated template. The owner migrates with the
// rights an operator would give it, so that a migration that needs more fails here.
func (s *server) prepare(ctx context.Context) error {
	if err := s.cluster.EnsureRole(ctx, Owner, true); err != nil {
		return err
	}
	if err := s.cluster.EnsureDatabase(ctx, template, Owner); err != nil {
		return err
	}
	if _, err := migrations.Up(ctx, s.cluster.URL(template, Owner)); err != nil {
		return err
	}
	if err := s.cluster.EnsureRole(ctx, Service, false); err != nil {
		return err
	}
	admin, err := postgres.Open(ctx, s.cluster.URL("postgres", "postgres"), postgres.Options{MaxConns: 4})
	if err != nil {
		return err
	}
	s.admin = admin
	_, err = admin.Exec(ctx, grantService)
	if err != nil {
		return fmt.Errorf("grant service role: %w", err)
	}
	return nil
}

const grantService = `
DO $$ BEGIN
	IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '` + postgres.ServiceRole + `') THEN
		CREATE ROLE ` + postgres.ServiceRole + ` NOLOGIN;
	END IF;
	GRANT ` + postgres.ServiceRole + ` TO ` + Service + `;
END $$`

// stop aborts rather than shuts down: nothing of the data is wanted any more.
func (s *server) stop() error {
	close(s.ending)
	s.drops.Wait()
	s.admin.Close()
	s.cluster.Abort()
	return s.cluster.Remove()
}

// DB is a database that belongs to one test.
type DB struct {
	name string
	s    *server
}

// Database returns a migrated database, dropped when the test ends.
func Database(t testing.TB) *DB {
	t.Helper()
	return create(t, template)
}

// EmptyDatabase returns a database without any migration, dropped when the test ends.
func EmptyDatabase(t testing.TB) *DB {
	t.Helper()
	return create(t, "template1")
}

func create(t testing.TB, from string) *DB {
	t.Helper()
	s := running
	if s == nil {
		t.Fatal("pgtest: no cluster; give the package a TestMain that calls pgtest.Main")
	}
	db := &DB{name: fmt.Sprintf("t%d", s.serial.Add(1)), s: s}
	_, err := s.admin.Exec(t.Context(), "CREATE DATABASE "+db.name+" TEMPLATE "+from+" OWNER "+Owner)
	if err != nil {
		t.Fatalf("pgtest: create database: %v", err)
	}
	t.Cleanup(func() { s.drop(db.name) })
	return db
}

// drop does not keep the test waiting: a DROP ends with a checkpoint. What is
// left when the process ends goes with the cluster, so its error is no news.
func (s *server) drop(name string) {
	s.drops.Go(func() {
		select {
		case s.slots <- struct{}{}:
		case <-s.ending:
			return
		}
		defer func() { <-s.slots }()
		ctx, cancel := context.WithTimeout(context.Background(), dropLimit)
		defer cancel()
		_, _ = s.admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
	})
}

// URL connects as the owner of the schema, as `daftar migrate` does.
func (db *DB) URL() string { return db.s.cluster.URL(db.name, Owner) }

// ServiceURL connects with the rights of the service role: what the code under
// test uses.
func (db *DB) ServiceURL() string { return db.s.cluster.URL(db.name, Service) }

// SuperuserURL connects as the superuser, to tamper with what nobody else can.
func (db *DB) SuperuserURL() string { return db.s.cluster.URL(db.name, "postgres") }

// Name returns the database's name.
func (db *DB) Name() string { return db.name }

// Pool returns a pool on ServiceURL, closed when the test ends.
func (db *DB) Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return Open(t, db.ServiceURL(), postgres.Options{SetServiceRole: true})
}

// OwnerPool returns a pool on URL, closed when the test ends.
func (db *DB) OwnerPool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return Open(t, db.URL(), postgres.Options{})
}

// Open returns a pool like postgres.Open, closed when the test ends; a pool
// without MaxConns gets four connections.
func Open(t testing.TB, url string, o postgres.Options) *pgxpool.Pool {
	t.Helper()
	if o.MaxConns == 0 {
		o.MaxConns = 4 // many tests share the server's max_connections
	}
	pool, err := postgres.Open(t.Context(), url, o)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// Cluster is a server that belongs to one test.
type Cluster struct {
	*postgres.Cluster
}

// NewCluster starts a server with the roles of production, for tests that kill
// it or change its settings; it is removed when the test ends. Starting one
// takes a second or two: a test that does not break the server uses Database.
func NewCluster(t testing.TB, settings map[string]string) *Cluster {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	cluster, err := startCluster(ctx, settings)
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		cluster.Abort()
		if err := cluster.Remove(); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	if err := cluster.EnsureRole(ctx, Owner, true); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	if err := cluster.EnsureRole(ctx, Service, false); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return &Cluster{cluster}
}

// Database makes a migrated database on the cluster and returns the URLs of its
// owner and of the service user. They hold over Kill and Start.
func (c *Cluster) Database(t testing.TB, name string) (ownerURL, serviceURL string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startLimit)
	defer cancel()
	if err := c.EnsureDatabase(ctx, name, Owner); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	if _, err := migrations.Up(ctx, c.URL(name, Owner)); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	conn, err := pgx.Connect(ctx, c.URL("postgres", "postgres"))
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, grantService); err != nil {
		t.Fatalf("pgtest: grant service role: %v", err)
	}
	return c.URL(name, Owner), c.URL(name, Service)
}

// redirect returns url with another host:port.
func redirect(t testing.TB, url, from, to string) string {
	t.Helper()
	if strings.Count(url, "@"+from+"/") != 1 {
		t.Fatal("pgtest: the proxy's target is not a URL of a test database")
	}
	return strings.Replace(url, "@"+from+"/", "@"+to+"/", 1)
}

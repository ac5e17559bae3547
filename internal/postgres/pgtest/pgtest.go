package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
)

// The roles of every test database.
const (
	Owner   = "daftar_owner" // migrates and owns the tables; no superuser
	Service = "daftar_app"   // logs in with the rights of postgres.ServiceRole

	// Variable is the environment variable with the address of a cluster that the
	// test processes of one run share, as Start leaves it.
	Variable = "DAFTAR_TEST_CLUSTER"
	// BinVariable is the environment variable with the directory of the PostgreSQL that is
	// tested against; empty: the installed one.
	BinVariable = "DAFTAR_TEST_POSTGRES_BIN"

	superuser  = "postgres"
	template   = "template_daftar"
	startLimit = time.Minute
	dropLimit  = time.Minute
)

// server is the cluster that the tests of this process use.
type server struct {
	address string             // of the database postgres, as the superuser
	own     *pgcluster.Cluster // nil if the cluster is shared with other processes
	admin   *pgxpool.Pool      // superuser, on a database that is not cloned
	prefix  string             // of this process's databases
	serial  atomic.Int64
	drops   sync.WaitGroup
	oneDrop sync.Mutex  // one DROP at a time runs next to the tests
	ending  atomic.Bool // the remaining databases are removed with the cluster
}

// running is set by Main before the first test begins, and does not change after that.
var running *server

// Suite is the tests of a package: *testing.M, or something around it.
type Suite interface{ Run() int }

// Main runs the tests of a package around a cluster and exits.
func Main(m Suite) {
	os.Exit(run(m))
}

func run(m Suite) int {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	s, err := open(ctx, os.Getenv(Variable))
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

// open uses the cluster at an address, or starts one where that is empty.
func open(ctx context.Context, address string) (*server, error) {
	s := &server{address: address, prefix: "t_" + strings.ToLower(rand.Text()[:8]) + "_"}
	if s.address == "" {
		cluster, err := Start(ctx)
		if err != nil {
			return nil, err
		}
		s.own, s.address = cluster, cluster.URL("postgres", superuser)
	}
	admin, err := postgres.Open(ctx, s.address, postgres.Options{MaxConns: 4})
	if err != nil {
		return nil, errors.Join(err, s.remove())
	}
	s.admin = admin
	return s, nil
}

// stop aborts the process's own cluster rather than shutting it down: its data are not
// needed any more. In a shared cluster the databases are dropped.
func (s *server) stop() error {
	s.ending.Store(s.own != nil)
	s.drops.Wait()
	s.admin.Close()
	return s.remove()
}

func (s *server) remove() error {
	if s.own == nil {
		return nil
	}
	return remove(s.own)
}

// connectSeconds is how long a connection may take on a machine that runs six suites at
// a time. The product's five seconds are too short for that.
const connectSeconds = "60"

// url is the address of a database for a role; all share the superuser's password.
func (s *server) url(database, role string) string {
	u, err := url.Parse(s.address)
	if err != nil {
		panic(err) // the pool was opened with it
	}
	password, _ := u.User.Password()
	u.User, u.Path = url.UserPassword(role, password), "/"+database
	query := u.Query()
	query.Set("connect_timeout", connectSeconds)
	u.RawQuery = query.Encode()
	return u.String()
}

// DB is a database that belongs to one test.
type DB struct {
	name string
	s    *server
}

// Database returns a migrated database, dropped when the test ends.
func Database(t testing.TB) *DB {
	t.Helper()
	return current(t).create(t, template)
}

// EmptyDatabase returns a database without any migration, dropped when the test ends.
func EmptyDatabase(t testing.TB) *DB {
	t.Helper()
	return current(t).create(t, "template1")
}

func current(t testing.TB) *server {
	t.Helper()
	if running == nil {
		t.Fatal("pgtest: no cluster; give the package a TestMain that calls pgtest.Main")
	}
	return running
}

func (s *server) create(t testing.TB, from string) *DB {
	t.Helper()
	db := &DB{name: s.prefix + strconv.FormatInt(s.serial.Add(1), 10), s: s}
	_, err := s.admin.Exec(t.Context(),
		"CREATE DATABASE "+db.name+" TEMPLATE "+from+" STRATEGY FILE_COPY OWNER "+Owner)
	if err != nil {
		t.Fatalf("pgtest: create database: %v", err)
	}
	t.Cleanup(func() { s.drop(db.name) })
	return db
}

// drop does not keep the test waiting, because a DROP ends with a checkpoint. Its error
// is ignored: what is left when the process ends is removed with the cluster.
func (s *server) drop(name string) {
	s.drops.Go(func() {
		s.oneDrop.Lock()
		defer s.oneDrop.Unlock()
		if s.ending.Load() {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), dropLimit)
		defer cancel()
		_, _ = s.admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
	})
}

// URL connects as the owner of the schema, as `daftar migrate` does.
func (db *DB) URL() string { return db.s.url(db.name, Owner) }

// ServiceURL connects with the rights of the service role: what the code under
// test uses.
func (db *DB) ServiceURL() string { return db.s.url(db.name, Service) }

// SuperuserURL connects as the superuser, to tamper with what no other role can change.
func (db *DB) SuperuserURL() string { return db.s.url(db.name, superuser) }

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

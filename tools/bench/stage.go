package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/pgcluster"
	"daftar/tools/bench/figures"
)

// stage is what the measurements run on: a private PostgreSQL with the settings that
// docs/deploy.md advises, and the server as a process.
type stage struct {
	options
	*site
	dir       string
	bin       string               // of PostgreSQL's programs
	clusters  []*pgcluster.Cluster // all that run; a primary comes before its standby
	pools     []*pgxpool.Pool      // of all sites
	pair      *site                // nil until a measurement needs it
	bare      *process
	key       string  // DAFTAR_SECRET_KEY
	run       string  // the start of this run's merchant references
	createdBy int     // how often newReferences was called
	fastest   float64 // creates a second, as last measured; 0: not yet
	made      int     // number of databases so far that enterOnce made
	feedReady bool
	treeReady bool
	weight    string             // of the pay page, in words
	relations []figures.Relation // where the bytes of a paid intent are
	tenant    *tenant
	sink      *sink
	window    window
}

const (
	owner    = "daftar_owner"
	user     = "daftar_app"
	database = "daftar"
)

// settings are what docs/deploy.md advises, for the service and for pgbench alike; the
// rest are PostgreSQL's defaults. Checkpoints are rare, because after one the first change
// of each page logs the whole page, and the keys of intents are all over the indexes. The
// log is large, because a new segment, made where no old one can be reused, delays all
// commits by 50 ms. The connections suffice for four servers and pgbench. A quarter of the
// memory is for buffers; 128 MB where it is unknown.
var settings = map[string]string{
	"shared_buffers": fmt.Sprintf("%dMB", max(memoryMB()/4, 128)), "max_connections": "200",
	"checkpoint_timeout": "30min", "max_wal_size": "8GB", "min_wal_size": "1GB", "wal_compression": "lz4",
}

func prepare(ctx context.Context, o options) (s *stage, err error) {
	s = &stage{options: o, run: randomHex(4), key: randomHex(32)}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.bin, err = pgcluster.FindBinaries(); err != nil {
		return s, err
	}
	if s.dir, err = os.MkdirTemp("", "daftar-bench"); err != nil {
		return s, fmt.Errorf("make directory: %w", err)
	}
	fmt.Fprintln(os.Stderr, "preparing PostgreSQL and the server")
	cluster, err := s.startCluster(ctx, "postgres", settings)
	if err != nil {
		return s, err
	}
	if s.site, err = s.newSite(ctx, cluster, database, ""); err != nil {
		return s, err
	}
	if o.scaling || o.growth {
		return s, nil // they make their own databases
	}
	if err := s.startServer(ctx); err != nil {
		return s, err
	}
	err = s.fill(ctx)
	return s, err
}

func (s *stage) startCluster(
	ctx context.Context, name string, settings map[string]string,
) (*pgcluster.Cluster, error) {
	c, err := pgcluster.Start(ctx, pgcluster.Config{Dir: filepath.Join(s.dir, name), Settings: settings})
	if err != nil {
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	s.clusters = append(s.clusters, c)
	return c, errors.Join(c.EnsureRole(ctx, owner, true), c.EnsureRole(ctx, user, false))
}

// fill stores intents through the API before anything is measured, for reads to find, and
// as many rows for pgbench to read.
func (s *stage) fill(ctx context.Context) (err error) {
	fmt.Fprintf(os.Stderr, "storing %d intents\n", s.stored)
	if _, err := s.pool.Exec(ctx, fillReference, s.stored); err != nil {
		return fmt.Errorf("fill reference tables: %w", err)
	}
	for stored := 0; stored < s.stored; {
		l := s.load(ctx, nil)
		l.warm = 0
		r, err := l.overHTTP(ctx, s.addresses(), always(http.StatusCreated), s.newIntents())
		if err != nil {
			return err
		}
		stored += r.Operations
	}
	s.known, err = listIntents(ctx, s.pool, s.shop, s.stored)
	return err
}

// measure runs one measurement and adds its cost.
func (s *stage) measure(ctx context.Context, m measurement) (r figures.Result, err error) {
	if m.enter != nil {
		leave, failure := m.enter(ctx)
		if failure != nil {
			return r, failure
		}
		defer func() { err = errors.Join(err, leave(ctx)) }()
	}
	if err := s.ready(ctx, m); err != nil {
		return r, err
	}
	if m.change != nil {
		usual := s.options
		defer func() { s.options = usual }()
		m.change(&s.options)
	}
	s.window.foreign = m.foreign
	s.openWindow(ctx)
	r, err = m.run(ctx)
	s.closeWindow(ctx)
	cost := s.window.cost
	if m.own {
		cost.Server, cost.Client = cost.Client, 0
	}
	r.Cost = r.Cost.Plus(cost)
	return r, err
}

// ready runs the servers that a measurement needs, prepares it, and waits until nothing
// else is in progress.
func (s *stage) ready(ctx context.Context, m measurement) error {
	servers := max(1, m.servers)
	if m.fresh && m.foreign {
		servers = 0
	}
	if err := s.runServers(ctx, servers); err != nil {
		return err
	}
	if m.prepare != nil {
		if err := m.prepare(ctx); err != nil {
			return err
		}
	}
	if m.fresh {
		return nil
	}
	return s.quiet(ctx)
}

// littleWritten is the number of bytes of write-ahead log below which quiet settles nothing.
const littleWritten = 1 << 20

// quiet waits until the last measurement has no effect any more: the groups have caught up
// with the log, and the planner has statistics of the tables. It makes no checkpoint,
// because requests cost most in the seconds after one.
func (s *stage) quiet(ctx context.Context) error {
	if err := awaitGroups(ctx, s.pool); err != nil {
		return err
	}
	// Where little was written since, such as after reads, there is nothing to settle.
	const writtenSQL = `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::int8`
	var written int64
	if err := s.pool.QueryRow(ctx, writtenSQL, s.settledAt).Scan(&written); err != nil {
		return fmt.Errorf("settle database: %w", err)
	}
	if written < littleWritten {
		return nil
	}
	if err := vacuum(ctx, s.pool, slices.Concat(grownTables, referenceGrowth)...); err != nil {
		return err
	}
	return s.pool.QueryRow(ctx, `SELECT pg_current_wal_lsn()::text`).Scan(&s.settledAt)
}

func vacuum(ctx context.Context, pool *pgxpool.Pool, tables ...string) error {
	return execute(ctx, pool, "VACUUM ANALYZE "+strings.Join(tables, ", "))
}

// groupsLimit is how long the groups may take to catch up after a measurement.
const groupsLimit = 3 * time.Minute

// awaitGroups waits until every group of the log is at its end.
func awaitGroups(ctx context.Context, pool *pgxpool.Pool) error {
	const reachedSQL = `
SELECT coalesce((SELECT max(position) FROM events), 0)
    <= coalesce((SELECT min(position) FROM consumer_offsets), 0)`
	if err := until(ctx, groupsLimit, isTrue(ctx, pool, reachedSQL)); err != nil {
		return fmt.Errorf("wait for the groups: %w", err)
	}
	return nil
}

// isTrue is a condition for until: that a query answers true.
func isTrue(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) func() (bool, error) {
	return func() (reached bool, err error) {
		err = pool.QueryRow(ctx, sql, args...).Scan(&reached)
		return reached, err
	}
}

func (s *stage) close() {
	stop, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if s.site != nil {
		_ = s.runServers(stop, 0)
	}
	if s.bare != nil {
		s.bare.stop()
	}
	if s.sink != nil {
		s.sink.Close()
	}
	for _, pool := range s.pools {
		pool.Close()
	}
	for _, c := range s.clusters { // a primary first: its end is sent to the standby
		_ = c.Stop(stop)
		_ = c.Remove()
	}
	_ = os.RemoveAll(s.dir)
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

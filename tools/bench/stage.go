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
	site
	dir       string
	bin       string // of PostgreSQL's programs
	cluster   *pgcluster.Cluster
	pair      *pair // nil until a measurement needs it
	bare      *bareServer
	key       string  // DAFTAR_SECRET_KEY
	run       string  // the start of this run's merchant references
	createdBy int     // how often newReferences was called
	fastest   float64 // creates a second, as last measured; 0: not yet
	freshMade int     // number of fresh databases so far
	feedReady bool
	treeReady bool
	weight    string             // of the pay page, in words
	relations []figures.Relation // where the bytes of a paid intent are
	tenant    *tenant
	settledAt string // the position in the write-ahead log when the database was last settled
	sink      *sink
	window    window
}

// knownIntent is one that reads and repeated creates use.
type knownIntent struct{ id, merchantReference string }

const (
	owner    = "daftar_owner"
	user     = "daftar_app"
	database = "daftar"
)

// settings are what docs/deploy.md advises, for the service and for pgbench alike; the
// rest are PostgreSQL's defaults. Checkpoints are rare, because after one the first change
// of each page logs the whole page, and the keys of intents are all over the indexes. The
// log is large, because a new segment, made where no old one can be reused, delays all
// commits by 50 ms. The connections suffice for four servers and pgbench.
var settings = map[string]string{
	"shared_buffers": quarterOfMemory(), "max_connections": "200", "checkpoint_timeout": "30min",
	"max_wal_size": "8GB", "min_wal_size": "1GB", "wal_compression": "lz4",
}

// quarterOfMemory is in megabytes; 128 where the memory is unknown.
func quarterOfMemory() string {
	return fmt.Sprintf("%dMB", max(memoryMB()/4, 128))
}

func prepare(ctx context.Context, o options) (s *stage, err error) {
	s = &stage{options: o, run: randomHex(4), key: randomHex(32), settledAt: nothingSettled}
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
	config := pgcluster.Config{Dir: filepath.Join(s.dir, "postgres"), Settings: settings}
	if s.cluster, err = pgcluster.Start(ctx, config); err != nil {
		return s, fmt.Errorf("start PostgreSQL: %w", err)
	}
	err = errors.Join(s.cluster.EnsureRole(ctx, owner, true), s.cluster.EnsureRole(ctx, user, false))
	if err != nil {
		return s, fmt.Errorf("prepare database: %w", err)
	}
	if s.site, err = s.newSite(ctx, database, ""); err != nil {
		return s, err
	}
	if o.scaling {
		return s, nil // it makes its own databases
	}
	if err := s.startServer(ctx); err != nil {
		return s, err
	}
	err = s.fill(ctx)
	return s, err
}

// fill stores intents through the API before anything is measured, for reads to find, and
// as many rows for pgbench to read.
func (s *stage) fill(ctx context.Context) error {
	fmt.Fprintf(os.Stderr, "storing %d intents\n", s.stored)
	if _, err := s.pool.Exec(ctx, fillReference, s.stored); err != nil {
		return fmt.Errorf("fill reference tables: %w", err)
	}
	for stored := 0; stored < s.stored; {
		l := s.load(http.StatusCreated, s.newIntents())
		l.warm = 0
		r, err := drive(ctx, l)
		if err != nil {
			return err
		}
		stored += r.Operations
	}
	var err error
	s.known, err = listIntents(ctx, s.pool, s.shop, s.stored)
	return err
}

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
	if err := settle(ctx, s.pool, slices.Concat(grownTables, referenceGrowth)...); err != nil {
		return err
	}
	if err := s.pool.QueryRow(ctx, `SELECT pg_current_wal_lsn()::text`).Scan(&s.settledAt); err != nil {
		return fmt.Errorf("settle database: %w", err)
	}
	return nil
}

// nothingSettled is where the write-ahead log of a server begins.
const nothingSettled = "0/0"

// littleWritten is the number of bytes of write-ahead log below which quiet settles nothing.
const littleWritten = 1 << 20

func settle(ctx context.Context, pool *pgxpool.Pool, tables ...string) error {
	if _, err := pool.Exec(ctx, "VACUUM ANALYZE "+strings.Join(tables, ", ")); err != nil {
		return fmt.Errorf("settle database: %w", err)
	}
	return nil
}

// groupsLimit is how long the groups may take to catch up after a measurement.
const groupsLimit = 3 * time.Minute

// awaitGroups waits until every group of the log is at its end.
func awaitGroups(ctx context.Context, pool *pgxpool.Pool) error {
	const behindSQL = `
SELECT coalesce((SELECT max(position) FROM events), 0)
     > coalesce((SELECT min(position) FROM consumer_offsets), 0)`
	if err := until(ctx, groupsLimit, func() (bool, error) {
		var behind bool
		err := pool.QueryRow(ctx, behindSQL).Scan(&behind)
		return !behind, err
	}); err != nil {
		return fmt.Errorf("wait for the groups: %w", err)
	}
	return nil
}

// until polls a condition until it is true, every 50 ms.
func until(ctx context.Context, limit time.Duration, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if reached, err := done(); err != nil || reached {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// measure runs one measurement and adds its cost.
func (s *stage) measure(ctx context.Context, m measurement, round int) (r figures.Result, err error) {
	if enter := s.entrance(m); enter != nil {
		leave, failure := enter(ctx)
		if failure != nil {
			return figures.Result{}, failure
		}
		defer func() { err = errors.Join(err, leave(ctx)) }()
	}
	if err := s.ready(ctx, m); err != nil {
		return figures.Result{}, err
	}
	wait := s.startProfile(ctx, fmt.Sprintf("%s %d", m.Name, round))
	s.window.foreign = m.foreign
	s.openWindow(ctx)
	r, err = m.run(ctx)
	s.closeWindow(ctx)
	wait()
	cost := s.window.cost
	if m.own {
		cost.Server, cost.Client = cost.Client, 0
	}
	r.Cost = r.Cost.Plus(cost)
	return r, err
}

// entrance returns the function that moves the stage to the site of a measurement; nil
// where it needs no other site.
func (s *stage) entrance(m measurement) func(context.Context) (leave func(context.Context) error, err error) {
	switch {
	case m.fresh:
		return s.enterFresh
	case m.standby:
		return s.enterPair
	}
	return nil
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

func (s *stage) close() {
	s.stopServers()
	if s.bare != nil {
		s.bare.stop()
	}
	if s.sink != nil {
		s.sink.close()
	}
	if s.pool != nil {
		s.pool.Close()
	}
	stop, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if s.pair != nil {
		s.pair.stop(stop)
	}
	if s.cluster != nil {
		_ = s.cluster.Stop(stop)
		_ = s.cluster.Remove()
	}
	_ = os.RemoveAll(s.dir)
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

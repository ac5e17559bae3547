package torture

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/rs/zerolog"

	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
)

// standbyName is the name of the current standby in synchronous_standby_names.
const standbyName = "standby"

// pairLimit bounds each operation on a node, so that a run does not hang.
const pairLimit = 2 * time.Minute

// node is one of the two database servers of a run with promotions.
type node struct {
	name    string
	cluster *pgcluster.Cluster
	stream  *link // over which the other node replicates this one
}

// pair is the primary and the standby, which swap roles.
type pair struct {
	mu               sync.Mutex
	primary, standby *node
}

func (p *pair) now() (primary, standby *node) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.primary, p.standby
}

func (p *pair) swap() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.primary, p.standby = p.standby, p.primary
}

// nodes are the database servers, always in the order in which URLs name them.
func (s *stage) nodes() []*node {
	if s.pair == nil {
		return []*node{{name: "postgres", cluster: s.cluster}}
	}
	first, second := s.pair.now()
	if first.cluster != s.cluster {
		first, second = second, first
	}
	return []*node{first, second}
}

// url names all database servers.
func (s *stage) url(as string) string {
	u, err := url.Parse(s.cluster.URL(database, as))
	if err != nil {
		panic("torture: the cluster's own address cannot be read")
	}
	var hosts []string
	for _, n := range s.nodes() {
		hosts = append(hosts, n.cluster.Addr())
	}
	u.Host = strings.Join(hosts, ",")
	return u.String()
}

// nodeSettings are those of a run with promotions. A node that was cut off reconnects soon,
// and the other node keeps enough write-ahead log for it to catch up.
func nodeSettings() map[string]string {
	return map[string]string{
		"wal_keep_size":               "512MB",
		"wal_retrieve_retry_interval": "200ms",
		"wal_receiver_timeout":        "10s",
		"wal_sender_timeout":          "10s",
	}
}

// startStandby makes a second node, a synchronous standby.
func (s *stage) startStandby(ctx context.Context) error {
	log, err := s.logFile("postgres-2")
	if err != nil {
		return err
	}
	open := newLinks(ctx)
	first := &node{name: "pg1", cluster: s.cluster}
	if first.stream, err = open("stream-pg1", s.cluster.Addr()); err != nil {
		return err
	}
	second := &node{name: "pg2"}
	second.cluster, err = pgcluster.StartStandby(ctx,
		pgcluster.Config{Dir: filepath.Join(s.dir, "postgres-2"), Log: log, Settings: databaseSettings(true)},
		pgcluster.Upstream{Of: s.cluster, Addr: first.stream.address, Name: standbyName})
	if err != nil {
		return fmt.Errorf("start the standby: %w", err)
	}
	if second.stream, err = open("stream-pg2", second.cluster.Addr()); err != nil {
		return err
	}
	s.pair = &pair{primary: first, standby: second}
	return s.synchronize(ctx)
}

// synchronize makes commits wait for the standby, and returns when the standby has
// everything that was acknowledged before: from then on it may be promoted.
func (s *stage) synchronize(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, pairLimit)
	defer cancel()
	primary, _ := s.pair.now()
	if err := primary.cluster.Set(ctx, map[string]string{"synchronous_standby_names": standbyName}); err != nil {
		return err
	}
	if err := primary.cluster.AwaitStandbys(ctx, standbyName); err != nil {
		return err
	}
	_, err := queryNode(ctx, primary, `SELECT (pg_logical_emit_message(true, 'torture', '') IS NOT NULL)::int`)
	return err
}

// queryNode queries a number from a given database server, primary or not.
func queryNode(ctx context.Context, n *node, sql string) (answer int, err error) {
	conn, err := pgx.Connect(ctx, n.cluster.URL(database, "postgres"))
	if err != nil {
		return 0, fmt.Errorf("ask %s: %w", n.name, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := conn.QueryRow(ctx, sql).Scan(&answer); err != nil {
		return 0, fmt.Errorf("ask %s: %w", n.name, err)
	}
	return answer, nil
}

// closeNodes ends all database servers; removeNodes deletes their data.
func (s *stage) closeNodes() {
	if s.cluster == nil {
		return
	}
	stop, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for _, n := range s.nodes() {
		_ = n.cluster.Stop(stop)
		if n.stream != nil {
			n.stream.close()
		}
	}
}

func (s *stage) removeNodes() error {
	var failures []error
	for _, n := range s.nodes() {
		failures = append(failures, n.cluster.Remove())
	}
	return errors.Join(failures...)
}

// databaseSettings are those of the run's PostgreSQL.
func databaseSettings(promotions bool) map[string]string {
	settings := map[string]string{
		"max_connections": "200",
		// A short write-ahead log, so that recovery is quick and the small disk under it is
		// soon full.
		"max_wal_size": "256MB", "min_wal_size": "32MB", "checkpoint_timeout": "2min",
	}
	if promotions {
		maps.Copy(settings, nodeSettings())
	}
	return settings
}

// openPool opens the suite's own connections to the current primary.
func (s *stage) openPool(ctx context.Context) error {
	primary, err := postgres.NewPrimary(s.url("postgres"), zerolog.Nop())
	if err != nil {
		return err
	}
	s.stopWatching = primary.Watch()
	options := postgres.Options{ApplicationName: "torture", MaxConns: 6, Primary: primary}
	s.pool, err = postgres.Open(ctx, s.url("postgres"), options)
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// site is a database of the service, its servers and its merchant. The stage is at one
// site at a time.
type site struct {
	cluster   *pgcluster.Cluster
	name      string // of the database
	pool      *pgxpool.Pool
	accounts  *accounts.Accounts
	shop      merchant
	servers   []*process
	known     []knownIntent
	acquirer  string // address of the sandbox acquirer
	settledAt string // the position in the write-ahead log when the tables were last vacuumed
}

// merchant is an organisation with one application, and what its requests need.
type merchant struct {
	application accounts.NewApplication
	namespace   domain.Namespace
	token       string // to access it
	headers     string // of a request
}

var operator = accounts.Operator("bench")

// noAcquirer is an address that does not answer. The measured pages only offer methods;
// nothing is paid on them, so that no server calls the acquirer.
const noAcquirer = "127.0.0.1:9"

// Tables that grow with every create: the service's, and the reference's.
var (
	grownTables     = []string{"events", "intents", "expiry_timers", "payments"}
	referenceGrowth = []string{"reference_events", "reference_intents"}
)

// newSite makes a database with a merchant, and the tables of the reference. It starts no
// server.
func (s *stage) newSite(
	ctx context.Context, cluster *pgcluster.Cluster, name, webhookURL string,
) (*site, error) {
	there := &site{cluster: cluster, name: name, acquirer: noAcquirer, settledAt: "0/0"}
	var err error
	if there.pool, err = newDatabase(ctx, cluster, name); err != nil {
		return nil, err
	}
	s.pools = append(s.pools, there.pool)
	if err := execute(ctx, there.pool, referenceTables); err != nil {
		return nil, err
	}
	if there.accounts, err = accountsOn(there.pool, s.key); err != nil {
		return nil, err
	}
	there.shop, err = newMerchant(ctx, there.pool, there.accounts, webhookURL)
	return there, err
}

// newDatabase makes a database with the service's schema and opens it as the
// superuser.
func newDatabase(ctx context.Context, cluster *pgcluster.Cluster, name string) (*pgxpool.Pool, error) {
	if err := cluster.EnsureDatabase(ctx, name, owner); err != nil {
		return nil, err
	}
	if _, err := migrations.Up(ctx, cluster.URL(name, owner)); err != nil {
		return nil, err
	}
	pool, err := postgres.Open(ctx, cluster.URL(name, "postgres"), postgres.Options{MaxConns: 4})
	if err != nil {
		return nil, err
	}
	return pool, execute(ctx, pool, `GRANT daftar_service TO daftar_app`)
}

func accountsOn(pool *pgxpool.Pool, key string) (*accounts.Accounts, error) {
	parsed, err := accounts.ParseSecretKey(key)
	if err != nil {
		return nil, err
	}
	return accounts.New(pool, accounts.Options{SecretKey: parsed}), nil
}

func newMerchant(
	ctx context.Context, pool *pgxpool.Pool, a *accounts.Accounts, webhookURL string,
) (m merchant, err error) {
	org, err := a.CreateOrganization(ctx, operator, "bench")
	if err != nil {
		return m, err
	}
	if m, err = newShop(ctx, pool, a, org.ID, webhookURL); err != nil {
		return m, err
	}
	if _, m.token, err = a.CreateToken(ctx, operator, org.ID, accounts.TokenDraft{Name: "bench"}); err != nil {
		return m, err
	}
	m.headers = "Host: bench\r\nAccept: application/json\r\n" +
		"X-API-Key: " + m.application.APIKey + "\r\n" +
		"Authorization: Bearer " + m.token + "\r\n"
	return m, nil
}

// newShop makes an application of an organisation. It has no token.
func newShop(
	ctx context.Context, pool *pgxpool.Pool, a *accounts.Accounts,
	org accounts.OrganizationID, webhookURL string,
) (m merchant, err error) {
	if m.application, err = a.CreateApplication(ctx, operator, org,
		accounts.Draft{Name: "bench", WebhookURL: webhookURL}); err != nil {
		return m, err
	}
	const namespaceSQL = `SELECT namespace FROM applications WHERE uuid = $1`
	id := [16]byte(m.application.ID)
	err = pool.QueryRow(ctx, namespaceSQL, id).Scan((*[16]byte)(&m.namespace))
	return m, err
}

// actor is the one that the events of the merchant's requests name.
func (m merchant) actor() string { return "application:" + uuid.UUID(m.application.ID).String() }

// execute runs statements one after the other.
func execute(ctx context.Context, pool *pgxpool.Pool, statements ...string) error {
	for _, sql := range statements {
		if _, err := pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimSpace(sql), err)
		}
	}
	return nil
}

// entrance moves the stage to another site; what it returns moves it back.
type entrance func(context.Context) (leave func(context.Context) error, err error)

// to is the entrance to a site that exists.
func (s *stage) to(there *site) entrance {
	return func(context.Context) (func(context.Context) error, error) { return s.enter(there), nil }
}

// enter moves the stage to another site. The returned function moves it back.
func (s *stage) enter(there *site) (leave func(context.Context) error) {
	home := s.site
	s.site = there
	return func(ctx context.Context) error {
		err := s.runServers(ctx, 0)
		s.site = home
		return err
	}
}

// enterOnce moves the stage to a new site, which is emptied when it is left, so that it cannot
// affect later measurements.
func (s *stage) enterOnce(
	ctx context.Context, kind, webhookURL string,
) (leave func(context.Context) error, err error) {
	s.made++
	there, err := s.newSite(ctx, s.cluster, fmt.Sprintf("%s_%s_%d", database, kind, s.made), webhookURL)
	if err != nil {
		return nil, err
	}
	back := s.enter(there)
	return func(ctx context.Context) error {
		// Dropping the database would make a checkpoint, and requests cost more in the seconds
		// after one. Without tables autovacuum has nothing to do in it.
		err := errors.Join(back(ctx), execute(ctx, there.pool, `DROP SCHEMA public CASCADE`))
		there.pool.Close()
		return err
	}, nil
}

// enterFresh moves the stage to a database that was only migrated: it is empty, and the
// planner has no statistics of its tables.
func (s *stage) enterFresh(ctx context.Context) (leave func(context.Context) error, err error) {
	return s.enterOnce(ctx, "fresh", "")
}

const standbyName = "standby"

// enterPair moves the stage to a PostgreSQL with a synchronous standby on this machine. The first
// call starts the two; they are idle while the stage is elsewhere.
func (s *stage) enterPair(ctx context.Context) (leave func(context.Context) error, err error) {
	if s.pair == nil {
		if s.pair, err = s.newPair(ctx); err != nil {
			return nil, err
		}
	}
	return s.enter(s.pair), nil
}

func (s *stage) newPair(ctx context.Context) (*site, error) {
	all := maps.Clone(settings)
	all["wal_keep_size"] = "256MB"
	primary, err := s.startCluster(ctx, "primary", all)
	if err != nil {
		return nil, err
	}
	standby, err := pgcluster.StartStandby(ctx,
		pgcluster.Config{Dir: filepath.Join(s.dir, standbyName), Settings: maps.Clone(all)},
		pgcluster.Upstream{Of: primary, Name: standbyName})
	if err != nil {
		return nil, fmt.Errorf("start standby: %w", err)
	}
	s.clusters = append(s.clusters, standby)
	err = errors.Join(
		primary.Set(ctx, map[string]string{"synchronous_standby_names": standbyName}),
		primary.AwaitStandbys(ctx, standbyName))
	if err != nil {
		return nil, fmt.Errorf("await standby: %w", err)
	}
	return s.newSite(ctx, primary, database, "")
}

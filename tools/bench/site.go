package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// site is a database of the service, its servers and its merchant. The stage is at one
// site at a time.
type site struct {
	name     string // of the database
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	shop     merchant
	servers  []server
	known    []knownIntent
	acquirer string // address of the sandbox acquirer
}

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
func (s *stage) newSite(ctx context.Context, name, webhookURL string) (site, error) {
	there := site{name: name, acquirer: noAcquirer}
	var err error
	if there.pool, err = s.newDatabase(ctx, name); err != nil {
		return site{}, err
	}
	if err := there.setUp(ctx, s.key, webhookURL); err != nil {
		there.pool.Close()
		return site{}, err
	}
	return there, nil
}

func (t *site) setUp(ctx context.Context, key, webhookURL string) error {
	if _, err := t.pool.Exec(ctx, referenceTables); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	var err error
	if t.accounts, err = accountsOn(t.pool, key); err != nil {
		return err
	}
	t.shop, err = newMerchant(ctx, t.pool, t.accounts, webhookURL)
	return err
}

// newDatabase makes a database with the service's schema and opens it as the
// superuser.
func (s *stage) newDatabase(ctx context.Context, name string) (*pgxpool.Pool, error) {
	if err := s.cluster.EnsureDatabase(ctx, name, owner); err != nil {
		return nil, fmt.Errorf("prepare database: %w", err)
	}
	if _, err := migrations.Up(ctx, s.cluster.URL(name, owner)); err != nil {
		return nil, err
	}
	pool, err := postgres.Open(ctx, s.cluster.URL(name, "postgres"), postgres.Options{MaxConns: 4})
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, `GRANT daftar_service TO daftar_app`); err != nil {
		pool.Close()
		return nil, fmt.Errorf("prepare database: %w", err)
	}
	return pool, nil
}

func accountsOn(pool *pgxpool.Pool, key string) (*accounts.Accounts, error) {
	parsed, err := accounts.ParseSecretKey(key)
	if err != nil {
		return nil, err
	}
	return accounts.New(pool, accounts.Options{SecretKey: parsed}), nil
}

// enter moves the stage to another site. The returned function moves it back and removes
// everything there that could affect later measurements.
func (s *stage) enter(there site) (leave func(context.Context) error) {
	home := s.site
	s.site = there
	return func(ctx context.Context) error {
		s.stopServers()
		// Dropping the database would make a checkpoint, and requests cost more in the seconds
		// after one. Without tables autovacuum has nothing to do in it.
		_, err := s.pool.Exec(ctx, `DROP SCHEMA public CASCADE`)
		s.pool.Close()
		s.site = home
		if err != nil {
			return fmt.Errorf("empty database: %w", err)
		}
		return nil
	}
}

// enterFresh moves the stage to a database that was only migrated: it is empty, and the
// planner has no statistics of its tables.
func (s *stage) enterFresh(ctx context.Context) (leave func(context.Context) error, err error) {
	s.freshMade++
	there, err := s.newSite(ctx, fmt.Sprintf("%s_fresh_%d", database, s.freshMade), "")
	if err != nil {
		return nil, err
	}
	return s.enter(there), nil
}

// runServers starts or ends servers until the wanted number runs.
func (s *stage) runServers(ctx context.Context, wanted int) error {
	for len(s.servers) > wanted {
		last := len(s.servers) - 1
		stop(s.servers[last:])
		s.servers = s.servers[:last]
	}
	for len(s.servers) < wanted {
		if err := s.startServer(ctx); err != nil {
			return err
		}
	}
	return nil
}

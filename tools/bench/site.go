package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// site is a database of the service with what works on it. The stage is at one at a
// time.
type site struct {
	name     string // of the database
	pool     *pgxpool.Pool
	accounts *accounts.Accounts
	shop     merchant
	servers  []server
	known    []knownIntent
	acquirer string // address of the sandbox acquirer
}

// noAcquirer is an address at which nobody answers. The pages offer what an acquirer
// takes; nobody pays there, so none has to be asked.
const noAcquirer = "127.0.0.1:9"

// Tables that every request grows: the service's, and those of its reference.
var (
	grownTables     = []string{"events", "intents", "expiry_timers", "payments"}
	referenceGrowth = []string{"reference_events", "reference_intents"}
)

// newSite makes a database with a merchant, and the tables of the reference. No
// server runs on it yet.
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

// enter has the stage work at another site. The returned function goes back and
// leaves nothing there that takes part in later measurements.
func (s *stage) enter(there site) (leave func(context.Context) error) {
	home := s.site
	s.site = there
	return func(ctx context.Context) error {
		s.stopServers()
		// Dropping the database would ask for a checkpoint, and the seconds after one are
		// dear. Without tables it is nothing to autovacuum.
		_, err := s.pool.Exec(ctx, `DROP SCHEMA public CASCADE`)
		s.pool.Close()
		s.site = home
		if err != nil {
			return fmt.Errorf("empty database: %w", err)
		}
		return nil
	}
}

// enterFresh has the stage work on a database to which nothing was done but migrate
// up: it is empty, and the planner knows nothing of its tables.
func (s *stage) enterFresh(ctx context.Context) (leave func(context.Context) error, err error) {
	s.freshMade++
	there, err := s.newSite(ctx, fmt.Sprintf("%s_fresh_%d", database, s.freshMade), "")
	if err != nil {
		return nil, err
	}
	return s.enter(there), nil
}

// runServers starts and ends servers until as many run as are wanted.
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

package server

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"daftar/accounts"
	"daftar/cmd/daftar/config"
	"daftar/eventstore"
	"daftar/internal/postgres"
	"daftar/ledger"
	"daftar/migrations"
	"daftar/payments"
	"daftar/payments/refunds"
	"daftar/projections"
)

// Sizes of the pools. Few connections serve many requests: the committer uses
// one at a time, and more of them than cores only adds switches.
const (
	writeConns   = 2
	payConns     = 6
	readConns    = 8
	workConns    = 6
	commandConns = 3
	lateConns    = 4
)

// pingAfter is longer than the pauses between the polls of workers. A connection that they
// use each second needs no ping; in each pool there is one.
const pingAfter = 3 * time.Second

// pools are the connections to the database: one pool for appends, one for what else paying
// needs (the API's look-ups and the checkout), one for the other reads of requests, one for
// workers, and one for the feed.
type pools struct {
	writes, paying, reads, work, following *pgxpool.Pool
	late                                   *postgres.Replica // for what may be a moment late
	stopWatching                           func()            // for another primary
}

// onePlan makes PostgreSQL plan a prepared statement once, for any arguments: each statement
// is written so that one plan fits. By default PostgreSQL estimates that an array of one
// element is cheaper than an unknown array, and so plans again for each execution, which
// takes longer than the work. The plan must also fit when the tables have grown: one that is made
// while a table has a page or two reads all of it, and would do so until it is analysed again. So
// these pools plan no such scan where an index serves (enable_seqscan). The dashboard's pool does not
// use one plan: the best plan there depends on the filters.
const onePlan = "force_generic_plan"

// sessionSettings are those of each session. A default set on the database or the role
// must not undo what the ledger relies on: each statement of a batch sees what
// was committed before it, and an answer means that it is on disk.
func sessionSettings(synchronousCommit string) map[string]string {
	return map[string]string{
		"default_transaction_isolation": "read committed",
		"synchronous_commit":            synchronousCommit,
		"jit":                           "off",
	}
}

// openPools opens the pools that a server needs. What it has opened before an
// error is the caller's to close.
func openPools(ctx context.Context, c config.Config, groups int, log zerolog.Logger) (pools, error) {
	p := pools{stopWatching: func() {}}
	primary, err := postgres.NewPrimary(c.DatabaseURL, log)
	if err != nil {
		return p, err
	}
	p.stopWatching = primary.Watch()
	for _, wanted := range []struct {
		pool              **pgxpool.Pool
		name              string
		conns             int
		synchronousCommit string
		plans             string
	}{
		{&p.writes, "daftar append", writeConns, "on", onePlan},
		{&p.paying, "daftar paying", payConns, "on", onePlan},
		{&p.reads, "daftar", readConns, "on", "auto"},
		{&p.work, "daftar work", workConns, "on", onePlan},
		// A crash loses offsets together with what handlers wrote, and the events are
		// read again: nothing is skipped, and polling an idle log costs no fsync.
		{&p.following, "daftar feed", groups + 2, "off", onePlan},
	} {
		parameters := sessionSettings(wanted.synchronousCommit)
		parameters["plan_cache_mode"] = wanted.plans
		if wanted.plans == onePlan {
			parameters["enable_seqscan"] = "off"
		}
		opened, err := postgres.Open(ctx, c.DatabaseURL, postgres.Options{
			ApplicationName: wanted.name, MaxConns: int32(wanted.conns), SetServiceRole: true,
			StatementTimeout: 8 * time.Second, IdleInTransactionTimeout: time.Minute,
			RuntimeParams: parameters, PingAfter: pingAfter, NeverCancel: true, Primary: primary,
		})
		if err != nil {
			return p, err
		}
		*wanted.pool = opened
	}
	p.late = postgres.NewReplica(c.ReadURL, postgres.Options{
		ApplicationName: "daftar late", MaxConns: lateConns, SetServiceRole: true,
		StatementTimeout: 8 * time.Second, PingAfter: pingAfter,
		RuntimeParams: map[string]string{"jit": "off"},
	}, p.reads, log)
	return p, nil
}

func (p pools) close() {
	for _, pool := range []*pgxpool.Pool{p.writes, p.paying, p.reads, p.work, p.following} {
		if pool != nil {
			pool.Close()
		}
	}
	if p.stopWatching != nil {
		p.stopWatching()
	}
}

// WithOperations runs a command of an operator on the attempts or the refunds. It may write events,
// so its sessions are those of a server.
func WithOperations(
	ctx context.Context, c config.Config, log zerolog.Logger, do func(context.Context, Operations) error,
) error {
	pool, err := postgres.Open(ctx, c.DatabaseURL, postgres.Options{
		ApplicationName: "daftar command", MaxConns: commandConns, SetServiceRole: true,
		RuntimeParams: sessionSettings("on"), StatementTimeout: time.Minute, NeverCancel: true,
	})
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	clock := &eventstore.Clock{Offset: c.ClockOffset}
	if err := eventstore.ReadClock(ctx, pool, clock); err != nil {
		return err
	}
	store := eventstore.New(pool, pool, eventstore.Options{Inline: projections.Inline(), Clock: clock, Log: log})
	intents := projections.NewIntents(pool)
	defer intents.Close()
	providers, err := Providers(c)
	if err != nil {
		return err
	}
	l := ledger.New(store, intents)
	a := accounts.New(pool, accounts.Options{
		SecretKey: c.SecretKey, Now: l.Now, Log: log, MaxApplications: c.MaxApplications,
	})
	operations := Operations{
		Attempts: payments.NewOperations(pool, l),
		Refunds:  refunds.NewOperations(pool, l, a, canRefund(providers, nil)),
	}
	return errors.Join(do(ctx, operations), store.Close(ctx))
}

// Operations are the services for decisions that only an operator can make.
type Operations struct {
	Attempts *payments.Operations
	Refunds  *refunds.Operations
}

// checkDatabase refuses a database that a server cannot work with, and warns of a login that
// has more rights than a server needs.
func (s *Server) checkDatabase(ctx context.Context, c config.Config) error {
	warnings, err := postgres.CheckSettings(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	for _, warning := range warnings {
		s.log.Warn().Msg(warning)
	}
	if err := migrations.CheckServiceRights(ctx, s.reads); err != nil {
		return err
	}
	if err := migrations.Check(ctx, s.reads); err != nil {
		return err
	}
	if err := postgres.CheckDurability(ctx, s.writes); err != nil {
		return err
	}
	for _, check := range []func(context.Context, postgres.Querier) (string, error){
		postgres.RoleWarning, postgres.LoginWarning,
	} {
		warning, err := check(ctx, s.reads)
		if err != nil {
			return err
		}
		if warning != "" && !c.OwnDatabase {
			s.log.Warn().Msg(warning)
		}
	}
	return nil
}

package commands

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// Commands work with the rights of the URL's user. These may be no more than an auditor's.
var (
	forCommands = postgres.Options{ApplicationName: "daftar command", MaxConns: 2}
	forAuditors = postgres.Options{
		ApplicationName: "daftar audit", MaxConns: 4,
		RuntimeParams: map[string]string{"default_transaction_read_only": "on", "jit": "off"},
	}
)

// configured is a command that reads the environment first.
func (p *program) configured(do func(ctx context.Context, c config.Config, args []string) error,
	required ...string,
) cli.Action {
	return func(ctx context.Context, args []string) error {
		conf, err := config.Read(p.Call.Environ, required...)
		if err != nil {
			return err
		}
		return explainPermissions(ctx, conf, do(ctx, conf, args))
	}
}

// explainPermissions adds to an error about missing permissions which login has them.
func explainPermissions(ctx context.Context, conf config.Config, err error) error {
	if !postgres.IsDenied(err) {
		return err
	}
	pool, errOpen := postgres.Open(ctx, conf.DatabaseURL, forCommands)
	if errOpen != nil {
		return err
	}
	defer pool.Close()
	role := postgres.ServiceRole
	if _, auditing := errors.AsType[auditorsError](err); auditing {
		role = postgres.AuditorRole
	}
	if advice, errAdvice := postgres.WhoMay(ctx, pool, role); errAdvice == nil && advice != "" {
		err = fmt.Errorf("%w\n%s", err, advice)
	}
	return err
}

// auditorsError is of a command that auditors may give.
type auditorsError struct{ error }

func (e auditorsError) Unwrap() error { return e.error }

// onDatabase is a command on a database whose schema is this program's, and that runs
// to its end.
func (p *program) onDatabase(
	do func(ctx context.Context, pool *pgxpool.Pool, args []string) error,
) cli.Action {
	return p.withDatabase(forCommands,
		func(ctx context.Context, _ config.Config, pool *pgxpool.Pool, args []string) error {
			return do(ctx, pool, args)
		})
}

// withDatabase is onDatabase for commands that need more of the environment, or other
// rights.
func (p *program) withDatabase(o postgres.Options,
	do func(ctx context.Context, c config.Config, pool *pgxpool.Pool, args []string) error,
	required ...string,
) cli.Action {
	return p.configured(func(ctx context.Context, conf config.Config, args []string) error {
		return p.onPool(ctx, conf, conf.DatabaseURL, o, args, do)
	}, append(required, "DAFTAR_DATABASE_URL")...)
}

// onPool runs a command on the database at a URL.
func (p *program) onPool(ctx context.Context, conf config.Config, url string, o postgres.Options,
	args []string,
	do func(ctx context.Context, c config.Config, pool *pgxpool.Pool, args []string) error,
) error {
	pool, err := postgres.Open(ctx, url, o)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err = migrations.Check(ctx, pool); err == nil {
		err = do(ctx, conf, pool, args)
	}
	if o.ApplicationName == forAuditors.ApplicationName && err != nil {
		return auditorsError{err}
	}
	return err
}

// directory is the accounts of a database, with their people and their settings.
type directory struct {
	*accounts.Accounts

	people   *people.People
	settings *settings.Settings
}

// onAccounts is a command on the accounts of the database.
func (p *program) onAccounts(do func(ctx context.Context, d directory, args []string) error,
	required ...string,
) cli.Action {
	return p.withDatabase(forCommands,
		func(ctx context.Context, c config.Config, pool *pgxpool.Pool, args []string) error {
			return do(ctx, p.directory(c, pool), args)
		}, required...)
}

func (p *program) directory(c config.Config, pool *pgxpool.Pool) directory {
	a := accounts.New(pool, accounts.Options{
		SecretKey: c.SecretKey, Log: p.log(c), MaxApplications: c.MaxApplications,
	})
	members := people.New(pool, a, people.Options{
		SecretKey: c.SecretKey, Log: p.log(c), Letters: server.Letters(c),
	})
	return directory{a, members, settings.New(pool, a, c.SecretKey, nil)}
}

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

// session is what a command works with.
type session struct {
	config.Config

	args []string
	pool *pgxpool.Pool // nil in a command that is only configured
}

// work is what a command does.
type work func(context.Context, session) error

// configured is a command that reads the environment first.
func (p *program) configured(do work, required ...string) cli.Action {
	return func(ctx context.Context, args []string) error {
		conf, err := config.Read(p.Call.Environ, required...)
		if err != nil {
			return err
		}
		return explainPermissions(ctx, conf, do(ctx, session{Config: conf, args: args}))
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

// onDatabase is a command on the database.
func (p *program) onDatabase(o postgres.Options, do work, required ...string) cli.Action {
	return p.configured(func(ctx context.Context, s session) error {
		return s.onPool(ctx, s.DatabaseURL, o, do)
	}, append(required, "DAFTAR_DATABASE_URL")...)
}

// onPool works on the database at a URL, whose schema has to be this program's.
func (s session) onPool(ctx context.Context, url string, o postgres.Options, do work) error {
	var err error
	if s.pool, err = postgres.Open(ctx, url, o); err != nil {
		return err
	}
	defer s.pool.Close()
	if err = migrations.Check(ctx, s.pool); err == nil {
		err = do(ctx, s)
	}
	if o.ApplicationName == forAuditors.ApplicationName && err != nil {
		return auditorsError{err}
	}
	return err
}

// directory is the accounts of a database, with their people and their settings.
type directory struct {
	session
	*accounts.Accounts

	people   *people.People
	settings *settings.Settings
}

// onAccounts is a command on the accounts of the database.
func (p *program) onAccounts(do func(context.Context, directory) error, required ...string) cli.Action {
	return p.onDatabase(forCommands, func(ctx context.Context, s session) error {
		a := accounts.New(s.pool, accounts.Options{
			SecretKey: s.SecretKey, Log: p.log(s.Config), MaxApplications: s.MaxApplications,
		})
		return do(ctx, directory{
			session: s, Accounts: a,
			people: people.New(s.pool, a, people.Options{
				SecretKey: s.SecretKey, Log: p.log(s.Config), Letters: server.Letters(s.Config),
			}),
			settings: settings.New(s.pool, a, s.SecretKey, nil),
		})
	}, required...)
}

// onOperations is a command of an operator on payment attempts or refunds.
func (p *program) onOperations(do func(context.Context, server.Operations) error) cli.Action {
	return p.configured(func(ctx context.Context, s session) error {
		return server.WithOperations(ctx, s.Config, p.log(s.Config), do)
	}, "DAFTAR_DATABASE_URL")
}

package commands

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
	"daftar/domain"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// action is what a command does. What goes wrong in it is no misuse, unless it is a
// config.Error.
type action func(ctx context.Context, args []string) error

// bracketed are the parts of a usage that may be left out.
var bracketed = regexp.MustCompile(`\[[^]]*\]`)

// requiredWords are those after the command's name in a usage that may not be left out.
func requiredWords(use string) []string {
	return strings.Fields(bracketed.ReplaceAllString(use, ""))[1:]
}

// command makes a command with an argument for each required word of use before its
// first flag.
func command(use, short string, do action) *cobra.Command {
	count := 0
	for _, word := range requiredWords(use) {
		if strings.HasPrefix(word, "--") {
			break
		}
		count++
	}
	arguments := cobra.NoArgs // names the first one too many
	if count > 0 {
		arguments = cobra.ExactArgs(count)
	}
	return &cobra.Command{Use: use, Short: short, Args: arguments, RunE: func(c *cobra.Command, args []string) error {
		if err := do(c.Context(), args); err != nil {
			return failed{err}
		}
		return nil
	}}
}

// flag declares a flag that parse reads; what it refuses is misuse. The value's name
// for people is in backquotes in usage.
func flag[T any](c *cobra.Command, into *T, name, usage string, parse func(string) (T, error)) {
	c.Flags().Func(name, usage, func(text string) (err error) {
		// A script passes --org "$ORG" whether it has one or not.
		if _, required := c.Flags().Lookup(name).Annotations[cobra.BashCompOneRequiredFlag]; text == "" && !required {
			return nil
		}
		*into, err = parse(text)
		return err
	})
}

// argument has parse read the first argument; what it refuses is misuse.
func argument[T any](c *cobra.Command, into *T, parse func(string) (T, error)) *cobra.Command {
	counted := c.Args
	c.Args = func(c *cobra.Command, args []string) (err error) {
		if err = counted(c, args); err == nil {
			*into, err = parse(args[0])
		}
		return err
	}
	return c
}

// before has check refuse misuse before the command opens anything.
func before(c *cobra.Command, check func(args []string) error) *cobra.Command {
	c.PreRunE = func(_ *cobra.Command, args []string) error { return check(args) }
	return c
}

// requireFlags has cobra refuse calls without the flags that a command's use requires.
func requireFlags(c *cobra.Command) {
	for _, word := range requiredWords(c.Use) {
		if name, is := strings.CutPrefix(word, "--"); is {
			if err := c.MarkFlagRequired(name); err != nil {
				panic("daftar: " + err.Error())
			}
		}
	}
	for _, sub := range c.Commands() {
		requireFlags(sub)
	}
}

func parseTime(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return at, misusef("%q is no time such as 2026-11-20T12:00:00Z", text)
	}
	return at, nil
}

// pointer has a flag that was not given stay nil.
func pointer[T any](parse func(string) (T, error)) func(string) (*T, error) {
	return func(text string) (*T, error) {
		v, err := parse(text)
		return &v, err
	}
}

// positive reads a position, a version or a limit.
func positive[T int | int64](text string) (T, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, misusef("%q is no number from 1 on", text)
	}
	return T(n), nil
}

func parseIntent(text string) (domain.IntentID, error) {
	id, err := domain.ParseIntentID(text)
	if err != nil {
		return id, misusef("%q is not the uuid of a payment intent", text)
	}
	return id, nil
}

// oneOf reads one of some words.
func oneOf[T ~string](known ...T) func(string) (T, error) {
	return func(text string) (T, error) {
		if slices.Contains(known, T(text)) {
			return T(text), nil
		}
		names := make([]string, len(known))
		for n, k := range known {
			names[n] = string(k)
		}
		return "", misusef("%q is none of %s", text, strings.Join(names, ", "))
	}
}

// Commands work with the rights of the URL's user, who may be no more than an auditor.
var (
	forCommands = postgres.Options{ApplicationName: "daftar command", MaxConns: 2}
	forAuditors = postgres.Options{
		ApplicationName: "daftar audit", MaxConns: 4, RuntimeParams: map[string]string{"default_transaction_read_only": "on", "jit": "off"},
	}
)

// configured is a command that reads the environment first.
func (p *program) configured(do func(ctx context.Context, c config.Config, args []string) error, required ...string) action {
	return func(ctx context.Context, args []string) error {
		conf, err := config.Read(p.call.Environ, required...)
		if err != nil {
			return err
		}
		return sayWhoMay(ctx, conf, do(ctx, conf, args))
	}
}

// sayWhoMay adds to an error for want of rights which login has them.
func sayWhoMay(ctx context.Context, conf config.Config, err error) error {
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
	if advice, errLook := postgres.WhoMay(ctx, pool, role); errLook == nil && advice != "" {
		err = fmt.Errorf("%w\n%s", err, advice)
	}
	return err
}

// auditorsError is of a command that auditors may give.
type auditorsError struct{ error }

func (e auditorsError) Unwrap() error { return e.error }

// onDatabase is a command on a database whose schema is this program's, and that runs
// to its end.
func (p *program) onDatabase(do func(ctx context.Context, pool *pgxpool.Pool, args []string) error) action {
	return p.withDatabase(forCommands, func(ctx context.Context, _ config.Config, pool *pgxpool.Pool, args []string) error {
		return do(ctx, pool, args)
	})
}

// withDatabase is onDatabase for commands that need more of the environment, or other
// rights.
func (p *program) withDatabase(o postgres.Options,
	do func(ctx context.Context, c config.Config, pool *pgxpool.Pool, args []string) error, required ...string,
) action {
	return p.configured(func(ctx context.Context, conf config.Config, args []string) error {
		return p.onPool(ctx, conf, conf.DatabaseURL, o, args, do)
	}, append(required, "DAFTAR_DATABASE_URL")...)
}

// onPool runs a command on the database at a URL.
func (p *program) onPool(ctx context.Context, conf config.Config, url string, o postgres.Options, args []string,
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

// onAccounts is a command on the accounts of the database.
func (p *program) onAccounts(do func(ctx context.Context, a *accounts.Accounts, args []string) error, required ...string) action {
	return p.withDatabase(forCommands, func(ctx context.Context, c config.Config, pool *pgxpool.Pool, args []string) error {
		return do(ctx, p.accounts(c, pool), args)
	}, required...)
}

func (p *program) accounts(c config.Config, pool *pgxpool.Pool) *accounts.Accounts {
	return accounts.New(pool, accounts.Options{SecretKey: c.SecretKey, Log: p.log(c), Letters: server.Letters(c), MaxApplications: c.MaxApplications})
}

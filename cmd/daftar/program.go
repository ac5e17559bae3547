package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// program is one run of the command: where it reads and writes, and how.
type program struct {
	in        io.Reader
	out, errs io.Writer
	environ   []string
	json      bool
}

// The exit codes, for scripts.
const (
	exitDone        = 0
	exitFailed      = 1 // a check failed, or nothing was found
	exitMisuse      = 2
	exitUnreachable = 3 // the database is out of reach
)

// misuse is an error in how the program was called.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

func misusef(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// failed is an error of a command that was called rightly.
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }

// errReported ends a command whose answer has already said that a check failed.
var errReported = errors.New("reported")

func (p *program) run(ctx context.Context, args []string) int {
	root := p.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, errReported) {
		p.tellf("daftar: %v", err)
		if errors.Is(err, migrations.ErrOutOfDate) {
			p.tellf("Run daftar migrate up.")
		}
	}
	return exitCode(err)
}

// exitCode sorts an error into what a script can act on. What cobra finds wrong
// with the arguments is not marked failed and is misuse.
func exitCode(err error) int {
	var wrong misuse
	var inCommand failed
	switch {
	case errors.As(err, &wrong), !errors.As(err, &inCommand),
		errors.Is(err, accounts.ErrInvalid), errors.Is(err, postgres.ErrBadURL):
		return exitMisuse
	case postgres.Classify(err) == postgres.Unavailable:
		return exitUnreachable
	}
	return exitFailed
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use: "daftar", Short: "A payment ledger with a hosted checkout for Libyan dinars",
		Version: version, SilenceUsage: true, SilenceErrors: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.errs)
	root.PersistentFlags().BoolVar(&p.json, "json", false, "answer with one JSON value on standard output")
	root.AddCommand(
		p.demo(), p.serve(), p.sandboxAcquirer(), p.migrate(), p.doctor(),
		p.org(), p.app(), p.token(), p.user(), p.events(), p.attempts(), p.projections(), p.webhooks(), p.feed(), p.audit(), p.rekey(),
	)
	return root
}

// group is a command that only has subcommands.
func group(use, short string, subcommands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(c *cobra.Command, _ []string) error {
		return misusef("%s: name a subcommand; see daftar %s --help", c.Name(), c.Name())
	}}
	c.AddCommand(subcommands...)
	return c
}

// running marks what goes wrong in a command as no misuse, unless it says so.
func running(f func(c *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if err := f(c, args); err != nil {
			return failed{err}
		}
		return nil
	}
}

// answer prints the command's answer: the value as JSON, or the text.
func (p *program) answer(value any, text string) error {
	if !p.json {
		_, err := io.WriteString(p.out, text)
		return err
	}
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}

// tellf prints a message that is no part of the answer.
func (p *program) tellf(format string, args ...any) { fmt.Fprintf(p.errs, format+"\n", args...) }

package cli

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/config"
	"daftar/internal/ops"
	"daftar/internal/output"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// Call is one call of the program: what the shell gives it.
type Call struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string // as os.Environ
	Args     []string // without the program's name
	Version  string   // of the build
}

// Program is a call under way: where and how it answers.
type Program struct {
	output.Printer

	Call Call
}

// Commands makes a program's command, with its subcommands, for a call.
type Commands func(*Program) *cobra.Command

// Run carries the call out, by those commands, and returns the exit code. Where ctx
// ends, so does what runs until it is stopped, with the exit code of success.
func (c Call) Run(ctx context.Context, commands Commands) int {
	variables := config.Variables(c.Environ)
	p := &Program{Printer: output.Printer{Out: c.Out, Err: c.Err}, Call: c}
	// no-color.org
	p.Colours = ops.IsTerminal(c.Out) && variables["NO_COLOR"] == "" && variables["TERM"] != "dumb"
	root := commands(p)
	root.SetArgs(c.Args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, ErrReported) {
		p.Error(root.Name(), err)
		if errors.Is(err, migrations.ErrOutOfDate) {
			p.Notef("Run daftar migrate up.")
		}
	}
	return exitCode(err)
}

// The exit codes, for scripts.
const (
	exitDone        = 0
	exitFailed      = 1 // a check failed, or nothing was found
	exitMisuse      = 2
	exitUnreachable = 3 // the database, or another server that the command asks, is out of reach
)

// ExitCodes explains them to people.
const ExitCodes = `Exit codes: 0 done; 1 a check failed, or nothing was found; 2 misuse, or a variable of
the environment is wrong; 3 the database, or another server that the command asks, is out
of reach.`

// Misusef is the error of a call that cannot be right: exit code 2.
func Misusef(format string, args ...any) error { return config.Errorf(format, args...) }

// failed is an error of a command whose call was correct.
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }

// ErrReported ends a command whose answer has already said that a check failed.
var ErrReported = errors.New("reported")

// ReportedUnless ends a command whose answer reports whether a check holds.
func ReportedUnless(ok bool, err error) error {
	if err == nil && !ok {
		return ErrReported
	}
	return err
}

// exitCode sorts an error into what a script can act on. What cobra finds wrong
// with the arguments is not marked failed and is misuse.
func exitCode(err error) int {
	var wrong config.Error
	var inCommand failed
	switch {
	case errors.As(err, &wrong),
		!errors.As(err, &inCommand),
		errors.Is(err, accounts.ErrInvalid),
		errors.Is(err, postgres.ErrBadURL),
		errors.Is(err, postgres.ErrSharedSessions):
		return exitMisuse
	case postgres.Classify(err) == postgres.Unavailable:
		return exitUnreachable
	}
	return exitFailed
}

// Root is the command that the program is called by, with its subcommands.
func (p *Program) Root(use, short string, subcommands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use: use, Short: short,
		Long:    short + ".\n\n" + ExitCodes,
		Version: p.Call.Version, SilenceUsage: true, SilenceErrors: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(p.Call.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.PersistentFlags().BoolVar(&p.JSON, "json", false, "answer with one JSON value on standard output")
	root.AddCommand(append(subcommands, p.version(use))...)
	requireFlags(root)
	return root
}

package commands

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/rs/zerolog"
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

// Run carries the call out and returns the exit code. Where ctx ends, so does what runs
// until it is stopped, with the exit code of success.
func (c Call) Run(ctx context.Context) int {
	p := &program{Printer: output.Printer{Out: c.Out, Err: c.Err}, call: c}
	return p.run(ctx)
}

// program is a call under way: where and how it answers.
type program struct {
	output.Printer

	call Call
}

// The exit codes, for scripts.
const (
	exitDone        = 0
	exitFailed      = 1 // a check failed, or nothing was found
	exitMisuse      = 2
	exitUnreachable = 3 // the database, or another server that the command asks, is out of reach
)

func misusef(format string, args ...any) error { return config.Errorf(format, args...) }

// failed is an error of a command that was called rightly.
type failed struct{ error }

func (f failed) Unwrap() error { return f.error }

// errReported ends a command whose answer has already said that a check failed.
var errReported = errors.New("reported")

// reportedUnless ends a command whose answer says whether a check holds.
func reportedUnless(ok bool, err error) error {
	if err == nil && !ok {
		return errReported
	}
	return err
}

func (p *program) run(ctx context.Context) int {
	variables := config.Variables(p.call.Environ)
	// no-color.org
	p.Colours = ops.IsTerminal(p.Out) && variables["NO_COLOR"] == "" && variables["TERM"] != "dumb"
	root := p.root()
	root.SetArgs(p.call.Args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, errReported) {
		p.Error("daftar", err)
		if errors.Is(err, migrations.ErrOutOfDate) {
			p.Notef("Run daftar migrate up.")
		}
	}
	return exitCode(err)
}

// exitCode sorts an error into what a script can act on. What cobra finds wrong
// with the arguments is not marked failed and is misuse.
func exitCode(err error) int {
	var wrong config.Error
	var inCommand failed
	switch {
	case errors.As(err, &wrong), !errors.As(err, &inCommand),
		errors.Is(err, accounts.ErrInvalid), errors.Is(err, postgres.ErrBadURL), errors.Is(err, postgres.ErrSharedSessions):
		return exitMisuse
	case postgres.Classify(err) == postgres.Unavailable:
		return exitUnreachable
	}
	return exitFailed
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use: "daftar", Short: "A payment ledger with a hosted checkout for Libyan dinars",
		Version: p.call.Version, SilenceUsage: true, SilenceErrors: true,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(p.call.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.PersistentFlags().BoolVar(&p.JSON, "json", false, "answer with one JSON value on standard output")
	root.AddCommand(
		p.demo(), p.serve(), p.sandboxAcquirer(), p.fakeAcquirer(), p.migrate(), p.doctor(),
		p.org(), p.app(), p.acquirer(), p.token(), p.user(), p.events(), p.attempts(), p.refunds(), p.reconcile(), p.projections(), p.webhooks(), p.feed(),
		p.audit(), p.rekey(), p.listen(), p.trigger(), p.sandboxGroup(), p.version(),
	)
	requireFlags(root)
	offerChoices(root)
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

// hidden is a command's former place, where scripts still find it.
func hidden(c *cobra.Command) *cobra.Command {
	c.Hidden = true
	return c
}

// log is the program's log, on standard error.
func (p *program) log(c config.Config) zerolog.Logger { return ops.NewLog(p.Err, c.LogLevel) }

// count is a number of things for people.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", output.Count(int64(n)), many)
}

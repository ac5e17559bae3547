package commands

import (
	"fmt"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/internal/ops"
	"daftar/internal/output"
)

// program is a call of daftar under way.
type program struct{ *cli.Program }

// Root has all commands of daftar.
func Root(called *cli.Program) *cobra.Command {
	p := &program{called}
	return p.Root("daftar", "A payment ledger with a hosted checkout for Libyan dinars",
		p.serve(), p.sandboxAcquirer(), p.migrate(), p.doctor(),
		p.org(), p.app(), p.acquirer(), p.token(), p.user(),
		p.events(), p.books(), p.attempts(), p.refunds(), p.reconcile(),
		p.projections(), p.webhooks(), p.feed(), p.audit(), p.rekey(), p.listen(),
		moved("demo"), moved("fake-acquirer"), moved("trigger"), moved("sandbox"))
}

// SandboxAcquirer is the command of that name, for programs that have it, too.
func SandboxAcquirer(p *cli.Program) *cobra.Command { return (&program{p}).sandboxAcquirer() }

// moved is a hidden command that is in daftar-dev now; its error says so.
func moved(name string) *cobra.Command {
	return &cobra.Command{
		Use: name, Hidden: true, DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return cli.Misusef(
				"%s is a command of daftar-dev: make build, or the Debian package of that name", name)
		},
	}
}

// hiddenAlias is a command's former place, where scripts still find it.
func hiddenAlias(c *cobra.Command) *cobra.Command {
	c.Hidden = true
	return c
}

// log is the program's log, on standard error.
func (p *program) log(c config.Config) zerolog.Logger { return ops.NewLog(p.Err, c.LogLevel) }

// show prints what a command has found, made or changed, unless that failed.
func (p *program) show(name string, answer any, err error, sentences ...string) error {
	if err != nil {
		return err
	}
	return p.Named(name, answer, sentences...)
}

// count is a number of things for people.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", output.Count(int64(n)), many)
}

package commands

import (
	"context"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
)

// servingGCPercent is less than that of commands, which end soon: a server under
// full load stays below 150 MB.
const servingGCPercent = 250

func (p *program) serve() *cobra.Command {
	c := cli.Command("serve", "Serve the API and the checkout until SIGTERM",
		p.configured(func(ctx context.Context, s session) error {
			cli.SetGCPercent(servingGCPercent)
			opened, err := server.New(ctx, s.Config, p.Call.Version, p.log(s.Config))
			if err != nil {
				return err
			}
			return opened.Run(ctx)
		}, "DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY"))
	c.Long = `Serve the API and the checkout until SIGTERM.

Variables of the environment configure it; their defaults are in brackets. A value with an
asterisk may be in a file instead: the variable with _FILE behind its name has the path.

` + config.Help() + `"daftar doctor" checks all of it.`
	return c
}

func (p *program) sandboxAcquirer() *cobra.Command {
	var journal string
	c := cli.Command("sandbox-acquirer", "Run the sandbox acquirer: a bank that moves no real money",
		p.configured(func(ctx context.Context, s session) error {
			return server.RunSandbox(ctx, s.Config, journal, p.log(s.Config))
		}, "DAFTAR_SANDBOX_SECRET"))
	c.Flags().StringVar(&journal, "journal", "",
		"file that keeps the sandbox's books over a restart (none: memory only)")
	return c
}

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
		p.configured(func(ctx context.Context, conf config.Config, _ []string) error {
			cli.SetGCPercent(servingGCPercent)
			s, err := server.New(ctx, conf, p.Call.Version, p.log(conf))
			if err != nil {
				return err
			}
			return s.Run(ctx)
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
		p.configured(func(ctx context.Context, conf config.Config, _ []string) error {
			return server.RunSandbox(ctx, conf, journal, p.log(conf))
		}, "DAFTAR_SANDBOX_SECRET"))
	c.Flags().StringVar(&journal, "journal", "",
		"file that keeps the sandbox's books over a restart (none: memory only)")
	return c
}

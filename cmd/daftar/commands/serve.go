package commands

import (
	"context"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/demo"
	"daftar/cmd/daftar/server"
)

// servingGCPercent is less than that of commands, which end soon: a server under
// full load stays below 150 MB.
const servingGCPercent = 250

func (p *program) serve() *cobra.Command {
	return command("serve", "Serve the API and the checkout until SIGTERM", func(ctx context.Context, _ []string) error {
		conf, err := p.configure("DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY")
		if err != nil {
			return err
		}
		setGCPercent(servingGCPercent)
		s, err := server.New(ctx, conf, p.call.Version, p.log(conf))
		if err != nil {
			return err
		}
		return s.Run(ctx)
	})
}

func (p *program) sandboxAcquirer() *cobra.Command {
	var journal string
	c := command("sandbox-acquirer", "Run the sandbox acquirer: a bank that moves no real money", func(ctx context.Context, _ []string) error {
		conf, err := p.configure("DAFTAR_SANDBOX_SECRET")
		if err != nil {
			return err
		}
		return server.RunSandbox(ctx, conf, journal, p.log(conf))
	})
	c.Flags().StringVar(&journal, "journal", "", "file that keeps the sandbox's books over a restart (none: memory only)")
	return c
}

func (p *program) demo() *cobra.Command {
	var dir string
	c := command("demo", "Run everything on this machine, with a private PostgreSQL and play money", func(ctx context.Context, _ []string) error {
		conf, err := p.configure()
		if err != nil {
			return err
		}
		d := demo.Demo{Printer: &p.Printer, Dir: dir, Config: conf, Environ: p.call.Environ, Version: p.call.Version}
		return d.Run(ctx)
	})
	c.Flags().StringVar(&dir, "dir", "var", "where the database and the credentials are kept")
	return c
}

package commands

import (
	"context"

	"github.com/spf13/cobra"

	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/demo"
	"daftar/cmd/daftar/server"
)

// servingGCPercent is less than that of commands, which end soon: a server under
// full load stays below 150 MB.
const servingGCPercent = 250

func (p *program) serve() *cobra.Command {
	c := command("serve", "Serve the API and the checkout until SIGTERM", p.configured(func(ctx context.Context, conf config.Config, _ []string) error {
		setGCPercent(servingGCPercent)
		s, err := server.New(ctx, conf, p.call.Version, p.log(conf))
		if err != nil {
			return err
		}
		return s.Run(ctx)
	}, "DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY"))
	c.Long = `Serve the API and the checkout until SIGTERM.

Variables of the environment say how, with their defaults in brackets. One with an asterisk
may be a file instead, whose path is in the variable with _FILE behind its name.

` + config.Help() + `
"daftar doctor" looks at all of it.`
	return c
}

func (p *program) sandboxAcquirer() *cobra.Command {
	var journal string
	c := command("sandbox-acquirer", "Run the sandbox acquirer: a bank that moves no real money",
		p.configured(func(ctx context.Context, conf config.Config, _ []string) error {
			return server.RunSandbox(ctx, conf, journal, p.log(conf))
		}, "DAFTAR_SANDBOX_SECRET"))
	c.Flags().StringVar(&journal, "journal", "", "file that keeps the sandbox's books over a restart (none: memory only)")
	return c
}

func (p *program) fakeAcquirer() *cobra.Command {
	var address, notifyURL string
	c := command("fake-acquirer NAME", "Run a fake of Plutu, Moamalat or LYPay: play money, for trying things out",
		func(ctx context.Context, args []string) error {
			return server.RunFake(ctx, args[0], address, notifyURL, func(f server.Fake) error { return p.Named("fake", f) })
		})
	c.Flags().StringVar(&address, "listen", "127.0.0.1:0", "`HOST:PORT` of this machine")
	c.Flags().StringVar(&notifyURL, "notify-url", "", "where its notifications go: the notify_url of acquirer list (Plutu gets it with each payment)")
	return c
}

func (p *program) demo() *cobra.Command {
	var dir, shop string
	c := command("demo [--shop URL]", "Run everything on this machine, with a private PostgreSQL and play money",
		p.configured(func(ctx context.Context, conf config.Config, _ []string) error {
			if shop != "" && !config.IsWebAddress(shop) {
				return misusef("--shop: %q is no http or https address", shop)
			}
			d := demo.Demo{Printer: &p.Printer, Dir: dir, Shop: shop, Config: conf, Environ: p.call.Environ, Version: p.call.Version}
			return d.Run(ctx)
		}))
	c.Flags().StringVar(&dir, "dir", "var", "where the database and the credentials are kept")
	c.Flags().StringVar(&shop, "shop", "", "`URL` of a shop of yours that webhooks go to")
	return c
}

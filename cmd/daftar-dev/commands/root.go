package commands

import (
	"context"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar-dev/demo"
	"daftar/cmd/daftar-dev/fakes"
	"daftar/cmd/daftar/cli"
	daftar "daftar/cmd/daftar/commands"
	"daftar/cmd/daftar/config"
)

// program is a call of daftar-dev under way.
type program struct{ *cli.Program }

// Root has all commands of daftar-dev.
func Root(called *cli.Program) *cobra.Command {
	p := &program{called}
	return p.Root("daftar-dev",
		"A Daftar to develop with: a demonstration, fakes of acquirers, payments that are played",
		p.demo(), p.fakeAcquirer(), daftar.SandboxAcquirer(p.Program), p.trigger(), p.sandboxGroup())
}

func (p *program) fakeAcquirer() *cobra.Command {
	var address, notifyURL string
	c := cli.Command("fake-acquirer NAME",
		"Run a fake of an acquirer: play money, for trying things out",
		func(ctx context.Context, args []string) error {
			return fakes.Run(ctx, args[0], address, notifyURL,
				func(f fakes.Fake) error { return p.Named("fake", f) })
		})
	c.Flags().StringVar(&address, "listen", "127.0.0.1:0", "`HOST:PORT` of this machine")
	c.Flags().StringVar(&notifyURL, "notify-url", "",
		"where its notifications go: the notify_url of acquirer list (Plutu gets it with each payment)")
	return cli.OfferArgument(c, fakes.Acquirers())
}

func (p *program) demo() *cobra.Command {
	var dir, shop string
	c := cli.Command("demo [--shop URL]",
		"Run everything on this machine, with a private PostgreSQL and play money",
		func(ctx context.Context, _ []string) error {
			conf, err := config.Read(p.Call.Environ)
			if err != nil {
				return err
			}
			if err := accounts.CheckWebhookURL(shop); err != nil {
				return cli.Misusef("--shop: %w", err)
			}
			d := demo.Demo{
				Printer: &p.Printer, Dir: dir, Shop: shop, Config: conf, Environ: p.Call.Environ,
				Version: p.Call.Version,
			}
			return d.Run(ctx)
		})
	c.Flags().StringVar(&dir, "dir", "var", "where the database and the credentials are kept")
	c.Flags().StringVar(&shop, "shop", "", "`URL` of a shop of yours that webhooks go to")
	return c
}

package main

import (
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// servingGCPercent is less than that of commands, which end soon: a server under
// full load stays below 150 MB.
const servingGCPercent = 250

func (p *program) serve() *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Serve the API and the checkout until SIGTERM", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			conf, err := p.configure("DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY")
			if err != nil {
				return err
			}
			log := p.log(conf)
			if conf.clockOffset != 0 {
				log.Warn().Stringer("offset", conf.clockOffset).Msg("the clock is shifted: for the sandbox only")
			}
			if os.Getenv("GOGC") == "" {
				debug.SetGCPercent(servingGCPercent)
			}
			if len(conf.acquirers) == 0 {
				log.Warn().Msg("no acquirer is configured: the checkout offers no way to pay (DAFTAR_ACQUIRERS)")
			}
			stopTracing, err := p.startTracing(c.Context(), log)
			if err != nil {
				return err
			}
			defer stopTracing()
			s, err := newServer(c.Context(), conf, log)
			if err != nil {
				return err
			}
			return s.run(c.Context())
		}),
	}
}

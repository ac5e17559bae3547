package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/spf13/cobra"

	"daftar/checkout/acquirer/sandbox/bank"
)

// sandboxWriteLimit is longer than the bank's longest silence: it does not
// answer some payments on purpose.
const sandboxWriteLimit = time.Minute

func (p *program) sandboxAcquirer() *cobra.Command {
	var journal string
	c := &cobra.Command{
		Use: "sandbox-acquirer", Short: "Run the sandbox acquirer: a bank that moves no real money", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			conf, err := p.configure("DAFTAR_SANDBOX_SECRET")
			if err != nil {
				return err
			}
			return p.runBank(c.Context(), conf, journal)
		}),
	}
	c.Flags().StringVar(&journal, "journal", "", "file that keeps the sandbox's books over a restart (none: memory only)")
	return c
}

func (p *program) runBank(ctx context.Context, conf config, journal string) error {
	log := p.log(conf)
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", conf.sandboxListen)
	if err != nil {
		return misusef("DAFTAR_SANDBOX_LISTEN: cannot listen on %s: %v", conf.sandboxListen, errors.Unwrap(err))
	}
	publicURL := conf.sandboxURL
	if publicURL == "" {
		publicURL = "http://" + l.Addr().String()
	}
	b, err := bank.New(bank.Config{Secret: conf.sandboxSecret, PublicURL: publicURL, Journal: journal, Logger: log})
	if err != nil {
		_ = l.Close()
		return fmt.Errorf("open the sandbox's books: %w", err)
	}
	hs := newHTTPServer(b.Handler())
	hs.WriteTimeout = sandboxWriteLimit
	stopped := make(chan error, 1)
	go func() { stopped <- hs.Serve(bounded(l, maxSandboxConnections)) }()
	log.Info().Stringer("address", l.Addr()).Msg("sandbox acquirer is listening")
	select {
	case err = <-stopped:
		return errors.Join(fmt.Errorf("serve the sandbox: %w", err), b.Close())
	case <-ctx.Done():
	}
	// Closing the bank first lets go of the requests that it keeps waiting.
	err = b.Close()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	return errors.Join(err, hs.Shutdown(drain))
}

package server

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"daftar/cmd/daftar/config"
	"daftar/payments/acquirer/sandbox/bank"
)

// sandboxWriteLimit is longer than the bank's longest silence: it does not
// answer some payments on purpose.
const sandboxWriteLimit = time.Minute

// RunSandbox runs the sandbox acquirer until ctx ends. A journal is the file that
// keeps its books over a restart; with none they are in memory.
func RunSandbox(ctx context.Context, c config.Config, journal string, log zerolog.Logger) error {
	l, err := listen(ctx, "DAFTAR_SANDBOX_LISTEN", c.SandboxListen, maxSandboxConnections)
	if err != nil {
		return err
	}
	publicURL := c.SandboxURL
	if publicURL == "" {
		publicURL = "http://" + l.Addr().String()
	}
	b, err := bank.New(bank.Config{Secret: c.SandboxSecret, PublicURL: publicURL, Journal: journal, Logger: log})
	if err != nil {
		_ = l.Close()
		return fmt.Errorf("open the sandbox's books: %w", err)
	}
	hs := newHTTPServer(b.Handler())
	hs.WriteTimeout = sandboxWriteLimit
	// Closing the bank releases the requests that it keeps waiting, so that the server can drain.
	closeBank := sync.OnceValue(b.Close)
	defer context.AfterFunc(ctx, func() { _ = closeBank() })()
	log.Info().Stringer("address", l.Addr()).Msg("sandbox acquirer is listening")
	return errors.Join(serveUntil(ctx, hs, l, "the sandbox"), closeBank())
}

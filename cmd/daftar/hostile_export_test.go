package main

import (
	"context"
	"io"
	"net/http"

	"github.com/rs/zerolog"

	"daftar/accounts"
)

// Opened is what `daftar serve` serves, in this process: for tests that send more
// requests than sockets carry. Its workers do not run.
type Opened struct {
	Public   http.Handler // what DAFTAR_LISTEN serves
	Accounts *accounts.Accounts
	server   *server
}

// OpenServer opens a server as the environment says, which has to name addresses
// that are free. Only warnings and errors are logged. The caller must Close it.
func OpenServer(ctx context.Context, environ []string, log io.Writer) (*Opened, error) {
	p := &program{environ: environ, out: io.Discard, errs: log}
	conf, err := p.configure("DAFTAR_DATABASE_URL", "DAFTAR_SECRET_KEY")
	if err != nil {
		return nil, err
	}
	s, err := newServer(ctx, conf, zerolog.New(log).Level(zerolog.WarnLevel).With().Timestamp().Logger())
	if err != nil {
		return nil, err
	}
	o := &Opened{Accounts: s.accounts, server: s}
	for l, h := range s.listeners {
		if l != s.operators {
			o.Public = newHTTPServer(h).Handler
		}
	}
	return o, nil
}

// Close gives back what OpenServer took.
func (o *Opened) Close() { o.server.close() }

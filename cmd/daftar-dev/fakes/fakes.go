package fakes

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"daftar/cmd/daftar/config"
	"daftar/internal/web"
	"daftar/payments/acquirer/fake"
	lypayfake "daftar/payments/acquirer/lypay/fake"
	moamalatfake "daftar/payments/acquirer/moamalat/fake"
	plutufake "daftar/payments/acquirer/plutu/fake"
)

// programs are in the order in which the demo's page offers their acquirers.
var programs = []fake.Program{plutufake.Program, moamalatfake.Program, lypayfake.Program}

// All returns every fake; none runs yet.
func All() []fake.Program { return slices.Clone(programs) }

// Acquirers returns the names of the acquirers that have a fake.
func Acquirers() []string {
	var names []string
	for _, p := range programs {
		names = append(names, p.Acquirer)
	}
	return names
}

// Fake is a running fake of an acquirer, with play money.
type Fake struct {
	Acquirer string `json:"acquirer" label:"fake of"`
	URL      string `json:"url"      label:"address"`
	Variable string `json:"variable" label:"set in the server"` // with the address
	Settings string `json:"settings" label:"settings"`          // JSON that opens an account with it
}

// readLimit bounds a request's header. An answer has no limit: fakes do not answer some payments on
// purpose.
const readLimit = 10 * time.Second

// Run runs a fake of the acquirer until ctx ends, at an address of this machine, and
// says when it listens. It notifies the address, if there is one.
func Run(ctx context.Context, name, address, notifyURL string, listening func(Fake) error) error {
	n := slices.Index(Acquirers(), name)
	if n < 0 {
		return config.Errorf("there is no fake of %q: %s; the sandbox is run by sandbox-acquirer", name,
			strings.Join(Acquirers(), ", "))
	}
	if !web.IsLocal("http://" + address) {
		return config.Errorf("--listen %q is no HOST:PORT of this machine: a fake stays on it", address)
	}
	var listener net.ListenConfig
	l, err := listener.Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen at %s: %w", address, err)
	}
	program := programs[n]
	handler, end := program.Open(notifyURL)
	hs := &http.Server{Handler: handler, ReadHeaderTimeout: readLimit}
	stopped := make(chan error, 1)
	go func() { stopped <- hs.Serve(l) }()
	err = listening(Fake{name, "http://" + l.Addr().String(), program.Variable, program.Settings})
	if err != nil {
		end()
		return errors.Join(err, hs.Close())
	}
	select {
	case err = <-stopped:
		end()
		return fmt.Errorf("serve the fake: %w", err)
	case <-ctx.Done():
	}
	end()
	return hs.Close()
}

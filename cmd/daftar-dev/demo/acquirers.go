package demo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/cmd/daftar-dev/fakes"
	"daftar/internal/freeport"
	"daftar/internal/pgcluster"
	"daftar/payments"
	"daftar/payments/acquirer/registry"
)

// program is a part of the demo that runs in a separate process, as in production.
type program struct {
	*exec.Cmd

	what string
}

// start runs this program again, with other arguments.
func (d *Demo) start(ctx context.Context, what, listening string, environ []string,
	args ...string,
) (*program, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", what, err)
	}
	c := exec.CommandContext(context.WithoutCancel(ctx), self, args...) //nolint:gosec // this very program
	c.Env = append(append(os.Environ(), "DAFTAR_LOG_LEVEL=warn", "DAFTAR_ACQUIRERS=",
		"DAFTAR_CLOCK_OFFSET=0s"), environ...)
	c.Stderr = d.Err
	// A separate process group does not get the terminal's Ctrl-C: the server, which
	// may still call this program, stops first. It dies with us, whatever kills us.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pgcluster.EndWithParent(c.SysProcAttr, syscall.SIGTERM)
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", what, err)
	}
	return &program{c, what}, awaitListener(ctx, listening)
}

func (p *program) stop() error {
	if p == nil {
		return nil
	}
	err := p.Process.Signal(syscall.SIGTERM)
	if err == nil {
		err = p.Wait()
	}
	if err != nil {
		return fmt.Errorf("stop %s: %w", p.what, err)
	}
	return nil
}

// startAcquirers starts the sandbox, and a fake of each acquirer for which no variable names
// an address. What it has started before an error is the caller's to stop.
func (d *Demo) startAcquirers(ctx context.Context) (all []*program, err error) {
	bank, err := d.start(ctx, "the sandbox acquirer", d.Config.SandboxListen, []string{
		"DAFTAR_SANDBOX_LISTEN=" + d.Config.SandboxListen, "DAFTAR_SANDBOX_URL=" + d.Config.SandboxURL,
		"DAFTAR_SANDBOX_SECRET=" + d.Config.SandboxSecret, "DAFTAR_SANDBOX_SECRET_FILE=",
	}, "sandbox-acquirer", "--journal", d.file("sandbox.journal"))
	all = []*program{bank}
	for _, f := range fakes.All() {
		if err != nil || d.isSet(f.Variable) {
			continue
		}
		var address string
		if address, err = freeport.Take(ctx); err != nil {
			break
		}
		described, _ := registry.Named(f.Acquirer)
		for _, v := range described.Variables {
			delete(d.Config.Addresses, v.Name) // the fake has everything at one address
		}
		d.Config.Addresses[f.Variable] = "http://" + address
		var fake *program
		fake, err = d.start(ctx, "the fake of "+f.Acquirer, address, nil, "fake-acquirer", f.Acquirer,
			"--listen", address,
			"--notify-url", payments.NotifyURL(d.Config.PublicURL, f.Acquirer, d.application))
		all = append(all, fake)
	}
	return all, err
}

// openAcquirers gives the demo's application an account with each fake, once: what is changed
// or removed later stays so.
func (d *Demo) openAcquirers(ctx context.Context, s *settings.Settings, of accounts.Credential) error {
	if d.saved.Acquirers {
		return nil
	}
	for _, f := range fakes.All() {
		if d.isSet(f.Variable) {
			continue
		}
		err := s.SetAcquirer(ctx, operator, of.Organization, of.Application,
			f.Acquirer, []byte(f.Settings), f.Methods)
		if err != nil {
			return fmt.Errorf("open account with the fake of %s: %w", f.Acquirer, err)
		}
	}
	d.saved.Acquirers = true
	return d.saved.write(d.Dir)
}

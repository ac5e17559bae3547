package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	"daftar/internal/freeport"
)

// process is a program that answers requests: a server of ours, the sandbox acquirer or the
// bare server.
type process struct {
	cmd     *exec.Cmd
	address string
	ops     string // of a server of ours
	ended   <-chan struct{}
}

// start starts a program and waits until it answers with 200 at a path of its ops or, where it
// has none, of its address.
func (p *process) start(ctx context.Context, path string, env ...string) error {
	c := p.cmd
	c.Env, c.Stderr = append(os.Environ(), env...), os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	if err := c.Start(); err != nil {
		return fmt.Errorf("start %s: %w", c.Path, err)
	}
	ended := make(chan struct{})
	p.ended = ended
	go func() {
		defer close(ended)
		_ = c.Wait() // how it ended does not matter; what it said is above
	}()
	address := "http://" + p.address + path
	if p.ops != "" {
		address = "http://" + p.ops + path
	}
	err := until(ctx, time.Minute, func() (bool, error) {
		select {
		case <-ended:
			return false, errors.New("it has ended; see what it said above")
		default:
		}
		_, _, err := get(ctx, http.DefaultClient, address, nil)
		return err == nil, nil
	})
	if err != nil {
		p.stop()
		return fmt.Errorf("await %v: %w", c.Args, err)
	}
	return nil
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	<-p.ended
}

// startServer starts one more `daftar serve` on the site's database.
func (s *stage) startServer(ctx context.Context) error {
	address, err := freeport.Take(ctx)
	if err != nil {
		return err
	}
	ops, err := freeport.Take(ctx)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, s.daftar, "serve") //nolint:gosec // the program to measure
	p := &process{cmd: c, address: address, ops: ops}
	err = p.start(ctx, "/readyz",
		"DAFTAR_DATABASE_URL="+s.cluster.URL(s.name, user),
		"DAFTAR_LISTEN="+address,
		"DAFTAR_OPS_LISTEN="+ops,
		"DAFTAR_SECRET_KEY="+s.key,
		"DAFTAR_LOG_LEVEL=error",
		"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		"DAFTAR_RATE_LIMIT=off",
		"DAFTAR_SANDBOX_URL=http://"+s.acquirer,
		"DAFTAR_SANDBOX_SECRET="+s.key)
	if err != nil {
		return err
	}
	s.servers = append(s.servers, p)
	return nil
}

// runServers starts or ends servers of the site until the wanted number runs.
func (s *stage) runServers(ctx context.Context, wanted int) error {
	for len(s.servers) > wanted {
		last := len(s.servers) - 1
		s.servers[last].stop()
		s.servers = s.servers[:last]
	}
	for len(s.servers) < wanted {
		if err := s.startServer(ctx); err != nil {
			return err
		}
	}
	return nil
}

// addresses are those of the running servers.
func (s *stage) addresses() []string {
	all := make([]string, len(s.servers))
	for n, one := range s.servers {
		all[n] = one.address
	}
	return all
}

// startAcquirer starts the sandbox acquirer, which servers of the site use from then on.
func (s *stage) startAcquirer(ctx context.Context) (p *process, err error) {
	if s.acquirer, err = freeport.Take(ctx); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, s.daftar, "sandbox-acquirer") //nolint:gosec // the program to measure
	p = &process{cmd: c, address: s.acquirer}
	err = p.start(ctx, "/control/ledger",
		"DAFTAR_SANDBOX_LISTEN="+s.acquirer,
		"DAFTAR_SANDBOX_SECRET="+s.key,
		"DAFTAR_LOG_LEVEL=warn")
	return p, err
}

// until polls a condition until it is true, every 50 ms.
func until(ctx context.Context, limit time.Duration, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if reached, err := done(); err != nil || reached {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// get fetches an address whose answer must be 200.
func get(ctx context.Context, c *http.Client, url string, header http.Header) ([]byte, http.Header, error) {
	return fetch(ctx, c, http.MethodGet, url, header, nil)
}

// fetch sends a request whose answer must be 200, and reads it.
func fetch(
	ctx context.Context, c *http.Client, method, url string, header http.Header, body []byte,
) ([]byte, http.Header, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(request.Header, header)
	response, err := c.Do(request)
	if err != nil {
		return nil, nil, err
	}
	answer, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w", method, url, err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("%s %s: %s", method, url, response.Status)
	}
	return answer, response.Header, nil
}

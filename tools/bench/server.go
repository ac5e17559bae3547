package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/domain"
	"daftar/internal/freeport"
)

// server is `daftar serve` as a process.
type server struct {
	cmd          *exec.Cmd
	address, ops string
	ended        <-chan struct{}
}

// merchant is an organisation with one application, and what its requests need.
type merchant struct {
	organization uuid.UUID
	application  accounts.NewApplication
	namespace    domain.Namespace
	token        string // to access it
	headers      string // of a request
}

func newMerchant(
	ctx context.Context, pool *pgxpool.Pool, a *accounts.Accounts, webhookURL string,
) (merchant, error) {
	operator := accounts.Operator("bench")
	org, err := a.CreateOrganization(ctx, operator, "bench")
	if err != nil {
		return merchant{}, err
	}
	m := merchant{organization: uuid.UUID(org.ID)}
	if m.application, err = a.CreateApplication(ctx, operator, org.ID, "bench", webhookURL); err != nil {
		return merchant{}, err
	}
	if m.namespace, err = namespaceOf(ctx, pool, m.application); err != nil {
		return merchant{}, err
	}
	if _, m.token, err = a.CreateToken(ctx, operator, org.ID, "bench", nil); err != nil {
		return merchant{}, err
	}
	m.headers = "Host: bench\r\nAccept: application/json\r\n" +
		"X-API-Key: " + m.application.APIKey + "\r\n" +
		"Authorization: Bearer " + m.token + "\r\n"
	return m, nil
}

func namespaceOf(
	ctx context.Context, pool *pgxpool.Pool, app accounts.NewApplication,
) (domain.Namespace, error) {
	const namespaceSQL = `SELECT namespace FROM applications WHERE uuid = $1`
	var namespace [16]byte
	if err := pool.QueryRow(ctx, namespaceSQL, [16]byte(app.ID)).Scan(&namespace); err != nil {
		return domain.Namespace{}, fmt.Errorf("find namespace: %w", err)
	}
	return namespace, nil
}

// startServer starts one more server on the site's database and waits until it is
// ready. stopServers ends it.
func (s *stage) startServer(ctx context.Context) error {
	address, err := freeport.Take(ctx)
	if err != nil {
		return err
	}
	opsAddress, err := freeport.Take(ctx)
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, s.daftar, "serve") //nolint:gosec // the program to measure
	c.Env = append(os.Environ(),
		"DAFTAR_DATABASE_URL="+s.cluster.URL(s.name, user),
		"DAFTAR_LISTEN="+address,
		"DAFTAR_OPS_LISTEN="+opsAddress,
		"DAFTAR_SECRET_KEY="+s.key,
		"DAFTAR_LOG_LEVEL=error",
		"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		"DAFTAR_RATE_LIMIT=off",
		"DAFTAR_SANDBOX_URL=http://"+s.acquirer,
		"DAFTAR_SANDBOX_SECRET="+s.key)
	c.Stderr = os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	if err := c.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.daftar, err)
	}
	ended := endOf(c)
	s.servers = append(s.servers, server{cmd: c, address: address, ops: opsAddress, ended: ended})
	return awaitAnswer(ctx, "http://"+opsAddress+"/readyz", ended)
}

// endOf returns a channel that is closed when a started process has ended. Its exit
// status is ignored.
func endOf(c *exec.Cmd) <-chan struct{} {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = c.Wait()
	}()
	return ended
}

// stopServers ends all servers of the site.
func (s *stage) stopServers() {
	stop(s.servers)
	s.servers = nil
}

func stop(servers []server) {
	for _, one := range servers {
		_ = one.cmd.Process.Signal(syscall.SIGTERM)
	}
	for _, one := range servers {
		<-one.ended
	}
}

// addresses are those of the running servers.
func (s *stage) addresses() []string {
	all := make([]string, len(s.servers))
	for n, one := range s.servers {
		all[n] = one.address
	}
	return all
}

// awaitAnswer waits until an address answers with 200, or the process behind it
// has ended.
func awaitAnswer(ctx context.Context, url string, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return fmt.Errorf("await server: %w", err)
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ended:
			return errors.New("await server: it has ended; see what it said above")
		case <-ctx.Done():
			return fmt.Errorf("await server: %w", errors.Join(ctx.Err(), err))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

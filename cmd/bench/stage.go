package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/accounts"
	"daftar/internal/postgres"
	"daftar/migrations"
)

// stage is what the measurements run on: a private PostgreSQL with the settings
// of a real one, and the server as a process.
type stage struct {
	options
	dir       string
	cluster   *postgres.Cluster
	pool      *pgxpool.Pool
	server    *exec.Cmd
	address   string
	ops       string
	pgbench   string
	headers   string
	run       string // makes the references of this run unlike others
	uuids     []string
	createdBy int
	feedReady bool
	weight    string // of the pay page, in words
	accounts  *accounts.Accounts
	tenant    *tenant
}

type measurement struct {
	name string
	run  func(context.Context) (result, error)
	// reference names the measurement to which this one is held; mark is the
	// ratio that it must reach.
	reference string
	mark      float64
	floor     float64       // the rate that it must reach by itself; 0: none
	ceiling   time.Duration // what its p99 may be at most; 0: anything
}

func (s *stage) measurements() []measurement {
	all := []measurement{
		{name: "pgbench: one transaction per intent", run: func(ctx context.Context) (result, error) { return s.runPgbench(ctx, createScript) }},
		{name: "creates over HTTP", run: s.creates, reference: "pgbench: one transaction per intent", mark: 1.0},
		{name: "pgbench: reads by primary key", run: func(ctx context.Context) (result, error) { return s.runPgbench(ctx, readScript) }},
		{name: "reads over HTTP", run: s.reads, reference: "pgbench: reads by primary key", mark: 0.4},
		{name: "static page over HTTP, 50 a second", run: s.staticViews},
		{name: "pay page over HTTP, 50 a second", run: s.views, ceiling: 20 * time.Millisecond},
		{name: "feed: events through one group", run: s.drain, floor: 60_000},
		{name: "feed: recorded to handled", run: s.arrive},
	}
	all = append(all, s.dashboardPages()...)
	return slices.DeleteFunc(all, func(m measurement) bool { return !strings.Contains(m.name, s.only) })
}

const (
	owner    = "daftar_owner"
	user     = "daftar_app"
	database = "daftar"
)

func prepare(ctx context.Context, o options) (s *stage, err error) {
	s = &stage{options: o, run: randomHex(4)}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	bin, err := postgres.FindBinaries()
	if err != nil {
		return s, err
	}
	s.pgbench = filepath.Join(bin, "pgbench")
	if s.dir, err = os.MkdirTemp("", "daftar-bench"); err != nil {
		return s, fmt.Errorf("make directory: %w", err)
	}
	fmt.Fprintln(os.Stderr, "preparing PostgreSQL and the server")
	if s.cluster, err = postgres.StartCluster(ctx, postgres.ClusterConfig{Dir: filepath.Join(s.dir, "postgres")}); err != nil {
		return s, fmt.Errorf("start PostgreSQL: %w", err)
	}
	if err := errors.Join(s.cluster.EnsureRole(ctx, owner, true), s.cluster.EnsureRole(ctx, user, false),
		s.cluster.EnsureDatabase(ctx, database, owner)); err != nil {
		return s, fmt.Errorf("prepare database: %w", err)
	}
	if _, err := migrations.Up(ctx, s.cluster.URL(database, owner)); err != nil {
		return s, err
	}
	if s.pool, err = postgres.Open(ctx, s.cluster.URL(database, "postgres"), postgres.Options{MaxConns: 4}); err != nil {
		return s, err
	}
	for _, sql := range []string{`GRANT daftar_service TO daftar_app`, referenceTables} {
		if _, err := s.pool.Exec(ctx, sql); err != nil {
			return s, fmt.Errorf("prepare database: %w", err)
		}
	}
	if err := s.startServer(ctx); err != nil {
		return s, err
	}
	err = s.fill(ctx)
	return s, err
}

func (s *stage) startServer(ctx context.Context) error {
	key := randomHex(32)
	secretKey, err := accounts.ParseSecretKey(key)
	if err != nil {
		return err
	}
	a := accounts.New(s.pool, accounts.Options{SecretKey: secretKey})
	s.accounts = a
	operator := accounts.Operator("bench")
	org, err := a.CreateOrganization(ctx, operator, "bench")
	if err != nil {
		return err
	}
	app, err := a.CreateApplication(ctx, operator, org.ID, "bench", "")
	if err != nil {
		return err
	}
	_, token, err := a.CreateToken(ctx, operator, org.ID, "bench", nil)
	if err != nil {
		return err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	opsAddress, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	s.address, s.ops = address, opsAddress
	s.headers = "Host: " + address + "\r\nAccept: application/json\r\nX-API-Key: " + app.APIKey + "\r\nAuthorization: Bearer " + token + "\r\n"
	s.server = exec.CommandContext(ctx, s.daftar, "serve") //nolint:gosec // the program to measure
	s.server.Env = append(os.Environ(), "DAFTAR_DATABASE_URL="+s.cluster.URL(database, user), "DAFTAR_LISTEN="+address,
		"DAFTAR_OPS_LISTEN="+opsAddress, "DAFTAR_SECRET_KEY="+key, "DAFTAR_LOG_LEVEL=warn",
		// The pages offer what an acquirer takes; nobody pays, so none has to answer.
		"DAFTAR_SANDBOX_URL=http://127.0.0.1:9", "DAFTAR_SANDBOX_SECRET="+key)
	s.server.Stderr = os.Stderr
	s.server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.server.Cancel = func() error { return s.server.Process.Signal(syscall.SIGTERM) }
	if err := s.server.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.daftar, err)
	}
	return awaitReady(ctx, "http://"+opsAddress+"/readyz")
}

func awaitReady(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
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
		case <-ctx.Done():
			return fmt.Errorf("await server: %w", errors.Join(ctx.Err(), err))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// fill stores intents through the API before anything is measured, so that reads
// have something to find, and as many rows for pgbench to read.
func (s *stage) fill(ctx context.Context) error {
	fmt.Fprintf(os.Stderr, "storing %d intents\n", s.stored)
	if _, err := s.pool.Exec(ctx, fillReference, s.stored); err != nil {
		return fmt.Errorf("fill reference tables: %w", err)
	}
	for len(s.uuids) < s.stored {
		if _, err := s.creates(ctx); err != nil {
			return err
		}
	}
	return nil
}

// quiet lets what the last measurement left behind settle: dirty pages are
// written and the planner knows the tables.
func (s *stage) quiet(ctx context.Context) error {
	for _, sql := range []string{`VACUUM ANALYZE events, intents, bench_events, bench_intents`, `CHECKPOINT`} {
		if _, err := s.pool.Exec(ctx, sql); err != nil {
			return fmt.Errorf("settle database: %w", err)
		}
	}
	return nil
}

// creates measures new intents. The uuids of the answers are kept for reads.
func (s *stage) creates(ctx context.Context) (result, error) {
	s.createdBy++
	started := fmt.Sprintf("%s-%d", s.run, s.createdBy)
	requests := make([][]byte, s.clients)
	r, err := drive(ctx, s.address, s.clients, s.time, http.StatusCreated, func(k, n int) []byte {
		body := fmt.Sprintf(`{"merchant_reference":"%s-%d-%d","amount":5000,"currency":"LYD","description":"Order 1042: coffee machine",`+
			`"customer":{"external_id":"customer-%d"},"return_url":"https://shop.example/orders/%d","metadata":{"cart":"%d"}}`, started, k, n, n, n, n)
		requests[k] = fmt.Appendf(requests[k][:0], "POST /api/v1/payment-intents HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			s.headers, len(body), body)
		return requests[k]
	})
	if err != nil {
		return r, err
	}
	return r, s.rememberIntents(ctx)
}

func (s *stage) rememberIntents(ctx context.Context) error {
	rows, err := s.pool.Query(ctx, `SELECT uuid::text FROM intents TABLESAMPLE SYSTEM (100) LIMIT $1`, s.stored)
	if err != nil {
		return fmt.Errorf("list intents: %w", err)
	}
	defer rows.Close()
	s.uuids = s.uuids[:0]
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return fmt.Errorf("list intents: %w", err)
		}
		s.uuids = append(s.uuids, id)
	}
	return rows.Err()
}

func (s *stage) reads(ctx context.Context) (result, error) {
	requests := make([][]byte, s.clients)
	return drive(ctx, s.address, s.clients, s.time, http.StatusOK, func(k, _ int) []byte {
		requests[k] = fmt.Appendf(requests[k][:0], "GET /api/v1/payment-intents/%s HTTP/1.1\r\n%s\r\n",
			s.uuids[mathrand.IntN(len(s.uuids))], s.headers) //nolint:gosec // which one is read is no secret
		return requests[k]
	})
}

func (s *stage) close() {
	if s.server != nil && s.server.Process != nil {
		_ = s.server.Process.Signal(syscall.SIGTERM)
		_ = s.server.Wait()
	}
	if s.pool != nil {
		s.pool.Close()
	}
	if s.cluster != nil {
		stop, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = s.cluster.Stop(stop)
		_ = s.cluster.Remove()
	}
	_ = os.RemoveAll(s.dir)
}

func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String(), nil
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// startProfile records what the server does while something is measured, where
// a folder for it was given. The returned function waits until it is written.
func (s *stage) startProfile(ctx context.Context, name string) (wait func()) {
	if s.profile == "" {
		return func() {}
	}
	done := make(chan error, 1)
	go func() {
		seconds := max(1, int(s.time/time.Second)-1)
		done <- download(ctx, fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.ops, seconds), filepath.Join(s.profile, name+".pprof"))
	}()
	return func() {
		if err := <-done; err != nil {
			fmt.Fprintln(os.Stderr, "no profile:", err)
		}
	}
}

func download(ctx context.Context, url, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("get profile: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("get profile: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	_, err = io.Copy(f, response.Body)
	return errors.Join(err, f.Close())
}

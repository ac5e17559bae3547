package torture

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"daftar/internal/freeport"
	"daftar/internal/pgcluster"
	"daftar/migrations"
	"daftar/tools/torture/history"
)

const (
	owner    = "daftar_owner"
	user     = "daftar_app"
	database = "daftar"
	// earlyBy is how far the ledger's clock of the server early is behind.
	earlyBy = 6 * time.Minute
)

// stage is everything that a run needs, running.
type stage struct {
	Config
	dir      string
	logs     []string
	files    []*os.File
	recorder *history.Recorder
	key      string   // that encrypts webhook secrets
	secrets  []string // that no log may contain

	cluster *pgcluster.Cluster
	pair    *pair      // of it and its standby; nil: there is a single PostgreSQL
	wal     *smallDisk // nil: F8 is left out
	pool    *pgxpool.Pool
	servers []*server // a, b, c
	early   *server
	front   *link
	door    *frontDoor
	bank    *bank
	plutu   *provider
	lypay   *provider
	sinks   *sinks
	tenants []*tenant
	// acquirers are the bank and the providers.
	acquirers   []*acquirer
	operatorLog *os.File

	keeping  sync.WaitGroup
	stopKeep context.CancelFunc

	stopWatching func() // stops following the primary
}

// all are the servers, early included.
func (s *stage) all() []*server { return append(slices.Clip(s.servers), s.early) }

func prepare(ctx context.Context, c Config) (s *stage, err error) {
	s = &stage{Config: c, recorder: history.NewRecorder(c.Seed)}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.dir, err = os.MkdirTemp(c.Dir, "daftar-torture-"); err != nil {
		return s, fmt.Errorf("make directory: %w", err)
	}
	// The database's own user must be able to pass through to its folder.
	if err := os.Chmod(s.dir, 0o755); err != nil { //nolint:gosec // see above
		return s, fmt.Errorf("open directory: %w", err)
	}
	for _, step := range []func(context.Context) error{
		s.startDatabase, s.startBank, s.startProviders, s.startSinks,
		s.makeTenants, s.startServers, s.listenToProviders,
	} {
		if err := step(ctx); err != nil {
			return s, err
		}
	}
	return s, nil
}

// logFile opens a log for a process. The checker reads it after the run.
func (s *stage) logFile(name string) (*os.File, error) {
	f, err := s.file(name + ".log")
	if err == nil {
		s.logs = append(s.logs, f.Name())
	}
	return f, err
}

// file opens a file for a process to write to.
func (s *stage) file(name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	s.files = append(s.files, f)
	return f, nil
}

func (s *stage) startDatabase(ctx context.Context) error {
	log, err := s.logFile("postgres")
	if err != nil {
		return err
	}
	s.cluster, err = pgcluster.Start(ctx, pgcluster.Config{
		Dir: filepath.Join(s.dir, "postgres"), Log: log, Settings: databaseSettings(s.Promotions > 0),
	})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	if s.Promotions == 0 {
		if s.wal, err = s.moveLog(ctx); err != nil {
			return err
		}
	}
	err = errors.Join(
		s.cluster.EnsureRole(ctx, owner, true),
		s.cluster.EnsureRole(ctx, user, false),
		s.cluster.EnsureDatabase(ctx, database, owner))
	if err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	if _, err := migrations.Up(ctx, s.cluster.URL(database, owner)); err != nil {
		return err
	}
	if s.Promotions > 0 {
		if err := s.startStandby(ctx); err != nil {
			return err
		}
	}
	if err := s.openPool(ctx); err != nil {
		return err
	}
	if _, err := s.pool.Exec(ctx, `GRANT daftar_service TO daftar_app`); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	return nil
}

func (s *stage) startServers(ctx context.Context) error {
	open := newLinks(ctx)
	var err error
	for _, name := range []string{"a", "b", "c", "early"} {
		one := &server{name: name, program: s.Daftar, hits: map[string]int{}}
		if one.log, err = s.logFile("server-" + name); err != nil {
			return err
		}
		for _, address := range []*string{&one.listen, &one.ops} {
			if *address, err = freeport.Take(ctx); err != nil {
				return err
			}
		}
		for _, n := range s.nodes() {
			l, err := open("database-"+name+"-"+n.name, n.cluster.Addr())
			if err != nil {
				return err
			}
			one.database = append(one.database, l)
		}
		if name == "early" {
			s.early = one
		} else {
			s.servers = append(s.servers, one)
		}
	}
	if s.door, err = openFrontDoor(ctx, s.Seed, s.servers); err != nil {
		return err
	}
	if s.front, err = open("front", s.door.listener.Addr().String()); err != nil {
		return err
	}
	keeping, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stopKeep = stop
	for _, one := range s.all() {
		s.describe(one)
		s.keeping.Go(func() { one.keep(keeping) })
	}
	return s.awaitServers(ctx)
}

// describe gives a server its environment.
func (s *stage) describe(one *server) {
	config, err := pgxpool.ParseConfig(s.cluster.URL(database, user))
	if err != nil {
		panic("torture: the cluster's own address cannot be read")
	}
	password := config.ConnConfig.Password
	s.secrets = append(s.secrets, password)
	databaseURL := fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable",
		user, password, one.databases(), database)
	one.environment = []string{
		"DAFTAR_DATABASE_URL=" + databaseURL,
		"DAFTAR_LISTEN=" + one.listen,
		"DAFTAR_OPS_LISTEN=" + one.ops,
		"DAFTAR_RATE_LIMIT=off",
		"DAFTAR_PUBLIC_URL=http://" + s.front.address,
		"DAFTAR_SECRET_KEY=" + s.key,
		"DAFTAR_LOG_LEVEL=info",
		"DAFTAR_WEBHOOK_ALLOW_PRIVATE=true",
		"DAFTAR_SANDBOX_URL=http://" + s.bank.link.address,
		"DAFTAR_SANDBOX_SECRET=" + s.bank.secret,
		"DAFTAR_PLUTU_URL=http://" + s.plutu.link.address,
		"DAFTAR_LYPAY_URL=http://" + s.lypay.link.address,
	}
	if one == s.early {
		one.environment = append(one.environment, "DAFTAR_CLOCK_OFFSET="+(-earlyBy).String())
	}
}

func (s *stage) awaitServers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*readyLimit)
	defer cancel()
	client := &http.Client{Timeout: time.Second}
	for _, one := range s.all() {
		for {
			err := get(ctx, client, "http://"+one.ops+"/readyz")
			if err == nil {
				break
			}
			if deaths, _ := one.ends(); len(deaths) > 0 {
				return fmt.Errorf("%s; see %s", deaths[0], one.log.Name())
			}
			if !wait(ctx, 20*time.Millisecond) {
				return fmt.Errorf("server %s is not ready: %w; see %s", one.name, err, one.log.Name())
			}
		}
	}
	return nil
}

// halt ends the servers with SIGTERM, as an operator would, and waits for it.
func (s *stage) halt() {
	if s.stopKeep != nil {
		s.stopKeep()
		s.keeping.Wait()
	}
}

// close ends everything; the directory stays.
func (s *stage) close() {
	s.halt()
	if s.door != nil {
		s.door.close()
	}
	if s.front != nil {
		s.front.close()
	}
	for _, a := range s.acquirers {
		a.close()
	}
	if s.sinks != nil {
		s.sinks.close()
	}
	if s.pool != nil {
		s.pool.Close()
	}
	if s.stopWatching != nil {
		s.stopWatching()
	}
	for _, one := range s.servers {
		one.closeLinks()
	}
	if s.early != nil {
		s.early.closeLinks()
	}
	s.closeNodes()
	if s.wal != nil {
		s.wal.unmount(s.cluster.Dir())
		s.wal = nil
	}
	for _, f := range s.files {
		_ = f.Close()
	}
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // cannot fail: crypto/rand ends the program where the system has no randomness
	return hex.EncodeToString(b)
}

// awaitListener waits until a process listens at an address.
func awaitListener(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	var dialer net.Dialer
	for {
		c, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			return c.Close()
		}
		if !wait(ctx, 20*time.Millisecond) {
			return fmt.Errorf("wait for %s: %w", address, err)
		}
	}
}

package pgcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"daftar/internal/freeport"
)

const (
	superuser = "postgres"
	// stopLimit is how long a fast shutdown may take: it ends with a checkpoint of
	// everything in shared buffers.
	stopLimit = 30 * time.Second
	// quitLimit is longer than the 5 s that the postmaster gives its children after
	// SIGQUIT.
	quitLimit = 10 * time.Second
	// portTries bounds how often a port that was free a moment ago may be gone.
	portTries = 5
)

// ErrInUse is returned where another process holds the cluster's directory.
var ErrInUse = errors.New("the database directory is in use")

// ErrRunning is returned by Start on a cluster that runs.
var ErrRunning = errors.New("the cluster is running already")

// Config describes a private cluster.
type Config struct {
	// Dir holds the data, the password and the configuration; it is created.
	// Nothing else may live in it.
	Dir string
	// Bin is the directory of the server's programs; empty: that of FindBinaries.
	Bin string
	// Settings are added to the configuration and win over its defaults.
	Settings map[string]string
	// Authentication is the method of pg_hba.conf; empty: scram-sha-256.
	Authentication string
	// Log receives what the server writes; nil discards it.
	Log io.Writer
}

// Cluster is a PostgreSQL server that belongs to this process. Its methods may
// be called from several goroutines, and act one after the other.
type Cluster struct {
	config   Config
	bin      string
	dir      string
	identity identity
	password string

	mu       sync.Mutex
	upstream Upstream // the server that it follows; zero: none
	addr     string   // on 127.0.0.1; kept over restarts
	server   *child   // nil unless it was started
	lock     *os.File // held as long as server is
}

// Start starts the cluster in config.Dir, and creates it first where
// there is none. It returns when the server accepts connections, recovery after
// a crash included; ctx bounds only this. Errors: ErrNotInstalled, ErrInUse, and
// what the server said when it did not start.
func Start(ctx context.Context, config Config) (*Cluster, error) {
	c, err := prepare(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// prepare finds PostgreSQL, its user, and a directory that this user can reach.
func prepare(ctx context.Context, config Config) (*Cluster, error) {
	bin := config.Bin
	if bin == "" {
		var err error
		if bin, err = FindBinaries(); err != nil {
			return nil, err
		}
	} else if !hasServer(bin) {
		return nil, fmt.Errorf("there is no PostgreSQL server in %s", bin)
	}
	if config.Log == nil {
		config.Log = io.Discard
	}
	wanted, err := filepath.Abs(config.Dir)
	if err != nil {
		return nil, fmt.Errorf("resolve database directory: %w", err)
	}
	id, err := serverIdentity()
	if err != nil {
		return nil, err
	}
	dir, id, err := id.prepareDirectory(ctx, wanted, "/var/lib", capabilityChoices())
	if err != nil {
		return nil, err
	}
	if dir != wanted {
		fmt.Fprintf(config.Log, "user postgres cannot use %s; the database is kept in %s\n", wanted, dir)
	}
	config.Settings = maps.Clone(config.Settings)
	if config.Settings == nil {
		config.Settings = map[string]string{}
	}
	return &Cluster{config: config, bin: bin, dir: dir, identity: id}, nil
}

// Dir returns where the cluster really is: config.Dir, or the place that was
// taken because the server's user could not reach it.
func (c *Cluster) Dir() string { return c.dir }

// Addr returns host:port of the server.
func (c *Cluster) Addr() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.addr
}

// URL returns the address of a database for a user. It contains the cluster's
// password, which every role made by EnsureRole shares with the superuser
// "postgres".
func (c *Cluster) URL(database, user string) string { return c.url(c.Addr(), database, user) }

func (c *Cluster) url(addr, database, user string) string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(user, c.password), Host: addr,
		Path: "/" + database, RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Start starts a cluster that was stopped, killed, or has died. Its directory,
// port and password stay.
func (c *Cluster) Start(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running() {
		return ErrRunning
	}
	c.unlock()
	lock, err := lockDirectory(c.dir)
	if err != nil {
		return err
	}
	c.lock = lock
	if err := c.startLocked(ctx); err != nil {
		c.unlock()
		return err
	}
	return nil
}

func (c *Cluster) startLocked(ctx context.Context) error {
	if c.password == "" {
		if err := c.initialise(ctx); err != nil {
			return err
		}
	}
	if err := awaitPredecessor(ctx, c.data()); err != nil {
		return err
	}
	for try := 1; ; try++ {
		if c.addr == "" {
			var err error
			if c.addr, err = freeport.Take(ctx); err != nil {
				return err
			}
		}
		err := c.launch(ctx)
		// Another process may have taken the port since.
		if err == nil || try == portTries || ctx.Err() != nil || isFree(ctx, c.addr) {
			return err
		}
		c.addr = ""
	}
}

// launch starts the postmaster and waits until it is ready; when it returns an
// error, no postmaster is left.
func (c *Cluster) launch(ctx context.Context) error {
	if err := c.writeConfiguration(); err != nil {
		return err
	}
	server, err := startChild(ctx, func(ctx context.Context) *exec.Cmd {
		return c.identity.command(ctx, filepath.Join(c.bin, "postgres"),
			"-D", c.data(),
			"-c", "config_file="+c.path("postgresql.conf"),
			"-c", "hba_file="+c.path("pg_hba.conf"))
	}, c.config.Log)
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	if err := c.awaitReady(ctx, server); err != nil {
		server.abort()
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	c.server = server
	return nil
}

func (c *Cluster) awaitReady(ctx context.Context, server *child) error {
	config, err := pgx.ParseConfig(c.url(c.addr, "postgres", superuser))
	if err != nil {
		return errors.New("the cluster's own connection string cannot be parsed")
	}
	config.ConnectTimeout = 5 * time.Second
	ticker := time.NewTicker(15 * time.Millisecond)
	defer ticker.Stop()
	for {
		err := c.probe(ctx, config)
		if err == nil {
			return nil
		}
		select {
		case <-server.done:
			return fmt.Errorf("the server ended: %s", server.tail.String())
		case <-ctx.Done():
			return fmt.Errorf("the server is not ready: %w: %w; it said: %s",
				ctx.Err(), err, server.tail.String())
		case <-ticker.C:
		}
	}
}

// probe connects and checks that our server answers, not another one that took the port.
func (c *Cluster) probe(ctx context.Context, config *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var data string
	if err := conn.QueryRow(ctx, `SELECT current_setting('data_directory')`).Scan(&data); err != nil {
		return err
	}
	if data != c.data() {
		return fmt.Errorf("%s belongs to the server of %s", c.addr, data)
	}
	return nil
}

// Stop shuts the server down: sessions are ended, everything is written. When
// ctx ends or 30 s pass first, the server is stopped at once instead, and the
// next start recovers. Stopping a cluster that does not run is no error.
func (c *Cluster) Stop(ctx context.Context) (err error) {
	c.end(func(server *child) {
		limit, cancel := context.WithTimeout(ctx, stopLimit)
		defer cancel()
		_ = server.cmd.Process.Signal(syscall.SIGINT) // fails only when it is gone
		_ = server.resume()                           // as this does
		select {
		case <-server.done:
		case <-limit.Done():
			server.abort()
			err = errors.New("stop PostgreSQL: a clean shutdown took too long; the next start recovers")
		}
	})
	return err
}

// Abort stops the server at once, without writing anything (SIGQUIT); the next
// start recovers.
func (c *Cluster) Abort() { c.end((*child).abort) }

// Kill ends the postmaster as a crash would (SIGKILL) and waits until its
// children have noticed and are gone.
func (c *Cluster) Kill() { c.end((*child).kill) }

// end stops the server where it runs, and gives up the directory.
func (c *Cluster) end(stop func(*child)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running() {
		stop(c.server)
	}
	c.unlock()
}

func (c *Cluster) running() bool { return c.server != nil && !c.server.exited() }

// Remove deletes the cluster's directory; the cluster must have been stopped.
func (c *Cluster) Remove() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running() {
		return ErrRunning
	}
	if err := os.RemoveAll(c.dir); err != nil {
		return fmt.Errorf("remove cluster: %w", err)
	}
	return nil
}

func (c *Cluster) unlock() {
	if c.lock != nil {
		// Closing alone would leave the lock with a child that is being forked now.
		_ = syscall.Flock(int(c.lock.Fd()), syscall.LOCK_UN)
		_ = c.lock.Close()
		c.lock = nil
	}
	c.server = nil
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }
func (c *Cluster) data() string            { return c.path("data") }

package pgcluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// copyLimit bounds pg_basebackup and pg_rewind, which wait for the server that they copy.
const copyLimit = 2 * time.Minute

// ErrNotRunning is returned by methods that need a running server.
var ErrNotRunning = errors.New("the cluster does not run")

// Upstream is the server that a standby follows.
type Upstream struct {
	// Of is copied, and its password becomes that of the standby.
	Of *Cluster
	// Addr is where the standby streams from; empty: Of.Addr(). Another one leads through a
	// proxy that a test can cut.
	Addr string
	// Name is what synchronous_standby_names calls the standby.
	Name string
}

// StartStandby copies a running cluster into config.Dir and starts the copy as its
// standby. It returns when the standby accepts connections that only read. Errors: those
// of Start, and what pg_basebackup said.
func StartStandby(ctx context.Context, config Config, up Upstream) (*Cluster, error) {
	c, err := prepare(ctx, config)
	if err != nil {
		return nil, err
	}
	c.password = up.Of.password
	c.upstream = up
	if err := c.copyFrom(ctx, up.Of); err != nil {
		return nil, fmt.Errorf("copy the primary: %w", err)
	}
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// copyFrom fills the directory with a copy of a running cluster.
func (c *Cluster) copyFrom(ctx context.Context, primary *Cluster) error {
	if err := c.replaceFile("password", c.password+"\n", 0o600); err != nil {
		return fmt.Errorf("keep the database's password: %w", err)
	}
	host, port, err := net.SplitHostPort(primary.Addr())
	if err != nil {
		return ErrNotRunning
	}
	if err := os.Mkdir(c.data(), 0o700); err != nil {
		return fmt.Errorf("create data directory: %w", err)
	}
	if err := c.chown(c.data()); err != nil {
		return fmt.Errorf("give data directory to its user: %w", err)
	}
	err = c.tool(ctx, "pg_basebackup",
		"--pgdata="+c.data(), "--host="+host, "--port="+port, "--username="+superuser,
		"--wal-method=stream", "--checkpoint=fast", "--no-sync")
	if err != nil {
		return err
	}
	return c.signalStandby()
}

// signalStandby makes the server follow the upstream from its next start.
func (c *Cluster) signalStandby() error {
	return c.replaceFile(filepath.Join("data", "standby.signal"), "", 0o600)
}

// tool runs a program of PostgreSQL as the server's user, with the cluster's password.
func (c *Cluster) tool(ctx context.Context, name string, arguments ...string) error {
	ctx, cancel := context.WithTimeout(ctx, copyLimit)
	defer cancel()
	cmd := c.identity.command(ctx, filepath.Join(c.bin, name), arguments...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+c.password, "PGSSLMODE=disable", "PGCONNECT_TIMEOUT=10")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, output)
	}
	return nil
}

// primaryConninfo is the setting with which a standby finds its upstream; empty if the
// cluster is no standby.
func (c *Cluster) primaryConninfo() (string, error) {
	if c.upstream.Of == nil {
		return "", nil
	}
	address := c.upstream.Addr
	if address == "" {
		address = c.upstream.Of.Addr()
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("address of the upstream: %w", err)
	}
	return fmt.Sprintf("host=%s port=%s user=%s password=%s application_name=%s "+
		"sslmode=disable connect_timeout=5", host, port, superuser, c.password, c.upstream.Name), nil
}

// Promote makes a standby a primary, on a new timeline, and returns when it takes writes.
func (c *Cluster) Promote(ctx context.Context) error {
	err := c.asSuperuser(ctx, func(conn *pgx.Conn) error {
		var promoted bool
		err := conn.QueryRow(ctx, `SELECT pg_promote(true, 60)`).Scan(&promoted)
		if err == nil && !promoted {
			err = errors.New("the standby was not promoted within a minute")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("promote: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.upstream = Upstream{}
	return nil
}

// Rewind turns a stopped cluster that was the primary into the standby of one that was
// promoted: pg_rewind undoes what it has written since and the other has not. Start then
// starts it as a standby. Both must have their log since the promotion (wal_keep_size).
// Errors: ErrRunning, and what pg_rewind said.
func (c *Cluster) Rewind(ctx context.Context, up Upstream) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running() {
		return ErrRunning
	}
	if err := awaitPredecessor(ctx, c.data()); err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(up.Of.Addr())
	if err != nil {
		return ErrNotRunning
	}
	// Before PostgreSQL 16, pg_rewind uses the timeline of the last checkpoint as that of
	// the server: right after the promotion it would find nothing to rewind.
	err = up.Of.asSuperuser(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `CHECKPOINT`)
		return err
	})
	if err != nil {
		return fmt.Errorf("checkpoint before the rewind: %w", err)
	}
	// After a crash of the cluster pg_rewind lets PostgreSQL recover first.
	err = c.tool(ctx, "pg_rewind", "--target-pgdata="+c.data(),
		"--config-file="+c.path("postgresql.conf"), "--no-sync",
		"--source-server=host="+host+" port="+port+" user="+superuser+" dbname=postgres")
	if err != nil {
		return err
	}
	c.upstream = up
	return c.signalStandby()
}

// Set changes settings that need no restart, and returns when new sessions have them.
func (c *Cluster) Set(ctx context.Context, settings map[string]string) error {
	c.mu.Lock()
	if !c.running() {
		c.mu.Unlock()
		return ErrNotRunning
	}
	maps.Copy(c.config.Settings, settings)
	err := c.writeConfiguration()
	c.mu.Unlock()
	if err != nil {
		return err
	}
	err = c.asSuperuser(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `SELECT pg_reload_conf()`)
		return err
	})
	if err != nil {
		return fmt.Errorf("reload settings: %w", err)
	}
	return c.await(ctx, "the settings to hold", func(conn *pgx.Conn) (bool, error) {
		for _, name := range slices.Sorted(maps.Keys(settings)) {
			var same bool
			err := conn.QueryRow(ctx, `SELECT current_setting($1) = $2`, name, settings[name]).Scan(&same)
			if err != nil || !same {
				return false, err
			}
		}
		return true, nil
	})
}

// AwaitStandbys returns when every standby of these names streams, and commits wait for
// them as synchronous_standby_names says.
func (c *Cluster) AwaitStandbys(ctx context.Context, names ...string) error {
	what := "standbys " + strings.Join(names, ", ") + " to stream"
	return c.await(ctx, what, func(conn *pgx.Conn) (bool, error) {
		var streaming int
		err := conn.QueryRow(ctx, streamingSQL, names).Scan(&streaming)
		return streaming == len(names), err
	})
}

const streamingSQL = `
SELECT count(DISTINCT application_name)
FROM pg_stat_replication
WHERE state = 'streaming'
  AND application_name = ANY ($1)
  AND (sync_state <> 'async' OR current_setting('synchronous_standby_names') = '')`

// await uses a new connection each time: a setting takes effect in new sessions first.
func (c *Cluster) await(ctx context.Context, what string, so func(*pgx.Conn) (bool, error)) error {
	ticker := time.NewTicker(15 * time.Millisecond)
	defer ticker.Stop()
	for {
		var done bool
		err := c.asSuperuser(ctx, func(conn *pgx.Conn) (err error) { done, err = so(conn); return err })
		if done && err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, errors.Join(ctx.Err(), err))
		case <-ticker.C:
		}
	}
}

func (c *Cluster) asSuperuser(ctx context.Context, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres", superuser))
	if err != nil {
		return fmt.Errorf("connect as superuser: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return do(conn)
}

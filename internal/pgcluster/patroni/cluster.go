package patroni

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"daftar/internal/freeport"
	"daftar/internal/pgcluster"
)

const (
	superuser = "postgres"
	// pollInterval is how often await checks its condition, answerLimit how long Patroni may
	// take to answer.
	pollInterval = 50 * time.Millisecond
	answerLimit  = 2 * time.Second
)

// Config describes a cluster.
type Config struct {
	Dir   string // exists and is empty; the server's user must be able to enter it
	File  string // patroni.yml
	Names []string
	Log   io.Writer // of all its processes; nil discards it
}

// Cluster is a cluster of PostgreSQL servers under Patroni.
type Cluster struct {
	Nodes []*Node

	bin, patroni, file string
	dir                string
	password           string
	etcd               *process
	etcdAddr           string
	log                io.Writer
}

// Start starts etcd and the nodes, the first of which becomes the primary, and waits until
// all others are its synchronous standbys.
func Start(ctx context.Context, config Config) (*Cluster, error) {
	c := &Cluster{dir: config.Dir, log: config.Log, password: rand.Text()}
	if c.log == nil {
		c.log = io.Discard
	}
	if err := c.prepare(config); err != nil {
		return nil, err
	}
	err := c.startEtcd(ctx)
	for n := 0; err == nil && n < len(config.Names); n++ {
		err = c.addNode(ctx, config.Names[n])
	}
	if err == nil {
		err = c.AwaitStandbys(ctx)
	}
	if err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// prepare finds the programs, and copies patroni.yml to where the server's user can read it.
func (c *Cluster) prepare(config Config) (err error) {
	if c.bin, err = pgcluster.FindBinaries(); err != nil {
		return err
	}
	if c.patroni, err = exec.LookPath("patroni"); err != nil {
		return fmt.Errorf("find Patroni: %w", err)
	}
	text, err := os.ReadFile(config.File)
	if err != nil {
		return fmt.Errorf("read Patroni's settings: %w", err)
	}
	c.file = filepath.Join(c.dir, "patroni.yml")
	if err := os.WriteFile(c.file, text, 0o600); err != nil { //nolint:gosec // a folder of our own
		return fmt.Errorf("copy Patroni's settings: %w", err)
	}
	return pgcluster.Give(c.file)
}

func (c *Cluster) startEtcd(ctx context.Context) error {
	program, err := exec.LookPath("etcd")
	if err != nil {
		return fmt.Errorf("find etcd: %w", err)
	}
	if c.etcdAddr, err = freeport.Take(ctx); err != nil {
		return err
	}
	peer, err := freeport.Take(ctx)
	if err != nil {
		return err
	}
	here, others := "http://"+c.etcdAddr, "http://"+peer
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program,
		"--name=etcd", "--enable-v2", "--data-dir="+filepath.Join(c.dir, "etcd"),
		"--listen-client-urls="+here, "--advertise-client-urls="+here,
		"--listen-peer-urls="+others, "--initial-advertise-peer-urls="+others,
		"--initial-cluster=etcd="+others, "--log-level=error")
	c.etcd, err = start(cmd, c.log)
	return err
}

// addNode starts another node and waits until it runs: with Patroni the first node that is
// ready creates the cluster.
func (c *Cluster) addNode(ctx context.Context, name string) error {
	n := &Node{Name: name, cluster: c, dir: filepath.Join(c.dir, name)}
	for _, address := range []*string{&n.Addr, &n.api} {
		var err error
		if *address, err = freeport.Take(ctx); err != nil {
			return err
		}
	}
	if err := n.makeFolder(); err != nil {
		return err
	}
	c.Nodes = append(c.Nodes, n)
	if err := n.Start(); err != nil {
		return err
	}
	return c.await(ctx, name+" to run", func() bool { return n.is(ctx, "primary") || n.is(ctx, "replica") })
}

// environment is what every client of the cluster needs, patronictl too.
func (c *Cluster) environment() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "PATRONI_ETCD_HOSTS=" + c.etcdAddr,
		"PATRONI_RESTAPI_USERNAME=patroni", "PATRONI_RESTAPI_PASSWORD=" + c.password,
	}
}

// Control prepares a shell command that may use patronictl, as a person would type it on a
// node: PATRONICTL_CONFIG_FILE leads to the cluster's settings.
func (c *Cluster) Control(ctx context.Context, line string) (*exec.Cmd, error) {
	cmd, err := pgcluster.Command(ctx, "/bin/sh", "-c", line)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(c.environment(), "PATRONICTL_CONFIG_FILE="+c.file)
	return cmd, nil
}

// Primary returns the node that is the primary, nil where none is known.
func (c *Cluster) Primary(ctx context.Context) *Node {
	for _, n := range c.Nodes {
		if n.is(ctx, "primary") {
			return n
		}
	}
	return nil
}

// AwaitPrimary returns the primary as soon as there is one that is not the node before.
func (c *Cluster) AwaitPrimary(ctx context.Context, before *Node) (*Node, error) {
	var now *Node
	err := c.await(ctx, "a primary", func() bool {
		now = c.Primary(ctx)
		return now != nil && now != before
	})
	return now, err
}

// AwaitStandbys returns when there is a primary and commits wait for every other node.
func (c *Cluster) AwaitStandbys(ctx context.Context) error {
	return c.await(ctx, "synchronous standbys", func() bool {
		primaries, standbys := 0, 0
		for _, n := range c.Nodes {
			switch {
			case n.is(ctx, "primary"):
				primaries++
			case n.is(ctx, "sync"):
				standbys++
			}
		}
		return primaries == 1 && standbys == len(c.Nodes)-1
	})
}

func (c *Cluster) await(ctx context.Context, what string, so func() bool) error {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for !so() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, ctx.Err())
		case <-ticker.C:
		}
	}
	return nil
}

// URL leads to the primary among all nodes. The superuser is "postgres", with the cluster's
// password.
func (c *Cluster) URL(database, user, password string) string {
	var hosts []string
	for _, n := range c.Nodes {
		hosts = append(hosts, n.Addr)
	}
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(user, password),
		Host:     strings.Join(hosts, ","),
		Path:     "/" + database,
		RawQuery: "target_session_attrs=read-write&sslmode=disable",
	}
	return u.String()
}

// SuperuserURL is URL for the superuser.
func (c *Cluster) SuperuserURL(database string) string {
	return c.URL(database, superuser, c.password)
}

// Stop ends everything, in order.
func (c *Cluster) Stop() {
	var stopping sync.WaitGroup
	for _, n := range c.Nodes {
		stopping.Go(n.stop)
	}
	stopping.Wait()
	if c.etcd != nil {
		c.etcd.stop()
	}
}

package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/httpapi"
	"daftar/internal/freeport"
	"daftar/internal/postgres"
	"daftar/migrations"
	"daftar/transparency"
)

// Roles and database of the demo. The server works as a user that may append
// and read; only migrations have the owner's rights, as in production.
const (
	demoOwner    = "daftar_owner"
	demoUser     = "daftar_app"
	demoDatabase = "daftar"
)

func (p *program) demo() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use: "demo", Short: "Run everything on this machine, with a private PostgreSQL and play money", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			conf, err := p.configure()
			if err != nil {
				return err
			}
			d := demo{program: p, dir: dir, conf: conf}
			return d.run(c.Context())
		}),
	}
	c.Flags().StringVar(&dir, "dir", "var", "where the database and the credentials are kept")
	return c
}

// demo is one run of the demonstration.
type demo struct {
	*program
	dir  string
	conf config
	keep demoCredentials

	receiver *receiver
}

// demoCredentials outlive a run. They are the demo's own and open nothing else.
type demoCredentials struct {
	SecretKey     string `json:"secret_key"`
	SandboxSecret string `json:"sandbox_secret"`
	Application   string `json:"application"`
	WebhookSecret string `json:"webhook_secret"`
	APIKey        string `json:"api_key"`
	AccessToken   string `json:"access_token"`
	Password      string `json:"password"` // of the dashboard's owner
}

// demoEmail is whom the demo's dashboard belongs to. Nobody else has the address.
const demoEmail = "owner@demo.example"

func (d *demo) run(ctx context.Context) (err error) {
	started := time.Now()
	if err := d.prepare(ctx); err != nil {
		return err
	}
	d.tellf("Starting a private PostgreSQL in %s ...", filepath.Join(d.dir, "postgres"))
	cluster, err := postgres.StartCluster(ctx, postgres.ClusterConfig{Dir: filepath.Join(d.dir, "postgres"), Log: d.postgresLog()})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer func() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		err = errors.Join(err, cluster.Stop(stop))
		d.tellf("Everything is stopped. The data stays in %s.", d.dir)
	}()
	if err := d.openDatabase(ctx, cluster); err != nil {
		return err
	}
	bank, err := d.startSandbox(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bank.stop()) }()
	s, err := newServer(ctx, d.conf, d.log(d.conf))
	if err != nil {
		return err
	}
	receiving, stopReceiving := context.WithCancel(context.WithoutCancel(ctx))
	defer stopReceiving()
	go d.receiver.run(receiving)
	d.introduce(time.Since(started))
	return s.run(ctx)
}

// prepare makes the directory, reads or draws the secrets, and claims free
// addresses for what the environment does not set.
func (d *demo) prepare(ctx context.Context) error {
	// The database's own user must be able to pass through to its folder.
	if err := os.MkdirAll(d.dir, 0o755); err != nil { //nolint:gosec // nothing in it is readable to others
		return fmt.Errorf("make demo directory: %w", err)
	}
	text, err := os.ReadFile(d.credentialsPath())
	switch {
	case errors.Is(err, os.ErrNotExist):
		d.keep = demoCredentials{SecretKey: randomHex(), SandboxSecret: randomHex()}
	case err != nil:
		return fmt.Errorf("read demo credentials: %w", err)
	default:
		if err := json.Unmarshal(text, &d.keep); err != nil {
			return fmt.Errorf("read demo credentials in %s: %w", d.credentialsPath(), err)
		}
	}
	for name, address := range map[string]*string{
		"DAFTAR_LISTEN": &d.conf.listen, "DAFTAR_OPS_LISTEN": &d.conf.opsListen, "DAFTAR_SANDBOX_LISTEN": &d.conf.sandboxListen,
	} {
		if err := d.settleAddress(ctx, name, address); err != nil {
			return err
		}
	}
	if !d.isSet("DAFTAR_PUBLIC_URL") {
		d.conf.publicURL = "http://" + d.conf.listen
	}
	if d.conf.secretKey, err = accounts.ParseSecretKey(d.keep.SecretKey); err != nil {
		return fmt.Errorf("read demo credentials: %w", err)
	}
	if d.conf.transparency.sealing, err = transparency.ParseSealingKey(d.keep.SecretKey); err != nil {
		return fmt.Errorf("read demo credentials: %w", err)
	}
	d.conf.acquirers = []string{acquirerSandbox}
	d.conf.allowPrivate = true // the demo's own receiver is on this machine
	d.conf.sandboxURL, d.conf.sandboxSecret = "http://"+d.conf.sandboxListen, d.keep.SandboxSecret
	return d.saveCredentials()
}

func (d *demo) credentialsPath() string { return filepath.Join(d.dir, "credentials.json") }

func (d *demo) saveCredentials() error {
	text, err := json.MarshalIndent(d.keep, "", "  ") //nolint:gosec // the demo's own, into a file for its owner
	if err != nil {
		return fmt.Errorf("write demo credentials: %w", err)
	}
	// Written beside and renamed, so that a crash leaves the old file whole.
	beside := d.credentialsPath() + ".new"
	if err := os.WriteFile(beside, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write demo credentials: %w", err)
	}
	if err := os.Rename(beside, d.credentialsPath()); err != nil {
		return fmt.Errorf("write demo credentials: %w", err)
	}
	return nil
}

// settleAddress keeps an address that somebody chose or that is free, and takes
// another port where a default one is busy.
func (d *demo) settleAddress(ctx context.Context, variable string, address *string) error {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", *address)
	if err != nil {
		if d.isSet(variable) {
			return misusef("%s: cannot listen on %s: %v", variable, *address, errors.Unwrap(err))
		}
		free, err := freeport.Take(ctx)
		if err != nil {
			return err
		}
		d.tellf("%s is taken; using %s instead.", *address, free)
		*address = free
		return nil
	}
	*address = l.Addr().String()
	return l.Close()
}

func (d *demo) isSet(variable string) bool {
	for _, entry := range d.environ {
		if name, value, _ := strings.Cut(entry, "="); name == variable && value != "" {
			return true
		}
	}
	return false
}

// postgresLog keeps the database's own log out of the demo's output.
func (d *demo) postgresLog() io.Writer {
	f, err := os.OpenFile(filepath.Join(d.dir, "postgres.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return io.Discard
	}
	return f
}

// openDatabase migrates as the owner and makes the demo organisation once.
func (d *demo) openDatabase(ctx context.Context, cluster *postgres.Cluster) error {
	if err := cluster.EnsureRole(ctx, demoOwner, true); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	if err := cluster.EnsureRole(ctx, demoUser, false); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	if err := cluster.EnsureDatabase(ctx, demoDatabase, demoOwner); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	owner := cluster.URL(demoDatabase, demoOwner)
	if _, err := migrations.Up(ctx, owner); err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, owner, postgres.Options{ApplicationName: "daftar demo", MaxConns: 2})
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, `GRANT daftar_service TO daftar_app`); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	d.conf.databaseURL = cluster.URL(demoDatabase, demoUser)
	a := accounts.New(pool, accounts.Options{SecretKey: d.conf.secretKey})
	if err := d.openAccount(ctx, a); err != nil {
		return err
	}
	if err := d.openDashboard(ctx, a); err != nil {
		return err
	}
	return d.openReceiver(ctx, a)
}

// openReceiver has the demo's webhooks come to this process.
func (d *demo) openReceiver(ctx context.Context, a *accounts.Accounts) error {
	var err error
	if d.receiver, err = newReceiver(ctx, d.keep.WebhookSecret, d.out); err != nil {
		return err
	}
	app, err := accounts.ParseApplicationID(d.keep.Application)
	if err != nil {
		return fmt.Errorf("read demo credentials: %w", err)
	}
	found, err := a.Application(ctx, app)
	if err != nil {
		return fmt.Errorf("find demo application: %w", err)
	}
	return a.SetWebhookURL(ctx, accounts.Operator("demo"), found.Organization, app, d.receiver.url())
}

// openDashboard makes the owner who can sign in, once. A password that was changed
// in the dashboard stays changed.
func (d *demo) openDashboard(ctx context.Context, a *accounts.Accounts) error {
	if d.keep.Password != "" {
		return nil
	}
	app, err := accounts.ParseApplicationID(d.keep.Application)
	if err != nil {
		return fmt.Errorf("read demo credentials: %w", err)
	}
	found, err := a.Application(ctx, app)
	if err != nil {
		return fmt.Errorf("find demo application: %w", err)
	}
	password := randomHex()[:20]
	operator := accounts.Operator("demo")
	_, existed, err := a.CreateUser(ctx, operator, found.Organization, demoEmail, accounts.RoleOwner, password)
	switch {
	case errors.Is(err, accounts.ErrAlreadyMember) || (err == nil && existed):
		// A run before this one ended between the user and the file.
		if _, err := a.SetPassword(ctx, operator, demoEmail, password); err != nil {
			return fmt.Errorf("make demo user: %w", err)
		}
	case err != nil:
		return fmt.Errorf("make demo user: %w", err)
	}
	d.keep.Password = password
	return d.saveCredentials()
}

// openAccount makes the demo's credentials, or keeps those that still work.
func (d *demo) openAccount(ctx context.Context, a *accounts.Accounts) error {
	if _, err := a.Authenticate(ctx, d.keep.AccessToken, d.keep.APIKey, true, ""); err == nil {
		return nil
	}
	operator := accounts.Operator("demo")
	org, err := a.CreateOrganization(ctx, operator, "مقهى الميدان")
	if err != nil {
		return err
	}
	app, err := a.CreateApplication(ctx, operator, org.ID, "مقهى الميدان", "")
	if err != nil {
		return err
	}
	_, token, err := a.CreateToken(ctx, operator, org.ID, "demo", nil)
	if err != nil {
		return err
	}
	d.keep.Application, d.keep.WebhookSecret = app.ID.String(), app.WebhookSecret
	d.keep.APIKey, d.keep.AccessToken = app.APIKey, token
	d.keep.Password = "" // whoever had one belongs to another organisation
	return d.saveCredentials()
}

// sandboxProcess is the sandbox acquirer, which runs as a program of its own,
// as a real one would.
type sandboxProcess struct{ *exec.Cmd }

func (d *demo) startSandbox(ctx context.Context) (*sandboxProcess, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start the sandbox acquirer: %w", err)
	}
	journal := filepath.Join(d.dir, "sandbox.journal")
	c := exec.CommandContext(context.WithoutCancel(ctx), self, "sandbox-acquirer", "--journal", journal) //nolint:gosec // this very program
	c.Env = append(os.Environ(),
		"DAFTAR_SANDBOX_LISTEN="+d.conf.sandboxListen, "DAFTAR_SANDBOX_URL="+d.conf.sandboxURL,
		"DAFTAR_SANDBOX_SECRET="+d.conf.sandboxSecret, "DAFTAR_SANDBOX_SECRET_FILE=", "DAFTAR_LOG_LEVEL=warn",
		"DAFTAR_ACQUIRERS=", "DAFTAR_CLOCK_OFFSET=0s",
	)
	c.Stdout, c.Stderr = d.errs, d.errs
	// A group of its own keeps the terminal's Ctrl-C from it: the server, which
	// may still ask it, stops first. It dies with us, whatever kills us.
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start the sandbox acquirer: %w", err)
	}
	return &sandboxProcess{c}, awaitListener(ctx, d.conf.sandboxListen)
}

func (s *sandboxProcess) stop() error {
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the sandbox acquirer: %w", err)
	}
	if err := s.Wait(); err != nil {
		return fmt.Errorf("stop the sandbox acquirer: %w", err)
	}
	return nil
}

// awaitListener waits until somebody listens on an address.
func awaitListener(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var dialer net.Dialer
	for {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", address, err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// introduce prints what a newcomer needs, ready to be copied.
func (d *demo) introduce(took time.Duration) {
	base := d.conf.publicURL + httpapi.Prefix
	fmt.Fprintf(d.out, `
Daftar is running with play money (ready after %.1f s).

  base_url       %s
  X-API-Key: %s
  Authorization: Bearer %s

  dashboard      %s/dashboard
  email          %s
  password       %s

Create a payment intent:

  curl -s %s/payment-intents \
    -H 'X-API-Key: %s' \
    -H 'Authorization: Bearer %s' \
    -H 'Accept: application/json' -H 'Content-Type: application/json' \
    -d '{"merchant_reference":"order-1","amount":5000,"currency":"LYD","description":"Two coffees"}'

Open the checkout_url of the answer in a browser. Wallet: any Libyan mobile number such
as 0912345678, code 111111. Then ask for the intent at base_url/payment-intents/UUID.

Webhooks go to a receiver in this process, which shows them below.
Ctrl-C stops everything; the next run finds the data and the same credentials.

`, took.Seconds(), base, d.keep.APIKey, d.keep.AccessToken, d.conf.publicURL, demoEmail, d.keep.Password, base, d.keep.APIKey, d.keep.AccessToken)
}

func randomHex() string {
	var b [32]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

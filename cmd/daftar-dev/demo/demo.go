package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"daftar/accounts"
	"daftar/cmd/daftar-dev/fakes"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
	"daftar/domain"
	"daftar/httpapi"
	"daftar/internal/freeport"
	"daftar/internal/ops"
	"daftar/internal/output"
	"daftar/internal/pgcluster"
	"daftar/internal/worker"
)

// Demo is one run of the demonstration.
type Demo struct {
	*output.Printer

	Dir     string // where the database and the credentials are kept
	Shop    string // where webhooks go; empty: to the demo's receiver
	Config  config.Config
	Environ []string
	Version string

	saved       credentials
	application domain.ApplicationID
	receiver    *receiver
}

// Run runs the demo until ctx ends.
func (d *Demo) Run(ctx context.Context) (err error) {
	started := time.Now()
	if err := d.prepare(ctx); err != nil {
		return err
	}
	data := d.file("postgres")
	d.Notef("Starting a private PostgreSQL in %s ...", data)
	cluster, err := pgcluster.Start(ctx, pgcluster.Config{Dir: data, Log: d.postgresLog()})
	if err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	defer func() {
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		err = errors.Join(err, cluster.Stop(stop))
		d.Notef("Everything is stopped. The data stays in %s.", d.Dir)
	}()
	if err := d.openDatabase(ctx, cluster); err != nil {
		return err
	}
	err = d.saved.writeVariables(d.Dir, d.Config.PublicURL+httpapi.Prefix, d.Config.SandboxURL)
	if err != nil {
		return err
	}
	acquirers, err := d.startAcquirers(ctx)
	defer func() {
		for _, p := range acquirers {
			err = errors.Join(err, p.stop())
		}
	}()
	if err != nil {
		return err
	}
	s, err := server.New(ctx, d.Config, d.Version, ops.NewLog(d.Err, d.Config.LogLevel))
	if err != nil {
		return err
	}
	receiving, stopReceiving := context.WithCancel(context.WithoutCancel(ctx))
	defer stopReceiving()
	go d.receiver.run(receiving)
	d.introduce(time.Since(started))
	return s.Run(ctx)
}

// prepare makes the directory, reads or draws the secrets, and claims free
// addresses for what the environment does not set.
func (d *Demo) prepare(ctx context.Context) (err error) {
	// The database's own user must be able to pass through to its folder.
	if err := os.MkdirAll(d.Dir, 0o755); err != nil { //nolint:gosec // nothing in it is readable to others
		return fmt.Errorf("make demo directory: %w", err)
	}
	if d.saved, err = readCredentials(d.Dir); err != nil {
		return err
	}
	c := &d.Config
	for name, address := range map[string]*string{
		"DAFTAR_LISTEN":         &c.Listen,
		"DAFTAR_OPS_LISTEN":     &c.OpsListen,
		"DAFTAR_SANDBOX_LISTEN": &c.SandboxListen,
	} {
		if err := d.chooseAddress(ctx, name, address); err != nil {
			return err
		}
	}
	if !d.isSet("DAFTAR_PUBLIC_URL") {
		c.PublicURL = "http://" + c.Listen
	}
	if c.SecretKey, err = accounts.ParseSecretKey(d.saved.SecretKey); err != nil {
		return fmt.Errorf("read demo credentials: %w", err)
	}
	c.Acquirers = []string{config.Sandbox}
	c.AllowPrivate = true // the demo's own receiver is on this machine
	c.OwnDatabase = true
	c.SandboxURL, c.SandboxSecret = "http://"+c.SandboxListen, d.saved.SandboxSecret
	return d.saved.write(d.Dir)
}

// chooseAddress keeps an address that is free, or that a variable names, and
// takes another port where a default one is busy.
func (d *Demo) chooseAddress(ctx context.Context, variable string, address *string) error {
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", *address)
	if err == nil {
		*address = l.Addr().String()
		return l.Close()
	}
	if d.isSet(variable) {
		return config.Errorf("%s: cannot listen on %s: %v", variable, *address, errors.Unwrap(err))
	}
	free, err := freeport.Take(ctx)
	if err != nil {
		return err
	}
	d.Notef("%s is taken; using %s instead.", *address, free)
	*address = free
	return nil
}

func (d *Demo) isSet(variable string) bool { return config.Variables(d.Environ)[variable] != "" }

// file is the path of one of the demo's files.
func (d *Demo) file(name string) string { return filepath.Join(d.Dir, name) }

// postgresLog keeps the database's own log out of the demo's output.
func (d *Demo) postgresLog() io.Writer {
	f, err := os.OpenFile(d.file("postgres.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return io.Discard
	}
	return f
}

// introduce prints what a newcomer needs, ready to be copied.
func (d *Demo) introduce(took time.Duration) {
	base, c := d.Config.PublicURL+httpapi.Prefix, d.saved
	fmt.Fprintf(d.Out, `
Daftar is running with play money (ready after %.1f s).

  base_url       %s
  X-API-Key: %s
  Authorization: Bearer %s
  webhook secret %s

  dashboard      %s/dashboard
  email          %s
  password       %s

Create a payment intent:

  curl -s %s/payment-intents \
    -H 'X-API-Key: %s' \
    -H 'Authorization: Bearer %s' \
    -H 'Accept: application/json' -H 'Content-Type: application/json' \
    -d '{"merchant_reference":"order-1","amount":5000,"currency":"LYD","description":"Two coffees"}'

Open the checkout_url of the answer in a browser. Everything there is play money: fakes of
the acquirers run next to the sandbox. Any Libyan mobile number such as 0912345678 and any
card of 16 digits will do, and any year of birth; the code is 1111 for Adfali and 111111 for
all others.
%s
Then ask for the intent at base_url/payment-intents/UUID.

%s

  . %s && bin/daftar-dev trigger payment_intent.succeeded

plays a payment from beginning to end in another terminal; late, duplicate, expired and
payment_failed do, too. To make a shop of your own, follow docs/quickstart.md.
Ctrl-C stops everything; the next run finds the data and the same credentials.

`, took.Seconds(), base, c.APIKey, c.AccessToken, c.WebhookSecret,
		d.Config.PublicURL, ownerEmail, c.Password,
		base, c.APIKey, c.AccessToken,
		d.notesOfFakes(), d.whereWebhooksGo(), d.file(variablesFile))
}

// notesOfFakes say what else there is at the addresses of fakes.
func (d *Demo) notesOfFakes() string {
	var b strings.Builder
	for _, f := range fakes.All() {
		if f.Note != "" {
			fmt.Fprintf(&b, "\n%s\n\n  %s%s\n", f.Note, d.Config.Addresses[f.Variable], f.NotePath)
		}
	}
	return b.String()
}

func (d *Demo) whereWebhooksGo() string {
	if d.Shop != "" {
		return "Webhooks go to " + d.Shop + "."
	}
	return `Webhooks go to a receiver in this process, which shows them below; with

  make run SHOP=http://127.0.0.1:3000/webhooks

they go to a shop of your own, signed with the secret above.`
}

// awaitListener waits until an address accepts connections.
func awaitListener(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var dialer net.Dialer
	for {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		if !worker.Sleep(ctx, 20*time.Millisecond) {
			return fmt.Errorf("wait for %s: %w", address, err)
		}
	}
}

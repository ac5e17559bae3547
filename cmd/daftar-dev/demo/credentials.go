package demo

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"daftar/accounts"
	"daftar/accounts/people"
	"daftar/accounts/settings"
	"daftar/internal/pgcluster"
	"daftar/internal/postgres"
	"daftar/internal/wholefile"
	"daftar/migrations"
)

// Roles and database of the demo. The server works as a user that may append
// and read; only migrations have the owner's rights, as in production.
const (
	ownerRole  = "daftar_owner"
	serverUser = "daftar_app"
	database   = "daftar"
)

// ownerEmail is the address of the dashboard's user. No other account has it.
const ownerEmail = "owner@demo.example"

// credentials outlive a run. They are the demo's own and open nothing else.
type credentials struct {
	SecretKey     string `json:"secret_key"`
	SandboxSecret string `json:"sandbox_secret"`
	WebhookSecret string `json:"webhook_secret"`
	APIKey        string `json:"api_key"`
	AccessToken   string `json:"access_token"`
	Password      string `json:"password"`  // of the dashboard's owner
	Acquirers     bool   `json:"acquirers"` // the application has accounts with the fakes
}

const credentialsFile = "credentials.json"

// readCredentials returns those of the last run; before the first, new secrets.
func readCredentials(dir string) (credentials, error) {
	text, err := os.ReadFile(filepath.Join(dir, credentialsFile))
	if errors.Is(err, os.ErrNotExist) {
		return credentials{SecretKey: randomHex(), SandboxSecret: randomHex()}, nil
	}
	var c credentials
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return c, fmt.Errorf("read demo credentials in %s: %w", dir, err)
	}
	return c, nil
}

func (c credentials) write(dir string) error {
	text, err := json.MarshalIndent(c, "", "  ") //nolint:gosec // the demo's own, into a file for its owner
	if err != nil {
		return fmt.Errorf("write demo credentials: %w", err)
	}
	if err := wholefile.Write(filepath.Join(dir, credentialsFile), append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write demo credentials: %w", err)
	}
	return nil
}

// variablesFile is for the shell of a shop's developer: `. var/demo.env`.
const variablesFile = "demo.env"

// writeVariables writes what a shop's programs need to reach the API at base, and
// daftar-dev trigger to reach the sandbox.
func (c credentials) writeVariables(dir, base, sandbox string) error {
	var text bytes.Buffer
	text.WriteString("# The demo's credentials, for the programs of a shop. They open play money only.\n")
	for _, v := range []struct{ name, value string }{
		{"DAFTAR_API_URL", base}, {"DAFTAR_API_KEY", c.APIKey}, {"DAFTAR_ACCESS_TOKEN", c.AccessToken},
		{"DAFTAR_WEBHOOK_SECRET", c.WebhookSecret},
		{"DAFTAR_SANDBOX_URL", sandbox},
	} {
		fmt.Fprintf(&text, "export %s='%s'\n", v.name, strings.ReplaceAll(v.value, "'", `'\''`))
	}
	if err := wholefile.Write(filepath.Join(dir, variablesFile), text.Bytes(), 0o600); err != nil {
		return fmt.Errorf("write demo credentials: %w", err)
	}
	return nil
}

// openDatabase migrates as the owner and makes the demo organisation once.
func (d *Demo) openDatabase(ctx context.Context, cluster *pgcluster.Cluster) error {
	err := errors.Join(
		cluster.EnsureRole(ctx, ownerRole, true),
		cluster.EnsureRole(ctx, serverUser, false),
		cluster.EnsureDatabase(ctx, database, ownerRole))
	if err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	owner := cluster.URL(database, ownerRole)
	if _, err := migrations.Up(ctx, owner); err != nil {
		return err
	}
	pool, err := postgres.Open(ctx, owner, postgres.Options{ApplicationName: "daftar demo", MaxConns: 2})
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, "GRANT "+postgres.ServiceRole+" TO "+serverUser); err != nil {
		return fmt.Errorf("prepare database: %w", err)
	}
	d.Config.DatabaseURL = cluster.URL(database, serverUser)
	a := accounts.New(pool, accounts.Options{SecretKey: d.Config.SecretKey})
	account, err := d.openAccount(ctx, a)
	if err != nil {
		return err
	}
	d.application = account.Application
	settings := settings.New(pool, a, d.Config.SecretKey, nil)
	if err := d.openAcquirers(ctx, settings, account); err != nil {
		return err
	}
	members := people.New(pool, a, people.Options{SecretKey: d.Config.SecretKey})
	if err := d.openDashboard(ctx, members, account.Organization); err != nil {
		return err
	}
	if d.receiver, err = newReceiver(ctx, d.saved.WebhookSecret, d.Out); err != nil {
		return err
	}
	return a.SetWebhookURL(ctx, operator, account.Organization, account.Application,
		cmp.Or(d.Shop, d.receiver.url()))
}

// operator is the actor in the audit trail of the demo organisation.
var operator = accounts.Operator("demo")

// openAccount makes the demo's credentials, or keeps those that still work.
func (d *Demo) openAccount(ctx context.Context, a *accounts.Accounts) (accounts.Credential, error) {
	if account, err := a.Authenticate(ctx, d.saved.AccessToken, d.saved.APIKey, true, ""); err == nil {
		return account, nil
	}
	org, err := a.CreateOrganization(ctx, operator, "مقهى الميدان")
	if err != nil {
		return accounts.Credential{}, err
	}
	app, err := a.CreateApplication(ctx, operator, org.ID, accounts.Draft{Name: "مقهى الميدان"})
	if err != nil {
		return accounts.Credential{}, err
	}
	_, token, err := a.CreateToken(ctx, operator, org.ID, accounts.TokenDraft{
		Name: "demo", Scopes: []accounts.Scope{accounts.ScopePayments, accounts.ScopeRefunds, accounts.ScopeBooks},
	})
	if err != nil {
		return accounts.Credential{}, err
	}
	d.saved.APIKey, d.saved.WebhookSecret, d.saved.AccessToken = app.APIKey, app.WebhookSecret, token
	d.saved.Password, d.saved.Acquirers = "", false // of another organisation
	return accounts.Credential{Organization: org.ID, Application: app.ID}, d.saved.write(d.Dir)
}

// openDashboard makes the dashboard's user, once. A password that was changed in the
// dashboard stays changed.
func (d *Demo) openDashboard(ctx context.Context, p *people.People, org accounts.OrganizationID) error {
	if d.saved.Password != "" {
		return nil
	}
	password := randomHex()[:20]
	_, err := p.CreateUser(ctx, operator, org, ownerEmail, accounts.RoleOwner, password)
	if errors.Is(err, people.ErrEmailTaken) {
		err = joinAgain(ctx, p, org, password)
	}
	if err != nil {
		return fmt.Errorf("make demo user: %w", err)
	}
	d.saved.Password = password
	return d.saved.write(d.Dir)
}

// joinAgain gives the owner that an earlier run created a new password and membership. That
// run ended before it wrote the file, or its organisation is another one.
func joinAgain(ctx context.Context, p *people.People, org accounts.OrganizationID,
	password string,
) error {
	owner, err := p.SetPassword(ctx, operator, ownerEmail, password)
	if err != nil || owner.Role(org) != "" {
		return err
	}
	_, token, err := p.Invite(ctx, operator, org, ownerEmail, accounts.RoleOwner)
	if err == nil {
		_, err = p.AcceptInvitation(ctx, owner.Actor("", ""), token)
	}
	return err
}

func randomHex() string {
	var b [32]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

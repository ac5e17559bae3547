package commands

import (
	"context"
	"net/netip"
	"os"
	"os/user"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/webhooks"
)

// operator is the person at this machine, as audit trail and events name them.
func operator() accounts.Actor {
	name := os.Getenv("USER")
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return accounts.Operator(name)
}

func (p *program) org() *cobra.Command {
	var name string
	create := cli.Command("create --name NAME", "Create an organisation",
		p.onAccounts(func(ctx context.Context, d directory) error {
			o, err := d.CreateOrganization(ctx, operator(), name)
			return p.show("organization", o, err)
		}))
	create.Flags().StringVar(&name, "name", "", "name of the organisation")
	list := cli.Command("list", "List the organisations",
		p.onAccounts(func(ctx context.Context, d directory) error {
			all, err := d.Organizations(ctx)
			return p.show("organizations", all, err)
		}))
	var id accounts.OrganizationID
	live := cli.Argument(cli.Command("make-live U",
		"Let an organisation that its owner opened have live applications",
		p.onAccounts(func(ctx context.Context, d directory) error {
			o, err := d.MakeLive(ctx, operator(), id)
			return p.show("organization", o, err)
		})), &id, accounts.ParseOrganizationID)
	return cli.Group("org", "Organisations", create, list, live, p.orgAuditTrail())
}

type application struct {
	UUID         uuid.UUID               `json:"uuid"              label:"application"`
	Organization accounts.OrganizationID `json:"organization_uuid"`
	Name         string                  `json:"name"              label:"name"`
	Mode         domain.Mode             `json:"mode"              label:"mode"`
	Active       bool                    `json:"active"            label:"active"`
	WebhookURL   *string                 `json:"webhook_url"       label:"webhooks to"`
}

func newApplication(a accounts.Application) application {
	return application{uuid.UUID(a.ID), a.Organization, a.Name, a.Mode, a.Active, a.WebhookURL}
}

func (p *program) app() *cobra.Command {
	return cli.Group("app", "Applications, their API keys and webhook secrets",
		p.appCreate(), p.appList(),
		p.appCommand("roll-key U", "Replace the API key; the old one stops at once",
			func(ctx context.Context, d directory, app accounts.Application) error {
				key, err := d.RollAPIKey(ctx, operator(), app.Organization, app.ID, time.Time{})
				if err != nil {
					return err
				}
				return p.Answer(map[string]string{"api_key": key}, "X-API-Key: "+key)
			}),
		p.appCommand("roll-webhook-secret U", "Replace the webhook secret at once",
			func(ctx context.Context, d directory, app accounts.Application) error {
				secret, err := d.RollWebhookSecret(ctx, operator(), app.Organization, app.ID, time.Time{})
				if err != nil {
					return err
				}
				return p.Answer(map[string]string{"webhook_secret": secret}, secret)
			}, "DAFTAR_SECRET_KEY"),
		p.appCommand("activate U", "Let an application's key in again",
			func(ctx context.Context, d directory, app accounts.Application) error {
				return p.changed(ctx, d, app.ID, d.SetActive(ctx, operator(), app.Organization, app.ID, true))
			}),
		p.appDeactivate(),
		p.appSetWebhookURL(),
	)
}

func (p *program) appDeactivate() *cobra.Command {
	var stop bool
	c := p.appCommand("deactivate U [--stop-checkouts]", "Refuse an application's key at once",
		func(ctx context.Context, d directory, app accounts.Application) error {
			if stop {
				return p.changed(ctx, d, app.ID, d.StopCheckouts(ctx, operator(), app.Organization, app.ID))
			}
			return p.changed(ctx, d, app.ID, d.SetActive(ctx, operator(), app.Organization, app.ID, false))
		})
	c.Flags().BoolVar(&stop, "stop-checkouts", false,
		"also stop its open checkouts: no payment begins, and the servers cancel the intents that wait for one")
	return c
}

func (p *program) appSetWebhookURL() *cobra.Command {
	c := p.appCommand("set-webhook-url U URL", "Set where webhooks go; an empty URL is nowhere",
		func(ctx context.Context, d directory, app accounts.Application) error {
			err := d.SetWebhookURL(ctx, operator(), app.Organization, app.ID, d.args[1])
			if err == nil {
				p.warnOfURL(ctx, d.AllowPrivate, d.args[1])
			}
			return p.changed(ctx, d, app.ID, err)
		})
	// A bad address is misuse, whether there is such an application or not.
	return cli.Before(c, func(args []string) error { return accounts.CheckWebhookURL(args[1]) })
}

func (p *program) appCreate() *cobra.Command {
	var org accounts.OrganizationID
	var draft accounts.Draft
	c := cli.Command("create --org U --name NAME [--mode live|test] [--webhook-url URL]",
		"Create an application and show its credentials, once",
		p.onAccounts(func(ctx context.Context, d directory) error {
			app, err := d.CreateApplication(ctx, operator(), org, draft)
			if err != nil {
				return err
			}
			p.warnOfURL(ctx, d.AllowPrivate, draft.WebhookURL)
			return p.Answer(struct {
				Application   application `json:"application"`
				APIKey        string      `json:"api_key"        label:"X-API-Key:"`
				WebhookSecret string      `json:"webhook_secret" label:"webhook secret"`
			}{newApplication(app.Application), app.APIKey, app.WebhookSecret},
				"Keep both: they are not shown again.")
		}, "DAFTAR_SECRET_KEY"))
	cli.Flag(c, &org, "org", "`uuid` of the organisation", accounts.ParseOrganizationID)
	c.Flags().StringVar(&draft.Name, "name", "", "name of the application, which customers see on the checkout")
	cli.Choice(c, &draft.Mode, "mode", "`live or test`, for ever: payments of a test application move no money "+
		"(default: live)", domain.ModeLive, domain.ModeTest)
	c.Flags().StringVar(&draft.WebhookURL, "webhook-url", "", "where webhooks go")
	return c
}

// appCommand is a command on one application, named by the first argument.
func (p *program) appCommand(use, short string,
	do func(ctx context.Context, d directory, app accounts.Application) error,
	required ...string,
) *cobra.Command {
	var id domain.ApplicationID
	return cli.Argument(cli.Command(use, short, p.onAccounts(
		func(ctx context.Context, d directory) error {
			app, err := d.Application(ctx, id)
			if err != nil {
				return err
			}
			return do(ctx, d, app)
		}, required...)), &id, accounts.ParseApplicationID)
}

// warnOfURL prints a warning that would otherwise show only in the log of failed
// deliveries. It refuses nothing: a name can resolve to another address later, and the
// server may have other settings than this shell.
func (p *program) warnOfURL(ctx context.Context, allowPrivate bool, address string) {
	if address == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	guard := webhooks.Guard{AllowPrivate: allowPrivate}
	if err := guard.CheckURL(ctx, address); err != nil {
		p.Notef("Note: webhooks will not be sent there as things are: %v", err)
	}
}

// changed shows an application after a change.
func (p *program) changed(ctx context.Context, d directory, id domain.ApplicationID, err error) error {
	if err != nil {
		return err
	}
	app, err := d.Application(ctx, id)
	return p.show("application", newApplication(app), err)
}

func (p *program) token() *cobra.Command {
	var id accounts.TokenID
	revoke := cli.Argument(cli.Command("revoke U", "Stop an access token at once, for good",
		p.onAccounts(func(ctx context.Context, d directory) error {
			of, err := d.TokenOrganization(ctx, id)
			if err != nil {
				return err
			}
			if err := d.RevokeToken(ctx, operator(), of, id); err != nil {
				return err
			}
			return p.Answer(struct {
				UUID    uuid.UUID `json:"uuid"    label:"access token"`
				Revoked bool      `json:"revoked" label:"revoked"`
			}{uuid.UUID(id), true})
		})), &id, accounts.ParseTokenID)
	return cli.Group("token", "Access tokens", p.tokenCreate(), p.tokenList(), revoke)
}

func (p *program) tokenCreate() *cobra.Command {
	var org accounts.OrganizationID
	var draft accounts.TokenDraft
	c := cli.Command("create --org U --name NAME [--scope S,...] [--from NETWORK,...] [--expires-at TIME]",
		"Create an access token and show it, once",
		p.onAccounts(func(ctx context.Context, d directory) error {
			t, value, err := d.CreateToken(ctx, operator(), org, draft)
			if err != nil {
				return err
			}
			return p.Answer(struct {
				UUID      uuid.UUID        `json:"uuid"         label:"access token"`
				Name      string           `json:"name"         label:"name"`
				Value     string           `json:"access_token"`
				Scopes    []accounts.Scope `json:"scopes"       label:"scopes"`
				Networks  []netip.Prefix   `json:"networks"     label:"networks"     none:"any"`
				ExpiresAt *time.Time       `json:"expires_at"   label:"expires at"`
			}{uuid.UUID(t.ID), t.Name, value, t.Scopes, t.Networks, t.ExpiresAt},
				"Authorization: Bearer "+value,
				"Keep it: it is not shown again.")
		}))
	cli.Flag(c, &org, "org", "`uuid` of the organisation", accounts.ParseOrganizationID)
	c.Flags().StringVar(&draft.Name, "name", "", "what the token is for")
	cli.Flag(c, &draft.Scopes, "scope", "what it may do, a `list` of read, payments, refunds and books "+
		"(default: payments)", accounts.ParseScopes)
	cli.Flag(c, &draft.Networks, "from", "`list` of networks and addresses, such as 41.252.0.0/16, from which "+
		"alone it works (default: any)", accounts.ParseNetworks)
	cli.Flag(c, &draft.ExpiresAt, "expires-at", "`time` when it stops working, RFC 3339 (default: never)",
		cli.Pointer(cli.ParseTime))
	return c
}

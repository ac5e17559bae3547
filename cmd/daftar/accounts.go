package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/domain"
	"daftar/migrations"
	"daftar/webhooks"
)

// withAccounts runs a command on the accounts of the database.
func (p *program) withAccounts(ctx context.Context, needsKey bool, do func(*accounts.Accounts) error) error {
	required := []string{"DAFTAR_DATABASE_URL"}
	if needsKey {
		required = append(required, "DAFTAR_SECRET_KEY")
	}
	conf, err := p.configure(required...)
	if err != nil {
		return err
	}
	pool, err := p.database(ctx, conf)
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := migrations.Check(ctx, pool); err != nil {
		return err
	}
	return do(accounts.New(pool, accounts.Options{SecretKey: conf.secretKey, Log: p.log(conf)}))
}

// byOperator is whoever runs the command, as the audit trail names them.
func byOperator() accounts.Actor {
	return accounts.Operator(strings.TrimPrefix(operator(), "operator:"))
}

func (p *program) org() *cobra.Command {
	var name string
	create := &cobra.Command{
		Use: "create --name NAME", Short: "Create an organisation", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			return p.withAccounts(c.Context(), false, func(a *accounts.Accounts) error {
				o, err := a.CreateOrganization(c.Context(), byOperator(), name)
				if err != nil {
					return err
				}
				return p.answer(map[string]any{"organization": map[string]any{
					"uuid": o.ID.String(), "name": o.Name, "created_at": o.CreatedAt,
				}}, fmt.Sprintf("organisation  %s  %s\n", o.ID, o.Name))
			})
		}),
	}
	create.Flags().StringVar(&name, "name", "", "name of the organisation")
	mustRequire(create, "name")
	return group("org", "Organisations", create, p.orgAuditTrail())
}

func (p *program) app() *cobra.Command {
	return group("app", "Applications, their API keys and webhook secrets",
		p.appCreate(),
		p.appCommand("roll-key U", "Replace the API key; the old one stops at once", false,
			func(ctx context.Context, a *accounts.Accounts, app accounts.Application, _ []string) error {
				key, err := a.RollAPIKey(ctx, byOperator(), app.Organization, app.ID, time.Time{})
				if err != nil {
					return err
				}
				return p.answer(map[string]any{"api_key": key}, "X-API-Key: "+key+"\n")
			}),
		p.appCommand("roll-webhook-secret U", "Replace the webhook secret at once", true,
			func(ctx context.Context, a *accounts.Accounts, app accounts.Application, _ []string) error {
				secret, err := a.RollWebhookSecret(ctx, byOperator(), app.Organization, app.ID, time.Time{})
				if err != nil {
					return err
				}
				return p.answer(map[string]any{"webhook_secret": secret}, secret+"\n")
			}),
		p.appCommand("activate U", "Let an application's key in again", false,
			func(ctx context.Context, a *accounts.Accounts, app accounts.Application, _ []string) error {
				return p.changed(ctx, a, app.ID, a.SetActive(ctx, byOperator(), app.Organization, app.ID, true))
			}),
		p.appCommand("deactivate U", "Refuse an application's key at once", false,
			func(ctx context.Context, a *accounts.Accounts, app accounts.Application, _ []string) error {
				return p.changed(ctx, a, app.ID, a.SetActive(ctx, byOperator(), app.Organization, app.ID, false))
			}),
		p.appSetWebhookURL(),
	)
}

func (p *program) appSetWebhookURL() *cobra.Command {
	c := p.appCommand("set-webhook-url U URL", "Set where webhooks go; an empty URL is nowhere", false,
		func(ctx context.Context, a *accounts.Accounts, app accounts.Application, args []string) error {
			err := a.SetWebhookURL(ctx, byOperator(), app.Organization, app.ID, args[0])
			if err == nil {
				p.warnOfURL(ctx, args[0])
			}
			return p.changed(ctx, a, app.ID, err)
		})
	// A bad address is misuse, whether there is such an application or not.
	count := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		if err := count(c, args); err != nil {
			return err
		}
		return accounts.CheckWebhookURL(args[1])
	}
	return c
}

func (p *program) appCreate() *cobra.Command {
	var org, name, webhookURL string
	c := &cobra.Command{
		Use: "create --org U --name NAME [--webhook-url URL]", Short: "Create an application and show its credentials, once",
		Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			of, err := accounts.ParseOrganizationID(org)
			if err != nil {
				return misusef("--org: %w", err)
			}
			return p.withAccounts(c.Context(), true, func(a *accounts.Accounts) error {
				app, err := a.CreateApplication(c.Context(), byOperator(), of, name, webhookURL)
				if err != nil {
					return err
				}
				p.warnOfURL(c.Context(), webhookURL)
				text := fmt.Sprintf("application     %s  %s\nX-API-Key:      %s\nwebhook secret  %s\nKeep both: they are not shown again.\n",
					app.ID, app.Name, app.APIKey, app.WebhookSecret)
				return p.answer(map[string]any{
					"application": applicationJSON(app.Application), "api_key": app.APIKey, "webhook_secret": app.WebhookSecret,
				}, text)
			})
		}),
	}
	c.Flags().StringVar(&org, "org", "", "uuid of the organisation")
	c.Flags().StringVar(&name, "name", "", "name of the application, which customers see on the checkout")
	c.Flags().StringVar(&webhookURL, "webhook-url", "", "where webhooks go")
	mustRequire(c, "org", "name")
	return c
}

func applicationJSON(a accounts.Application) map[string]any {
	return map[string]any{
		"uuid": a.ID.String(), "organization_uuid": a.Organization.String(), "name": a.Name, "active": a.Active,
		"webhook_url": a.WebhookURL,
	}
}

// appCommand is a command on one application, named by the first argument. The
// words of use after the name are its arguments.
func (p *program) appCommand(use, short string, needsKey bool,
	do func(ctx context.Context, a *accounts.Accounts, app accounts.Application, args []string) error,
) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(len(strings.Fields(use)) - 1),
		RunE: running(func(c *cobra.Command, args []string) error {
			id, err := accounts.ParseApplicationID(args[0])
			if err != nil {
				return misuse{err}
			}
			return p.withAccounts(c.Context(), needsKey, func(a *accounts.Accounts) error {
				app, err := a.Application(c.Context(), id)
				if err != nil {
					return err
				}
				return do(c.Context(), a, app, args[1:])
			})
		}),
	}
}

// warnOfURL says at once what would otherwise show only in the log of failed
// deliveries. It refuses nothing: names can come to lead elsewhere, and the server
// may have other settings than this shell.
func (p *program) warnOfURL(ctx context.Context, address string) {
	if address == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	guard := webhooks.Guard{AllowPrivate: p.variables()["DAFTAR_WEBHOOK_ALLOW_PRIVATE"] == "true"}
	if err := guard.CheckURL(ctx, address); err != nil {
		p.tellf("Note: webhooks will not be sent there as things are: %v", err)
	}
}

// changed shows an application after a change.
func (p *program) changed(ctx context.Context, a *accounts.Accounts, id domain.ApplicationID, err error) error {
	if err != nil {
		return err
	}
	app, err := a.Application(ctx, id)
	if err != nil {
		return err
	}
	state, to := "inactive", "nowhere"
	if app.Active {
		state = "active"
	}
	if app.WebhookURL != nil {
		to = *app.WebhookURL
	}
	return p.answer(map[string]any{"application": applicationJSON(app)},
		fmt.Sprintf("application  %s  %s  %s  webhooks to %s\n", app.ID, app.Name, state, to))
}

func (p *program) token() *cobra.Command {
	revoke := &cobra.Command{
		Use: "revoke U", Short: "Stop an access token at once, for good", Args: cobra.ExactArgs(1),
		RunE: running(func(c *cobra.Command, args []string) error {
			id, err := accounts.ParseTokenID(args[0])
			if err != nil {
				return misuse{err}
			}
			return p.withAccounts(c.Context(), false, func(a *accounts.Accounts) error {
				of, err := a.TokenOrganization(c.Context(), id)
				if err != nil {
					return err
				}
				if err := a.RevokeToken(c.Context(), byOperator(), of, id); err != nil {
					return err
				}
				return p.answer(map[string]any{"uuid": id.String(), "revoked": true}, fmt.Sprintf("access token  %s  revoked\n", id))
			})
		}),
	}
	return group("token", "Access tokens", p.tokenCreate(), revoke)
}

func (p *program) tokenCreate() *cobra.Command {
	var org, name, expiresAt string
	c := &cobra.Command{
		Use: "create --org U --name NAME [--expires-at TIME]", Short: "Create an access token and show it, once", Args: cobra.NoArgs,
		RunE: running(func(c *cobra.Command, _ []string) error {
			of, err := accounts.ParseOrganizationID(org)
			if err != nil {
				return misusef("--org: %w", err)
			}
			var end *time.Time
			if expiresAt != "" {
				at, err := time.Parse(time.RFC3339Nano, expiresAt)
				if err != nil {
					return misusef("--expires-at: %q is no time such as 2027-01-31T12:00:00Z", expiresAt)
				}
				end = &at
			}
			return p.withAccounts(c.Context(), false, func(a *accounts.Accounts) error {
				t, value, err := a.CreateToken(c.Context(), byOperator(), of, name, end)
				if err != nil {
					return err
				}
				return p.answer(map[string]any{
					"uuid": t.ID.String(), "name": t.Name, "access_token": value, "expires_at": t.ExpiresAt,
				}, fmt.Sprintf("access token   %s  %s\nAuthorization: Bearer %s\nKeep it: it is not shown again.\n", t.ID, t.Name, value))
			})
		}),
	}
	c.Flags().StringVar(&org, "org", "", "uuid of the organisation")
	c.Flags().StringVar(&name, "name", "", "what the token is for")
	c.Flags().StringVar(&expiresAt, "expires-at", "", "when it stops working, RFC 3339 (default: never)")
	mustRequire(c, "org", "name")
	return c
}

// mustRequire marks flags without which cobra refuses the call.
func mustRequire(c *cobra.Command, flags ...string) {
	for _, f := range flags {
		if err := c.MarkFlagRequired(f); err != nil {
			panic("daftar: " + err.Error())
		}
	}
}

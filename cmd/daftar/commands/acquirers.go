package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/config"
	"daftar/cmd/daftar/server"
	"daftar/domain"
	"daftar/payments"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

// acquirerAccount is an application's account with an acquirer, without its credentials.
type acquirerAccount struct {
	Name      string                           `json:"name"       label:"acquirer"`
	Methods   []string                         `json:"methods"    label:"methods"`
	Enabled   bool                             `json:"enabled"    label:"enabled"`
	NotifyURL string                           `json:"notify_url" label:"notifications to"`
	Limits    map[string]settings.AmountLimits `json:"limits"`
	Amounts   string                           `json:"-"          label:"limits"` // Limits, for people
}

func newAcquirerAccount(c config.Config, s settings.AcquirerAccount) acquirerAccount {
	return acquirerAccount{
		s.Acquirer, s.Methods, s.Enabled,
		payments.NotifyURL(c.PublicURL, s.Acquirer, s.Application),
		s.Limits, limitsInWords(s.Limits),
	}
}

func (p *program) acquirer() *cobra.Command {
	return cli.Group("acquirer", "Accounts of applications with acquirers",
		p.acquirerSet(), p.acquirerList(), p.acquirerCheck(),
		p.acquirerMethods(), p.acquirerLimit(), p.acquirerOrder(),
		p.acquirerCommand("disable NAME --app U",
			"Stop offering the account's methods at once; payments under way go on",
			func(ctx context.Context, call acquirerCall) error {
				err := call.settings.EnableAcquirer(ctx, operator(), call.org, call.app, call.name, false)
				return p.changedAcquirer(ctx, call, err)
			}),
		p.acquirerCommand("enable NAME --app U", "Offer the account's methods again",
			func(ctx context.Context, call acquirerCall) error {
				err := call.settings.EnableAcquirer(ctx, operator(), call.org, call.app, call.name, true)
				return p.changedAcquirer(ctx, call, err)
			}),
		p.acquirerCommand("remove NAME --app U",
			"Forget the account and its credentials; payments under way can no longer be asked about",
			func(ctx context.Context, call acquirerCall) error {
				err := call.settings.RemoveAcquirer(ctx, operator(), call.org, call.app, call.name)
				if err != nil {
					return err
				}
				return p.Answer(struct {
					Name    string `json:"name"    label:"acquirer"`
					Removed bool   `json:"removed" label:"removed"`
				}{call.name, true})
			}),
	)
}

// maxSettings bounds what is read as an account's settings, in bytes.
const maxSettings = 16 << 10

func (p *program) acquirerSet() *cobra.Command {
	var stdin bool
	c := p.acquirerCommand("set NAME --app U --settings-stdin",
		"Set an application's account with an acquirer, or replace its credentials",
		p.setAcquirer, "DAFTAR_SECRET_KEY")
	c.Long = `Set an application's account with an acquirer, or replace its credentials.

The settings are a JSON object on standard input; docs/acquirers.md says what they are:

` + settingsInWords() + `
Those in brackets may be left out. plutu also takes "methods", those to offer, such as ["adfali","cards"].
The settings are sealed under DAFTAR_SECRET_KEY and never shown again.`
	c.Flags().BoolVar(&stdin, "settings-stdin", false, "read the settings from standard input")
	return cli.Before(c, func([]string) error {
		if !stdin {
			return cli.Misusef("settings are read from standard input only: --settings-stdin")
		}
		return nil
	})
}

// settingsInWords is a line for each acquirer with what its accounts need.
func settingsInWords() string {
	var b strings.Builder
	for _, a := range registry.WithAccounts() {
		var needed, optional []string
		for _, s := range a.Settings {
			if s.Optional {
				optional = append(optional, s.Name)
			} else {
				needed = append(needed, s.Name)
			}
		}
		fmt.Fprintf(&b, "  %-9s %s", a.Name, strings.Join(needed, ", "))
		if len(optional) > 0 {
			fmt.Fprintf(&b, " [%s]", strings.Join(optional, ", "))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func (p *program) setAcquirer(ctx context.Context, call acquirerCall) error {
	provider, err := call.provider()
	if err != nil {
		return err
	}
	read, err := io.ReadAll(io.LimitReader(p.Call.In, maxSettings+1))
	if err != nil {
		return err
	}
	if len(read) > maxSettings {
		return cli.Misusef("settings: more than %d bytes", maxSettings)
	}
	text, err := config.SecretText(read)
	if err != nil {
		return cli.Misusef("--settings-stdin: %w", err)
	}
	settings := []byte(text)
	opened, err := provider.Open(settings)
	if err != nil {
		return cli.Misusef("%s: %w", call.name, err)
	}
	err = call.settings.SetAcquirer(
		ctx, operator(), call.org, call.app, call.name, settings, methodsOf(opened))
	return p.changedAcquirer(ctx, call, err)
}

func (p *program) acquirerList() *cobra.Command {
	var id domain.ApplicationID
	c := cli.Command("list --app U",
		"List an application's accounts with acquirers, in the order in which the checkout offers them",
		p.onAccounts(func(ctx context.Context, d directory) error {
			if _, err := d.Application(ctx, id); err != nil {
				return err
			}
			return p.listAcquirers(ctx, d, id)
		}))
	cli.Flag(c, &id, "app", "`uuid` of the application", accounts.ParseApplicationID)
	return c
}

// listAcquirers shows an application's accounts in their order.
func (p *program) listAcquirers(ctx context.Context, d directory, of domain.ApplicationID) error {
	stored, err := d.settings.AcquirerAccounts(ctx, of)
	all := make([]acquirerAccount, len(stored))
	for n, s := range stored {
		all[n] = newAcquirerAccount(d.Config, s)
	}
	return p.show("acquirers", all, err)
}

// checkLimit is how long the check of an account may take.
const checkLimit = 30 * time.Second

func (p *program) acquirerCheck() *cobra.Command {
	return p.acquirerCommand("check NAME --app U",
		"Prove an account's credentials without moving money, as far as the acquirer allows",
		func(ctx context.Context, call acquirerCall) error {
			provider, err := call.provider()
			if err != nil {
				return err
			}
			stored, err := call.stored(ctx)
			if err != nil {
				return err
			}
			settings, err := call.settings.AcquirerSettings(stored)
			if err != nil {
				return err
			}
			opened, err := provider.Open(settings)
			if err != nil {
				return err
			}
			if err := call.settings.BeginCheck(ctx, operator(), call.org, call.app, call.name); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(ctx, checkLimit)
			defer cancel()
			result := "accepted"
			switch err := opened.Check(ctx, acquirer.MethodsNamed(stored.Methods)); {
			case errors.Is(err, acquirer.ErrUnprovable):
				result = "unprovable"
			case err != nil:
				return err
			}
			return p.Answer(struct {
				Name   string `json:"name"   label:"acquirer"`
				Result string `json:"result" label:"credentials"`
			}{call.name, result})
		}, "DAFTAR_SECRET_KEY")
}

// acquirerCall is a command about one application's account with one acquirer.
type acquirerCall struct {
	directory

	org  accounts.OrganizationID
	app  domain.ApplicationID
	name string // of the acquirer
}

// provider is the acquirer. Credentials can be disabled and forgotten without one.
func (c acquirerCall) provider() (server.Provider, error) {
	known, err := server.Providers(c.Config)
	if err != nil {
		return server.Provider{}, err
	}
	names := make([]string, len(known))
	for n, p := range known {
		if names[n] = p.Name(); p.Name() == c.name {
			return p, nil
		}
	}
	var variables []string
	for _, a := range registry.WithAccounts() {
		variables = append(variables, a.Variables[0].Name)
	}
	return server.Provider{}, cli.Misusef(
		"%q is none of the acquirers that have an address (%s): see %s",
		c.name, strings.Join(names, ", "), strings.Join(variables, ", "))
}

// acquirerCommand is a command whose argument names an acquirer and whose flag an
// application.
func (p *program) acquirerCommand(use, short string,
	do func(ctx context.Context, call acquirerCall) error,
	required ...string,
) *cobra.Command {
	var id domain.ApplicationID
	c := cli.Command(use, short, p.onAccounts(func(ctx context.Context, d directory) error {
		app, err := d.Application(ctx, id)
		if err != nil {
			return err
		}
		return do(ctx, acquirerCall{d, app.Organization, id, d.args[0]})
	}, required...))
	cli.Flag(c, &id, "app", "`uuid` of the application", accounts.ParseApplicationID)
	return cli.OfferArgument(c, acquirerNames())
}

// acquirerNames are those of the acquirers with which applications may have accounts.
func acquirerNames() (names []string) {
	for _, a := range registry.WithAccounts() {
		names = append(names, a.Name)
	}
	return names
}

// stored is the account that the command is about.
func (c acquirerCall) stored(ctx context.Context) (settings.AcquirerAccount, error) {
	all, err := c.settings.AcquirerAccounts(ctx, c.app)
	if err != nil {
		return settings.AcquirerAccount{}, err
	}
	n := slices.IndexFunc(all, func(a settings.AcquirerAccount) bool { return a.Acquirer == c.name })
	if n < 0 {
		return settings.AcquirerAccount{}, settings.ErrNoAcquirerAccount
	}
	return all[n], nil
}

// changedAcquirer shows an account after a change.
func (p *program) changedAcquirer(ctx context.Context, call acquirerCall, err error) error {
	if err != nil {
		return err
	}
	stored, err := call.stored(ctx)
	return p.show("acquirer", newAcquirerAccount(call.Config, stored), err)
}

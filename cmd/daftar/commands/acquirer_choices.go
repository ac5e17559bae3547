package commands

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/accounts/settings"
	"daftar/cmd/daftar/cli"
	"daftar/domain"
	"daftar/payments/acquirer"
)

func (p *program) acquirerMethods() *cobra.Command {
	var chosen string
	c := p.acquirerCommand("methods NAME --app U --methods A,B",
		"Choose which of the acquirer's methods are offered, and their order",
		func(ctx context.Context, call acquirerCall) error {
			provider, err := call.provider()
			if err != nil {
				return err
			}
			methods, err := chooseMethods(provider, chosen)
			if err != nil {
				return err
			}
			err = call.settings.OfferMethods(ctx, operator(), call.org, call.app, call.name, methods)
			return p.changedAcquirer(ctx, call, err)
		})
	c.Flags().StringVar(&chosen, "methods", "",
		"`names` of methods in the order of the pay page, with commas between them")
	return c
}

// chooseMethods reads a list of the acquirer's methods.
func chooseMethods(of acquirer.Provider, chosen string) ([]string, error) {
	known := methodsOf(of)
	methods := strings.FieldsFunc(chosen, func(r rune) bool { return r == ',' || r == ' ' })
	for n, m := range methods {
		switch {
		case !slices.Contains(known, m):
			return nil, cli.Misusef("--methods: %q is none of %s", m, strings.Join(known, ", "))
		case slices.Contains(methods[:n], m):
			return nil, cli.Misusef("--methods: %s is named twice", m)
		}
	}
	return methods, nil
}

func methodsOf(a interface{ Capabilities() []acquirer.Capability }) []string {
	var all []string
	for _, can := range a.Capabilities() {
		all = append(all, string(can.Method))
	}
	return all
}

func (p *program) acquirerLimit() *cobra.Command {
	var method string
	var limits settings.AmountLimits
	c := p.acquirerCommand("limit NAME --app U --method M [--min DINARS] [--max DINARS]",
		"Offer a method for amounts within limits alone; without --min and --max, for all that the acquirer takes",
		func(ctx context.Context, call acquirerCall) error {
			provider, err := call.provider()
			if err != nil {
				return err
			}
			if err := checkLimits(provider, method, limits); err != nil {
				return err
			}
			err = call.settings.LimitMethod(ctx, operator(), call.org, call.app, call.name, method, limits)
			return p.changedAcquirer(ctx, call, err)
		})
	c.Flags().StringVar(&method, "method", "", "`name` of the method")
	cli.Flag(c, &limits.Min, "min", "least amount in `dinars`, such as 5 or 12.500", parseDinars)
	cli.Flag(c, &limits.Max, "max", "greatest amount in `dinars`", parseDinars)
	return c
}

// dinars is an amount without its currency.
func dinars(minor int64) string { return domain.Money{Minor: minor, Currency: domain.LYD}.Figures() }

func parseDinars(text string) (int64, error) {
	m, err := domain.ParseMoney(text, domain.LYD)
	if err != nil || m.Minor == 0 {
		return 0, cli.Misusef("%q is no amount of dinars such as 12.500", text)
	}
	return m.Minor, nil
}

// checkLimits refuses limits that would promise more than the acquirer takes.
func checkLimits(of acquirer.Provider, method string, l settings.AmountLimits) error {
	can, has := acquirer.CapabilityOf(of, acquirer.Method(method))
	switch {
	case !has:
		return cli.Misusef("--method: %q is none of %s", method, strings.Join(methodsOf(of), ", "))
	case l.Min > 0 && l.Min < can.Min:
		return cli.Misusef("--min: %s takes amounts from %s on", of.Name(), dinars(can.Min))
	case l.Max > can.Max:
		return cli.Misusef("--max: %s takes amounts up to %s", of.Name(), dinars(can.Max))
	case cmp.Or(l.Max, can.Max) < cmp.Or(l.Min, can.Min):
		return cli.Misusef("no amount is from %s to %s",
			dinars(cmp.Or(l.Min, can.Min)), dinars(cmp.Or(l.Max, can.Max)))
	}
	return nil
}

// limitsInWords are the limits of an account's methods, for people.
func limitsInWords(all map[string]settings.AmountLimits) string {
	var said []string
	for _, method := range slices.Sorted(maps.Keys(all)) {
		words := method
		if least := all[method].Min; least > 0 {
			words += " from " + dinars(least)
		}
		if most := all[method].Max; most > 0 {
			words += " to " + dinars(most)
		}
		said = append(said, words)
	}
	return strings.Join(said, ", ")
}

func (p *program) acquirerOrder() *cobra.Command {
	var id domain.ApplicationID
	c := cli.Command("order NAME... --app U",
		"Have these accounts offered first, in this order; the others stay behind them",
		p.onAccounts(func(ctx context.Context, d directory) error {
			app, err := d.Application(ctx, id)
			if err != nil {
				return err
			}
			if err := d.settings.OrderAcquirers(ctx, operator(), app.Organization, id, d.args); err != nil {
				return err
			}
			return p.listAcquirers(ctx, d, id)
		}))
	c.Args = cobra.MinimumNArgs(1)
	cli.Flag(c, &id, "app", "`uuid` of the application", accounts.ParseApplicationID)
	return cli.OfferArgument(c, acquirerNames())
}

package commands

import (
	"strings"

	"github.com/spf13/cobra"

	"daftar/accounts"
	"daftar/checkout"
	"daftar/cmd/daftar/server"
	"daftar/projections"
	"daftar/reconcile"
	"daftar/refunds"
	"daftar/webhooks"
)

// choice is a flag, or the first argument where it has no name, that has one of some values.
type choice struct {
	command, flag string
	values        []string
}

// choices are what shells offer. Each command refuses other values by itself.
func choices() []choice {
	var acquirers, fakes, readModels, groups, events []string
	for _, a := range server.AccountSettings() {
		acquirers = append(acquirers, a.Acquirer)
	}
	for _, f := range server.Fakes() {
		fakes = append(fakes, f.Acquirer)
	}
	for _, m := range projections.Models() {
		readModels = append(readModels, m.Name)
	}
	for _, g := range server.Groups() {
		groups = append(groups, g.Name)
	}
	for _, one := range plays {
		events = append(events, one.names...)
	}
	const all = "all"
	found := []choice{
		{"user create", "role", texts(accounts.Roles)},
		{"org audit-trail", "outcome", texts([]accounts.Outcome{accounts.Done, accounts.Denied, accounts.Failed})},
		{"attempts list", "state", []string{checkout.AttemptsUnknown, checkout.AttemptsQuarantined, checkout.AttemptsOpen, checkout.AttemptsClosed, all}},
		{"attempts settle", "outcome", texts([]checkout.Verdict{checkout.VerdictPaid, checkout.VerdictFailed})},
		{"refunds list", "state", append(texts(refunds.States()), all)},
		{"refunds settle", "outcome", texts([]refunds.Verdict{refunds.WentBack, refunds.NotGoneBack})},
		{"webhooks deliveries", "state", []string{webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld}},
		{"reconcile", "acquirer", reconcile.Acquirers()},
		{"reconcile", "unit", texts([]reconcile.Unit{reconcile.Dinars, reconcile.Dirhams})},
		{"projections verify", "", readModels},
		{"projections rebuild", "", readModels},
		{"feed release", "", groups},
		{"trigger", "", events},
		{"fake-acquirer", "", fakes},
	}
	for _, verb := range []string{"set", "check", "disable", "enable", "remove", "methods", "limit", "order"} {
		found = append(found, choice{"acquirer " + verb, "", acquirers})
	}
	return found
}

func texts[T ~string](values []T) []string {
	all := make([]string, len(values))
	for n, v := range values {
		all[n] = string(v)
	}
	return all
}

// offerChoices has shells complete what has fixed values.
func offerChoices(root *cobra.Command) {
	for _, one := range choices() {
		c, _, err := root.Find(strings.Fields(one.command))
		offer := cobra.FixedCompletions(one.values, cobra.ShellCompDirectiveNoFileComp)
		if err == nil && one.flag != "" {
			err = c.RegisterFlagCompletionFunc(one.flag, offer)
		} else if err == nil {
			c.ValidArgsFunction = func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
				if len(args) > 0 && !strings.Contains(c.Use, "...") {
					return nil, cobra.ShellCompDirectiveNoFileComp
				}
				return offer(c, args, begun)
			}
		}
		if err != nil {
			panic("daftar: complete " + one.command + ": " + err.Error())
		}
	}
}

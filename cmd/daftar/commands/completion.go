package commands

import (
	"daftar/accounts"
	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/server"
	"daftar/payments"
	"daftar/payments/acquirer/registry"
	"daftar/payments/acquirer/statements"
	"daftar/payments/refunds"
	"daftar/projections"
	"daftar/reconcile"
	"daftar/webhooks"
)

// choices are what shells offer.
func choices() map[string][]string {
	var acquirers, readModels, groups []string
	for _, a := range registry.WithAccounts() {
		acquirers = append(acquirers, a.Name)
	}
	for _, m := range projections.Models() {
		readModels = append(readModels, m.Name)
	}
	for _, g := range server.Groups() {
		groups = append(groups, g.Name)
	}
	const all = "all"
	found := map[string][]string{
		"user create --role": cli.Texts(accounts.Roles),
		"org audit-trail --outcome": cli.Texts([]accounts.Outcome{
			accounts.Done, accounts.Denied, accounts.Failed,
		}),
		"attempts list --state": {
			payments.AttemptsUnknown, payments.AttemptsQuarantined, payments.AttemptsOpen,
			payments.AttemptsClosed, all,
		},
		"attempts settle --outcome": cli.Texts([]payments.Verdict{
			payments.VerdictPaid, payments.VerdictFailed,
		}),
		"refunds list --state":     append(cli.Texts(refunds.States()), all),
		"refunds settle --outcome": cli.Texts([]refunds.Verdict{refunds.Refunded, refunds.NotRefunded}),
		"webhooks deliveries --state": {
			webhooks.StatePending, webhooks.StateDelivered, webhooks.StateFailed, webhooks.StateHeld,
		},
		"reconcile --acquirer": reconcile.Acquirers(),
		"reconcile --unit":     cli.Texts([]statements.Unit{statements.Dinars, statements.Dirhams}),
		"projections verify":   readModels,
		"projections rebuild":  readModels,
		"feed release":         groups,
	}
	for _, verb := range []string{"set", "check", "disable", "enable", "remove", "methods", "limit", "order"} {
		found["acquirer "+verb] = acquirers
	}
	return found
}

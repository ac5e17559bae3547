package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/commands"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/registry"
)

// Shells complete arguments that have fixed values, and the command accepts every value that they
// offer.
func TestCompletionOffersTheFixedValues(t *testing.T) {
	t.Parallel()
	withAccounts := named(registry.WithAccounts())
	for args, want := range map[string][]string{
		"user create --role":          {"owner", "developer", "finance", "support", "viewer"},
		"org audit-trail --outcome":   {"done", "denied", "failed"},
		"books export --format":       {"hledger", "beancount", "csv"},
		"books journal --mode":        {"live", "test"},
		"attempts list --state":       {"unknown", "quarantined", "open", "closed", "all"},
		"attempts settle X --outcome": {"paid", "failed"},
		"refunds list --state":        {"requested", "asking", "unknown", "recording", "recorded", "failed", "all"},
		"refunds settle X --outcome":  {"refunded", "failed"},
		"webhooks deliveries --state": {"pending", "delivered", "failed", "held"},
		"reconcile --acquirer":        named(registry.All()),
		"reconcile --unit":            {"dinars", "dirhams"},
		"projections verify":          {"intents", "turnover", "payments", "books"},
		"projections rebuild":         {"intents", "turnover", "payments", "books"},
		"feed release":                {"expiry", "webhooks", "dashboard", "books", "transparency"},
		"acquirer set":                withAccounts,
		"acquirer check":              withAccounts,
		"acquirer disable":            withAccounts,
		"acquirer enable":             withAccounts,
		"acquirer remove":             withAccounts,
		"acquirer methods":            withAccounts,
		"acquirer limit":              withAccounts,
		"acquirer order plutu":        withAccounts,
		"projections verify intents":  nil, // the command takes one argument only
	} {
		words := strings.Fields(args)
		offered := offers(t, args, call(t, nil, completing(words)...), want)
		name, isFlag := strings.CutPrefix(words[len(words)-1], "--")
		for _, value := range append(offered, "no-such-value") {
			if !isFlag {
				break
			}
			c, _, err := commands.Root(&cli.Program{}).Find(words[:2])
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Flags().Set(name, value); (err == nil) != (value != "no-such-value") {
				t.Errorf("%s %s: %v", args, value, err)
			}
		}
	}
}

// named returns the names of acquirers as a list argument.
func named(all []acquirer.Description) []string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return names
}

// completing returns the arguments of the call that a shell makes after these words.
func completing(words []string) []string {
	return slices.Concat([]string{"__complete"}, words, []string{""})
}

// offers checks the completions that a shell offers, and returns them.
func offers(t *testing.T, args string, r run, want []string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	offered, directive := lines[:len(lines)-1], lines[len(lines)-1]
	offered = slices.DeleteFunc(offered, func(o string) bool {
		return strings.HasPrefix(o, "--")
	}) // flags that are required
	slices.Sort(offered)
	slices.Sort(want)
	if r.code != 0 || !slices.Equal(offered, want) || directive != ":4" { // no file names
		t.Errorf("%s: exit %d: %q, want %q", args, r.code, lines, want)
	}
	return offered
}

func TestDaftarDevCompletesToo(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][]string{
		"trigger": {
			"created", "processing", "succeeded", "payment_failed", "canceled", "expired", "late",
			"duplicate_payment", "duplicate",
		},
		"fake-acquirer": named(registry.WithAccounts()),
	} {
		offers(t, args, callDev(t, nil, completing([]string{args})...), want)
	}
}

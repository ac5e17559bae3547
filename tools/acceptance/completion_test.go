package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"daftar/cmd/daftar/cli"
	"daftar/cmd/daftar/commands"
)

// Shells complete what has fixed values, and every value that they offer is one that the command
// takes.
func TestCompletionOffersTheFixedValues(t *testing.T) {
	t.Parallel()
	for args, want := range map[string][]string{
		"user create --role":          {"owner", "developer", "finance", "support", "viewer"},
		"org audit-trail --outcome":   {"done", "denied", "failed"},
		"attempts list --state":       {"unknown", "quarantined", "open", "closed", "all"},
		"attempts settle X --outcome": {"paid", "failed"},
		"refunds list --state":        {"requested", "asking", "unknown", "recording", "recorded", "failed", "all"},
		"refunds settle X --outcome":  {"refunded", "failed"},
		"webhooks deliveries --state": {"pending", "delivered", "failed", "held"},
		"reconcile --acquirer":        {"sandbox", "plutu", "moamalat", "lypay"},
		"reconcile --unit":            {"dinars", "dirhams"},
		"projections verify":          {"intents", "turnover", "payments"},
		"projections rebuild":         {"intents", "turnover", "payments"},
		"feed release":                {"expiry", "webhooks", "dashboard", "transparency"},
		"acquirer set":                {"plutu", "moamalat", "lypay"},
		"acquirer check":              {"plutu", "moamalat", "lypay"},
		"acquirer disable":            {"plutu", "moamalat", "lypay"},
		"acquirer enable":             {"plutu", "moamalat", "lypay"},
		"acquirer remove":             {"plutu", "moamalat", "lypay"},
		"acquirer methods":            {"plutu", "moamalat", "lypay"},
		"acquirer limit":              {"plutu", "moamalat", "lypay"},
		"acquirer order plutu":        {"plutu", "moamalat", "lypay"},
		"projections verify intents":  nil, // one is enough
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

// completing are the arguments of the call that a shell makes after these words.
func completing(words []string) []string {
	return slices.Concat([]string{"__complete"}, words, []string{""})
}

// offers checks what a shell is offered, and returns it.
func offers(t *testing.T, args string, r run, want []string) []string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	offered, directive := lines[:len(lines)-1], lines[len(lines)-1]
	offered = slices.DeleteFunc(offered, func(o string) bool {
		return strings.HasPrefix(o,
			"--")
	}) // flags that are required
	slices.Sort(offered)
	if slices.Sort(want); r.code != 0 || !slices.Equal(offered, want) ||
		directive != ":4" { // no names of files
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
		"fake-acquirer": {"plutu", "moamalat", "lypay"},
	} {
		offers(t, args, callDev(t, nil, completing([]string{args})...), want)
	}
}

package acceptance_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"daftar/internal/postgres/pgtest"
)

// triggered is the answer of a trigger.
type triggered struct {
	Events []struct {
		Intent string `json:"intent_uuid"`
		Type   string `json:"type"`
		Late   bool   `json:"late"`
		Reason string `json:"reason"`
	} `json:"events"`
}

// types are the types of the events, without payment_intent, and their descriptions.
func (r triggered) types() []string {
	var all []string
	for _, e := range r.Events {
		text := strings.TrimPrefix(e.Type, "payment_intent.")
		if e.Late {
			text += " late"
		}
		if e.Reason != "" {
			text += " " + e.Reason
		}
		all = append(all, text)
	}
	return all
}

// trigger calls daftar-dev to make something happen to a payment.
func trigger(t *testing.T, env []string, args ...string) triggered {
	t.Helper()
	return answered[triggered](t, args, callDev(t, env, append(args, "--json")...))
}

// A developer forwards the demo's webhooks to a shop, and makes everything happen to a payment that
// can happen, with commands that know only the printed credentials.
func TestTrigger(t *testing.T) {
	t.Parallel()
	var secret string
	shop := newEndpoint(t, &secret)
	// As the address of a WooCommerce shop is.
	d := demoOf(t, t.TempDir(), nil, "--shop", shop.URL+"/?wc-api=daftar_webhook")
	secret = d.secret
	env := []string{
		"DAFTAR_API_URL=" + d.base, "DAFTAR_API_KEY=" + d.key,
		"DAFTAR_ACCESS_TOKEN=" + strings.TrimPrefix(d.authorization, "Bearer "),
	}
	webhooks := 0
	for name, want := range map[string][]string{
		"payment_intent.created":        {"created"},
		"processing":                    {"created", "processing"},
		"payment_intent.succeeded":      {"created", "processing", "succeeded"},
		"payment_intent.payment_failed": {"created", "processing", "payment_failed declined"},
		"expired":                       {"created", "canceled stopped"},
		"payment_intent.late": {"created", "processing", "payment_failed insufficient_funds",
			"canceled stopped", "succeeded late"},
		"payment_intent.duplicate_payment": {"created", "processing", "payment_failed insufficient_funds",
			"processing", "succeeded", "duplicate_payment"},
	} {
		got := trigger(t, env, "trigger", name)
		if diff := cmp.Diff(want, got.types()); diff != "" {
			t.Errorf("trigger %s (-want +got):\n%s", name, diff)
		}
		webhooks += len(want)
	}
	pgtest.WaitFor(t, "all webhooks", func() bool { return len(shop.got()) == webhooks })
	if at := shop.asked(); at != "/?wc-api=daftar_webhook" {
		t.Errorf("webhooks went to %s", at)
	}

	// Intents of the shop end as the developer chooses.
	expiring, _ := d.order(t, "expiring", "")
	got := trigger(t, env, "sandbox", "expire", expiring)
	if got.Events[0].Intent != expiring || !slices.Equal(got.types(), []string{"created", "canceled stopped"}) {
		t.Errorf("sandbox expire: %+v", got)
	}
	late, _ := d.order(t, "late", "")
	if got := trigger(t, env, "sandbox", "pay-late", late).types(); len(got) != 5 ||
		got[4] != "succeeded late" {
		t.Errorf("sandbox pay-late: %v", got)
	}
	if status := d.get(t, late); status != "succeeded" {
		t.Errorf("the intent that was paid late is %s", status)
	}
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"demo --shop ftp://shop.example", 2, "--shop: "},
		{"trigger refunded", 2, "these can: created, processing"},
		{"sandbox expire 7", 2, "no uuid"},
		{"sandbox expire " + late, 1, "409"},
		{"sandbox pay-late " + expiring, 1, "only one that is open"},
		{"sandbox pay-late 8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11", 1, "404"},
	} {
		r := callDev(t, env, strings.Fields(c.args)...)
		if r.code != c.code || !strings.Contains(r.errors, c.says) {
			t.Errorf("%s: exit %d: %s", c.args, r.code, r.errors)
		}
	}
	r := callDev(t, nil, "trigger", "succeeded")
	if r.code != 2 || !strings.Contains(r.errors, "DAFTAR_API_KEY is missing") {
		t.Errorf("without credentials: exit %d: %s", r.code, r.errors)
	}
}

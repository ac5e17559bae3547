package acceptance_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daftar/internal/postgres/pgtest"
)

// lightboxReference is an attempt's reference in the configuration of Moamalat's form.
var lightboxReference = regexp.MustCompile(`"MerchantReference":"([0-9a-z]+)"`)

// An operator has a part of the money refunded by the acquirer and records the rest. The intent
// that the merchant retrieves stays the same, byte for byte.
func TestRefundEndToEnd(t *testing.T) {
	t.Parallel()
	db := pgtest.Database(t)
	m := &marketplace{bazaar: &bazaar{search: &search{t: t}, db: db}, gateways: newGateways(t)}
	database := []string{"DAFTAR_DATABASE_URL=" + db.ServiceURL(), "DAFTAR_SECRET_KEY=" + secretKey}
	env := slices.Concat(database, m.gateways.env)
	m.who, m.visitor = newShop(t, env), m.search.visitor("checkout")
	m.gateways.set(t, env, m.who.app, "moamalat")
	m.served = serve(t, db.ServiceURL(), m.gateways.env...)

	intent, page := m.order("refunded")
	m.submit(page, "attempts", "lightbox", url.Values{"method": {"moamalat"}})
	body, _, _ := m.visitor.must(http.StatusOK, http.MethodGet, page, nil)
	found := lightboxReference.FindStringSubmatch(body)
	if found == nil {
		t.Fatalf("no reference on the page:\n%s", body)
	}
	refuse := func(says string, code int, args ...string) {
		t.Helper()
		r := call(t, env, append([]string{"refunds"}, args...)...)
		if r.code != code || r.out != "" || !strings.Contains(r.errors, says) {
			t.Errorf("%v: exit %d: %s%s; want %d and %q", args, r.code, r.out, r.errors, code, says)
		}
	}
	refuse("no paid money", 1, "request", intent, "--note", "too early")
	m.pay("moamalat", found[1], 5000)
	m.submit(page, "attempts", "receipt", url.Values{"method": {"moamalat"}})
	before := m.served.ask(t, m.who, http.MethodGet, "/payment-intents/"+intent, "").body

	asked := m.refund(env, "request", intent, "--amount", "1.5", "--note", "one coffee was cold")
	if asked.State != "requested" || asked.Amount != 1500 || !asked.ByAcquirer {
		t.Errorf("asked: %+v", asked)
	}
	pgtest.WaitFor(t, "the refund to be recorded", func() bool {
		r := call(t, env, "refunds", "list", "--state", "recorded", "--json")
		return r.code == 0 && strings.Contains(r.out, asked.ID)
	})
	if r := call(t, env, "refunds", "list", "--json"); r.code != 0 || r.out != `{"refunds":[]}`+"\n" {
		t.Errorf("list: exit %d: %s%s", r.code, r.out, r.errors)
	}
	refuse("more than is left", 1, "record", intent, "--amount", "3.501", "--note", "x")
	refuse("note: it is empty", 2, "record", intent, "--note", " ")
	refuse("no amount of dinars", 2, "record", intent, "--amount", "1.2345", "--note", "x")
	refuse("not the uuid of a payment intent", 2, "record", "order-1", "--note", "x")
	refuse("no such intent", 1, "record", m.who.app, "--note", "x")
	recorded := m.refund(env, "record", intent, "--reference", "CASH-1", "--note", "the rest in cash")
	if recorded.State != "recorded" || recorded.Amount != 3500 || recorded.Reference != "CASH-1" {
		t.Errorf("recorded: %+v", recorded)
	}
	refuse("no paid money", 1, "record", intent, "--note", "again")
	refuse("no such refund", 1, "settle", m.who.app, "--outcome", "failed", "--note", "x")
	refuse("outcome of this refund is not unknown", 1, "settle", asked.ID, "--outcome", "failed", "--note", "x")

	if after := m.served.ask(t, m.who, http.MethodGet, "/payment-intents/"+intent, "").body; after != before {
		t.Errorf("the intent was\n%s\nand is\n%s", before, after)
	}
	history := call(t, env, "events", "history", intent)
	for _, word := range []string{"refund_recorded", "1500", "3500", "one coffee was cold", "operator:"} {
		if !strings.Contains(history.out, word) {
			t.Errorf("the history lacks %q:\n%s%s", word, history.out, history.errors)
		}
	}
	if r := call(t, env, "org", "audit-trail", m.who.org); strings.Count(r.out, "payment.refund") != 2 {
		t.Errorf("audit trail:\n%s%s", r.out, r.errors)
	}
}

// pay makes the fake take money for a reference, and notify the server.
func (m *marketplace) pay(name, reference string, amount int) {
	m.t.Helper()
	m.gateways.control(m.t, name, "sale",
		map[string]any{"reference": reference, "amount": amount, "outcome": "approved"})
}

// shownRefund is a refund as commands show it.
type shownRefund struct {
	ID         string `json:"uuid"`
	State      string `json:"state"`
	Amount     int64  `json:"amount"`
	ByAcquirer bool   `json:"by_acquirer"`
	Reference  string `json:"provider_reference"`
}

func (m *marketplace) refund(env []string, args ...string) (shown shownRefund) {
	m.t.Helper()
	r := call(m.t, env, slices.Concat([]string{"refunds"}, args, []string{"--json"})...)
	if err := json.Unmarshal([]byte(r.out), &shown); err != nil || r.code != 0 {
		m.t.Fatalf("refunds %v: exit %d: %s%s, %v", args, r.code, r.out, r.errors, err)
	}
	return shown
}

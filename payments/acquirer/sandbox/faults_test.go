package sandbox_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/sandbox"
)

func signature(secret, timestamp, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(mac, timestamp+"."+body)
	return hex.EncodeToString(mac.Sum(nil))
}

// askAll makes every call about a payment and returns their errors by name.
func askAll(ctx context.Context, a *sandbox.Sandbox, p acquirer.Payment) map[string]error {
	_, begin := a.Begin(ctx, p)
	_, confirm := a.Confirm(ctx, ref(p.Attempt), right)
	_, resend := a.Resend(ctx, ref(p.Attempt))
	_, cancel := a.Cancel(ctx, ref(p.Attempt))
	_, inquire := a.Inquire(ctx, ref(p.Attempt))
	_, refund := a.Refund(ctx, ref(p.Attempt), p.Money)
	return map[string]error{
		"Begin": begin, "Confirm": confirm, "Resend": resend, "Cancel": cancel, "Inquire": inquire,
		"Refund": refund,
	}
}

func somePayment() acquirer.Payment {
	return acquirer.Payment{
		Attempt:   "0123456789abcdefghjkmnpqrs",
		Intent:    domain.IntentID(uuid.MustParse("6ba7b810-9dad-51d1-80b4-00c04fd430c8")),
		Money:     domain.Money{Minor: 5_000, Currency: domain.LYD},
		Method:    sandbox.Wallet,
		Inputs:    map[acquirer.Field]string{acquirer.Phone: "0912345678"},
		ReturnURL: "https://pay.example/",
	}
}

func TestInvalidPaymentsAreNotSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	malformed, noMethod := somePayment(), somePayment()
	malformed.Attempt = "../control/ledger"
	noMethod.Method = "cheque"
	errs := askAll(t.Context(), w.adapter, malformed)
	_, errs["Begin by another method"] = w.adapter.Begin(t.Context(), noMethod)
	for call, err := range errs {
		if !errors.Is(err, acquirer.ErrNotSent) {
			t.Errorf("%s: %v, want ErrNotSent", call, err)
		}
	}
}

// Whatever a broken bank answers, the outcome is unknown: neither a decline nor
// "not sent" nor "not found".
func TestBrokenAnswersAreUnknownOutcomes(t *testing.T) {
	t.Parallel()
	const rest = `"intent":"6ba7b810-9dad-51d1-80b4-00c04fd430c8","amount":5000,"currency":"LYD"`
	const about = `"id":"0123456789abcdefghjkmnpqrs",` + rest
	for _, tc := range []struct {
		name   string
		status int
		kind   string
		body   string
	}{
		{"a fault", 500, "application/json", `{` + about + `,"state":"declined"}`},
		{"a gateway's page", 502, "text/html", `<html>Bad Gateway</html>`},
		{"a page instead of an answer", 200, "text/html", `<html>Welcome</html>`},
		{
			"JSON under a wrong name", 200, "text/plain",
			`{` + about + `,"state":"paid","next":{"kind":"code","digits":6}}`,
		},
		{"no JSON", 200, "application/json", `<html>`},
		{"half an answer", 200, "application/json", `{` + about},
		{"nothing", 200, "application/json", ``},
		{"a name twice", 200, "application/json", `{` + about + `,"state":"declined","state":"paid"}`},
		{
			"too much", 200, "application/json",
			`{` + about + `,"state":"paid","next":{"kind":"code","digits":6}}` + strings.Repeat(" ", 1<<20),
		},
		{
			"another payment", 200, "application/json",
			`{"id":"zzzzzzzzzzzzzzzzzzzzzzzzzz",` + rest + `,"state":"declined"}`,
		},
		{
			"an unknown state", 200, "application/json",
			`{` + about + `,"state":"refunded","next":{"kind":"code","digits":6}}`,
		},
		{"a redirect", 302, "application/json", `{` + about + `,"state":"declined"}`},
		{"a wrong secret", 401, "application/json", `{"message":"no"}`},
		{"the 404 of a wrong address", 404, "application/json", `{"message":"Not found."}`},
		{"a conflict of another program", 409, "application/json", `{"message":"Conflict."}`},
		{
			"no code wanted, about another payment", 409, "application/json",
			`{"error":"no_code_wanted","id":"zzzzzzzzzzzzzzzzzzzzzzzzzz"}`,
		},
		{
			"a 404 for another reason", 404, "application/json",
			`{"error":"path_not_found","id":"0123456789abcdefghjkmnpqrs"}`,
		},
		{
			"not found, about another payment", 404, "application/json",
			`{"error":"payment_not_found","id":"zzzzzzzzzzzzzzzzzzzzzzzzzz"}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/elsewhere" {
					t.Error("the redirect was followed")
				}
				w.Header().Set("Content-Type", tc.kind)
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body)
			}))
			t.Cleanup(server.Close)
			a := newAdapter(t, sandbox.Config{URL: server.URL, Secret: secret})
			for call, err := range askAll(t.Context(), a, somePayment()) {
				if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrNoCodeWanted) ||
					errors.Is(err, acquirer.ErrRefused) {
					t.Errorf("%s: %v, want an unknown outcome", call, err)
				}
			}
		})
	}
}

// These answers are well formed, but contradict the request.
func TestContradictoryAnswersAreUnknownOutcomes(t *testing.T) {
	t.Parallel()
	answer := func(amount int, currency, state, more string) string {
		return fmt.Sprintf(`{"id":"0123456789abcdefghjkmnpqrs","intent":"6ba7b810-9dad-51d1-80b4-00c04fd430c8",`+
			`"amount":%d,"currency":%q,"state":%q%s}`, amount, currency, state, more)
	}
	const code = `,"next":{"kind":"code","digits":6}`
	for _, tc := range []struct {
		call, name string
		status     int
		body       string
	}{
		{"Begin", "another amount", 201, answer(5001, "LYD", "pending", code)},
		{"Begin", "another amount declined", 422, answer(5001, "LYD", "declined", "")},
		{"Begin", "another currency", 201, answer(5000, "USD", "pending", code)},
		{"Begin", "no next step", 201, answer(5000, "LYD", "pending", "")},
		{
			"Begin", "the other method's step", 201,
			answer(5000, "LYD", "pending", `,"next":{"kind":"page","url":"https://bank.example/"}`),
		},
		{"Begin", "refused and pending", 422, answer(5000, "LYD", "pending", code)},
		{"Confirm", "paid without an amount", 200, answer(0, "LYD", "paid", "")},
		{"Confirm", "paid in no currency of ours", 200, answer(5000, "USD", "paid", "")},
		{"Confirm", "accepted and paid", 202, answer(5000, "LYD", "paid", "")},
		{"Confirm", "done and pending", 200, answer(5000, "LYD", "pending", "")},
		{"Confirm", "no tries left, yet not locked", 200, answer(5000, "LYD", "wrong_code", "")},
		{"Resend", "no code", 200, answer(5000, "LYD", "pending", "")},
		{"Resend", "a code of no digits", 200, answer(5000, "LYD", "pending", `,"next":{"kind":"code"}`)},
		{"Resend", "a code for a paid payment", 200, answer(5000, "LYD", "paid", code)},
		{"Resend", "the bank page", 200, answer(5000, "LYD", "pending", `,"next":{"kind":"page","digits":6}`)},
		{"Cancel", "declined, but as an error", 409, answer(5000, "LYD", "declined", "")},
		{"Cancel", "an unknown state", 200, answer(5000, "LYD", "canceled", "")},
		{"Cancel", "no amount", 200, answer(0, "LYD", "declined", "")},
		{"Inquire", "negative amount", 200, answer(-5000, "LYD", "paid", "")},
		{"Inquire", "no currency of ours", 200, answer(5000, "usd", "declined", "")},
		{"Inquire", "a state of another call", 200, answer(5000, "LYD", "wrong_code", "")},
		{"Inquire", "paid, but as an error", 422, answer(5000, "LYD", "paid", "")},
	} {
		t.Run(tc.call+" "+tc.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, tc.body)
			}))
			t.Cleanup(server.Close)
			a := newAdapter(t, sandbox.Config{URL: server.URL, Secret: secret})
			err := askAll(t.Context(), a, somePayment())[tc.call]
			if err == nil || errors.Is(err, acquirer.ErrNotSent) || errors.Is(err, acquirer.ErrUndecided) {
				t.Errorf("%v, want an unknown outcome", err)
			}
		})
	}
}

func TestABankPageWithAScriptSchemeIsRefused(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"0123456789abcdefghjkmnpqrs",`+
			`"intent":"6ba7b810-9dad-51d1-80b4-00c04fd430c8","amount":5000,"currency":"LYD","state":"pending",`+
			`"next":{"kind":"page","url":"javascript:alert(1)"}}`)
	}))
	t.Cleanup(server.Close)
	a := newAdapter(t, sandbox.Config{URL: server.URL, Secret: secret})
	p := somePayment()
	p.Method = sandbox.Card
	if begun, err := a.Begin(t.Context(), p); err == nil {
		t.Errorf("Begin = %+v, want an error", begun)
	}
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

func TestNewNamesEverythingThatIsWrong(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "127.0.0.1:8090", "ftp://bank.example", "http://", "http://user:password@bank.example",
		"http://bank.example?a=b",
	} {
		_, err := sandbox.New(sandbox.Config{URL: url})
		if err == nil || !strings.Contains(err.Error(), "URL") || !strings.Contains(err.Error(), "secret") {
			t.Errorf("New(%q): %v, want both the URL and the secret named", url, err)
		}
		if err != nil && strings.Contains(err.Error(), "password") {
			t.Errorf("the error of New(%q) has the password", url)
		}
	}
}

func TestTheSandboxCarriesEveryAmountOfAnIntent(t *testing.T) {
	t.Parallel()
	a := newAdapter(t, sandbox.Config{URL: "http://127.0.0.1:1", Secret: secret})
	if a.Name() != "sandbox" {
		t.Errorf("name %q", a.Name())
	}
	flows := map[acquirer.Method]acquirer.Flow{}
	for _, c := range a.Capabilities() {
		flows[c.Method] = c.Flow
		if c.Resend != (c.Flow == acquirer.OTP) || !c.Cancel || !c.Inquiry ||
			!c.Notifications || !c.Refund {
			t.Errorf("the capability of %s is %+v", c.Method, c)
		}
		for _, minor := range []int64{domain.MinAmount, 1_001, domain.MaxAmount} {
			if !c.Carries(domain.Money{Minor: minor, Currency: domain.LYD}) {
				t.Errorf("%s does not carry %d", c.Method, minor)
			}
		}
	}
	if flows[sandbox.Wallet] != acquirer.OTP || flows[sandbox.Card] != acquirer.Redirect || len(flows) != 2 {
		t.Errorf("flows %v", flows)
	}
}

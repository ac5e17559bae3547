package moamalat_test

import (
	"errors"
	"testing"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/moamalat"
)

const reference = "0123456789abcdefghjkmnpqrs"

func somePayment() acquirer.Payment {
	return acquirer.Payment{
		Attempt: reference, Reference: reference, Method: moamalat.Method,
		Money: domain.Money{Minor: 1_234_500, Currency: domain.LYD},
		At:    time.Date(2026, 11, 20, 23, 0, 59, 0, time.UTC), // already the next day in Tripoli
	}
}

// The hash was computed with openssl dgst -sha256 -mac HMAC over
// Amount=1234500&DateTimeLocalTrxn=202611210100&MerchantId=…&MerchantReference=…&TerminalId=….
func TestBeginGivesTheScriptItsConfiguration(t *testing.T) {
	t.Parallel()
	const want = `{"MID":"80000000123","TID":"80000456","AmountTrxn":1234500,` +
		`"MerchantReference":"0123456789abcdefghjkmnpqrs","TrxDateTime":"202611210100",` +
		`"SecureHash":"136C7361B2CD87CFE02F71DE6DA4F22C0C692ABEB7DE5FDC1BFF5425B38482C3"}`
	for _, tc := range []struct{ lightbox, script string }{
		{"", "https://gateway.example/js/lightbox.js"},
		{"https://gateway.example:6006/", "https://gateway.example:6006/js/lightbox.js"},
	} {
		a := newAccount(t, moamalat.Config{URL: "https://gateway.example", LightboxURL: tc.lightbox})
		begun, err := a.Begin(t.Context(), somePayment())
		if err != nil {
			t.Fatal(err)
		}
		if begun != (acquirer.Embedded{ScriptURL: tc.script, Configuration: want}) {
			t.Errorf("Begin = %+v\nwant %s and %s", begun, tc.script, want)
		}
	}
}

func TestBeginRefusesWhatTheGatewayCannotTake(t *testing.T) {
	t.Parallel()
	a := newAccount(t, moamalat.Config{URL: "https://gateway.example"})
	reference := func(s string) func(*acquirer.Payment) {
		return func(p *acquirer.Payment) { p.Reference = s }
	}
	amount := func(minor int64) func(*acquirer.Payment) {
		return func(p *acquirer.Payment) { p.Money.Minor = minor }
	}
	for name, change := range map[string]func(*acquirer.Payment){
		"no reference":      reference(""),
		"a short reference": reference("123456789"),
		"a long reference":  reference("1234567890123456789012345678901234567"),
		"a reference that would change what is signed": reference("0123456789&TerminalId=1"),
		"another method":   func(p *acquirer.Payment) { p.Method = "cards" },
		"another currency": func(p *acquirer.Payment) { p.Money.Currency = "USD" },
		"nothing":          amount(0),
		"too little":       amount(domain.MinAmount - 1),
		"too much":         amount(domain.MaxAmount + 1),
	} {
		p := somePayment()
		change(&p)
		if begun, err := a.Begin(t.Context(), p); !errors.Is(err, acquirer.ErrNotSent) || begun != nil {
			t.Errorf("%s: %v, %v; want ErrNotSent", name, begun, err)
		}
	}
}

func TestTheCapability(t *testing.T) {
	t.Parallel()
	a := newAccount(t, moamalat.Config{URL: "https://gateway.example"})
	c, ok := acquirer.CapabilityOf(a, moamalat.Method)
	if !ok || len(a.Capabilities()) != 1 || c.Flow != acquirer.Lightbox || c.Decimals != 3 ||
		!c.Inquiry || !c.Notifications || !c.Refund || !c.PaidRepeatedly {
		t.Errorf("capability = %+v", c)
	}
	if c.Cancel || c.Resend || c.KeepsDeadline || c.SignedNotification || c.SignedReturn || c.OnlyConfirmPays {
		t.Errorf("capability promises what the gateway does not do: %+v", c)
	}
	if !c.Carries(domain.Money{Minor: 5_001, Currency: domain.LYD}) {
		t.Error("a dirham does not fit")
	}
	if a.Name() != "moamalat" {
		t.Errorf("name = %q", a.Name())
	}
}

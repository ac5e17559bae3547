package lypay_test

import (
	"errors"
	"strings"
	"testing"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/lypay"
	"daftar/payments/acquirer/lypay/numo"
)

func TestSettingsThatDoNotFit(t *testing.T) {
	t.Parallel()
	with := func(old, replaced string) string { return strings.Replace(settings, old, replaced, 1) }
	and := func(more string) string { return strings.TrimSuffix(settings, "}") + "," + more + "}" }
	for _, tc := range []struct{ name, settings, setting string }{
		{"no JSON", "token=" + token, ""},
		{"no object", `["` + token + `"]`, ""},
		{"no token", with(`"token":"`+token+`",`, ""), "token"},
		{"empty token", with(token, ""), "token"},
		{"token with a space", with(token, "two parts"), "token"},
		{"token with a line", with(token, `line\nline`), "token"},
		{"token of the wrong type", with(`"`+token+`"`, "12"), "token"},
		{"no key", with(webhookKey, ""), "webhook_key"},
		{"no IBAN", with(iban, ""), "iban"},
		{"IBAN of another country", with(iban, "DE89370400440532013000"), "iban"},
		{"short IBAN", with(iban, iban[:24]), "iban"},
		{"IBAN with wrong check digits", with(iban, strings.Replace(iban, "LY68", "LY69", 1)), "iban"},
		{"IBAN with a letter", with(iban, iban[:24]+"O"), "iban"},
		{"no name", with("TEST SHOP", ""), "merchant_name"},
		{"Arabic name", with("TEST SHOP", "متجر"), "merchant_name"},
		{"long name", with("TEST SHOP", strings.Repeat("x", 26)), "merchant_name"},
		{"name of spaces", with("TEST SHOP", "  "), "merchant_name"},
		{"long city", and(`"merchant_city":"SIXTEEN LETTERS."`), "merchant_city"},
		{"Arabic city", and(`"merchant_city":"طرابلس"`), "merchant_city"},
		{"bank code of two digits", and(`"bank_code":"99"`), "bank_code"},
		{"bank name without a code", and(`"bank_name":"TEST BANK"`), "bank_code"},
		{"Arabic bank name", and(`"bank_code":"099","bank_name":"مصرف"`), "bank_name"},
		{"another checksum", and(`"crc":"crc32"`), "crc"},
		{"mistyped name", and(`"webhookKey":"x"`), "webhookKey"},
		{"twice", and(`"token":"other"`), "token"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, err := lypay.New(lypay.Config{URL: "http://127.0.0.1:1"})
			if err != nil {
				t.Fatal(err)
			}
			_, err = p.Open([]byte(tc.settings))
			wrong, ok := errors.AsType[*acquirer.SettingsError](err)
			if !ok || wrong.Setting != tc.setting {
				t.Fatalf("Open = %v, want a SettingsError about %q", err, tc.setting)
			}
			wantNoSecret(t, err)
		})
	}
}

func TestAURLThatDoesNotFit(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "bank.example", "ftp://bank.example", "https://user:pass@bank.example", "https://bank.example/?a=b",
	} {
		if _, err := lypay.New(lypay.Config{URL: url}); err == nil {
			t.Errorf("New took %q", url)
		}
	}
}

func TestTheCode(t *testing.T) {
	t.Parallel()
	const reference = "0123456789abcdefghjkmnpqr"
	const (
		head  = "000201010212" + "2709TEST SHOP" + "2804IBAN" + "2925" + iban
		money = "5303434" + "540612.345" + "5802LY" + "5909TEST SHOP"
		label = "6258" + "0125" + reference + "0525" + reference + "6304"
	)
	for _, tc := range []struct{ name, more, text string }{
		{"as it is", ``, head + "5125" + reference + money + "6007TRIPOLI" + label},
		{"another city", `,"merchant_city":"MISRATA"`, head + "5125" + reference + money + "6007MISRATA" + label},
		{"without tag 51", `,"omit_tag_51":true`, head + money + "6007TRIPOLI" + label},
		{
			"bank code alone", `,"bank_code":"099"`,
			head + "3003099" + "5125" + reference + money + "6007TRIPOLI" + label,
		},
		{
			"nested bank", `,"bank_code":"099","bank_name":"TEST BANK"`,
			head + "3020" + "0103099" + "0209TEST BANK" + "5125" + reference + money + "6007TRIPOLI" + label,
		},
		{"the apps' checksum", `,"crc":"app"`, head + "5125" + reference + money + "6007TRIPOLI" + label},
		{"IBAN in groups", ``, head + "5125" + reference + money + "6007TRIPOLI" + label},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			text := strings.TrimSuffix(settings, "}") + tc.more + "}"
			if tc.name == "IBAN in groups" {
				text = strings.Replace(text, iban, "ly68 0990 0100 0000 0000 1234 5", 1)
			}
			a := open(t, "http://127.0.0.1:1", acquirertest.NewClock(), text)
			p := newPayment()
			p.Reference = reference
			begun, err := a.Begin(t.Context(), p)
			shown, ok := begun.(acquirer.Presented)
			if err != nil || !ok {
				t.Fatalf("Begin = %v, %v", begun, err)
			}
			if got := shown.Payload[:len(shown.Payload)-4]; got != tc.text {
				t.Errorf("the code is\n%s, want\n%s", got, tc.text)
			}
			code, err := numo.Parse(shown.Payload)
			how := numo.EMV
			if strings.Contains(tc.more, "app") {
				how = numo.App
			}
			if again, wrong := code.Encode(how); err != nil || wrong != nil || again != shown.Payload {
				t.Errorf("read as %+v, %v, %v", code, err, wrong)
			}
		})
	}
}

func TestBeginRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	a := open(t, "http://127.0.0.1:1", acquirertest.NewClock(), settings)
	for name, change := range map[string]func(*acquirer.Payment){
		"another method":     func(p *acquirer.Payment) { p.Method = "wallet" },
		"another currency":   func(p *acquirer.Payment) { p.Money.Currency = "USD" },
		"too little":         func(p *acquirer.Payment) { p.Money.Minor = domain.MinAmount - 1 },
		"too much":           func(p *acquirer.Payment) { p.Money.Minor = domain.MaxAmount + 1 },
		"no reference":       func(p *acquirer.Payment) { p.Reference = "" },
		"a long reference":   func(p *acquirer.Payment) { p.Reference = string(p.Attempt) },
		"a broken reference": func(p *acquirer.Payment) { p.Reference = "a b" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPayment()
			change(&p)
			if begun, err := a.Begin(t.Context(), p); !errors.Is(err, acquirer.ErrNotSent) {
				t.Errorf("Begin = %v, %v, want ErrNotSent", begun, err)
			}
		})
	}
}

func TestTheCapability(t *testing.T) {
	t.Parallel()
	a := open(t, "http://127.0.0.1:1", acquirertest.NewClock(), settings)
	if a.Name() != "lypay" {
		t.Errorf("name is %q", a.Name())
	}
	c, ok := acquirer.CapabilityOf(a, lypay.Method)
	if !ok || c.Cancel || c.Resend || c.KeepsDeadline || c.SignedNotification || c.OnlyConfirmPays ||
		len(c.Inputs) > 0 {
		t.Errorf("capability is %+v", c)
	}
	if !c.Inquiry || !c.Notifications || !c.PaidRepeatedly || !c.Refund || c.Decimals != 3 ||
		c.Flow != acquirer.QR {
		t.Errorf("capability is %+v", c)
	}
}

package numo_test

import (
	"strings"
	"testing"

	"daftar/payments/acquirer/lypay/numo"
)

// The account, its bank code and the references are invented.
const account = "LY68099001000000000012345"

func invented() numo.Code {
	return numo.Code{
		Dynamic: true, Name: "TEST SHOP", Schema: "IBAN", Account: account, BankCode: "099", BankName: "TEST BANK",
		Amount: 12_345, Merchant: "TEST SHOP", City: "TRIPOLI", BillNumber: "INV-1", ReferenceLabel: "A1B2C3",
	}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	bare, arabic := invented(), invented()
	bare.BankName = ""
	arabic.Name, arabic.Merchant = "متجر", "متجر"
	const (
		account30 = "2804IBAN2925LY680990010000000000123453020010309902" + "09TEST BANK5303434540612.3455802LY"
		end       = "6007TRIPOLI62190105INV-10506A1B2C36304"
	)
	for _, tc := range []struct {
		name     string
		code     numo.Code
		text     string // without the checksum
		emv, app string
		inASCII  string // EMV's over '?'
	}{
		{
			"bank code alone", bare,
			"0002010102122709TEST SHOP2804IBAN2925LY6809900100000000001234530030995303434540612.345" +
				"5802LY5909TEST SHOP" + end,
			"7F7B", "3EB5", "7F7B",
		},
		{
			"nested bank", invented(), "0002010102122709TEST SHOP" + account30 + "5909TEST SHOP" + end,
			"9270", "A278", "9270",
		},
		{"Arabic name", arabic, "0002010102122704متجر" + account30 + "5904متجر" + end, "8A70", "F2CA", "77D4"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			for how, sum := range map[numo.Checksum]string{numo.EMV: tc.emv, numo.App: tc.app} {
				if got, err := tc.code.Encode(how); err != nil || got != tc.text+sum {
					t.Errorf("Encode(%s) = %s, %v, want %s", how, got, err, tc.text+sum)
				}
			}
			for _, sum := range []string{
				tc.emv, tc.app, tc.inASCII, strings.ToLower(tc.emv), strings.ToLower(tc.app),
			} {
				if got, err := numo.Parse(tc.text + sum); err != nil || got != tc.code {
					t.Errorf("Parse with %s = %+v, %v, want %+v", sum, got, err, tc.code)
				}
			}
			if _, err := numo.Parse(tc.text + "0000"); err == nil {
				t.Error("a wrong checksum was accepted")
			}
		})
	}
}

func TestCRC(t *testing.T) {
	t.Parallel()
	if got := numo.CRC("123456789"); got != "29B1" {
		t.Errorf("crc of the check string = %s, want 29B1", got)
	}
}

// sealed appends the right checksum to fields.
func sealed(fields string) string { return fields + "6304" + numo.CRC(fields+"6304") }

func TestParse(t *testing.T) {
	t.Parallel()
	const head, tail = "0002010102122804IBAN2925" + account, "5303434" + "5802LY"
	const inAccount = "2804IBAN2925" + account + tail
	for _, tc := range []struct {
		name, text string
		want       func(numo.Code) bool // nil: refused
	}{
		{
			"whole dinars without decimals", sealed(head + "540212" + tail),
			func(c numo.Code) bool { return c.Amount == 12_000 },
		},
		{"one decimal", sealed(head + "540412.5" + tail), func(c numo.Code) bool { return c.Amount == 12_500 }},
		{"no amount", sealed(head + tail), func(c numo.Code) bool { return c.Amount == 0 }},
		{
			"a plain tag that looks nested", sealed(head + "31080104ABCD" + "51080104WXYZ" + tail),
			func(c numo.Code) bool { return c.Transaction == "0104ABCD" && c.MerchantReference == "0104WXYZ" },
		},
		{
			"a plain tag that is not nested", sealed("000201010212" + "2702AB" + inAccount),
			func(c numo.Code) bool { return c.Name == "AB" },
		},
		{
			"unknown tags", sealed(head + "26040102" + "52049999" + tail + "6105ABCDE"),
			func(c numo.Code) bool { return c.Account == account },
		},
		{
			"static", sealed("000201010211" + "2805Alias2904SHOP" + tail),
			func(c numo.Code) bool { return !c.Dynamic && c.Schema == "Alias" && c.Account == "SHOP" },
		},
		{
			"a third field of the bank", sealed(head + "30150103099" + "0304ABCD" + tail),
			func(c numo.Code) bool { return c.BankCode == "099" },
		},
		{
			"lengths in bytes", sealed("000201010212" + "2708متجر" + inAccount),
			func(c numo.Code) bool { return c.Name == "متجر" },
		},

		{"amount longer than its length", sealed(head + "540612.3455" + tail), nil},
		{"four decimals", sealed(head + "540712.3456" + tail), nil},
		{"decimals of nothing", sealed(head + "540312." + tail), nil},
		{"no money", sealed(head + "54050.000" + tail), nil},
		{"a negative amount", sealed(head + "5402-1" + tail), nil},
		{"another currency", sealed(head + "53038405802LY"), nil},
		{"another version", sealed("000202010212" + tail), nil},
		{"neither static nor dynamic", sealed("000201010213" + tail), nil},
		{"a tag twice", sealed(head + "2704SHOP2704SHOP" + tail), nil},
		{"a nested field cut short", sealed(head + "62060105AB" + tail), nil},
		{"no tag", sealed(head + "XX01A" + tail), nil},
		{"no checksum", head + tail, nil},
		{"nothing", "", nil},
		{"not UTF-8", sealed(head + "2701\xff" + tail), nil},
		{"too long", sealed(head + strings.Repeat("3199"+strings.Repeat("x", 99), 6) + tail), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, err := numo.Parse(tc.text)
			if tc.want == nil {
				if err == nil {
					t.Errorf("accepted as %+v", c)
				}
				return
			}
			if err != nil || !tc.want(c) {
				t.Errorf("Parse = %+v, %v", c, err)
			}
		})
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*numo.Code){
		"a long value":       func(c *numo.Code) { c.Name = strings.Repeat("x", 100) },
		"a long bank":        func(c *numo.Code) { c.BankName = strings.Repeat("x", 90) },
		"a long bill number": func(c *numo.Code) { c.BillNumber = strings.Repeat("x", 100) },
		"a negative amount":  func(c *numo.Code) { c.Amount = -1 },
		"no UTF-8":           func(c *numo.Code) { c.City = "\xff" },
		"all that is long": func(c *numo.Code) {
			long := strings.Repeat("x", 99)
			c.Name, c.Schema, c.Account, c.Transaction, c.Merchant = long, long, long, long, long
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := invented()
			change(&c)
			if text, err := c.Encode(numo.EMV); err == nil {
				t.Errorf("encoded as %s", text)
			}
		})
	}
	if _, err := invented().Encode("crc32"); err == nil {
		t.Error("encoded with a checksum that does not exist")
	}
}

// FuzzParse: a code that is read can be written, and reads as the same again.
func FuzzParse(f *testing.F) {
	text, err := invented().Encode(numo.App)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(sealed("000201010211" + "2708متجر" + "54021253034345802LY"))
	f.Fuzz(func(t *testing.T, text string) {
		if sum := strings.LastIndex(text, "6304"); sum >= 0 {
			text = sealed(text[:sum]) // otherwise nearly all inputs fail at the checksum
		}
		code, err := numo.Parse(text)
		if err != nil {
			return
		}
		again, err := code.Encode(numo.EMV)
		if err != nil {
			t.Fatalf("%+v cannot be written: %v", code, err)
		}
		// Without a bank name, tag 30 is the code alone, in any form.
		if got, err := numo.Parse(again); (err != nil || got != code) && code.BankName != "" {
			t.Fatalf("%+v became %+v, %v", code, got, err)
		}
	})
}

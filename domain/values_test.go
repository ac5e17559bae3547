package domain_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"daftar/domain"
)

func TestFigures(t *testing.T) {
	t.Parallel()
	for minor, want := range map[int64]string{
		0: "0.000", 1: "0.001", 999: "0.999", 1_000: "1.000", 5_000: "5.000", 999_999: "999.999",
		1_000_000: "1,000.000", 1_234_500: "1,234.500", 1_000_000_000: "1,000,000.000",
		-5: "-0.005", -1_234_567: "-1,234.567",
		math.MaxInt64: "9,223,372,036,854,775.807", math.MinInt64: "-9,223,372,036,854,775.808",
	} {
		if got := (domain.Money{Minor: minor, Currency: domain.LYD}).Figures(); got != want {
			t.Errorf("%d is written %s, want %s", minor, got, want)
		}
	}
	if got := coffee.String(); got != "9.000 LYD" {
		t.Errorf("String is %q", got)
	}
}

func TestParseMoney(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "5": 5_000, "5.0": 5_000, "0.001": 1, "12.5": 12_500, "1,234.500": 1_234_500,
		"1234.5": 1_234_500, "1,000,000.000": 1_000_000_000, "999999999.999": 999_999_999_999,
	} {
		m, err := domain.ParseMoney(text, domain.LYD)
		if err != nil || m != (domain.Money{Minor: want, Currency: domain.LYD}) {
			t.Errorf("%s is %+v, %v; want %d", text, m, err, want)
		}
	}
	for _, text := range []string{
		"", "-5", "+5", "5.", ".5", "5.0001", "1,23", "12,34.5", ",123", "1e3", "5 LYD", "٥",
		"1234567890", "1,234,567,890", "0x5",
	} {
		if m, err := domain.ParseMoney(text, domain.LYD); err == nil {
			t.Errorf("%q was read as %s", text, m)
		}
	}
	for _, minor := range []int64{0, 1, 999, 5_001, domain.MaxAmount} {
		written := domain.Money{Minor: minor, Currency: domain.LYD}
		if m, err := domain.ParseMoney(written.Figures(), domain.LYD); err != nil || m != written {
			t.Errorf("%s is read as %+v, %v", written, m, err)
		}
	}
}

func TestCurrencyCodesAreExact(t *testing.T) {
	t.Parallel()
	if c, err := domain.ParseCurrency("LYD"); err != nil || c != domain.LYD || c.Exponent() != 3 {
		t.Errorf("LYD is %q, %v", c, err)
	}
	for _, code := range []string{"lyd", "USD", "", "LYD ", "ＬＹＤ"} {
		if _, err := domain.ParseCurrency(code); !errors.Is(err, domain.ErrUnknownCurrency) {
			t.Errorf("%q: %v, want ErrUnknownCurrency", code, err)
		}
	}
}

// The ids of intents and refunds are part of the promise of idempotency: a change of the
// derivation would let a merchant's retry create a second one.
func TestIDsAreDerived(t *testing.T) {
	t.Parallel()
	ns := domain.Namespace(uuid.MustParse("6ba7b810-9dad-41d1-80b4-00c04fd430c8"))
	if got, want := ns.IntentID("order-1").String(), "271d7bee-7fc0-5f26-9953-71ca034b4fb4"; got != want {
		t.Errorf("id %s, want %s", got, want)
	}
	if got, want := ns.RefundID("order-1").String(), "e8c5128e-77f7-5ddf-9ae6-9665d62860bb"; got != want {
		t.Errorf("id of a refund %s, want %s", got, want)
	}
	other := domain.Namespace(uuid.MustParse("6ba7b810-9dad-41d1-80b4-00c04fd430c9"))
	ids := map[domain.IntentID]string{}
	for _, n := range []domain.Namespace{ns, other} {
		// References are compared byte for byte: case, spaces and Unicode forms count.
		for _, r := range []domain.MerchantReference{"order-1", "Order-1", "order-1 ", "é", "e\u0301"} {
			id := n.IntentID(r)
			if before, taken := ids[id]; taken {
				t.Errorf("%q has the id of %q", r, before)
			}
			ids[id] = string(r)
			if v := uuid.UUID(id).Version(); v != 5 {
				t.Errorf("version %d", v)
			}
		}
	}
}

func TestParseIntentID(t *testing.T) {
	t.Parallel()
	const canonical = "271d7bee-7fc0-5f26-9953-71ca034b4fb4"
	for _, s := range []string{canonical, strings.ToUpper(canonical)} {
		if id, err := domain.ParseIntentID(s); err != nil || id.String() != canonical {
			t.Errorf("%q is %s, %v", s, id, err)
		}
	}
	for _, s := range []string{
		"", "x", "{" + canonical + "}", "urn:uuid:" + canonical,
		strings.ReplaceAll(canonical, "-", ""), canonical[:35] + "g", canonical + " ",
	} {
		if id, err := domain.ParseIntentID(s); err == nil {
			t.Errorf("%q was read as %s", s, id)
		}
	}
}

func TestRandomNames(t *testing.T) {
	t.Parallel()
	got := domain.NewReference([7]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	if got != "zzzzzzzzzz" || got.Capitals() != "ZZZZZZZZZZ" {
		t.Errorf("reference %q", got)
	}
	alphabet := "0123456789abcdefghjkmnpqrstvwxyz"
	rapid.Check(t, func(t *rapid.T) {
		b := [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "random"))
		for _, s := range []string{
			string(domain.NewReference([7]byte(b[:7]))), string(domain.NewCheckoutToken(b)),
			string(domain.NewAttemptID(b)),
		} {
			if strings.Trim(s, alphabet) != "" || (len(s) != 10 && len(s) != 26) {
				t.Fatalf("%q is no Crockford base32 of 10 or 26 letters", s)
			}
		}
	})
}

func TestMetadataKeepsOrderAndText(t *testing.T) {
	t.Parallel()
	for _, m := range []domain.Metadata{nil, {}, {{"z", "1"}, {"a", "<&>\u2028 ق \"x\""}, {"", ""}}} {
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back domain.Metadata
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, back); diff != "" || (m == nil) != (back == nil) {
			t.Errorf("%s reads back as (-want +got):\n%s", text, diff)
		}
	}
	for _, text := range []string{`[]`, `7`, `{"a":1}`, `{"a":null}`, `{"a":{"b":"c"}}`, `{"a":"b"`} {
		var m domain.Metadata
		if err := m.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s was read as %v", text, m)
		}
	}
}

// Ids of intents are in merchants' databases: their derivation is the standard one.
func TestNamesGiveTheUUIDsOfVersion5(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "order-1", "طلب ١", strings.Repeat("x", 5000)} {
		got, want := domain.NameBased(uuid.NameSpaceDNS, name), uuid.NewSHA1(uuid.NameSpaceDNS, []byte(name))
		if got != want {
			t.Errorf("%.20q: %s, want %s", name, got, want)
		}
	}
}

package httpapi

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"daftar/domain"
	"daftar/projections"
)

// fullIntent is a row of the read model with all fields set.
func fullIntent() projections.Intent {
	return projections.Intent{
		ID:           domain.IntentID(uuid.MustParse("8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11")),
		Version:      1,
		Status:       domain.StatusRequiresPaymentMethod,
		ExpiresAt:    time.Date(2026, 11, 21, 12, 0, 0, 0, time.FixedZone("", 7200)),
		CheckoutPath: "/pay/8f3a/token",
		CreatedAt:    time.Date(2026, 11, 20, 10, 0, 0, 500_000_000, time.UTC),
		UpdatedAt:    time.Date(2026, 11, 20, 10, 0, 0, 1_000, time.UTC),
		Terms: domain.Terms{
			Reference:         "7k3m9qx2vd",
			MerchantReference: "order-1",
			Amount:            domain.Money{Minor: 5000, Currency: domain.LYD},
			Description:       `<b>"Order" & 1</b> — طلب` + "\u2028\n",
			CustomerID:        new("customer-1"),
			ReturnURL:         new("https://shop.example/?a=1&b=<2>"),
			Metadata:          domain.Metadata{{Key: "z", Value: "1"}, {Key: "a", Value: "&"}},
		},
	}
}

// The specification's table: every answer has these fourteen fields, as they
// were sent, without HTML escapes.
func TestMarshalIntentFull(t *testing.T) {
	t.Parallel()
	got, err := MarshalIntent(fullIntent(), "https://pay.example")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"uuid":"8f3a6f0e-5c1b-5d0e-9a57-2f6f7f1f8c11",` +
		`"reference":"7k3m9qx2vd","merchant_reference":"order-1",` +
		`"amount":5000,"currency":"LYD","status":"requires_payment_method",` +
		`"description":"<b>\"Order\" & 1</b> — طلب` + "\u2028" + `\n","customer":{"external_id":"customer-1"},` +
		`"return_url":"https://shop.example/?a=1&b=<2>","metadata":{"z":"1","a":"&"},` +
		`"expires_at":"2026-11-21T10:00:00.000000Z",` +
		`"checkout_url":"https://pay.example/pay/8f3a/token","created_at":"2026-11-20T10:00:00.500000Z",` +
		`"updated_at":"2026-11-20T10:00:00.000001Z"}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestMarshalIntentNulls(t *testing.T) {
	t.Parallel()
	i := fullIntent()
	i.CustomerID, i.ReturnURL, i.Metadata = nil, nil, nil
	got, err := MarshalIntent(i, "")
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(got, &fields); err != nil {
		t.Fatal(err)
	}
	if len(fields) != 14 {
		t.Errorf("%d fields, want 14", len(fields))
	}
	for name, want := range map[string]string{
		"customer": `{"external_id":null}`, "return_url": "null", "metadata": "null",
	} {
		if got := string(fields[name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}

	i.Metadata = domain.Metadata{}
	if got, err = MarshalIntent(i, ""); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &fields); err != nil {
		t.Fatal(err)
	}
	if got := string(fields["metadata"]); got != "{}" {
		t.Errorf("empty metadata is %s, want {}", got)
	}
}

func TestMarshalIntentRefusesBrokenText(t *testing.T) {
	t.Parallel()
	i := fullIntent()
	i.Description = "\xff"
	if got, err := MarshalIntent(i, ""); err == nil {
		t.Errorf("got %q, want an error", got)
	}
}

func TestDiffering(t *testing.T) {
	t.Parallel()
	stored := fullIntent()
	same := domain.Create{ExpiresAt: new(stored.ExpiresAt.UTC()), Terms: domain.Terms{
		MerchantReference: stored.MerchantReference, Amount: stored.Amount, Description: stored.Description,
		CustomerID: new("customer-1"), ReturnURL: new(*stored.ReturnURL),
		Metadata: domain.Metadata{{Key: "a", Value: "&"}, {Key: "z", Value: "1"}},
	}}
	for _, row := range []struct {
		rule   string
		change func(*domain.Create)
		want   []string
	}{
		{"nothing, also with metadata in another order", func(*domain.Create) {}, nil},
		{"expires_at counts only if sent", func(c *domain.Create) { c.ExpiresAt = nil }, nil},
		{"expires_at", func(c *domain.Create) {
			c.ExpiresAt = new(stored.ExpiresAt.Add(time.Microsecond))
		}, []string{"expires_at"}},
		{"customer left out", func(c *domain.Create) { c.CustomerID = nil }, []string{"customer"}},
		{"return_url", func(c *domain.Create) {
			c.ReturnURL = new("https://shop.example/")
		}, []string{"return_url"}},
		{"metadata value", func(c *domain.Create) { c.Metadata[0].Value = "x" }, []string{"metadata"}},
		{"metadata empty is not metadata null", func(c *domain.Create) { c.Metadata = nil }, []string{"metadata"}},
		{"all, in the order of the specification", func(c *domain.Create) {
			kept := domain.Terms{MerchantReference: c.MerchantReference}
			*c = domain.Create{Terms: kept, ExpiresAt: new(stored.CreatedAt)}
		}, []string{"amount", "currency", "customer", "description", "return_url", "metadata", "expires_at"}},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			repeated := same
			repeated.Metadata = append(domain.Metadata(nil), same.Metadata...)
			row.change(&repeated)
			if diff := cmp.Diff(row.want, differing(repeated, stored)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

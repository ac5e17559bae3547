package httpapi_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/httpapi"
)

// bodyWith is a valid request with some fields replaced: pairs of a name and
// the JSON to send for it, or "" to leave it out. Other names are added.
func bodyWith(pairs ...string) string {
	names := []string{"merchant_reference", "amount", "currency", "description"}
	sent := map[string]string{
		"merchant_reference": `"order-1"`, "amount": "5000", "currency": `"LYD"`, "description": `"Order 1"`,
	}
	for n := 0; n < len(pairs); n += 2 {
		if _, there := sent[pairs[n]]; !there {
			names = append(names, pairs[n])
		}
		sent[pairs[n]] = pairs[n+1]
	}
	var fields []string
	for _, name := range names {
		if sent[name] != "" {
			fields = append(fields, fmt.Sprintf("%q:%s", name, sent[name]))
		}
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// quoted is a JSON string of n copies of s.
func quoted(s string, n int) string { return `"` + strings.Repeat(s, n) + `"` }

// minimal is the command of bodyWith() without arguments.
func minimal(change func(*domain.Create)) domain.Create {
	c := domain.Create{Terms: domain.Terms{
		MerchantReference: "order-1", Amount: domain.Money{Minor: 5000, Currency: domain.LYD},
		Description: "Order 1",
	}}
	if change != nil {
		change(&c)
	}
	return c
}

func TestDecodeCreateAccepts(t *testing.T) {
	t.Parallel()
	instant := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		rule string
		body string
		want domain.Create
	}{
		{"required fields are enough", bodyWith(), minimal(nil)},
		{"white space around the object", " \t\r\n" + bodyWith() + "\n ", minimal(nil)},
		{"unknown names are ignored",
			bodyWith("status", `"succeeded"`, "uuid", `{"a":[1,{"b":null}]}`), minimal(nil)},
		{"names are exact, so Amount is unknown", bodyWith("Amount", `"x"`), minimal(nil)},
		{"strings are not trimmed", bodyWith("merchant_reference", `" a "`, "description", `"\t.\n"`),
			minimal(func(c *domain.Create) {
				c.MerchantReference, c.Description = " a ", "\t.\n"
			})},
		{"strings are not normalised", bodyWith("merchant_reference", `"e\u0301"`), minimal(func(c *domain.Create) {
			c.MerchantReference = "e\u0301"
		})},
		{"escapes and pairs of surrogates are read", bodyWith("description", `"\ud83d\ude00\"\/é"`),
			minimal(func(c *domain.Create) {
				c.Description = "😀\"/é"
			})},
		{"U+FFFD may be sent", bodyWith("description", "\"\uFFFD\\ufffd\""), minimal(func(c *domain.Create) {
			c.Description = "\uFFFD\uFFFD"
		})},
		{"merchant_reference of 255 code points", bodyWith("merchant_reference", quoted("د", 255)),
			minimal(func(c *domain.Create) {
				c.MerchantReference = domain.MerchantReference(strings.Repeat("د", 255))
			})},
		{"description of 255 code points beyond the BMP", bodyWith("description", quoted(`\ud83d\ude00`, 255)),
			minimal(func(c *domain.Create) {
				c.Description = strings.Repeat("😀", 255)
			})},
		{"amount at its least", bodyWith("amount", "1000"), minimal(func(c *domain.Create) {
			c.Amount.Minor = 1000
		})},
		{"amount at its most", bodyWith("amount", "1000000000"), minimal(func(c *domain.Create) {
			c.Amount.Minor = 1000000000
		})},
		{"empty customer", bodyWith("customer", `{}`), minimal(nil)},
		{"customer as PHP sends none", bodyWith("customer", `[ ]`), minimal(nil)},
		{"customer with other names", bodyWith("customer", `{"name":"x","EXTERNAL_ID":"y"}`), minimal(nil)},
		{"external_id null", bodyWith("customer", `{"external_id":null}`), minimal(nil)},
		{"external_id empty is a string", bodyWith("customer", `{"external_id":""}`),
			minimal(func(c *domain.Create) {
				c.CustomerID = new("")
			})},
		{"external_id of 255", bodyWith("customer", `{"external_id":`+quoted("x", 255)+`}`),
			minimal(func(c *domain.Create) {
				c.CustomerID = new(strings.Repeat("x", 255))
			})},
		{"return_url null", bodyWith("return_url", "null"), minimal(nil)},
		{"return_url as sent", bodyWith("return_url", `"HTTPS:\/\/Shop.example:443/a/../b?x=%2f#f"`),
			minimal(func(c *domain.Create) {
				c.ReturnURL = new("HTTPS://Shop.example:443/a/../b?x=%2f#f")
			})},
		{"metadata null", bodyWith("metadata", "null"), minimal(nil)},
		{"metadata {} stays {}", bodyWith("metadata", "{}"), minimal(func(c *domain.Create) {
			c.Metadata = domain.Metadata{}
		})},
		{"metadata as PHP sends none", bodyWith("metadata", `[ ]`), minimal(func(c *domain.Create) {
			c.Metadata = domain.Metadata{}
		})},
		{"metadata in the order sent", bodyWith("metadata", `{"b":"2","a":"","":"e"}`),
			minimal(func(c *domain.Create) {
				c.Metadata = domain.Metadata{{Key: "b", Value: "2"}, {Key: "a", Value: ""}, {Key: "", Value: "e"}}
			})},
		{"metadata at its limits", bodyWith("metadata", `{`+quoted("ك", 40)+`:`+quoted("ق", 255)+`}`),
			minimal(func(c *domain.Create) {
				c.Metadata = domain.Metadata{{Key: strings.Repeat("ك", 40), Value: strings.Repeat("ق", 255)}}
			})},
		{"metadata of 20 keys", bodyWith("metadata", pairs(20)), minimal(func(c *domain.Create) {
			for n := range 20 {
				c.Metadata = append(c.Metadata, domain.MetadataPair{Key: fmt.Sprint("k", n), Value: "v"})
			}
		})},
		{"expires_at null", bodyWith("expires_at", "null"), minimal(nil)},
		{"expires_at", bodyWith("expires_at", `"2026-11-21T10:00:00Z"`), minimal(func(c *domain.Create) {
			c.ExpiresAt = &instant
		})},
		{"the window is not checked here", bodyWith("expires_at", `"1999-01-01T00:00:00Z"`),
			minimal(func(c *domain.Create) {
				c.ExpiresAt = new(time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC))
			})},
		{"32 levels", bodyWith("x", strings.Repeat("[", 31)+strings.Repeat("]", 31)), minimal(nil)},
	} {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			got, err := httpapi.DecodeCreate([]byte(row.body))
			if err != nil {
				t.Fatalf("%s\n%v", row.body, err)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("%s\n%s", row.body, diff)
			}
		})
	}
}

// pairs is a metadata object of n keys.
func pairs(n int) string {
	var sent []string
	for k := range n {
		sent = append(sent, fmt.Sprintf(`"k%d":"v"`, k))
	}
	return "{" + strings.Join(sent, ",") + "}"
}

// The answer to an invalid body must not be much longer than the body.
func TestDecodeCreateBoundsItsAnswer(t *testing.T) {
	t.Parallel()
	_, err := httpapi.DecodeCreate([]byte(bodyWith("metadata", strings.ReplaceAll(pairs(10_000), `"v"`, "1"))))
	var invalid *httpapi.InvalidError
	if !errors.As(err, &invalid) {
		t.Fatal(err)
	}
	if got := len(invalid.Violations); got != 1+domain.MaxMetadataPairs {
		t.Errorf("%d violations, want one for the count and one for each of the first %d keys",
			got, domain.MaxMetadataPairs)
	}
}

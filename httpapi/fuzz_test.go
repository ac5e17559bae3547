package httpapi_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"daftar/domain"
	"daftar/httpapi"
)

func FuzzDecodeCreate(f *testing.F) {
	for _, seed := range []string{
		bodyWith(),
		bodyWith("customer", `{"external_id":"c"}`, "return_url", `"https://shop.example/1"`,
			"metadata", `{"a":"1","b":"\ud83d\ude00"}`, "expires_at", `"2026-11-21T10:00:00.123456789+02:00"`),
		bodyWith("metadata", "[]", "customer", "[ ]", "expires_at", `"2026-W47-6T10,5Z"`),
		bodyWith("customer", `{"external_id":""}`),
		bodyWith("expires_at", `"20261121T100000,5Z"`),
		bodyWith("metadata", "{}", "customer", "{}", "x", `[[{"y":null}],true,-1.5e3]`),
		bodyWith("merchant_reference", `"\ud800"`), bodyWith("description", "\"\xff\""),
		bodyWith("description", "\"\uFFFD\\uFFFD\""),
		bodyWith("amount", "1e3"), `{"amount":1,"amount":2}`, `{"a":`, "", "null", "\xef\xbb\xbf{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sent := slices.Clone(body)
		c, err := httpapi.DecodeCreate(body)
		if !bytes.Equal(sent, body) {
			t.Fatal("the body was changed")
		}
		if err != nil {
			return
		}
		checkAgreement(t, body, c)
		checkTexts(t, body, c)
		again, err := httpapi.DecodeCreate(encode(t, c))
		if err != nil {
			t.Fatalf("encoded again, it is refused: %v", err)
		}
		if diff := cmp.Diff(c, again); diff != "" {
			t.Fatalf("encoded again, it is another request:\n%s", diff)
		}
	})
}

var emptyArray = regexp.MustCompile(`^\[\s*\]$`)

// checkAgreement reads the body with encoding/json. The map keeps names exact.
func checkAgreement(t *testing.T, body []byte, c domain.Create) {
	t.Helper()
	var top map[string]json.RawMessage
	if err := json.Unmarshal(body, &top); err != nil {
		t.Fatalf("encoding/json refuses an accepted body: %v", err)
	}
	var reference, currency, description string
	var amount int64
	var returnURL *string
	var metadata map[string]string
	var customer map[string]json.RawMessage
	for name, into := range map[string]any{
		"merchant_reference": &reference, "amount": &amount, "currency": &currency, "description": &description,
		"return_url": &returnURL, "metadata": &metadata, "customer": &customer,
	} {
		// The empty array is PHP's empty map.
		if raw, there := top[name]; there && emptyArray.Find(raw) == nil {
			if err := json.Unmarshal(raw, into); err != nil {
				t.Fatalf("encoding/json refuses %s: %v", name, err)
			}
		}
	}
	var external *string
	if raw, there := customer["external_id"]; there {
		if err := json.Unmarshal(raw, &external); err != nil {
			t.Fatalf("encoding/json refuses external_id: %v", err)
		}
	}
	var pairs map[string]string
	if len(c.Metadata) > 0 || metadata != nil {
		pairs = make(map[string]string)
		for _, p := range c.Metadata {
			pairs[p.Key] = p.Value
		}
	}
	want := domain.Create{ExpiresAt: c.ExpiresAt, Terms: domain.Terms{
		MerchantReference: domain.MerchantReference(reference), Description: description,
		Amount: domain.Money{Minor: amount, Currency: domain.Currency(currency)}, CustomerID: external,
		ReturnURL: returnURL, Metadata: c.Metadata,
	}}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Fatalf("encoding/json reads other values:\n%s", diff)
	}
	if diff := cmp.Diff(metadata, pairs); diff != "" {
		t.Fatalf("encoding/json reads other metadata:\n%s", diff)
	}
}

// checkTexts checks for the mistakes of a careless decoder: NUL, bad UTF-8, added U+FFFD.
func checkTexts(t *testing.T, body []byte, c domain.Create) {
	t.Helper()
	texts := []string{string(c.MerchantReference), c.Description}
	for _, s := range []*string{c.CustomerID, c.ReturnURL} {
		if s != nil {
			texts = append(texts, *s)
		}
	}
	for _, p := range c.Metadata {
		texts = append(texts, p.Key, p.Value)
	}
	all := strings.Join(texts, "")
	if strings.Contains(all, "\x00") || !utf8.ValidString(all) {
		t.Fatalf("accepted with NUL or bad UTF-8: %q", all)
	}
	replaced := strings.Count(all, "\uFFFD")
	couldBe := strings.Count(string(body), "\uFFFD") + strings.Count(strings.ToLower(string(body)), `\ufffd`)
	if replaced > couldBe {
		t.Fatalf("U+FFFD %d times, sent %d times", replaced, couldBe)
	}
}

// encode writes a request as a merchant does.
func encode(t *testing.T, c domain.Create) []byte {
	t.Helper()
	fields := map[string]any{
		"merchant_reference": c.MerchantReference,
		"amount":             c.Amount.Minor,
		"currency":           c.Amount.Currency,
		"description":        c.Description,
		"customer":           map[string]any{"external_id": c.CustomerID},
		"return_url":         c.ReturnURL,
		"metadata":           c.Metadata,
	}
	if c.ExpiresAt != nil {
		fields["expires_at"] = c.ExpiresAt.Format(time.RFC3339Nano)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func FuzzReturnURL(f *testing.F) {
	for _, row := range returnURLs {
		f.Add(row.url)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if httpapi.CheckReturnURL(s) != "" {
			return
		}
		u, err := url.Parse(s)
		if err != nil {
			t.Fatalf("%q is accepted, and net/url refuses it: %v", s, err)
		}
		// A browser drops tabs and line breaks, takes a backslash for a slash and
		// compares schemes in lower case. After all that it must go to the same place.
		asBrowser := strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/")
		seen := strings.ToLower(strings.TrimSpace(asBrowser.Replace(s)))
		for _, bad := range []string{"javascript:", "data:", "vbscript:", "blob:", "file:", "/", "?", "#"} {
			if strings.HasPrefix(seen, bad) {
				t.Fatalf("%q is accepted, and begins with %s", s, bad)
			}
		}
		if strings.HasPrefix(seen, "http:") || strings.HasPrefix(seen, "https:") {
			_, authority, found := strings.Cut(s, "://")
			end := strings.IndexAny(authority+"/", "/?#")
			if !found || authority[:end] == "" || strings.Contains(authority[:end], "@") || u.Hostname() == "" {
				t.Fatalf("%q is accepted, and its host is %q", s, authority[:end])
			}
		}
	})
}

package daftar_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	daftar "daftar/sdk/go"
)

// Each method asks for what the API describes, with the credentials and nothing that misleads a proxy.
func TestRequests(t *testing.T) {
	t.Parallel()
	for called, want := range map[string]struct{ line, body string }{
		"create": {"POST /api/v1/payment-intents",
			`{"amount":5000,"currency":"LYD","description":"قهوة","merchant_reference":"order-1"}`},
		"retrieve": {"GET /api/v1/payment-intents/" + uuid, ""},
		"expire":   {"POST /api/v1/payment-intents/" + uuid + "/expire", ""},
		"refund": {"POST /api/v1/payment-intents/" + uuid + "/refunds",
			`{"amount":1500,"refund_reference":"refund-1"}`},
		"retrieve refund": {"GET /api/v1/refunds/" + uuid, ""},
	} {
		t.Run(called, func(t *testing.T) {
			t.Parallel()
			s := serve(t, says(200, intent))
			config := s.config()
			config.BaseURL += "/" // one too many
			c, _ := client(t, config, 1)
			if err := calls[called](context.Background(), c); err != nil {
				t.Fatal(err)
			}
			r := s.requests()[0]
			if line := r.Method + " " + r.URL.Path; line != want.line || r.body != want.body {
				t.Errorf("asked for %s with %s, want %v", line, r.body, want)
			}
			for name, form := range map[string]string{
				"Authorization": "^Bearer " + token + "$", "X-API-Key": "^" + key + "$", "Accept": "^application/json$",
				"X-Request-Id": "^[0-9a-f]{32}$", "User-Agent": `^daftar-go/0\.1\.0 go/[0-9a-z.-]+$`,
			} {
				if got := r.Header.Values(name); len(got) != 1 || !regexp.MustCompile(form).MatchString(got[0]) {
					t.Errorf("%s is %q", name, got)
				}
			}
			kind, length := r.Header["Content-Type"], r.Header["Content-Length"]
			if want.body != "" {
				if len(kind) != 1 || kind[0] != "application/json" {
					t.Errorf("Content-Type is %q", kind)
				}
			} else if kind != nil || r.Method == http.MethodPost && (len(length) != 1 || length[0] != "0") {
				t.Errorf("without a body: Content-Type %q, Content-Length %q", kind, length)
			}
			if len(r.TransferEncoding) > 0 {
				t.Errorf("Transfer-Encoding is %q", r.TransferEncoding)
			}
		})
	}
}

// What is left out is not sent; what is zero and means something is.
func TestFieldsOfRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, intent))
	c, _ := client(t, s.config(), 1)
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.FixedZone("", 2*60*60))
	full := order
	full.Customer, full.ExpiresAt = &daftar.Customer{ExternalID: "customer-77"}, &at
	full.Metadata, full.ReturnURL = map[string]string{"branch": "طرابلس"}, "https://shop.example/?a=1&b=<2>"
	if _, err := c.CreatePaymentIntent(context.Background(), full); err != nil {
		t.Fatal(err)
	}
	for _, fields := range []daftar.CreateRefund{
		{RefundReference: "all"},
		{RefundReference: "none", Amount: daftar.Amount(0)},
		{RefundReference: "why", Reason: "برد", Attempt: "a-1"},
	} {
		if _, err := c.CreateRefund(context.Background(), uuid, fields); err != nil {
			t.Fatal(err)
		}
	}
	for n, want := range []string{
		`{"amount":5000,"currency":"LYD","customer":{"external_id":"customer-77"},"description":"قهوة",` +
			`"expires_at":"2026-12-01T10:00:00+02:00","merchant_reference":"order-1",` +
			`"metadata":{"branch":"طرابلس"},"return_url":"https://shop.example/?a=1\u0026b=\u003c2\u003e"}`,
		`{"refund_reference":"all"}`,
		`{"amount":0,"refund_reference":"none"}`,
		`{"attempt":"a-1","reason":"برد","refund_reference":"why"}`,
	} {
		if got := s.requests()[n].body; got != want {
			t.Errorf("sent %s, want %s", got, want)
		}
	}
}

// The credentials are for one address: a redirect is an answer, also for an HTTPClient that would
// follow it, and which stays as it was.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := serve(t, says(200, intent))
	s := serve(t, says(307, "", "Location", elsewhere.URL))
	followed := func(*http.Request, []*http.Request) error { return nil }
	given := &http.Client{CheckRedirect: followed, Transport: &http.Transport{DisableKeepAlives: true}}
	for _, h := range []*http.Client{nil, given} {
		config := s.config()
		config.HTTPClient = h
		c, k := client(t, config, 1)
		_, err := c.CreatePaymentIntent(context.Background(), order)
		var refused *daftar.APIError
		if !errors.As(err, &refused) || refused.Status != 307 || refused.Message != "The service answered 307." {
			t.Errorf("the error is %v", err)
		}
		if len(k.waits) > 0 || len(elsewhere.requests()) > 0 {
			t.Errorf("waited %v, followed %v", k.waits, elsewhere.requests())
		}
	}
	if given.CheckRedirect(nil, nil) != nil {
		t.Error("the caller's client was changed")
	}
}

// transport is one of the caller's own.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRequestsGoThroughTheCallersClient(t *testing.T) {
	t.Parallel()
	failed := errors.New("the proxy is away")
	tries := 0
	c, _ := client(t, daftar.Config{
		BaseURL: "https://pay.example/api/v1", APIKey: key, AccessToken: token,
		HTTPClient: &http.Client{Transport: transport(func(r *http.Request) (*http.Response, error) {
			tries++
			if tries == 1 {
				return nil, failed
			}
			w := httptest.NewRecorder()
			says(201, intent)(w, r)
			return w.Result(), nil
		})},
	}, 1)
	if _, err := c.CreatePaymentIntent(context.Background(), order); err != nil || tries != 2 {
		t.Errorf("%v after %d tries", err, tries)
	}
}

// An error names the cause and the address, and none of the merchant's data or credentials.
func TestErrorsOfConnections(t *testing.T) {
	t.Parallel()
	failed := errors.New("the proxy is away")
	c, _ := client(t, daftar.Config{
		BaseURL: "https://pay.example/api/v1", APIKey: key, AccessToken: token, RetryFor: -1,
		HTTPClient: &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
			return nil, failed
		})},
	}, 1)
	_, err := c.ListPaymentIntents(context.Background(), daftar.ListFilter{CustomerExternalID: "customer-77"})
	var none *daftar.ConnectionError
	var of *url.Error
	if !errors.As(err, &none) || !errors.Is(err, failed) || errors.As(err, &of) {
		t.Fatalf("the error is %#v", err)
	}
	want := "daftar: no answer: https://pay.example/api/v1: the proxy is away (request " + none.RequestID + ")"
	if err.Error() != want {
		t.Errorf("the error is %v", err)
	}
	mustHideCredentials(t, "the error", err.Error())
}

// Two references with bytes that are no text would be the same reference in JSON.
func TestTextThatIsNone(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, intent))
	c, _ := client(t, s.config(), 1)
	reference, customer, metadata, name := order, order, order, order
	reference.MerchantReference = "order-\xff"
	customer.Customer = &daftar.Customer{ExternalID: "\xc3"}
	metadata.Metadata = map[string]string{"a": "\xed\xa0\x80"}
	name.Metadata = map[string]string{"\x80": "b"}
	never := order
	at := time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC) // no RFC 3339
	never.ExpiresAt = &at
	for _, fields := range []daftar.CreatePaymentIntent{reference, customer, metadata, name, never} {
		_, err := c.CreatePaymentIntent(context.Background(), fields)
		mustBeArgumentError(t, "create", err)
	}
	_, err := c.CreateRefund(context.Background(), uuid, daftar.CreateRefund{RefundReference: "\xff"})
	mustBeArgumentError(t, "refund", err)
	if n := len(s.requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
}

// What is no uuid would be another path.
func TestUUIDs(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, intent))
	c, _ := client(t, s.config(), 1)
	ctx := context.Background()
	for _, id := range []string{
		"", "order-1", "../payment-intents", uuid + "\n", uuid + "/expire", " " + uuid, uuid[1:], uuid + "?a=b",
		strings.Replace(uuid, "8", "٨", 1), strings.ReplaceAll(uuid, "-", ""),
	} {
		for called, call := range map[string]func() error{
			"retrieve":        func() error { _, err := c.RetrievePaymentIntent(ctx, id); return err },
			"expire":          func() error { _, err := c.ExpirePaymentIntent(ctx, id); return err },
			"events":          func() error { _, err := c.ListPaymentIntentEvents(ctx, id); return err },
			"refund":          func() error { _, err := c.CreateRefund(ctx, id, part); return err },
			"refunds":         func() error { _, err := c.ListRefunds(ctx, id); return err },
			"retrieve refund": func() error { _, err := c.RetrieveRefund(ctx, id); return err },
		} {
			mustBeArgumentError(t, called+" of "+id, call())
		}
	}
	if n := len(s.requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
	if _, err := c.RetrievePaymentIntent(ctx, strings.ToUpper(uuid)); err != nil {
		t.Error(err)
	}
}

func mustBeArgumentError(t *testing.T, what string, err error) {
	t.Helper()
	var argument *daftar.ArgumentError
	if !errors.As(err, &argument) || argument.Message == "" {
		t.Errorf("%s: %v", what, err)
	}
}

// A later version of the service may say more than this one knows, and null where there is nothing.
func TestAnswersOfLaterVersions(t *testing.T) {
	t.Parallel()
	s := serve(t, says(200, `{"data":{"uuid":"`+uuid+`","status":"disputed","amount":5000,"reference":null,
		"description":null,"customer":{"external_id":null,"name":"x"},"return_url":null,"metadata":null,
		"expires_at":null,"created_at":"2026-11-21T10:00:00.123456Z","risk":{"score":7}},"links":{}}`))
	c, _ := client(t, s.config(), 1)
	found, err := c.RetrievePaymentIntent(context.Background(), uuid)
	if err != nil {
		t.Fatal(err)
	}
	if found.Status != "disputed" || found.Amount != 5000 || found.Customer.ExternalID != "" ||
		found.Metadata != nil || !found.ExpiresAt.IsZero() {
		t.Errorf("found %+v", found)
	}
	if at := found.CreatedAt; !at.Equal(time.Date(2026, 11, 21, 10, 0, 0, 123456000, time.UTC)) {
		t.Errorf("created at %v", at)
	}
}

func TestReplays(t *testing.T) {
	t.Parallel()
	for want, headers := range map[string][]string{
		`{"Replayed":false,"Differs":null}`: nil,
		`{"Replayed":true,"Differs":null}`:  {"Idempotent-Replayed", "true"},
		`{"Replayed":true,"Differs":["amount","payment_intent"]}`: {"Idempotent-Replayed", "true",
			"Idempotent-Replayed-Differs", "amount, payment_intent"},
	} {
		s := serve(t, says(200, intent, headers...))
		c, _ := client(t, s.config(), 1)
		type told struct {
			Replayed bool
			Differs  []string
		}
		created, err := c.CreatePaymentIntent(context.Background(), order)
		if err != nil {
			t.Fatal(err)
		}
		refunded, err := c.CreateRefund(context.Background(), uuid, part)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range []told{{created.Replayed, created.Differs}, {refunded.Replayed, refunded.Differs}} {
			if got, _ := json.Marshal(one); string(got) != want {
				t.Errorf("told %s, want %s", got, want)
			}
		}
	}
}

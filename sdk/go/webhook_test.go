package daftar_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	daftar "daftar/sdk/go"
)

const (
	secret      = "whsec_ZGFmdGFyLWd1aWRlLW5vLXNlY3JldCEh"
	otherSecret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	hook        = `{"type":"payment_intent.refund_failed","timestamp":"2026-11-21T09:59:59.500000Z",` +
		`"data":{"uuid":"` + uuid + `","reference":"ab12","merchant_reference":"طلب-1","sequence":4,` +
		`"late":true,"new":[1],` +
		`"refund":{"uuid":"` + uuid + `","amount":1500,"currency":"LYD","failure_reason":"refused"}}}`
)

// signed returns the headers of a webhook that is signed at the start of the tests' clocks.
func signed(body, with string) http.Header {
	return signedAt(strconv.FormatInt(start.Unix(), 10), body, with)
}

// signedAt returns the headers of a webhook with any timestamp.
func signedAt(timestamp, body, with string) http.Header {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(with, "whsec_"))
	if err != nil {
		panic(err)
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("evt_1." + timestamp + "." + body))
	h := http.Header{}
	h.Set("webhook-id", "evt_1")
	h.Set("webhook-timestamp", timestamp)
	h.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return h
}

// at verifies webhooks at a time after the start of the tests' clocks.
func at(d time.Duration) daftar.WebhookOptions {
	return daftar.WebhookOptions{Now: func() time.Time { return start.Add(d) }}
}

// within changes how far a webhook's time may be from now.
func within(d time.Duration, o daftar.WebhookOptions) daftar.WebhookOptions {
	o.Tolerance = d
	return o
}

func TestWebhook(t *testing.T) {
	t.Parallel()
	event, err := at(0).Verify([]byte(hook), signed(hook, secret), secret)
	if err != nil {
		t.Fatal(err)
	}
	data := event.Data
	if event.ID != "evt_1" || event.Type != daftar.EventTypePaymentIntentRefundFailed ||
		!event.Timestamp.Equal(start.Add(-500*time.Millisecond)) {
		t.Errorf("%+v", event)
	}
	if data.UUID != uuid || data.Reference != "ab12" || data.MerchantReference != "طلب-1" ||
		data.Sequence != 4 || !data.Late ||
		*data.Refund != (daftar.WebhookRefund{uuid, 1500, "LYD", daftar.ReasonRefused}) ||
		!strings.Contains(string(data.Raw), `"new":[1]`) {
		t.Errorf("%+v", data)
	}
}

func TestWebhooksThatAreGood(t *testing.T) {
	t.Parallel()
	good := signed(hook, secret)
	of := func(change func(http.Header)) http.Header {
		h := good.Clone()
		change(h)
		return h
	}
	lower := http.Header{}
	for name, values := range good {
		lower[strings.ToLower(name)] = values // as some gateways give them
	}
	right := good.Get("webhook-signature")
	for name, one := range map[string]struct {
		o       daftar.WebhookOptions
		h       http.Header
		secrets []string
	}{
		"young enough":      {at(300 * time.Second), good, []string{secret}},
		"from a fast clock": {at(-300 * time.Second), good, []string{secret}},
		"with more time":    {within(time.Hour, at(time.Hour)), good, []string{secret}},
		"the second secret": {at(0), good, []string{otherSecret, secret}},
		"the first secret":  {at(0), good, []string{secret, otherSecret}},
		"no prefix":         {at(0), good, []string{strings.TrimPrefix(secret, "whsec_")}},
		"lower case":        {at(0), lower, []string{secret}},
		"several signatures": {at(0), of(func(h http.Header) {
			h.Set("webhook-signature", "v1a,x v1,AAAA "+right)
		}), []string{secret}},
		"in several headers": {at(0), of(func(h http.Header) {
			h["Webhook-Signature"] = []string{"v1,AAAA", right}
		}), []string{secret}},
	} {
		if event, err := one.o.Verify([]byte(hook), one.h, one.secrets...); err != nil || event.ID != "evt_1" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWebhooksThatAreRefused(t *testing.T) {
	t.Parallel()
	good := signed(hook, secret)
	right, now := good.Get("webhook-signature"), good.Get("webhook-timestamp")
	arabic := strings.NewReplacer("0", "٠", "1", "١", "2", "٢", "3", "٣", "4", "٤",
		"5", "٥", "6", "٦", "7", "٧", "8", "٨", "9", "٩")
	of := func(name string, values ...string) http.Header {
		h := good.Clone()
		delete(h, http.CanonicalHeaderKey(name))
		for _, value := range values {
			h.Add(name, value)
		}
		return h
	}
	for name, one := range map[string]struct {
		o    daftar.WebhookOptions
		body string
		h    http.Header
	}{
		"too old":                 {at(301 * time.Second), hook, good},
		"too new":                 {at(-301 * time.Second), hook, good},
		"with less time":          {within(time.Second, at(2*time.Second)), hook, good},
		"another body":            {at(0), hook + "\n", good},
		"another id":              {at(0), hook, of("webhook-id", "evt_2")},
		"no id":                   {at(0), hook, of("webhook-id")},
		"two ids":                 {at(0), hook, of("webhook-id", "evt_1", "evt_2")},
		"no timestamp":            {at(0), hook, of("webhook-timestamp")},
		"an empty one":            {at(0), hook, of("webhook-timestamp", "")},
		"two timestamps":          {at(0), hook, of("webhook-timestamp", good.Get("webhook-timestamp"), "1")},
		"a timestamp with a sign": {at(0), hook, signedAt("+"+now, hook, secret)},
		"a timestamp and a space": {at(0), hook, signedAt(now+" ", hook, secret)},
		"Arabic digits":           {at(0), hook, signedAt(arabic.Replace(now), hook, secret)},
		"a huge timestamp":        {at(0), hook, signedAt(strings.Repeat("9", 30), hook, secret)},
		"the largest timestamp":   {at(0), hook, signedAt("9223372036854775807", hook, secret)},
		"no signature":            {at(0), hook, of("webhook-signature")},
		"an empty signature":      {at(0), hook, of("webhook-signature", "")},
		"another version":         {at(0), hook, of("webhook-signature", "v2"+right[2:])},
		"no version":              {at(0), hook, of("webhook-signature", right[3:])},
		"half of it":              {at(0), hook, of("webhook-signature", right[:len(right)-4])},
		"more than it":            {at(0), hook, of("webhook-signature", right+"A")},
		"another secret":          {at(0), hook, signed(hook, otherSecret)},
	} {
		event, err := one.o.Verify([]byte(one.body), one.h, secret)
		if event != nil || !errors.Is(err, daftar.ErrSignature) {
			t.Errorf("%s: %+v, %v", name, event, err)
		}
	}
}

// What is signed may still be no event.
func TestBodiesThatAreNoEvents(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", "null", "[]", `"text"`, `{}`, `{"type":"a"}`, `{"type":7,"data":{}}`, `{"data":{}}`,
		`{"type":"a","data":null}`, `{"type":"a","data":[]}`, `{"type":"a","data":{"uuid":7}}`, "\x00\xff",
	} {
		event, err := at(0).Verify([]byte(body), signed(body, secret), secret)
		if event != nil || !errors.Is(err, daftar.ErrSignature) || !strings.Contains(err.Error(), "is signed") {
			t.Errorf("%q: %+v, %v", body, event, err)
		}
	}
	test := `{"type":"webhook.test","data":{"application_uuid":"x"}}`
	event, err := at(0).Verify([]byte(test), signed(test, secret), secret)
	if err != nil || event.Data.UUID != "" {
		t.Errorf("%+v, %v", event, err)
	}
}

// Anybody could sign with an empty key, so it is the shop's mistake, and not the sender's.
func TestSecretsThatAreNone(t *testing.T) {
	t.Parallel()
	unsigned := signed(hook, "whsec_")
	for _, secrets := range [][]string{
		nil, {""}, {"whsec_"}, {secret, ""}, {secret, "whsec_"}, {"whsec_no base64"}, {secret + "\x00"},
	} {
		for _, h := range []http.Header{unsigned, signed(hook, secret)} {
			event, err := at(0).Verify([]byte(hook), h, secrets...)
			if event != nil {
				t.Errorf("%q: %+v", secrets, event)
			}
			mustBeArgumentError(t, strings.Join(secrets, " "), err)
			mustHideSecret(t, err)
		}
	}
}

func mustHideSecret(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), secret[6:]) {
		t.Errorf("the error shows a secret: %v", err)
	}
}

// VerifyWebhook goes by this machine's clock.
func TestWebhookOfThePast(t *testing.T) {
	t.Parallel()
	_, err := daftar.VerifyWebhook([]byte(hook), signed(hook, secret), secret)
	if !errors.Is(err, daftar.ErrSignature) {
		t.Errorf("the error is %v", err)
	}
}

package lypay_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"daftar/payments/acquirer"
	"daftar/payments/acquirer/acquirertest"
	"daftar/payments/acquirer/lypay/fake"
)

func TestEveryKindOfWebhook(t *testing.T) {
	t.Parallel()
	forged := []string{"forged", "reserialised", "unsigned", "doubled"}
	for _, kind := range fake.Notices() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r, made := w.pay(fake.Scan{Notices: []string{kind}})
			if w.inbox.Len() != 1 {
				t.Fatalf("%d webhooks came", w.inbox.Len())
			}
			notice, err := w.account.ParseNotification(w.inbox.Next())
			if slices.Contains(forged, kind) {
				if !errors.Is(err, acquirer.ErrForged) {
					t.Errorf("ParseNotification = %+v, %v, want ErrForged", notice, err)
				}
				wantNoSecret(t, err)
				return
			}
			if err != nil || notice != (acquirer.Notice{}) {
				t.Errorf("ParseNotification = %+v, %v, want a hint to ask about all", notice, err)
			}
			w.wantPaid(r, made[0]) // whatever the webhook has
		})
	}
}

// signed is a message with the bank's signature.
func signed(body string) acquirer.Message {
	mac := hmac.New(sha256.New, []byte(webhookKey))
	mac.Write([]byte(body))
	return acquirer.Message{
		Header: http.Header{"Signature": {hex.EncodeToString(mac.Sum(nil))}},
		Body:   []byte(body),
	}
}

func TestAKnownSignature(t *testing.T) {
	t.Parallel()
	a := open(t, "http://127.0.0.1:1", acquirertest.NewClock(), strings.Replace(settings, webhookKey, "key", 1))
	// A well-known example of HMAC-SHA256; its text is not JSON.
	m := acquirer.Message{
		Header: http.Header{"Signature": {"f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"}},
		Body:   []byte("The quick brown fox jumps over the lazy dog"),
	}
	if _, err := a.ParseNotification(m); err == nil || errors.Is(err, acquirer.ErrForged) {
		t.Errorf("%v, want a genuine message that is unreadable", err)
	}
}

func TestWhatNotificationsSay(t *testing.T) {
	t.Parallel()
	a := open(t, "http://127.0.0.1:1", acquirertest.NewClock(), settings)
	const reference = "0123456789abcdefghjkmnpqr"
	notice := func(members string) string {
		return `{"webhook":"transaction_credit_notice","data":{` + members + `}}`
	}
	for _, tc := range []struct {
		name, body, reference string
		readable              bool
	}{
		{"no reference", notice(`"payment_reference":"LYP1"`), "", true},
		{
			"internal merchant reference", notice(`"internal_merchant_reference":"` + reference + `"`),
			reference, true,
		},
		{
			"reference label in capitals", notice(`"reference_label":"` + strings.ToUpper(reference) + `"`),
			reference, true,
		},
		{
			"bill number within",
			`{"webhook":"transaction-update","data":{"additionalData":{"billNumber":"` + reference + `"}}}`,
			reference, true,
		},
		{"label cut short", notice(`"reference_label":"0123456789"`), "", true},
		{"label of another form", notice(`"reference_label":"` + strings.Repeat("/", 25) + `"`), "", true},
		{"the other spelling", `{"webhook":"transaction_update","data":{}}`, "", true},
		{"no data", `{"webhook":"transaction_status_update"}`, "", true},
		{"another kind", `{"webhook":"balance_update","data":{}}`, "", false},
		{"no kind", `{"data":{}}`, "", false},
		{"no JSON", `webhook=transaction_status_update`, "", false},
		{"nothing", ``, "", false},
		{"data of another form", `{"webhook":"transaction_credit_notice","data":[]}`, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			notice, err := a.ParseNotification(signed(tc.body))
			if (err == nil) != tc.readable || errors.Is(err, acquirer.ErrForged) || notice.Reference != tc.reference {
				t.Errorf("ParseNotification = %+v, %v", notice, err)
			}
			if notice.Proof != nil || notice.Reply != "" {
				t.Errorf("notice is %+v", notice)
			}
		})
	}
}

func TestForgedNotifications(t *testing.T) {
	t.Parallel()
	a := open(t, "http://127.0.0.1:1", acquirertest.NewClock(), settings)
	for name, change := range map[string]func(*acquirer.Message){
		"no signature": func(m *acquirer.Message) { m.Header = http.Header{} },
		"no header":    func(m *acquirer.Message) { m.Header = nil },
		"two signatures": func(m *acquirer.Message) {
			m.Header["Signature"] = append(m.Header["Signature"], m.Header["Signature"]...)
		},
		"no hexadecimal":   func(m *acquirer.Message) { m.Header.Set("Signature", "zz") },
		"a shorter one":    func(m *acquirer.Message) { m.Header.Set("Signature", m.Header.Get("Signature")[:32]) },
		"empty":            func(m *acquirer.Message) { m.Header.Set("Signature", "") },
		"another body":     func(m *acquirer.Message) { m.Body = append(m.Body, ' ') },
		"a payer's return": func(m *acquirer.Message) { m.Returned = true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := signed(`{"webhook":"transaction_credit_notice","data":{}}`)
			if _, err := a.ParseNotification(m); err != nil {
				t.Fatal(err)
			}
			change(&m)
			if _, err := a.ParseNotification(m); !errors.Is(err, acquirer.ErrForged) {
				t.Errorf("%v, want ErrForged", err)
			}
		})
	}
}

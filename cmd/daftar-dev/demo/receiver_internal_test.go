package demo

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// The receiver shows a webhook with a valid signature, and escapes control characters in it.
func TestReceiver(t *testing.T) {
	t.Parallel()
	secret := "whsec_" + strings.Repeat("A", 32)
	signer, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	receiver, err := newReceiver(t.Context(), secret, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := receiver.listener.Close(); err != nil {
		t.Fatal(err)
	}
	const (
		valid = `{"type":"payment_intent.succeeded",` +
			`"data":{"uuid":"7ac3","merchant_reference":"قهوة\u001b]0;owned\u0007\u202e"}}`
		forged = `{"type":"payment_intent.created","data":{"uuid":"forged"}}`
	)
	for body, want := range map[string]int{
		valid:      http.StatusNoContent,
		forged:     http.StatusUnauthorized,
		`nonsense`: http.StatusBadRequest,
	} {
		now := time.Now()
		signature, err := signer.Sign("evt_1", now, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if want == http.StatusUnauthorized {
			signature = "v1,AAAA"
		}
		request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/webhooks",
			strings.NewReader(body))
		request.Header.Set("Webhook-Id", "evt_1")
		request.Header.Set("Webhook-Timestamp", fmt.Sprint(now.Unix()))
		request.Header.Set("Webhook-Signature", signature)
		answer := httptest.NewRecorder()
		receiver.receive(answer, request)
		if answer.Code != want {
			t.Errorf("%s: %d, want %d", body, answer.Code, want)
		}
	}
	shown := out.String()
	const line = `payment_intent.succeeded         7ac3  قهوة\x1b]0;owned\a\u202e  signature verified`
	if !strings.Contains(shown, line) || !strings.Contains(shown, "refused: ") ||
		strings.Contains(shown, "forged") || strings.Count(shown, "\n") != 2 {
		t.Errorf("shown:\n%s", shown)
	}
}

package daftar

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookEvent is what happened, as a webhook tells it. It has no status: retrieve the intent.
type WebhookEvent struct {
	ID   string // the webhook-id: the same however often this event is sent
	Type EventType
	// Timestamp is when it happened.
	Timestamp time.Time
	Data      WebhookData
}

// WebhookData is what a webhook says of its event. A webhook.test has none of it.
type WebhookData struct {
	UUID              string `json:"uuid"` // the intent's
	Reference         string `json:"reference"`
	MerchantReference string `json:"merchant_reference"`
	Sequence          int    `json:"sequence"` // the number of the event in the life of its intent
	Late              bool   `json:"late"`     // the payment came after the intent was canceled
	// Refund is the refund that it is about; nil where it is about none.
	Refund *WebhookRefund `json:"refund"`
	// Raw is all of it as it was sent, with what this version of the package does not know.
	Raw json.RawMessage `json:"-"`
}

// WebhookRefund is what a webhook says of a refund.
type WebhookRefund struct {
	UUID          string `json:"uuid"`
	Amount        int64  `json:"amount"` // in minor units
	Currency      string `json:"currency"`
	FailureReason Reason `json:"failure_reason"` // why nothing went back
}

// VerifyWebhook returns the event of a webhook whose signature is good, and [ErrSignature] otherwise. It
// needs the bytes of the request: what was parsed and written again has other bytes. There may be
// several secrets (whsec_…) while a new one is being introduced; an [*ArgumentError] says that one is
// empty or is none.
func VerifyWebhook(body []byte, header http.Header, secrets ...string) (*WebhookEvent, error) {
	return WebhookOptions{}.Verify(body, header, secrets...)
}

// WebhookOptions is how webhooks are verified where the defaults do not fit.
type WebhookOptions struct {
	// Tolerance is how far the webhook's time may be from now (5 minutes).
	Tolerance time.Duration
	// Now is the time (this machine's clock).
	Now func() time.Time
}

// Verify is [VerifyWebhook] with options.
func (o WebhookOptions) Verify(body []byte, header http.Header, secrets ...string) (*WebhookEvent, error) {
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	id, err := only(header, "webhook-id")
	if err != nil {
		return nil, err
	}
	timestamp, err := only(header, "webhook-timestamp")
	if err != nil {
		return nil, err
	}
	if !o.isRecent(timestamp) {
		return nil, fmt.Errorf("%w: it has no timestamp, or one that is too far from now", ErrSignature)
	}
	given := strings.Split(strings.Join(values(header, "webhook-signature"), " "), " ")
	for _, key := range keys {
		expected := []byte("v1," + sign(key, id+"."+timestamp+".", body))
		for _, signature := range given {
			if hmac.Equal(expected, []byte(signature)) {
				return eventOf(id, body)
			}
		}
	}
	return nil, fmt.Errorf("%w: none of its signatures is right", ErrSignature)
}

// isRecent reports whether a number of seconds since 1970, in ASCII digits, is near now.
func (o WebhookOptions) isRecent(timestamp string) bool {
	if strings.Trim(timestamp, "0123456789") != "" {
		return false // ParseInt takes a sign
	}
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	now, tolerance := time.Now, 5*time.Minute
	if o.Now != nil {
		now = o.Now
	}
	if o.Tolerance != 0 {
		tolerance = o.Tolerance
	}
	away := now().Unix() - at
	return max(away, -away) <= int64(tolerance/time.Second)
}

// keysOf are the keys in webhook secrets.
func keysOf(secrets []string) (keys [][]byte, err error) {
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		// Anybody could sign with an empty key.
		if err != nil || len(key) == 0 {
			return nil, wrong("a webhook secret is empty, or is none")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, wrong("there is no webhook secret")
	}
	return keys, nil
}

func sign(key []byte, prefix string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(prefix))
	mac.Write(body)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// values are all of a header, in whatever case its name was kept.
func values(header http.Header, name string) (all []string) {
	for key, values := range header {
		if strings.EqualFold(key, name) {
			all = append(all, values...)
		}
	}
	return all
}

// only is the value of a header that is there once: of two, each reader might choose another.
func only(header http.Header, name string) (string, error) {
	all := values(header, name)
	if len(all) != 1 {
		return "", fmt.Errorf("%w: it has %d headers %s", ErrSignature, len(all), name)
	}
	return all[0], nil
}

func eventOf(id string, body []byte) (*WebhookEvent, error) {
	var sent struct {
		Type      EventType
		Timestamp string
		Data      json.RawMessage
	}
	event := &WebhookEvent{ID: id}
	err := json.Unmarshal(body, &sent)
	if err == nil && (sent.Type == "" || !strings.HasPrefix(string(sent.Data), "{")) {
		err = errors.New("it lacks a type or data")
	}
	if err == nil {
		err = json.Unmarshal(sent.Data, &event.Data)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: it is signed, but its body is no event: %w", ErrSignature, err)
	}
	event.Type, event.Data.Raw = sent.Type, sent.Data
	event.Timestamp, _ = time.Parse(time.RFC3339Nano, sent.Timestamp) // zero where it is none
	return event, nil
}

package lypay

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"daftar/payments/acquirer"
)

// ParseNotification implements acquirer.Acquirer. The message's state of the payment is not used:
// an old message looks like a new one.
func (a *account) ParseNotification(m acquirer.Message) (acquirer.Notice, error) {
	if err := a.authenticate(m); err != nil {
		return acquirer.Notice{}, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	var message struct {
		Webhook text `json:"webhook"`
		Data    struct {
			labels
			AdditionalData labels `json:"additionalData"`
		} `json:"data"`
	}
	if err := decode(m.Body, &message); err != nil {
		return acquirer.Notice{}, fmt.Errorf("decode notification: %w", err)
	}
	// The two spellings of the first are both documented.
	switch strings.ReplaceAll(strings.ToLower(string(message.Webhook)), "-", "_") {
	case "transaction_status_update", "transaction_update", "transaction_credit_notice":
	default:
		return acquirer.Notice{}, errors.New("decode notification: its kind is not known")
	}
	for _, l := range append(message.Data.all(), message.Data.AdditionalData.all()...) {
		// A label that an app cut short names no payment: then all open ones are asked about.
		if len(l) == referenceLength && isReference(string(l)) {
			return acquirer.Notice{Reference: strings.ToLower(string(l))}, nil
		}
	}
	return acquirer.Notice{}, nil
}

// authenticate checks the signature, in constant time, before the body is read.
func (a *account) authenticate(m acquirer.Message) error {
	signatures := m.Header.Values(http.CanonicalHeaderKey("Signature"))
	if m.Returned || len(signatures) != 1 {
		return errors.New("not exactly one signature")
	}
	given, err := hex.DecodeString(signatures[0])
	if err != nil {
		return errors.New("signature is not hexadecimal")
	}
	mac := hmac.New(sha256.New, []byte(a.settings.WebhookKey))
	mac.Write(m.Body)
	if !hmac.Equal(given, mac.Sum(nil)) {
		return errors.New("signature does not fit")
	}
	return nil
}

package moamalat

import (
	"bytes"
	"crypto/hmac"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"

	"daftar/payments/acquirer"
)

// notification is what the gateway pushes after each transaction of the terminal. Fields
// that are not needed are not read.
type notification struct {
	MerchantId        text
	TerminalId        text
	DateTimeLocalTrxn text // 14 digits; 12 by another line of the documentation
	Amount            text
	Currency          text
	MerchantReference text
	SecureHash        text
}

// received is the answer that the gateway wants.
const received = `{"Message":"Success","Success":true}`

// ParseNotification implements acquirer.Acquirer. Every genuine message is a hint to ask,
// including that of a refund. An old message is not refused: its date is the transaction's, it is
// not known how long the gateway repeats a message, and a replay only causes one inquiry.
func (a *Account) ParseNotification(m acquirer.Message) (acquirer.Notice, error) {
	n, err := readNotification(m)
	if err != nil {
		return acquirer.Notice{}, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	if err := a.authenticate(n); err != nil {
		return acquirer.Notice{}, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	// The hash does not cover the reference. An empty one would cause inquiries about every open
	// payment, so that anyone with a recorded message could cause them.
	if !referenceForm.MatchString(string(n.MerchantReference)) {
		return acquirer.Notice{}, errors.New("read notification: the reference is none of ours")
	}
	return acquirer.Notice{Reference: string(n.MerchantReference), Reply: received}, nil
}

// readNotification reads JSON or the fields of a form, whatever the header calls it.
func readNotification(m acquirer.Message) (notification, error) {
	var n notification
	if m.Returned {
		return n, errors.New("a payer's browser brings none")
	}
	if bytes.HasPrefix(bytes.TrimLeft(m.Body, " \t\r\n"), []byte("{")) {
		err := decode(m.Body, &n)
		return n, err
	}
	form, err := url.ParseQuery(string(m.Body))
	if err != nil {
		return n, errors.New("body is neither JSON nor a form")
	}
	for name, into := range map[string]*text{
		"MerchantId":        &n.MerchantId,
		"TerminalId":        &n.TerminalId,
		"DateTimeLocalTrxn": &n.DateTimeLocalTrxn,
		"Amount":            &n.Amount,
		"Currency":          &n.Currency,
		"MerchantReference": &n.MerchantReference,
		"SecureHash":        &n.SecureHash,
	} {
		values := form[name]
		if len(values) > 1 {
			return n, errors.New("a field is there twice")
		}
		if len(values) == 1 {
			*into = text(values[0])
		}
	}
	return n, nil
}

func (a *Account) authenticate(n notification) error {
	given, err := hex.DecodeString(string(n.SecureHash))
	if err != nil {
		return errors.New("hash is not hexadecimal")
	}
	want := macOf(a.notificationKey, map[string]string{
		"Amount":            string(n.Amount),
		"Currency":          string(n.Currency),
		"DateTimeLocalTrxn": string(n.DateTimeLocalTrxn),
		"MerchantId":        string(n.MerchantId),
		"TerminalId":        string(n.TerminalId),
	})
	if !hmac.Equal(given, want) {
		return errors.New("hash does not fit")
	}
	if string(n.MerchantId) != a.merchant || string(n.TerminalId) != a.terminal {
		return errors.New("it is about another merchant or terminal")
	}
	return nil
}

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

// received is what the gateway wants to be answered.
const received = `{"Message":"Success","Success":true}`

// ParseNotification implements acquirer.Acquirer. Every genuine message is a hint to ask,
// that of a refund too. An old date is no reason to refuse one: it is the transaction's, how
// long the gateway goes on sending is not known, and a recording costs us one inquiry.
func (a *Account) ParseNotification(m acquirer.Message) (acquirer.Notice, error) {
	said, err := readNotification(m)
	if err != nil {
		return acquirer.Notice{}, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	if err := a.authenticate(said); err != nil {
		return acquirer.Notice{}, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	// The hash does not cover the reference. An empty one would have every open payment
	// asked about, so anyone with a recording could have us do that.
	if !referenceForm.MatchString(string(said.MerchantReference)) {
		return acquirer.Notice{}, errors.New("read notification: the reference is none of ours")
	}
	return acquirer.Notice{Reference: string(said.MerchantReference), Reply: received}, nil
}

// readNotification reads JSON or the fields of a form, whatever the header calls it.
func readNotification(m acquirer.Message) (notification, error) {
	var said notification
	if m.Returned {
		return said, errors.New("a payer's browser brings none")
	}
	if bytes.HasPrefix(bytes.TrimLeft(m.Body, " \t\r\n"), []byte("{")) {
		err := decode(m.Body, &said)
		return said, err
	}
	form, err := url.ParseQuery(string(m.Body))
	if err != nil {
		return said, errors.New("body is neither JSON nor a form")
	}
	for name, into := range map[string]*text{
		"MerchantId": &said.MerchantId, "TerminalId": &said.TerminalId,
		"DateTimeLocalTrxn": &said.DateTimeLocalTrxn,
		"Amount":            &said.Amount, "Currency": &said.Currency, "MerchantReference": &said.MerchantReference,
		"SecureHash": &said.SecureHash,
	} {
		values := form[name]
		if len(values) > 1 {
			return said, errors.New("a field is there twice")
		}
		if len(values) == 1 {
			*into = text(values[0])
		}
	}
	return said, nil
}

func (a *Account) authenticate(n notification) error {
	given, err := hex.DecodeString(string(n.SecureHash))
	if err != nil {
		return errors.New("hash is not hexadecimal")
	}
	want := macOf(a.notificationKey, map[string]string{
		"Amount": string(n.Amount), "Currency": string(n.Currency),
		"DateTimeLocalTrxn": string(n.DateTimeLocalTrxn),
		"MerchantId":        string(n.MerchantId), "TerminalId": string(n.TerminalId),
	})
	if !hmac.Equal(given, want) {
		return errors.New("hash does not fit")
	}
	if string(n.MerchantId) != a.merchant || string(n.TerminalId) != a.terminal {
		return errors.New("it is about another merchant or terminal")
	}
	return nil
}

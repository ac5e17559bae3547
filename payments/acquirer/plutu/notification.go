package plutu

import (
	"errors"
	"fmt"
	"strings"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// ParseNotification implements acquirer.Acquirer.
func (a *account) ParseNotification(m acquirer.Message) (acquirer.Notice, error) {
	var none acquirer.Notice
	read := readJSON
	source := m.Body
	if m.Returned {
		read, source = readQuery, []byte(m.Query)
	}
	all, err := read(source)
	if err != nil {
		return none, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	covered, err := all.authenticate(a.settings.SecretKey)
	if err != nil {
		return none, fmt.Errorf("check notification: %w: %w", acquirer.ErrForged, err)
	}
	notice, err := readNotice(covered)
	if err != nil {
		return none, fmt.Errorf("read notification: %w", err)
	}
	return notice, nil
}

// readNotice reads the parameters that the signature covers. They are a proof if they have one
// clear outcome and the amount; otherwise the message is a hint.
func readNotice(signed parameters) (acquirer.Notice, error) {
	reference := signed.get("invoice_no")
	if !referenceForm.MatchString(reference) {
		return acquirer.Notice{}, errors.New("message names no payment of ours")
	}
	notice := acquirer.Notice{Reference: reference}
	approved, canceled := isTrue(signed.get("approved")), isTrue(signed.get("canceled"))
	if approved == canceled || signed.get("amount") == "" {
		return notice, nil
	}
	if currency := signed.get("currency"); currency != "" && !strings.EqualFold(currency, string(domain.LYD)) {
		return acquirer.Notice{}, errors.New("amount is not in dinars")
	}
	money, err := parseAmount(signed.get("amount"))
	if err != nil {
		return acquirer.Notice{}, err
	}
	report := acquirer.Report{
		State: acquirer.StateDeclined, Reference: reference, Money: money, Reason: acquirer.Abandoned,
	}
	if approved {
		report.State, report.Reason = acquirer.StatePaid, ""
		report.ProviderReference = signed.get("transaction_id")
		if !isIdentifier(text(report.ProviderReference)) {
			return acquirer.Notice{}, errors.New("message has no transaction id")
		}
	}
	notice.Proof = &report
	return notice, nil
}

func isTrue(s string) bool { return s == "1" || strings.EqualFold(s, "true") }

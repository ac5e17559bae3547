package lypay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

type refundRequest struct {
	PaymentReference     string `json:"paymentReference"`
	TransactionTimestamp int64  `json:"transactionTimestamp"`
	Amount               string `json:"amount"` // in dirham
	Description          string `json:"description"`
}

// Refund implements acquirer.Acquirer.
func (a *account) Refund(ctx context.Context, r acquirer.Ref, back domain.Money) (acquirer.Refunded, error) {
	if back.Currency != domain.LYD || back.Minor <= 0 || !isReference(r.Reference) {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w: amount or reference does not fit", acquirer.ErrNotSent)
	}
	t, err := a.refundable(ctx, r)
	if err != nil {
		// Inquiries may have been sent, but not the refund.
		return acquirer.Refunded{}, fmt.Errorf("refund: %w: %w", acquirer.ErrNotSent, err)
	}
	answer, err := a.ask(ctx, exchange.Request{
		Method: http.MethodPost, Path: "/api/v1/payments/funds-transfers/" + t.uuid + "/refund",
		JSON: refundRequest{
			PaymentReference: t.reference, TransactionTimestamp: t.timestamp,
			Amount: strconv.FormatInt(back.Minor, 10), Description: "Refund " + r.Reference,
		},
	})
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	return readRefunded(answer, t, back)
}

// refundable returns the transfer that the payment's memo names. What the memo lacks, or all of it
// if the memo was lost, is asked for.
func (a *account) refundable(ctx context.Context, r acquirer.Ref) (transfer, error) {
	t := transfer{reference: r.ProviderReference}
	var m memo
	if r.Memo != "" && json.Unmarshal([]byte(r.Memo), &m) == nil &&
		(t.reference == "" || t.reference == m.PaymentReference) {
		t = transfer{uuid: m.UUID, reference: m.PaymentReference, timestamp: m.Timestamp}
	}
	if t.isRefundable() {
		return t, nil
	}
	found, err := a.byReference(ctx, r.Reference)
	if err != nil {
		return transfer{}, err
	}
	for _, f := range found {
		if !f.isSame(t) {
			continue
		}
		known, err := f.with(t)
		if err != nil {
			return transfer{}, err
		}
		return a.trace(ctx, r, known, transfer.isRefundable)
	}
	return transfer{}, errors.New("the bank names no such credit")
}

// readRefunded reads the answer to a refund, of which only the status is documented. One that
// names a state must name one in which the money is back.
func readRefunded(answer exchange.Answer, t transfer, back domain.Money) (acquirer.Refunded, error) {
	given, _, err := rows(answer)
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	if len(given) != 1 {
		return acquirer.Refunded{}, errors.New("refund: answer has not one refund")
	}
	refunded, err := given[0].transfer()
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	switch refunded.state {
	case "", "completed", "confirmed", "refunded":
	case "acknowledged", "pending", "processing":
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", acquirer.ErrUndecided)
	default:
		return acquirer.Refunded{}, errors.New("refund: the bank does not say that the money went back")
	}
	// An answer that repeats the payment has no data of the refund.
	if refunded.isSame(t) {
		return acquirer.Refunded{Money: back}, nil
	}
	if stated := refunded.amount(); stated.Minor > 0 {
		back = stated
	}
	return acquirer.Refunded{Money: back, ProviderReference: cmp.Or(refunded.reference, refunded.uuid)}, nil
}

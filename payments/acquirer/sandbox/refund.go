package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// Refund implements acquirer.Acquirer. How much is left of the payment is known to the bank alone,
// which refuses more.
func (s *Sandbox) Refund(
	ctx context.Context, r acquirer.Ref, amount domain.Money,
) (acquirer.Refunded, error) {
	if amount.Minor <= 0 || amount.Currency != domain.LYD {
		return acquirer.Refunded{}, fmt.Errorf("refund payment: %w: amount does not fit", acquirer.ErrNotSent)
	}
	return askAbout(ctx, s, "refund payment", http.MethodPost, r.Attempt, "/refunds",
		refundRequest{Amount: amount.Minor}, readRefunded)
}

// readRefunded returns the amount that the bank states, for the caller to compare.
func readRefunded(res response, attempt domain.AttemptID) (acquirer.Refunded, error) {
	if res.isProblem(http.StatusUnprocessableEntity, errorRefundRefused, attempt) ||
		res.isProblem(http.StatusConflict, errorNotPaid, attempt) {
		return acquirer.Refunded{}, fmt.Errorf("%w (%d)", acquirer.ErrRefused, res.Status)
	}
	answer, err := res.payment(attempt, http.StatusCreated)
	if err != nil {
		return acquirer.Refunded{}, err
	}
	money, err := answer.money()
	if err != nil {
		return acquirer.Refunded{}, err
	}
	if answer.Reference == "" {
		return acquirer.Refunded{}, errors.New("answer has no number of the refund")
	}
	return acquirer.Refunded{Money: money, ProviderReference: answer.Reference}, nil
}

package moamalat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/payments/acquirer/exchange"
)

// The values of Report.Memo: the member of a refund that has the provider's reference.
const (
	memoSystem  = "SystemReference"
	memoNetwork = "NetworkReference"
)

// Refund implements acquirer.Acquirer. Before the day's settlement the gateway voids the
// sale instead, which is the same for the payer. The answer has no amount: the result has the
// amount of the request.
func (a *Account) Refund(
	ctx context.Context, r acquirer.Ref, amount domain.Money,
) (acquirer.Refunded, error) {
	request, err := a.refundRequest(r, amount)
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w: %w", acquirer.ErrNotSent, err)
	}
	received, err := a.provider.client.Do(ctx, exchange.Request{
		Method: http.MethodPost, Path: refundPath, JSON: request,
	})
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	var answer refundAnswer
	if err := decode(received.Body, &answer); err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	if err := answer.check(received.Status); err != nil {
		if answer.says("Transaction Already Refunded") {
			return acquirer.Refunded{},
				fmt.Errorf("refund: the sale was refunded already, by whom is not known: %w", err)
		}
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	if !answer.says("Approved") || answer.RefNumber == "" {
		return acquirer.Refunded{}, errors.New("refund: gateway neither approves nor refuses")
	}
	return acquirer.Refunded{Money: amount, ProviderReference: string(answer.RefNumber)}, nil
}

func (a *Account) refundRequest(r acquirer.Ref, amount domain.Money) (refundRequest, error) {
	if amount.Currency != domain.LYD || amount.Minor <= 0 || amount.Minor > r.Money.Minor {
		return refundRequest{}, errors.New("amount is not a part of the payment")
	}
	if r.ProviderReference == "" {
		return refundRequest{}, errors.New("the gateway's number of the sale is not known")
	}
	request := refundRequest{
		AmountTrxn: strconv.FormatInt(amount.Minor, 10), TerminalId: a.terminal, MerchantId: a.merchant,
	}
	if r.Memo == memoNetwork {
		request.NetworkReference = r.ProviderReference
	} else {
		request.SystemReference = r.ProviderReference
	}
	request.DateTimeLocalTrxn, request.SecureHash = a.sign()
	return request, nil
}

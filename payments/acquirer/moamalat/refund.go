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

// What Report.Memo says of the provider's reference: as what a refund has to name it.
const (
	memoSystem  = "SystemReference"
	memoNetwork = "NetworkReference"
)

// Refund implements acquirer.Acquirer. Before the day's settlement the gateway voids the
// sale instead, which is the same for the payer. The answer repeats no amount: what is
// returned is what was asked for.
func (a *Account) Refund(ctx context.Context, r acquirer.Ref,
	amount domain.Money,
) (acquirer.Refunded, error) {
	request, err := a.refundRequest(r, amount)
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w: %w", acquirer.ErrNotSent, err)
	}
	answer, err := a.provider.client.Do(ctx, exchange.Request{Method: http.MethodPost, Path: refundPath,
		JSON: request})
	if err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	var said refundAnswer
	if err := decode(answer.Body, &said); err != nil {
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	if err := said.check(answer.Status); err != nil {
		if said.says("Transaction Already Refunded") {
			return acquirer.Refunded{},
				fmt.Errorf("refund: the sale was refunded already, by whom is not known: %w", err)
		}
		return acquirer.Refunded{}, fmt.Errorf("refund: %w", err)
	}
	if !said.says("Approved") || said.RefNumber == "" {
		return acquirer.Refunded{}, errors.New("refund: gateway neither approves nor refuses")
	}
	return acquirer.Refunded{Money: amount, ProviderReference: string(said.RefNumber)}, nil
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

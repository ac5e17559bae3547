package httpapi

import (
	"context"
	"net/http"

	"daftar/accounts"
	"daftar/domain"
	"daftar/facts"
	"daftar/internal/locale"
	"daftar/payments/acquirer"
	"daftar/projections"
)

// history is GET /payment-intents/{uuid}/events.
func (a *api) history(w http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofIntent(w, r, func(
		ctx context.Context, _ accounts.Credential, i projections.Intent,
	) (answer, error) {
		events, err := a.Ledger.History(ctx, i.ID)
		if err != nil {
			return answer{}, err
		}
		body := data[[]event]{make([]event, len(events))}
		for n, e := range events {
			body.Data[n] = eventOf(n+1, e)
		}
		return answerWith(http.StatusOK, nil, body)
	})
}

// event is an event as merchants see it: with the webhook's type and sequence, and without data
// of the payer.
type event struct {
	Sequence int              `json:"sequence"`
	Type     string           `json:"type"`
	At       locale.Instant   `json:"at"`
	Attempt  domain.AttemptID `json:"attempt,omitzero"`
	Amount   *int64           `json:"amount,omitzero"`
	Currency domain.Currency  `json:"currency,omitzero"`
	Late     *bool            `json:"late,omitzero"`
	Reason   string           `json:"reason,omitzero"`
	Refund   domain.RefundID  `json:"refund,omitzero"`
}

func eventOf(sequence int, e domain.Event) event {
	kind := facts.Of(e)
	details := kind.Details(e)
	shown := event{
		Sequence: sequence,
		Type:     kind.Webhook,
		At:       locale.Instant(e.OccurredAt()),
		Attempt:  details.Attempt,
		Currency: details.Amount.Currency,
		Reason:   details.Reason,
		Refund:   details.Refund,
	}
	if details.Amount != (domain.Money{}) {
		shown.Amount = &details.Amount.Minor
	}
	if kind.Money == facts.Received {
		shown.Late = &kind.Late
	}
	if details.Reason != "" && details.Attempt != "" && details.Refund == (domain.RefundID{}) {
		shown.Reason = string(acquirer.ParseReason(details.Reason))
	}
	return shown
}

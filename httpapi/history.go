package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"daftar/accounts"
	"daftar/domain"
	"daftar/facts"
	"daftar/payments/acquirer"
	"daftar/projections"
)

// history is GET /payment-intents/{uuid}/events.
func (a *api) history(w http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofIntent(w, r, func(ctx context.Context, _ accounts.Credential, i projections.Intent) (answer, error) {
		events, err := a.Ledger.History(ctx, i.ID)
		if err != nil {
			return answer{}, err
		}
		w := jsonWriter{b: make([]byte, 0, 256*(len(events)+1))}
		w.raw(`{"data":[`)
		for n, e := range events {
			if n > 0 {
				w.raw(",")
			}
			w.event(n+1, e)
		}
		w.raw("]}")
		return answer{http.StatusOK, nil, w.b}, w.err
	})
}

// event writes an event as merchants see it: with the webhook's type and sequence, and
// without data of the payer.
func (w *jsonWriter) event(sequence int, e domain.Event) {
	kind := facts.Of(e)
	details := kind.Details(e)
	w.raw("{").name("sequence").integer(int64(sequence))
	w.next("type").text(kind.Webhook)
	w.next("at").instant(e.OccurredAt())
	if details.Attempt != "" {
		w.next("attempt").text(string(details.Attempt))
	}
	if details.Amount != (domain.Money{}) {
		w.next("amount").integer(details.Amount.Minor)
		w.next("currency").text(string(details.Amount.Currency))
	}
	if kind.Money == facts.Received {
		w.next("late").raw(strconv.FormatBool(kind.Late))
	}
	switch {
	case details.Reason != "" && details.Attempt != "":
		w.next("reason").text(string(acquirer.ParseReason(details.Reason)))
	case details.Reason != "":
		w.next("reason").text(details.Reason)
	}
	if details.Refund != (domain.RefundID{}) {
		w.next("refund").text(details.Refund.String())
	}
	w.raw("}")
}

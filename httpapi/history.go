package httpapi

import (
	"context"
	"net/http"
	"time"

	"daftar/accounts"
	"daftar/domain"
	"daftar/payments/acquirer"
	"daftar/projections"
	"daftar/webhooks"
)

// history is GET /payment-intents/{uuid}/events.
func (a *api) history(w http.ResponseWriter, r *http.Request) (operation, error) {
	return a.ofIntent(w, r, func(a *api, ctx context.Context, _ accounts.Credential, i projections.Intent) (answer, error) {
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

// Why an intent was canceled.
const (
	reasonExpired = "expired" // its time ran out
	reasonStopped = "stopped" // the merchant ended it before
)

// event writes what merchants see of an event: under the webhook's type and sequence, and
// nothing about the payer.
func (w *jsonWriter) event(sequence int, e domain.Event) {
	begin := func(kind string, at time.Time) {
		w.raw("{").name("sequence").integer(int64(sequence))
		w.next("type").text(kind)
		w.next("at").instant(at)
	}
	attempt := func(id domain.AttemptID) { w.next("attempt").text(string(id)) }
	amount := func(m domain.Money) {
		w.next("amount").integer(m.Minor)
		w.next("currency").text(string(m.Currency))
	}
	switch e := e.(type) {
	case domain.Created:
		begin(webhooks.TypeCreated, e.At)
		amount(e.Amount)
	case domain.AttemptStarted:
		begin(webhooks.TypeProcessing, e.At)
		attempt(e.Attempt)
	case domain.AttemptFailed:
		begin(webhooks.TypePaymentFailed, e.At)
		attempt(e.Attempt)
		w.next("reason").text(string(acquirer.ParseReason(e.Reason)))
	case domain.Succeeded:
		begin(webhooks.TypeSucceeded, e.At)
		attempt(e.Attempt)
		amount(e.Amount)
		w.next("late").raw("false")
	case domain.Expired:
		begin(webhooks.TypeCanceled, e.At)
		reason := reasonExpired
		if e.Stopped {
			reason = reasonStopped
		}
		w.next("reason").text(reason)
	case domain.LateSucceeded:
		begin(webhooks.TypeSucceeded, e.At)
		attempt(e.Attempt)
		amount(e.Amount)
		w.next("late").raw("true")
	case domain.DuplicatePayment:
		begin(webhooks.TypeDuplicatePayment, e.At)
		attempt(e.Attempt)
		amount(e.Amount)
	case domain.RefundRecorded:
		begin(webhooks.TypeRefunded, e.At)
		attempt(e.Attempt)
		amount(e.Amount)
		w.next("refund").text(e.Refund.String())
	}
	w.raw("}")
}

package bank

import (
	"net/http"
	"time"

	"daftar/domain"
)

// listPayments answers GET /control/payments, in the order of opening.
func (b *Bank) listPayments(r *http.Request) (answer, error) {
	intent := ""
	if r.URL.Query().Has("intent") {
		id, err := domain.ParseIntentID(r.URL.Query().Get("intent"))
		if err != nil {
			return answer{}, refuse(http.StatusBadRequest, "the parameter intent is no uuid")
		}
		intent = id.String()
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.config.Clock()
	listed := []paymentAnswer{}
	for _, p := range b.books.opened {
		if intent == "" || p.Intent == intent {
			state, _ := p.status(now)
			listed = append(listed, paymentAnswer{
				ID: p.ID, Intent: p.Intent, Method: p.Method, Amount: p.Amount, Currency: p.Currency, State: state,
			})
		}
	}
	return answer{http.StatusOK, listed}, nil
}

// settle answers POST /control/payments/{id}/settle: it decides a payment that is not paid,
// also one that was declined. Repeating the present outcome changes nothing and sends no
// notification.
func (b *Bank) settle(r *http.Request) (answer, error) {
	var req settleRequest
	if err := read(r, &req); err != nil {
		return answer{}, err
	}
	if req.Outcome != statePaid && req.Outcome != stateDeclined {
		return answer{}, refuse(http.StatusBadRequest, "the field outcome is neither paid nor declined")
	}

	return b.onPayment(r, func(p *payment, now time.Time) (answer, error) {
		taken, refused := !p.takenAt.IsZero(), req.Outcome == stateDeclined
		switch {
		case taken && refused:
			return answer{}, refuse(http.StatusConflict, "the money was taken: only a refund gives it back")
		case taken, p.declined != "" && refused:
			return answer{http.StatusOK, p.describe(now)}, nil
		}
		rec := record{At: now, Op: opPaid, ID: p.ID, ShownAt: now}
		if refused {
			rec = record{At: now, Op: opDeclined, ID: p.ID, Reason: reasonDeclined}
		}
		if err := b.change(rec); err != nil {
			return answer{}, err
		}
		b.notifyOnce(p, req.Outcome)
		return answer{http.StatusOK, p.describe(now)}, nil
	})
}

// listLedger answers GET /control/ledger, in the order of taking.
func (b *Bank) listLedger(*http.Request) (answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	entries := []ledgerEntry{}
	for _, p := range b.books.taken {
		entries = append(entries, ledgerEntry{
			Intent: p.Intent, Amount: p.Amount, Currency: p.Currency, TakenAt: p.takenAt.UTC(),
		})
	}
	return answer{http.StatusOK, entries}, nil
}

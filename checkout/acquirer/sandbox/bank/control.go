package bank

import (
	"net/http"

	"daftar/domain"

	"github.com/gorilla/mux"
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
	now := b.now()
	listed := []controlPayment{}
	for _, p := range b.books.opened {
		if intent == "" || p.Intent == intent {
			state, _ := p.standing(now, b.books.lives)
			listed = append(listed, controlPayment{
				ID: p.id, Intent: p.Intent, Method: p.Method, Amount: p.Amount, Currency: p.Currency, State: state,
			})
		}
	}
	return answer{http.StatusOK, listed}, nil
}

// settle answers POST /control/payments/{id}/settle: it decides a payment that is
// not paid, whatever became of it before. Asking for what is already so changes
// nothing and notifies nobody.
func (b *Bank) settle(r *http.Request) (answer, error) {
	var req settleRequest
	if err := read(r, &req); err != nil {
		return answer{}, err
	}
	if req.Outcome != statePaid && req.Outcome != stateDeclined {
		return answer{}, refuse(http.StatusBadRequest, "the field outcome is neither paid nor declined")
	}

	b.mu.Lock()
	defer b.mu.Unlock()
	p, err := b.find(mux.Vars(r)["id"])
	if err != nil {
		return answer{}, err
	}
	now := b.now()
	taken := !p.takenAt.IsZero()
	if taken && req.Outcome == stateDeclined {
		return answer{}, refuse(http.StatusConflict, "the money was taken; the sandbox gives none back")
	}
	if taken || (p.declined != "" && req.Outcome == stateDeclined) {
		return answer{http.StatusOK, b.describe(p, now)}, nil
	}

	rec := record{At: now, Op: opPaid, ID: p.id, ShownAt: now}
	if req.Outcome == stateDeclined {
		rec = record{At: now, Op: opDeclined, ID: p.id, Reason: reasonDeclined}
	}
	if err := b.change(rec); err != nil {
		return answer{}, err
	}
	b.notifyOnce(p, req.Outcome)
	return answer{http.StatusOK, b.describe(p, now)}, nil
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

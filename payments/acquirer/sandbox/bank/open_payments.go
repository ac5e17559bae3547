package bank

import (
	"net/http"
	"time"
)

// resend answers POST /v1/payments/{id}/resend: the payer is sent a new code,
// which is good for as long as the first one was. Wrong codes stay counted; a new
// code for every five guesses would be no lock.
func (b *Bank) resend(p *payment, now time.Time) (answer, error) {
	if !p.wantsCode(now) {
		return answer{}, refusal{http.StatusConflict, problemAnswer{
			Message: "this payment does not wait for a code", Error: errorNoCodeWanted, ID: p.ID,
		}}
	}
	if err := b.change(record{At: now, Op: opResent, ID: p.ID}); err != nil {
		return answer{}, err
	}
	said := p.describe(now)
	said.Next = b.nextStep(p, now)
	return answer{http.StatusOK, said}, nil
}

// cancel answers POST /v1/payments/{id}/cancel: a payment that still waits for its
// payer is given up. One that is decided stays as it is, and one that is being
// decided stays pending, because its money may be on the way.
func (b *Bank) cancel(p *payment, now time.Time) (answer, error) {
	if p.waitsForPayer(now) && p.Behaviour != staysPending {
		if err := b.change(record{At: now, Op: opDeclined, ID: p.ID, Reason: reasonAbandoned}); err != nil {
			return answer{}, err
		}
		b.notifyDecided(p, stateDeclined)
	}
	return answer{http.StatusOK, p.describe(now)}, nil
}

// waitsForPayer says that nothing was decided yet, neither here nor in a place of
// which inquiry does not tell.
func (p *payment) waitsForPayer(now time.Time) bool {
	state, _ := p.status(now)
	return state == statePending && !p.held && p.takenAt.IsZero()
}

// wantsCode says that a code typed now would count.
func (p *payment) wantsCode(now time.Time) bool {
	return p.Method == methodWallet && p.waitsForPayer(now)
}

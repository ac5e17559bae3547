package bank

import (
	"net/http"
	"time"
)

// resend answers POST /v1/payments/{id}/resend: the payer is sent a new code, which is valid
// as long as the first one was. Wrong codes stay counted; otherwise new codes would allow any
// number of guesses.
func (b *Bank) resend(p *payment, now time.Time) (answer, error) {
	if !p.wantsCode(now) {
		return answer{}, refusal{http.StatusConflict, problemAnswer{
			Message: "this payment does not wait for a code", Error: errorNoCodeWanted, ID: p.ID,
		}}
	}
	if err := b.change(record{At: now, Op: opResent, ID: p.ID}); err != nil {
		return answer{}, err
	}
	described := p.describe(now)
	described.Next = b.nextStep(p, now)
	return answer{http.StatusOK, described}, nil
}

// cancel answers POST /v1/payments/{id}/cancel: a payment that still waits for its payer is
// declined. A decided one stays as it is, and one that is being decided stays pending, because
// its money may have been taken.
func (b *Bank) cancel(p *payment, now time.Time) (answer, error) {
	if p.waitsForPayer(now) && p.Behaviour != staysPending {
		if err := b.change(record{At: now, Op: opDeclined, ID: p.ID, Reason: reasonAbandoned}); err != nil {
			return answer{}, err
		}
		b.notifyDecided(p, stateDeclined)
	}
	return answer{http.StatusOK, p.describe(now)}, nil
}

// waitsForPayer reports whether the payment is not decided, also not in a way that an inquiry
// does not report yet.
func (p *payment) waitsForPayer(now time.Time) bool {
	state, _ := p.status(now)
	return state == statePending && !p.held && p.takenAt.IsZero()
}

// wantsCode reports whether a code that is typed now counts.
func (p *payment) wantsCode(now time.Time) bool {
	return p.Method == methodWallet && p.waitsForPayer(now)
}

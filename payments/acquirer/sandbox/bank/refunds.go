package bank

import (
	"crypto/rand"
	"net/http"
	"time"
)

// refund is money that went back.
type refund struct {
	of        *payment
	amount    int64
	reference string // the bank's own number of the refund
	at        time.Time
}

// left is how much of the money that was taken has not gone back.
func (p *payment) left() int64 {
	if p.takenAt.IsZero() {
		return 0
	}
	return p.Amount - p.refunded
}

// refund answers POST /v1/payments/{id}/refunds: money of a paid payment goes back, in whole or in
// part. The numbers that answer late, or never, do so after the books have changed.
func (b *Bank) refund(r *http.Request) (answer, error) {
	var req refundRequest
	if err := read(r, &req); err != nil {
		return answer{}, err
	}
	if req.Amount < 1 {
		return answer{}, refuse(http.StatusBadRequest, "the field amount is not positive")
	}
	how := ordinary
	result, err := b.onPayment(r, func(p *payment, now time.Time) (answer, error) {
		how = p.Behaviour
		return b.giveBack(p, req.Amount, now)
	})
	if err != nil {
		return answer{}, err
	}
	// b.mu is not held any more: other requests do not wait for a slow one.
	if how == refundsAndHangs || how == refundsSlowly && !b.pause(r, b.config.AnswerAfter) {
		return answer{}, b.holdRequest(r)
	}
	return result, nil
}

// giveBack changes the books by a refund, or refuses it. b.mu is held.
func (b *Bank) giveBack(p *payment, amount int64, now time.Time) (answer, error) {
	state, _ := p.status(now)
	switch {
	case state != statePaid:
		return answer{}, refusal{http.StatusConflict, problemAnswer{
			Message: "this payment is not paid", Error: errorNotPaid, ID: p.ID,
		}}
	case p.Behaviour == refusesRefunds:
		return answer{}, refusal{http.StatusUnprocessableEntity, problemAnswer{
			Message: "the wallet takes nothing back", Error: errorRefundRefused, ID: p.ID,
		}}
	case amount > p.left():
		return answer{}, refusal{http.StatusUnprocessableEntity, problemAnswer{
			Message: "that is more than is left of what was taken", Error: errorRefundRefused, ID: p.ID,
		}}
	}
	rec := record{At: now, Op: opRefunded, ID: p.ID, Amount: amount, Reference: "SR" + rand.Text()[:14]}
	if err := b.change(rec); err != nil {
		return answer{}, err
	}
	return answer{http.StatusCreated, refundAnswer{
		ID: p.ID, Reference: rec.Reference, Amount: amount, Currency: p.Currency,
	}}, nil
}

// listRefunds answers GET /control/refunds, in the order in which money went back.
func (b *Bank) listRefunds(*http.Request) (answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	entries := []refundEntry{}
	for _, back := range b.books.refunds {
		entries = append(entries, refundEntry{
			Intent: back.of.Intent, Payment: back.of.ID, Reference: back.reference,
			Amount: back.amount, Currency: back.of.Currency, RefundedAt: back.at.UTC(),
		})
	}
	return answer{http.StatusOK, entries}, nil
}

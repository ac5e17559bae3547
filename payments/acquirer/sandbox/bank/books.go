package bank

import (
	"fmt"
	"time"

	"daftar/domain"
)

// Words for the state of a payment, in answers and notifications.
const (
	statePending  = "pending"
	statePaid     = "paid"
	stateDeclined = "declined"
)

// Words for why no money was taken.
const (
	reasonDeclined     = "declined"
	reasonFunds        = "insufficient_funds"
	reasonCodeLocked   = "code_locked"
	reasonCodeExpired  = "code_expired"
	reasonAbandoned    = "abandoned"
	reasonExpired      = "expired"
	reasonTimedOut     = "timed_out"
	reasonPhoneRefused = "phone_refused"
	reasonAmount       = "amount_refused"
)

const (
	methodWallet = "wallet"
	methodCard   = "card"
)

// payment is one entry of the books.
type payment struct {
	opening
	openedAt   time.Time
	codeAt     time.Time // when the last code was sent
	wrongCodes int
	held       bool      // 111111 was typed, and control has to decide
	takenAt    time.Time // zero: no money was taken
	shownAt    time.Time // from then on an inquiry reports it paid
	refunded   int64     // in minor units
	declined   string    // why, or empty
}

// opening is the request that opened a payment, with its phone number masked.
type opening struct {
	openRequest
	Behaviour behaviour `json:"behaviour"`
	Reference string    `json:"reference"` // the bank's own number of the payment
}

func (p *payment) money() domain.Money {
	return domain.Money{Minor: p.Amount, Currency: domain.Currency(p.Currency)}
}

// status returns the state and, where declined, the reason, as an inquiry reports them. It
// differs from the books in one case: money taken by a payment that hangs is reported late.
func (p *payment) status(now time.Time) (state, reason string) {
	switch {
	case !p.takenAt.IsZero() && now.Before(p.shownAt):
		return statePending, ""
	case !p.takenAt.IsZero():
		return statePaid, ""
	case p.declined != "":
		return stateDeclined, p.declined
	case p.Behaviour == staysPending:
		return statePending, ""
	case p.ExpiresIn > 0 && !now.Before(p.openedAt.Add(time.Duration(p.ExpiresIn)*time.Millisecond)):
		return stateDeclined, reasonExpired
	case p.Method == methodWallet && !now.Before(p.codeAt.Add(codeLife)):
		return stateDeclined, reasonCodeExpired
	case p.Method == methodCard && !now.Before(p.openedAt.Add(pageLife)):
		return stateDeclined, reasonAbandoned
	}
	return statePending, ""
}

// record is one change of the books, as the journal keeps it.
type record struct {
	At      time.Time `json:"at"`
	Op      string    `json:"op"`
	ID      string    `json:"id"`
	Opening *opening  `json:"opening,omitempty"`
	ShownAt time.Time `json:"shown_at,omitzero"`
	Reason  string    `json:"reason,omitempty"`
	// Amount and Reference are those of a refund.
	Amount    int64  `json:"amount,omitzero"`
	Reference string `json:"reference,omitempty"`
}

// Stored names of the changes.
const (
	opOpened    = "opened"
	opWrongCode = "wrong_code"
	opHeld      = "held"
	opResent    = "code_resent"
	opPaid      = "paid"
	opDeclined  = "declined"
	opRefunded  = "refunded"
)

// books has all payments. It changes only through apply, so that a replayed journal gives the
// same books.
type books struct {
	payments map[string]*payment
	opened   []*payment // in the order of opening
	taken    []*payment // in the order of taking
	refunds  []refund   // in the order in which money went back
}

// check returns an error where a record contradicts the books.
func (b *books) check(rec record) error {
	p, known := b.payments[rec.ID]
	switch rec.Op {
	case opOpened:
		if known || rec.Opening == nil {
			return fmt.Errorf("payment %s cannot be opened", rec.ID)
		}
	case opWrongCode, opHeld, opResent, opPaid, opDeclined:
		if !known {
			return fmt.Errorf("payment %s is unknown", rec.ID)
		}
		if !p.takenAt.IsZero() {
			return fmt.Errorf("payment %s is paid", rec.ID)
		}
	case opRefunded:
		if !known || rec.Amount < 1 || rec.Amount > p.left() {
			return fmt.Errorf("payment %s has no %d to give back", rec.ID, rec.Amount)
		}
	default:
		return fmt.Errorf("unknown change %q", rec.Op)
	}
	return nil
}

// apply changes the books by a record that passed check.
func (b *books) apply(rec record) {
	p := b.payments[rec.ID]
	switch rec.Op {
	case opOpened:
		p = &payment{opening: *rec.Opening, openedAt: rec.At, codeAt: rec.At}
		p.ID = rec.ID // journals of older versions have it in the record only
		b.payments[rec.ID] = p
		b.opened = append(b.opened, p)
	case opWrongCode:
		p.wrongCodes++
		if p.wrongCodes >= wrongCodesMax {
			p.declined = reasonCodeLocked
		}
	case opHeld:
		p.held = true
	case opResent:
		p.codeAt = rec.At
	case opPaid:
		p.takenAt, p.shownAt = rec.At, rec.ShownAt
		b.taken = append(b.taken, p)
	case opDeclined:
		p.declined = rec.Reason
	case opRefunded:
		p.refunded += rec.Amount
		b.refunds = append(b.refunds, refund{p, rec.Amount, rec.Reference, rec.At})
	}
}

// replay applies a record from the journal.
func (b *books) replay(rec record) error {
	if err := b.check(rec); err != nil {
		return err
	}
	b.apply(rec)
	return nil
}

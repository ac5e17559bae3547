package domain

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Decide returns the events that a command causes in a state, or the Refusal
// that turns it down. No events and no error means that the state is already as
// requested: the command was delivered twice.
//
// It reads nothing but its arguments and changes none of them, so a replay
// decides the same way. Times are kept to the microsecond, which is what the
// ledger stores.
func Decide(i Intent, c Command, now time.Time) ([]Event, error) {
	now = now.UTC().Truncate(time.Microsecond)
	if last := i.lastEventAt(); now.Before(last) {
		// The clocks of servers differ a little, but times in a history never go back.
		now = last
	}
	if c, ok := c.(Create); ok {
		return decideCreate(i, c, now)
	}
	if !i.Exists() {
		return nil, RefusedUnknownIntent
	}
	switch c := c.(type) {
	case Create:
		// Decided above: it is the one command for a blank intent.
	case StartAttempt:
		return decideStartAttempt(i, c, now)
	case FailAttempt:
		return decideFailAttempt(i, c, now)
	case RecordPayment:
		return decideRecordPayment(i, c, now)
	case RecordRefund:
		return decideRecordRefund(i, c, now)
	case RecordRefundFailure:
		return decideRefundFailure(i, c, now)
	case Expire:
		return decideExpire(i, c, now)
	}
	panic("domain: Decide of a command outside the sealed set")
}

func decideCreate(i Intent, c Create, now time.Time) ([]Event, error) {
	if i.Exists() {
		return nil, RefusedExists
	}
	if !wellFormed(c) {
		return nil, RefusedMalformed
	}
	expires := now.Add(DefaultExpiry)
	if c.ExpiresAt != nil {
		expires = c.ExpiresAt.UTC().Truncate(time.Microsecond)
		if ahead := expires.Sub(now); ahead <= MinExpiry || ahead >= MaxExpiry {
			return nil, RefusedWindow
		}
	}
	return []Event{Created{At: now, Terms: c.Terms, CheckoutToken: c.CheckoutToken, ExpiresAt: expires}}, nil
}

// wellFormed checks the limits for every caller, whether it has checked the fields or
// not. The API says which field is wrong; here it is enough that the command is refused.
func wellFormed(c Create) bool {
	return c.Amount.Currency == LYD &&
		c.Amount.Minor >= MinAmount && c.Amount.Minor <= MaxAmount &&
		c.MerchantReference != "" && within(string(c.MerchantReference), MaxMerchantReference) &&
		HasVisible(c.Description) && within(c.Description, MaxDescription) &&
		(c.CustomerID == nil || within(*c.CustomerID, MaxCustomerExternalID)) &&
		(c.ReturnURL == nil || within(*c.ReturnURL, MaxReturnURL)) &&
		c.Metadata.withinLimits() &&
		c.Reference != "" && c.CheckoutToken != ""
}

// HasVisible reports whether a text has a visible character: not only spaces, controls, marks
// without a letter, and characters that Unicode defines as invisible.
func HasVisible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		const brailleBlank = '\u2800'
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) &&
			!unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r != brailleBlank
	})
}

// within counts code points: these are the specification's "characters".
func within(s string, limit int) bool { return utf8.RuneCountInString(s) <= limit }

func decideStartAttempt(i Intent, c StartAttempt, now time.Time) ([]Event, error) {
	switch i.Status {
	case StatusProcessing:
		return nil, RefusedAttemptOpen
	case StatusSucceeded:
		return nil, RefusedPaid
	case StatusCanceled:
		return nil, RefusedExpired
	case StatusRequiresPaymentMethod:
		if i.Overdue(now) {
			return nil, RefusedExpired
		}
		if _, seen := i.Attempt(c.Attempt); seen {
			return nil, RefusedAttemptReused
		}
		if now.Before(i.NextAttemptAt()) {
			return nil, RefusedTooManyAttempts
		}
		return []Event{AttemptStarted{
			At: now, Attempt: c.Attempt, Acquirer: c.Acquirer, Method: c.Method, Payer: c.Payer,
		}}, nil
	}
	panic("domain: attempt on an intent with status " + string(i.Status))
}

func decideFailAttempt(i Intent, c FailAttempt, now time.Time) ([]Event, error) {
	attempt, known := i.Attempt(c.Attempt)
	if !known {
		return nil, RefusedUnknownAttempt
	}
	switch attempt.State {
	case AttemptStateFailed:
		return nil, nil
	case AttemptStatePaid:
		return nil, RefusedAttemptPaid
	case AttemptStateOpen:
		// An earlier attempt can pay the intent while this one is open. The end of
		// this one then changes nothing, and a final state gets no more events.
		if i.Status == StatusSucceeded {
			return nil, nil
		}
		events := []Event{AttemptFailed{At: now, Attempt: c.Attempt, Reason: c.Reason}}
		if !now.Before(i.ExpiresAt) {
			events = append(events, Expired{At: now})
		}
		return events, nil
	}
	panic("domain: failure of an attempt in state " + string(attempt.State))
}

func decideRecordPayment(i Intent, c RecordPayment, now time.Time) ([]Event, error) {
	attempt, known := i.Attempt(c.Attempt)
	switch {
	case !known:
		return nil, RefusedUnknownAttempt
	case c.Amount != i.Amount:
		return nil, RefusedMismatch
	case attempt.State == AttemptStatePaid:
		return nil, nil
	}
	late := LateSucceeded{At: now, Attempt: c.Attempt, Amount: c.Amount, ProviderReference: c.ProviderReference}
	switch i.Status {
	case StatusProcessing:
		if c.AfterExpiry && attempt.State == AttemptStateOpen && !now.Before(i.ExpiresAt) {
			return []Event{
				AttemptFailed{At: now, Attempt: c.Attempt, Reason: ReasonExpired},
				Expired{At: now},
				late,
			}, nil
		}
		return []Event{Succeeded(late)}, nil
	case StatusRequiresPaymentMethod:
		// Since the expiry every reader was shown a canceled intent, so it is
		// canceled, and the payment is late.
		if i.Overdue(now) {
			return []Event{Expired{At: now}, late}, nil
		}
		return []Event{Succeeded(late)}, nil
	case StatusCanceled:
		return []Event{late}, nil
	case StatusSucceeded:
		return []Event{DuplicatePayment(late)}, nil
	}
	panic("domain: payment of an intent with status " + string(i.Status))
}

func decideRecordRefund(i Intent, c RecordRefund, now time.Time) ([]Event, error) {
	if err := checkRefund(i, c.Attempt, c.Amount); err != nil {
		return nil, err
	}
	for _, r := range i.Refunds {
		switch {
		case r.ID == c.Refund:
			return nil, nil
		case r.Attempt == c.Attempt && r.ProviderReference == c.ProviderReference &&
			c.ProviderReference != "":
			return nil, RefusedRefundKnown
		}
	}
	if c.Amount.Minor > i.Refundable(c.Attempt).Minor {
		return nil, RefusedRefundTooLarge
	}
	return []Event{RefundRecorded{
		At: now, Refund: c.Refund, Attempt: c.Attempt, Amount: c.Amount,
		ProviderReference: c.ProviderReference, Evidence: c.Evidence,
	}}, nil
}

// decideRefundFailure refuses what the money contradicts. The contrary is not refused: a person may
// have been wrong who said that nothing went back.
func decideRefundFailure(i Intent, c RecordRefundFailure, now time.Time) ([]Event, error) {
	if err := checkRefund(i, c.Attempt, c.Amount); err != nil {
		return nil, err
	}
	for _, r := range i.Refunds {
		if r.ID == c.Refund {
			return nil, RefusedRefundKnown
		}
	}
	for _, r := range i.FailedRefunds {
		if r.ID == c.Refund {
			return nil, nil
		}
	}
	return []Event{RefundFailed{
		At: now, Refund: c.Refund, Attempt: c.Attempt, Amount: c.Amount, Reason: c.Reason,
	}}, nil
}

// checkRefund refuses a refund that cannot be one of the attempt.
func checkRefund(i Intent, of AttemptID, amount Money) error {
	attempt, known := i.Attempt(of)
	switch {
	case !known:
		return RefusedUnknownAttempt
	case amount.Currency != i.Amount.Currency || amount.Minor <= 0:
		return RefusedMalformed
	case attempt.State != AttemptStatePaid:
		return RefusedNotPaid
	}
	return nil
}

func decideExpire(i Intent, c Expire, now time.Time) ([]Event, error) {
	switch i.Status {
	case StatusCanceled, StatusSucceeded:
		return nil, nil
	case StatusProcessing:
		// The open attempt must end first: it may have taken the money.
		return nil, RefusedAttemptOpen
	case StatusRequiresPaymentMethod:
		early := !i.Overdue(now)
		if early && !c.Stopped {
			return nil, RefusedNotDue
		}
		return []Event{Expired{At: now, Stopped: early}}, nil
	}
	panic("domain: expiry of an intent with status " + string(i.Status))
}

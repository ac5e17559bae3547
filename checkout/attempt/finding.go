package attempt

import (
	"fmt"
	"time"

	"daftar/checkout/acquirer"
	"daftar/domain"
)

// unseenFor is how old an attempt must be before an acquirer that does not know
// it is believed: no request of ours can be on its way any more.
const unseenFor = time.Minute

// Finding is what follows from an acquirer's word on the money.
type Finding struct {
	// Tell is for the ledger, before Then; nil: nothing. Where the ledger refuses it,
	// Refused follows instead of Then.
	Tell    domain.Command
	Then    Report
	Refused string // the beginning of a Disputed's trouble
	// Begin says that the payment is open although the answer to its beginning was
	// lost: the payer is led on, and Then is for where that fails.
	Begin bool
	// Err says that the acquirer's word makes no sense; nil: it does.
	Err error
}

// Find says what follows from a report on an attempt of the intent.
func Find(a Attempt, i domain.Intent, r acquirer.Report, now time.Time) Finding {
	c := a.Claim(i.ExpiresAt)
	if r.State != acquirer.StateNotFound && (r.Attempt != a.ID || r.Money != i.Amount) {
		return Finding{Then: Disputed{c, fmt.Sprintf("the acquirer reports %s for %d %s under %q; the attempt is for %d %s",
			r.State, r.Money.Minor, r.Money.Currency, r.Attempt, i.Amount.Minor, i.Amount.Currency)}}
	}
	switch r.State {
	case acquirer.StatePaid:
		return Finding{
			Tell: domain.RecordPayment{Attempt: a.ID, Amount: r.Money, ProviderReference: r.ProviderReference, AfterExpiry: a.Stage == Ending},
			Then: Paid(c), Refused: "the acquirer reports paid; the ledger says ",
		}
	case acquirer.StateDeclined:
		return Decline(a, i, r.Reason)
	case acquirer.StatePending, acquirer.StateNotFound:
		known, _ := i.Attempt(a.ID)
		open := known.State == domain.AttemptStateOpen
		switch {
		case open && now.Sub(i.ExpiresAt) >= LapsesAfter && a.Stage != Quarantined:
			f := Decline(a, i, acquirer.Expired)
			f.Then, f.Refused = Lapsed{c}, "the time is over; the ledger says "
			return f
		case r.State == acquirer.StateNotFound:
			return notFound(a, i, now)
		}
		return pending(a, open && !now.Before(i.ExpiresAt), c)
	}
	return Finding{Then: Undecided{c}, Err: fmt.Errorf("the acquirer reports the unknown state %q", r.State)}
}

// Decline is what follows when it is certain that no money was taken.
func Decline(a Attempt, i domain.Intent, reason acquirer.Reason) Finding {
	return Finding{
		Tell: domain.FailAttempt{Attempt: a.ID, Reason: string(reason)},
		Then: Settled{Claim: a.Claim(i.ExpiresAt)}, Refused: "the acquirer reports declined; the ledger says ",
	}
}

// NotBegun is what follows when the acquirer has certainly not seen the request that
// CallBegin was for: no message was sent.
func NotBegun(a Attempt, i domain.Intent) Finding {
	f := Decline(a, i, acquirer.Unreachable)
	f.Then = Settled{Claim: a.Claim(i.ExpiresAt), Usage: Usage{Messages: -1}}
	return f
}

// NeverCalled is what follows when CallBegin was refused: no request was made.
func NeverCalled(a Attempt, i domain.Intent, now time.Time) Finding {
	if now.Before(i.ExpiresAt) {
		return Decline(a, i, acquirer.Unreachable)
	}
	return Decline(a, i, acquirer.Expired)
}

// pending lets the payer go on where that is not known yet, and waits: while there is
// time, and for minutes after that.
func pending(a Attempt, overdue bool, c Claim) Finding {
	switch {
	case a.Stage == Quarantined:
		return Finding{Then: Resumed{c}}
	case overdue && a.Stage != Ending:
		return Finding{Then: NotTaken{c}}
	}
	return Finding{Begin: a.Stage == Beginning, Then: Undecided{c}}
}

// notFound ends an attempt that the acquirer has certainly not seen. That is safe
// only in the first stage: no code was typed and no bank page was shown, so even a
// request that comes to light later takes no money.
func notFound(a Attempt, i domain.Intent, now time.Time) Finding {
	if known, _ := i.Attempt(a.ID); known.State != domain.AttemptStateOpen {
		return Finding{Then: Settled{Claim: a.Claim(i.ExpiresAt)}}
	}
	if a.Stage == Beginning && now.Sub(a.CreatedAt) >= unseenFor {
		return Decline(a, i, acquirer.Unreachable)
	}
	return Finding{Then: Undecided{a.Claim(i.ExpiresAt)}}
}

// Paid settles an attempt that has paid. The message and the code that it took are
// given back: who pays holds the telephone.
func Paid(c Claim) Settled { return Settled{Claim: c, Usage: Usage{Messages: -1, Codes: -1}} }

// NeverBegun is what follows for an attempt that is not in the ledger: another
// request was first, or the server died between the two writes.
func NeverBegun(a Attempt, expiresAt, now time.Time) Report {
	if now.Sub(a.CreatedAt) >= unseenFor {
		return Settled{Claim: a.Claim(expiresAt)}
	}
	return Undecided{a.Claim(expiresAt)}
}

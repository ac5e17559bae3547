package attempt

import (
	"fmt"
	"time"

	"daftar/domain"
	"daftar/payments/acquirer"
)

// trustNotFoundAfter is the age from which an acquirer's "not found" is trusted: no request
// of ours can be on its way any more.
const trustNotFoundAfter = time.Minute

// Finding is what follows from an acquirer's report on the money.
type Finding struct {
	// Command goes to the ledger, before Next; nil: none. Where the ledger refuses it,
	// Refuse replaces Next.
	Command domain.Command
	Next    Report
	Refused string // names the refused command in the trouble of Refuse
	// Begin says that the payment is open although the answer to Begin was lost: the
	// payer is redirected, and Next is used where that fails.
	Begin bool
	// Err says that the acquirer's report makes no sense; nil: it does.
	Err error
}

// Find returns what follows from a report on an attempt of the intent.
func Find(a Attempt, i domain.Intent, r acquirer.Report, now time.Time) Finding {
	c := a.Claim(i.ExpiresAt)
	if r.State != acquirer.StateNotFound && (!a.hasReference(r.Reference) || r.Money != i.Amount) {
		asked := sumOf(i.Amount, "")
		trouble := Trouble{
			Kind: TroubleMismatch, State: r.State, Sums: []Sum{sumOf(r.Money, r.Reference)}, Asked: &asked,
		}
		return Finding{Next: Disputed{c, trouble.Stored()}}
	}
	switch r.State {
	case acquirer.StatePaid:
		return paid(a, r, c)
	case acquirer.StateDeclined:
		return Decline(a, i, r.Reason)
	case acquirer.StatePending, acquirer.StateNotFound:
		known, _ := i.Attempt(a.ID)
		open := known.State == domain.AttemptStateOpen
		switch {
		case open && now.Sub(i.ExpiresAt) >= LapsesAfter && a.Stage != Quarantined:
			f := Decline(a, i, acquirer.Expired)
			f.Next, f.Refused = Lapsed{c}, RefusedTimeOver
			return f
		case r.State == acquirer.StateNotFound:
			return notFound(a, i, now)
		}
		return pending(a, open && !now.Before(i.ExpiresAt), c)
	}
	return Finding{Next: Undecided{c}, Err: fmt.Errorf("the acquirer reports the unknown state %q", r.State)}
}

// paid records the payment. Further payments under the reference must be given back by a person.
func paid(a Attempt, r acquirer.Report, c Claim) Finding {
	settled := Paid(c)
	settled.Memo = r.Memo
	f := Finding{
		Command: domain.RecordPayment{
			Attempt: a.ID, Amount: r.Money, ProviderReference: r.ProviderReference, AfterExpiry: a.Stage == Ending,
		},
		Next:    settled,
		Refused: RefusedPaid,
	}
	if len(r.More) > 0 {
		again := Trouble{Kind: TroublePaidAgain}
		for _, p := range r.More {
			again.Sums = append(again.Sums, sumOf(p.Money, p.ProviderReference))
		}
		f.Next = Disputed{c, again.Stored()}
	}
	return f
}

// recheckAfter is when the acquirer is asked again about a payment that can be made twice,
// counted from the payment.
var recheckAfter = []time.Duration{10 * time.Minute, time.Hour, day}

// WithRechecks plans further inquiries about an attempt that has paid, for an acquirer where the
// same request can be paid once more: the acquirer may not notify of that.
func (f Finding) WithRechecks(a Attempt, i domain.Intent, now time.Time) Finding {
	settled, ends := f.Next.(Settled)
	_, pays := f.Command.(domain.RecordPayment)
	if !ends || !pays {
		return f
	}
	paidAt := now
	if known, _ := i.Attempt(a.ID); known.State == domain.AttemptStatePaid {
		paidAt = known.EndedAt
	}
	for _, after := range recheckAfter {
		if at := paidAt.Add(after); at.After(now) {
			settled.Again = &at
			break
		}
	}
	f.Next = settled
	return f
}

// NoInquiry returns what follows for an attempt that is due, of an acquirer without inquiries.
func NoInquiry(a Attempt, i domain.Intent, can acquirer.Capability, now time.Time) Finding {
	c, expired := a.Claim(i.ExpiresAt), !now.Before(i.ExpiresAt)
	if known, _ := i.Attempt(a.ID); known.State != domain.AttemptStateOpen {
		return Finding{Next: Settled{Claim: c}}
	}
	switch {
	case a.Stage == Beginning:
		// The answer was lost, and with it what the payer needs to pay: a number of the
		// payment or the address of a page.
		return Decline(a, i, acquirer.Unreachable)
	case a.Stage == Code && !expired:
		return Finding{Next: Waiting{c, i.ExpiresAt}}
	case a.Stage == Code && can.OnlyConfirmPays:
		return Decline(a, i, acquirer.Expired)
	case a.Stage == Bank && now.Sub(i.ExpiresAt) < LapsesAfter:
		return Finding{Next: Waiting{c, i.ExpiresAt.Add(LapsesAfter)}}
	}
	return Finding{Next: Disputed{c, Trouble{Kind: TroubleNoInquiry}.Stored()}}
}

// Proof returns what follows from a signed message. It needs no claim. Only a message that money
// was taken, or was not, is a proof; any other is a hint.
func Proof(a Attempt, i domain.Intent, r acquirer.Report, now time.Time) Finding {
	f := Find(a, i, r, now)
	switch then := f.Next.(type) {
	case Disputed:
		return f
	case Settled:
		if r.State == acquirer.StatePaid || r.State == acquirer.StateDeclined {
			f.Next = Proven{then.Memo}
			return f
		}
	}
	return Finding{Next: Hint{}, Err: f.Err}
}

// Decline returns what follows when it is certain that no money was taken.
func Decline(a Attempt, i domain.Intent, reason acquirer.Reason) Finding {
	return Finding{
		Command: domain.FailAttempt{Attempt: a.ID, Reason: string(reason)},
		Next:    Settled{Claim: a.Claim(i.ExpiresAt)},
		Refused: RefusedDeclined,
	}
}

// Abandon returns what follows when the payer gave up a payment that only they can still make:
// the attempt ends, and inquiries continue.
func Abandon(a Attempt, i domain.Intent) Finding {
	f := Decline(a, i, acquirer.Abandoned)
	f.Next, f.Refused = Lapsed{a.Claim(i.ExpiresAt)}, RefusedAbandoned
	return f
}

// NotBegun returns what follows when the acquirer has certainly not seen the request after
// CallBegin, or refused the merchant: no message was sent.
func NotBegun(a Attempt, i domain.Intent, why acquirer.Reason) Finding {
	f := Decline(a, i, why)
	f.Next = Settled{Claim: a.Claim(i.ExpiresAt), Usage: Usage{Messages: -1}}
	return f
}

// NeverCalled returns what follows when CallBegin was refused: no request was made.
func NeverCalled(a Attempt, i domain.Intent, now time.Time) Finding {
	if now.Before(i.ExpiresAt) {
		return Decline(a, i, acquirer.Unreachable)
	}
	return Decline(a, i, acquirer.Expired)
}

// pending lets the payer continue if the answer to Begin was lost, and otherwise waits: until
// the intent expires, and for minutes after that.
func pending(a Attempt, overdue bool, c Claim) Finding {
	switch {
	case a.Stage == Quarantined:
		return Finding{Next: Resumed{c}}
	case overdue && a.Stage != Ending:
		return Finding{Next: NotTaken{c}}
	}
	return Finding{Begin: a.Stage == Beginning, Next: Undecided{c}}
}

// notFound ends an attempt that the acquirer has certainly not seen. That is safe
// only in the first stage: no code was typed and no bank page was shown, so even a
// request that turns up later takes no money.
func notFound(a Attempt, i domain.Intent, now time.Time) Finding {
	if known, _ := i.Attempt(a.ID); known.State != domain.AttemptStateOpen {
		return Finding{Next: Settled{Claim: a.Claim(i.ExpiresAt)}}
	}
	if a.Stage == Beginning && now.Sub(a.CreatedAt) >= trustNotFoundAfter {
		return Decline(a, i, acquirer.Unreachable)
	}
	return Finding{Next: Undecided{a.Claim(i.ExpiresAt)}}
}

// Paid settles an attempt that has paid. The message and the code that it took are
// given back: a payer who pays owns the telephone.
func Paid(c Claim) Settled { return Settled{Claim: c, Usage: Usage{Messages: -1, Codes: -1}} }

// NeverBegun returns what follows for an attempt that is not in the ledger: another
// request was first, or the server crashed between the two writes.
func NeverBegun(a Attempt, expiresAt, now time.Time) Report {
	if now.Sub(a.CreatedAt) >= trustNotFoundAfter {
		return Settled{Claim: a.Claim(expiresAt)}
	}
	return Undecided{a.Claim(expiresAt)}
}

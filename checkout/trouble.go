package checkout

import "daftar/checkout/attempt"

// Trouble is why an operator must look at an attempt, for those who put it into words.
type Trouble = attempt.Trouble

// Sum is money as an acquirer names it.
type Sum = attempt.Sum

// The kinds of trouble.
const (
	TroubleText      = attempt.TroubleText
	TroubleMismatch  = attempt.TroubleMismatch
	TroublePaidAgain = attempt.TroublePaidAgain
	TroubleRefused   = attempt.TroubleRefused
	TroubleUnaskable = attempt.TroubleUnaskable
	TroubleNoAccount = attempt.TroubleNoAccount
)

// What the ledger does not take.
const (
	RefusedPaid      = attempt.RefusedPaid
	RefusedDeclined  = attempt.RefusedDeclined
	RefusedTimeOver  = attempt.RefusedTimeOver
	RefusedAbandoned = attempt.RefusedAbandoned
)

// Why is why an operator must look.
func (l Listed) Why() Trouble { return attempt.ReadTrouble(l.Trouble) }

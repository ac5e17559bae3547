// Package attempt is the state machine of a payment attempt, beside what the
// ledger says of it: where the payer is, who talks to the acquirer about it, and
// when the acquirer is asked next. It is pure: no context, clock or database.
//
// Next says what an attempt becomes by a Report: a payer's request, an acquirer's
// answer, an operator's order. Find says which command goes to the ledger and what the
// attempt becomes by an acquirer's word on the money. Neither writes; the caller
// writes the result on the condition that the attempt is still at the version that
// was read, and starts again where it is not.
//
// # Stages
//
//	beginning    it is not known yet whether the acquirer has the attempt
//	code         the payer has been sent a code
//	bank         the payer goes on elsewhere: on the acquirer's page, in its form, or in
//	             the app of a bank
//	asking       a code was handed over, or giving up is asked for; the outcome is
//	             unknown
//	ending       the time is over and the acquirer has not taken the money yet; minutes
//	             later the attempt is closed, and what comes then is late
//	closed       nothing is waited for; a hint has it asked about again
//	quarantined  the acquirer's words do not match; an operator must look
//
//	             CodeSent            EnterCode, GiveUp
//	beginning ─────────────▶ code ────────────────────▶ asking
//	    │                      ▲                          │ ▲
//	    │                      └── WrongCode, StillOpen ──┤ │
//	    │          Redirected                             │ │ GiveUp
//	    └──────────────────▶ bank ◀────────── StillOpen ──┘ │
//	                           └────────────────────────────┘
//	any of these, after the intent's expiry ── NotTaken ──▶ ending ── Lapsed ──▶ closed
//	any ── Settled ──▶ closed        any ── Disputed ──▶ quarantined ── Resumed ──▶ asking
//
// # Claims
//
// A caller that talks to the acquirer claims the attempt first: EnterCode, GiveUp,
// CallBegin and Inquire set AskAt to the end of the claim, at which somebody else
// asks if this caller dies. What the caller learns is reported with its Claim. A
// Hint that came in meanwhile has moved AskAt: it stands, and the acquirer is asked
// again, so a hint is never lost. It never moves AskAt back.
//
// # Proof
//
// Most acquirers can be asked: Find believes their answer alone. Where one cannot, its
// answer to a code and a message whose signature covers reference and amount are proofs,
// and NoInquiry says what becomes of an attempt that has neither: it ends where no money
// can have moved, and else waits for a message or for an operator. No second attempt
// begins meanwhile.
package attempt

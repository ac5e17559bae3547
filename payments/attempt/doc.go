// Package attempt is the state machine of a payment attempt. It has what the ledger does
// not record: where the payer is, which caller is talking to the acquirer, and when the
// acquirer is asked next. It is pure: no context, clock or database.
//
// Next returns what an attempt becomes by a Report: a payer's request, an acquirer's
// answer, an operator's order. Find returns which command goes to the ledger, and which
// Report follows, when an acquirer reports on the money. Neither writes; the caller
// writes the result if the attempt still has the version that was read, and starts again
// where it has not.
//
// # Stages
//
//	beginning    it is not known yet whether the acquirer has the attempt
//	code         the payer has been sent a code
//	bank         the payer continues elsewhere: on the acquirer's page, in its form, or in
//	             the app of a bank
//	asking       a code was handed over, or giving up is asked for; the outcome is
//	             unknown
//	ending       the intent has expired and the acquirer has not taken the money yet; minutes
//	             later the attempt is closed, and a payment after that is late
//	closed       no inquiry is planned; after a hint there is one
//	quarantined  the acquirer's report does not match; an operator must look
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
// CallBegin and Inquire set AskAt to the end of the claim, when another server asks
// if this caller crashes. The caller reports the answer with its Claim. A Hint that came
// in meanwhile has moved AskAt: that time stays, and the acquirer is asked again, so a
// hint is never lost. A hint never makes AskAt later.
//
// # Proof
//
// Most acquirers have inquiries: Find uses their answer alone. Where one has none, its
// answer to a code, or a message whose signature covers reference and amount, is the proof.
// NoInquiry decides about an attempt that has neither: it ends where no money can have
// moved, and otherwise waits for a message or for an operator. No second attempt
// begins meanwhile.
package attempt

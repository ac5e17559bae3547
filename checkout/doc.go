// Package checkout is the hosted page on which a customer pays, and the flow of
// a payment attempt behind it.
//
// # What it promises
//
// Money is asked for once at a time. An attempt is recorded in the ledger before
// the acquirer is called, and only the request whose record was accepted calls it;
// of all tabs and clicks, one wins. A code is handed over by the request that
// claimed it. Whatever else arrives is led back to the page, which shows how the
// payment stands.
//
// No outcome is guessed. An attempt fails only when the acquirer says no, or when
// it is certain that the acquirer has never seen it. Every other error leaves the
// attempt open, and Run asks again: after 5 s, 15 s, 60 s, 5 min, 30 min and 2 h,
// then daily, at the intent's expiry, and whenever somebody looks at the page or
// a notification comes in. A payment counts only when an inquiry reports it with
// our amount, currency and attempt. One that differs is set aside for an operator
// (stage quarantined) and changes nothing.
//
// Showing a page appends no event, so link previews and scanners change nothing.
// Every link that leads nowhere gets the same answer, whatever is wrong with it.
//
// # Stages of an attempt
//
// The table checkout_attempts remembers where the payer is:
//
//	beginning    it is not known yet whether the acquirer has the attempt
//	code         the payer has been sent a code
//	bank         the payer is on the acquirer's page
//	asking       a code was handed over and the outcome is unknown
//	closed       nothing is waited for; a notification has it asked again
//	quarantined  the acquirer's words do not match; an operator must look
//
// The row is written before the event, so a crash at any point leaves a row that
// is asked about. It is changed only by whoever still sees the stage and the
// ask_at that it read, so a hint that comes in meanwhile is never lost.
//
// # When it fails
//
// Without the database, pages are answered with 503 and nothing is half done.
// Without an acquirer, attempts wait. Run backs off and goes on by itself.
//
// # Who owns what
//
// Run owns its goroutines and returns after they have ended. Several servers may
// run it on one database; they share the work. The pool, the ledger and the
// acquirers stay the caller's. Phone numbers are masked before they reach an
// event, a row or a log; only the acquirer gets the whole one. Codes are never
// kept. Addresses of pages are secrets and are never logged.
package checkout

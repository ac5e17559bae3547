// Package expiry cancels the intents whose time has run out unpaid.
//
// # What it promises
//
// Group keeps a timer for every intent that is neither paid nor canceled, in
// the transactions in which the feed moves on. A Worker sends Expire to the
// intents whose timers are due, by the ledger's clock, some milliseconds after
// their expires_at. Any number of servers run one: they share the timers through
// row locks and leases.
//
// An intent with an open attempt is left alone: the attempt may have taken the
// money, and it is the checkout's work to settle it, which then cancels the
// intent or does not. Its timer only looks again, ever more rarely.
//
// Nothing depends on this package for the truth. Whoever looks at an overdue
// intent cancels it first; the worker sees to it that the event, and with it the
// webhook, comes also when nobody looks.
//
// # When it fails
//
// A server that dies leaves leases behind; after ten seconds another takes the
// timers up again. An Expire that is sent twice changes nothing the second time.
// While the database is away the worker tries again, at most five seconds apart.
// A timer whose intent cannot be read is logged, put off for five minutes and
// never dropped. The group halts on an event that it does not know.
//
// # Who owns what
//
// The table expiry_timers is this package's alone. The group adds rows and takes
// away those of intents that were settled; the worker takes away those that it
// has found settled, so that a halted group does not keep it busy. Neither can
// take away a timer that is still needed: what is settled stays settled. The
// worker's statements pass over locked rows instead of waiting, so they cannot
// come into a deadlock with the group's.
//
// The pool and the ledger are the caller's; Run owns its goroutines and ends
// them before it returns.
package expiry

// Package expiry cancels intents whose time has run out unpaid.
//
// # What it promises
//
// Group keeps a timer for every intent that is neither paid nor canceled, in the
// transactions in which the feed moves on. A Worker sends Expire to the intents
// whose timers are due, by the ledger's clock, some milliseconds after their
// expires_at. Any number of servers run one: they share the timers through row
// locks and leases.
//
// Where a merchant has stopped the checkouts of an application, their timers come due
// within two seconds, and their intents are canceled before expires_at.
//
// An intent with an open attempt is left alone: the attempt may have taken the
// money. The checkout finds out, and then the intent is paid or canceled. Until
// then its timer is put off, by ever longer pauses.
//
// The truth does not depend on this package: the first reader of an overdue intent
// cancels it. The worker makes sure that the event, and with it the webhook, also
// comes without a reader.
//
// # When it fails
//
// A server that dies leaves leases behind; after ten seconds another takes the
// timers up. An Expire that is sent twice changes nothing the second time. While
// the database is away the worker tries again, at most five seconds apart. A timer
// whose intent cannot be read is logged, put off by ever longer pauses, and never
// dropped. The group halts on an event that it does not know.
//
// # Who owns what
//
// The table expiry_timers belongs to this package. The group inserts timers, and
// deletes those of intents that were closed, which is paid or canceled. The worker
// also deletes those that it finds closed, so that a halted group does not keep it
// busy. A closed intent never opens again, so neither deletes a timer that is
// needed. The worker's statements skip locked rows, so they cannot deadlock with
// the group's.
//
// The pool and the ledger are the caller's. Run owns its goroutines and ends them
// before it returns.
package expiry

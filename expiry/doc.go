// Package expiry cancels unpaid intents whose time has run out.
//
// # What it promises
//
// Group keeps a timer for every intent that is neither paid nor canceled, in the
// transactions in which the feed advances. A Worker sends Expire to the intents
// whose timers are due, by the ledger's clock, some milliseconds after their
// expires_at. Any number of servers run one: they share the timers through row
// locks and leases.
//
// When a merchant stops the checkouts of an application, the timers of its intents become due
// within two seconds, and the intents are canceled before expires_at.
//
// An intent with an open attempt is not canceled: the attempt may have taken the
// money. The checkout finds out, and then the intent is paid or canceled. Until
// then its timer is postponed, by increasing pauses.
//
// Correctness does not depend on this package: the first reader of an overdue intent
// cancels it. The worker writes the event, which causes the webhook, also where there
// is no reader.
//
// # When it fails
//
// The leases of a server that dies lapse after ten seconds; then another server claims the
// timers. An Expire that is sent twice changes nothing the second time. While
// the database is unavailable the worker tries again, at most five seconds apart. A timer
// whose intent cannot be read is logged, postponed by increasing pauses, and never
// dropped. The group halts on an event that it does not know.
//
// # Who owns what
//
// The table expiry_timers belongs to this package. The group inserts timers, and
// deletes those of closed intents, which are paid or canceled. The worker also
// deletes timers whose intents it finds closed, so that a halted group does not keep it
// busy. A closed intent never opens again, so neither deletes a timer that is
// needed. The worker's statements skip locked rows, so they cannot deadlock with
// the group's.
//
// The pool and the ledger are the caller's. Run owns its goroutines and ends them
// before it returns.
package expiry

// Package payments is how money comes in: the life of a payment attempt, from the payer's
// choice of a method to the outcome that the acquirer reports or an operator settles. Package
// attempt decides what an attempt becomes by what happens to it; Engine carries that out. The
// acquirers are below acquirer, and package refunds is how money goes back.
//
// # What it promises
//
// Money is asked for once at a time. An attempt is recorded in the ledger before
// the acquirer is called, and only the request whose record was accepted calls it;
// of all tabs and clicks, one wins. A code is handed over by the request that
// claimed the row, and so is a payer's request to give up: neither happens during the
// other.
//
// No outcome is guessed. An attempt fails only when the acquirer says no, when
// it is certain that the acquirer has never seen it, or when the acquirer has called it
// open ten minutes after the intent's expiry: a payment after that is late. Every other
// error leaves the attempt open, and Run asks again: after 5 s, 15 s, 60 s, 5 min, 30
// min and 2 h, then daily; at the intent's expiry, and every 30 s for the twenty minutes
// after it; and when a payer looks at the page or a notification comes in. What can be
// paid twice is asked about 10 min, an hour and a day after the payment, too. A payment
// counts only when an inquiry reports it with our amount, currency and attempt, or a
// signature proves them. One that differs is set aside for an operator (stage
// quarantined) and changes nothing.
//
// After the intent's expiry no attempt begins, no code is handed over and none is sent.
//
// Where a merchant has stopped the checkouts of an application, no attempt begins; the
// database decides that at the time of the request. An attempt that has begun continues
// to its end.
//
// # Limits
//
// Of one attempt, five codes a minute go to the acquirer and a new code is sent
// every 30 s; both are counted in the row, by the statement that claims, so that
// the limits hold for all servers together. Within any hour at most 6 text messages and 10
// codes go to an acquirer for one telephone number, 12 and 20 for one intent, and 600
// and 1,200 for one network, whatever is given up in between: they are counted by
// the statement that claims, in checkout_usage, and a crash after it leaves them
// counted. Each counts to the end of its minute an hour later, so that the cost of a
// payment does not depend on how many others of its network have not paid.
// What certainly did not reach the acquirer is given back, and so are the
// message and the code of an attempt that has paid. Methods without a code are not
// affected. The domain limits how often an intent's attempts begin
// (domain.Intent.NextAttemptAt), so its history stays short.
//
// A call to an acquirer takes 10 s at most, or what the acquirer's capability says; the
// claims rely on it.
//
// After five faults in a row a server does not call an acquirer for 15 s, shows its
// methods as out of order, or offers them by another acquirer that has them, and then
// tries one call. A call that is refused for that was not sent. Time-outs, broken
// connections and answers that make no sense are faults; an acquirer that has not
// decided yet is not at fault, nor is a call that this server ended. Each acquirer's
// inquiries have their own limit, so one that hangs delays no other. No organization gets
// all of that limit: the one with fewest inquiries under way is next. Inquiries caused by
// messages are up to a second apart for each attempt.
//
// # An attempt's row
//
// The row in checkout_attempts is written before the event, so a
// crash at any point leaves a row that is asked about. It is changed by one
// statement, if it still has the version that was decided on; otherwise attempt.Next
// decides again. A row that was lost is written again from the ledger when a payer looks
// at the page.
//
// # Operators
//
// Operations lists what is not settled and records a person's verdict: through the
// ledger, with a note that stays in the event's metadata. It needs no acquirer.
//
// # When it fails
//
// Without the database nothing begins, and nothing is half done.
// Without an acquirer, attempts wait, and so do those of an acquirer that this
// server was not given. Run backs off and recovers by itself.
//
// # Who owns what
//
// Run owns its goroutines and returns after they have ended. Several servers may
// run it on one database; they share the work. The pool, the ledger and the
// acquirers stay the caller's. Phone numbers are masked before they reach an
// event, a row or a log; only the acquirer gets the whole one. Numbers and networks are
// counted under a keyed hash, which an attempt keeps while it is open. Codes are never
// kept.
package payments

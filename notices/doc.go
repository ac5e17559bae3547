// Package notices tells the members of an organisation by mail what happens to its money: each payment,
// what needs a decision, and a summary of each day, as each member chooses for themselves.
//
// # Promise
//
// What a member chose to be told becomes a notice in the transaction of the group of the log (Group), of
// an endpoint that stops, or of the look for outcomes that are unknown for long. A notice stays until a mail
// that has it was taken by the mail server: one that was refused, or lost, is told again. So nothing is
// lost into silence, and nothing is told twice unless a mail server says that it did not take what it took.
//
// A person gets one mail a minute at most, over all their organisations, and none while one is still on its
// way: what comes in the meantime is counted in the next, by kind and method, with the first of what needs a
// decision and the latest payments by name. So the mails of a day are bounded, whatever happens in it.
//
// Test applications are in no notice and no summary, but for their endpoints. Of a payer a mail has the
// masked number and nothing else. The role of the moment counts: who may not see sums gets none.
//
// Each mail has a link that ends the member's mails about the organisation, without a sign-in and in one
// click (RFC 8058).
//
// # Failure
//
// While the database or the mail server is away, notices wait. After three mails in a row that the mail
// server refused, or did not take within two days while it took others, a member's mails end, with a record
// in the audit trail; their page says so.
//
// A summary waits until the figures of its day are complete. Each day has one, whatever hour is chosen when;
// a day whose summary could not be made for a week is left out.
//
// # Ownership
//
// Run has the caller's goroutine and one for outcomes; several servers may run it on one database. The pool
// and what is in Config stay the caller's.
package notices

// Package notices notifies the members of an organisation by mail: of each payment, of what needs a
// decision, and with a summary of each day, as each member chooses for themselves.
//
// # Promise
//
// What a member chose becomes a notice in the transaction of the group of the log (Group), in that which
// disables an endpoint, or in that which finds outcomes unknown for an hour. A notice stays until the mail
// server has taken a mail with it: after a refusal, or if a mail was lost, it is sent again. So no notice is
// lost, and none is sent twice unless a mail server does not confirm what it took.
//
// A person gets one mail a minute at most, over all their organisations, and none while one is on its way:
// what comes in the meantime is counted in the next, by kind and method, with the oldest decisions and the
// latest payments by name. So the number of mails is bounded.
//
// Payments of test applications are in no notice and no summary; their endpoints are. Of a payer a mail has
// the masked number and nothing else. The member's role is read when a mail is written: without the right to
// see sums there are none in it.
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
// A summary waits until the figures of its day are complete. Each day has one, also if the member changes
// the hour; a day whose summary could not be made for a week is left out.
//
// # Ownership
//
// Run has the caller's goroutine and one for outcomes; several servers may run it on one database. The pool
// and what is in Config stay the caller's.
package notices

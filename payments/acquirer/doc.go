// Package acquirer is the port through which the checkout takes money: what an
// acquirer can do, what it is asked and what it may answer, and how it describes itself to
// the rest of the program. Adapters are in folders below and do not depend on each other, on the
// checkout or on the database; package registry lists them.
//
// # Promise
//
// The answers are closed sets. A switch over Begun, Confirmed or State has no
// default case: an answer that the checkout does not know cannot be mistaken
// for another. Every method of every adapter passes one table of behaviours
// against its fake (package conformance), except those that its capability
// rules out.
//
// # Failure
//
// An error is never a refusal, except ErrRefused of Refund, by which the acquirer itself
// says that no money went back. Every error of Begin, Confirm, Cancel and Inquire
// means that the outcome is unknown: money may have moved, the attempt stays open
// and Inquire is asked again later. The one exception is ErrNotSent, by which an
// adapter guarantees that the acquirer has not seen the request. To treat a
// time-out as a failed payment invites the payer to pay twice; so does treating a
// payment as given up when its cancellation was only asked for and not reported.
// An error of Resend says nothing about the money.
//
// A notification proves nothing by itself. ParseNotification checks who sent it
// and returns which attempt to ask about; only what Inquire then answers counts.
//
// # Ownership
//
// The checkout owns attempts, their ids and their schedule of inquiries. The
// acquirer owns the money. An adapter holds no state that a restart would lose.
package acquirer

// Package refunds gives money of paid attempts back: by the acquirer's refund call where it
// has one, or as a fact that a person records who saw it in the acquirer's books.
//
// # Promise
//
// Never more goes back than an attempt paid. A refund that has not ended reserves its amount: the row
// of the next one is written under a lock of the intent's refunds, and only for what the others
// leave. What an application requests under a reference is one refund for ever. The ledger records a
// refund as intent.refund_recorded, with who asked for it, the reason, and the evidence, and one by
// the acquirer that failed as intent.refund_failed; the status of the intent stays as it is. Where the
// money was an exception that a person had to decide about, the refund is the decision:
// package projections derives it from the ledger, so it survives the loss of this package's
// rows. Where a person has decided that the money went back in another way, the acquirer is
// not asked for it.
//
// A refund is written to the database before the acquirer is asked, and it is asked once. An
// answer that does not come, or that makes no sense, tells nothing about the money: the refund
// is unknown then, keeps its amount reserved, and waits for people (package outcomes). The same
// holds for one whose server ended while it asked.
//
// # Failure
//
// A refund whose intent this server cannot read, such as one of a later release, waits for its
// next turn, longer each time, and delays no other. Refunds by an acquirer that does not answer delay
// few of others: a server carries out several at a time, and few of one application. A refund that
// the acquirer certainly has not seen, or refused, has failed and may be requested again. An end that
// could not be written to the ledger is written by the next server that looks. A
// refund that the ledger refuses is unknown: the books of the two sides differ, and a person
// has to look.
//
// # Ownership
//
// Operations changes rows on behalf of people and needs no acquirer. Worker.Run owns its goroutine and
// returns within queue.StopsWithin of its context's end; a call that has not returned by then
// is canceled. Several servers may run it on one database. The pool, the ledger and the acquirers
// stay the caller's.
package refunds

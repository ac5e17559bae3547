// Package refunds gives money of paid attempts back: by the acquirer's own call where it
// has one, or as a fact that somebody states who saw it in the acquirer's books.
//
// # Promise
//
// Never more goes back than an attempt paid. One refund of an attempt is under way at a
// time: the row of the next one cannot be written before it is known what the first
// took. What went back is in the ledger, as intent.refund_recorded, with who asked for it,
// why, and how it is known; the status of the intent stays as it is. Where somebody was to
// decide about the money, that it went back is the decision: package projections takes it from
// the ledger, so it is not lost with anything that is written here. Where a person has decided that
// the money went back in another way, the acquirer is not asked for it.
//
// A refund is written down before the acquirer is asked, and it is asked once. An answer
// that does not come, or that makes no sense, says nothing about the money: the refund is
// unknown then, blocks the next one, and waits for a person (Desk.Settle). So does one
// whose server ended while it asked.
//
// # Failure
//
// A refund whose intent this server cannot read, such as one of a later release, waits for its next
// turn, longer each time, and keeps no other waiting. What the acquirer certainly has not seen, or
// refused because of the account, has failed and may be asked for again. What went back and could
// not be written to the ledger is written by the next server that looks. A refund that the ledger
// refuses is unknown: the books of the two sides differ, and a person has to look.
//
// # Ownership
//
// Desk changes rows on behalf of people and needs no acquirer. Worker.Run owns its goroutine and
// returns within queue.StopsWithin of its context's end: an acquirer that has not answered by then is cut
// off. Several servers may run it on one database. The pool, the ledger and the acquirers stay the
// caller's.
package refunds

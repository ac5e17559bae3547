// Package outcomes is how people settle payments and refunds whose outcome nobody can be asked about: the
// acquirer has no inquiries or does not answer, or what it says does not match.
//
// # Promise
//
// A member with the right says what became of one, with evidence: the acquirer's number, a note, the line
// of a statement that a comparison found. Where the rule of the organisation asks for a second person
// (Rule), that is a proposal, and the ledger has it only when another member has confirmed it: nobody
// confirms their own, and a constraint of the table refuses it too. The event has both people, the note and
// the line, and the audit trail has who proposed, confirmed or rejected what. A member who makes the rule
// weaker settles nothing alone until another one has set it.
//
// What became known in another way in the meantime, by the acquirer's word or an operator, is settled by
// that: a proposal about it is refused, and recorded nowhere. Money that the ledger has is never taken
// back by a verdict. All of many is settled in one transaction, or nothing.
//
// A statement's proofs (Keep) belong to the member who compared it: a second person sees what the first
// one's statement showed, and apart from it what their own shows.
//
// The tenants are an argument of everything.
//
// # Failure
//
// A verdict is written to the database with its audit records, and then to the ledger. Where the ledger
// cannot be written, or the server ends in between, the proposal stays Recording, and a server that
// runs (Run) writes it later. Refunds are left to package refunds, in the same transaction.
//
// # Ownership
//
// Run owns its goroutine and returns soon after its context's end; several servers may run it on one
// database. The pool and the ledger stay the caller's.
package outcomes

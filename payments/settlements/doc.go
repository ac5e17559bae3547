// Package settlements is how people keep the books of a provider account: they accept the statement that a
// comparison has read, correct a settlement, and record what the contract has as fees.
//
// # Promise
//
// Lay makes a Draft of a statement: the payments and refunds that its lines agree with, to the dirham, and
// that no settlement covers yet, by the day on which the bank has the money. What is missing, or differs,
// is never in it and stays open. A Draft has a Digest, so that nothing is accepted but what was shown.
//
// Record carries out a member's command, or proposes it where the rule of the organisation asks for a second
// person (outcomes.Rule); Confirm carries out another member's, never one's own, and a constraint of the
// table refuses that too. The event has both people and the note. The audit trail has each step, and each
// refusal.
//
// The tenants are an argument of everything.
//
// # Failure
//
// The decision is written first, with its audit record, and then the event. Where the ledger cannot be
// written, or the server ends in between, the proposal stays "recording", and any member with the right
// completes it by Confirm. Completing it twice changes nothing.
//
// # Ownership
//
// The package owns no goroutine. The pool, the ledger and the accounts stay the caller's.
package settlements

// Package settlements is how people keep the books of a provider account: they accept the statement that a
// comparison has read, correct a settlement, record what the contract has as fees, and close days.
//
// Lay makes a Draft of the payments and refunds that lines agree with, and no settlement covers yet; what is
// missing or differs stays open. Nothing is accepted but the Draft whose Digest was shown. Where the rule of
// the organisation asks for a second person (outcomes.Rule), a command waits until another member confirms
// it. The audit trail has each step, and each refusal. The tenants are an argument of everything.
//
// The decision is written first, with its audit record, and then the event. Where the ledger could not be
// written, the proposal stays "recording", and Confirm completes it; twice changes nothing. The package owns
// no goroutine; the pool, the ledger and the accounts stay the caller's.
package settlements

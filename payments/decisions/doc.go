// Package decisions is what people decide about money that nobody waited for, because
// it came late or twice, and what they write down about a payment.
//
// # What it promises
//
// An exception is such money. Package projections finds them in the log and closes those
// of whose money the ledger has nothing left to give back; what people say about them
// (payment_decisions, payment_notes) is derived from nothing, and no rebuild touches it.
// A decision stays as it was made, one for each exception. Of a decision that the money
// went back and a refund of the same money, the second is refused (Decide, GivenBack).
//
// Every query names the organisation and goes by way of its applications.
//
// # When it fails
//
// Nothing is written where Decide or AddNote returns an error.
//
// # Who owns what
//
// Transactions are the caller's, which also records in them who was allowed to decide.
package decisions

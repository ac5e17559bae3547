// Package decisions keeps what people decide about money that came late or twice, and
// their notes on payments.
//
// # What it promises
//
// An exception is such money. Package projections finds exceptions in the log, and closes
// one when the ledger has nothing of its money left to give back. The tables of this package
// (payment_decisions, payment_notes) are not derived from the log, and no rebuild touches
// them. A decision stays as it was made, one for each exception. Of a decision that the money
// went back and a refund of the same money, the second is refused (Decide, GivenBack).
//
// Every query names the organisation and finds payments through its applications.
//
// # When it fails
//
// Nothing is written where Decide or AddNote returns an error.
//
// # Who owns what
//
// Transactions are the caller's, which also writes to them the audit record of the person
// who decided.
package decisions

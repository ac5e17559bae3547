// Package till checks receipts that customers show at a till.
//
// # What it promises
//
// The answer is what the ledger says of the payment now, never what the receipt shows. It is Good
// only for a live payment of the organisation that came in a short time ago, of which nothing went
// back, and only once: the first check of a receipt is kept (receipt_checks), and later checks are
// told of it. A form that is sent again is the same check. A payment of another organisation is
// answered like one that does not exist.
//
// # When it fails
//
// The errors are those of accounts.Authorize, and the database's. A receipt that is no good is an
// answer.
//
// # Who owns what
//
// Till owns nothing; what it was made of stays the caller's.
package till

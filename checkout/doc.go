// Package checkout is the hosted pages on which a customer pays, and the addresses at
// which acquirers send payers and messages back. What begins, follows and settles a
// payment attempt is package payments.
//
// # What it promises
//
// What a payer's form says is read once, at its handler, into one value; nothing after
// that sees the form. Whatever else arrives is led back to the page, which shows how the
// payment stands.
//
// Showing a page appends no event, so link previews and scanners change nothing.
// Every link that leads nowhere gets the same answer, whatever is wrong with it;
// an address that tries many is slowed down, while links that are right always work.
//
// A page that may change by itself names its version, and the address that tells
// the current one. The version changes when the page would look different to
// somebody who opens it, not with what one payer typed into it.
//
// A payer who is refused for a limit of package payments reads when to come back.
//
// Who has a receipt can have it proved, at an address of its own: by the signed log,
// without a word about the payer. What the log does not prove, the page does not say.
//
// # When it fails
//
// Without the database pages wait for some seconds; then they are answered with 503, and
// nothing is half done.
//
// # Who owns what
//
// It has no goroutines. The engine, the ledger and the pools stay the caller's. Addresses of
// pages are secrets and are never logged.
package checkout

// Package checkout serves the hosted pages on which a customer pays, and the addresses to
// which acquirers send payers and notifications. Package payments does the work of a payment
// attempt, from its beginning to its end.
//
// # What it promises
//
// A handler reads a payer's form once, into one value; nothing after that sees the form.
// Every other request to a form's address is redirected to the page, which shows the state of
// the payment.
//
// Showing a page appends no event, so link previews and scanners change nothing.
// Every invalid link gets the same answer, whatever is wrong with it;
// an address that tries many is rate-limited, while valid links always work.
//
// A page that may change by itself has its version, and the address of the current
// version. The version changes when the page would look different to a payer who opens it,
// not with what one payer typed into it.
//
// A payer who is refused for a limit of package payments sees when to try again.
//
// What a payer typed is kept for the next try by their browser alone, sealed, for an hour and for
// that payment (typed.go). No other browser's page shows it.
//
// Anyone who has a receipt can check it, at a separate address: the signed log proves it, and
// the page has no data of the payer. It shows nothing that the log does not prove.
//
// A shop page creates an intent of what its form says, one for each number of a form and amount. It
// leads to no intent that another form or the merchant's server has created.
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

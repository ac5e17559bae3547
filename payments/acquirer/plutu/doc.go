// Package plutu is the adapter to Plutu, an aggregator of Libyan payment methods. Four of
// its gateways are methods here: Adfali and Sadad, which need a code on our page, and
// local bank cards and T-Lync, which have their own page. The folder fake is a Plutu for
// tests; the two share a documented protocol and no code.
//
// # Promise
//
// A refusal is trusted only if Plutu itself reports it: an error code that the table of
// codes.go knows, or the list of fields with which its framework answers a malformed
// request. Any other answer is an error, and an error means that the outcome is unknown.
// Codes for a call that failed half way on Plutu's side (CONFIRMATION_ERROR, BACKEND_…) are
// errors too, and so is DUPLICATED_INVOICE_NUMBER: the payment of that number may be ours.
//
// A message proves a payment only where its signature covers the reference and the
// amount: that of a card payment, which the payer's browser brings, and that of T-Lync,
// which Plutu posts. Only what the signature covers is read from a message. The query with
// which T-Lync's page sends a payer back has no amount and proves nothing.
//
// Amounts are read and written as text. Plutu takes two decimals; an amount that it states
// with three is read exactly, and compared by the caller. Commas between thousands are read
// where they cannot be decimal points.
//
// # What Plutu cannot do
//
// It has no inquiry, no cancellation and no refund. The answer to Confirm is the only
// proof of a code payment, and the signed message the only one of the others: without it a
// payment waits for a person with Plutu's dashboard. Therefore a Confirm whose outcome
// is unknown must not be made again: its code may have been used up, and the refusal
// would be about the second try only.
//
// A message has no date, so an old one looks like a new one. It stays true: a
// payment that was paid stays paid. One that was canceled can still be paid by a payer
// that goes back to the page, and is then reported paid late.
//
// # Known and assumed
//
// Calls, fields, the rule of the signature and the forms of phone numbers are those of
// Plutu's documentation and its PHP library. The error codes are those of its WooCommerce
// plugin, including misspelt ones; their meaning is derived from their names. Their case
// varies, they also come with HTTP 200, and numbers come as strings and the other way
// round. Not documented: how long a code is valid, how many wrong codes are allowed, limits
// of amounts, whether a message is sent again.
//
// # Failure and ownership
//
// ErrNotSent is returned for a request that never had a connection and for payments that
// Plutu could not take. No error repeats a setting, a header, a body, a code or a phone
// number. The Provider owns its connections, which Close ends. An account remembers
// nothing: the caller keeps process ids as Memo.
package plutu

// Package moamalat is the adapter to Moamalat's national payment gateway, which takes
// Libyan bank cards of the Numo network in its own form, the lightbox.
//
// # Promise
//
// Begin makes no call: it signs what the gateway's script needs to show the form on our page.
// What the form says in the payer's browser is never trusted, and neither is a notification:
// its hash covers the amount and the date, but not the reference, so that it can be changed
// to name another payment. Only the gateway's list of transactions (FilterTransactions) proves
// a payment.
//
// A payment is paid by the earliest approved sale under its reference. Further approved
// sales that were not given back are reported as Report.More. Refunds and voids are not
// payments, and a sale that was refunded later is still paid: the ledger counts the money
// that was taken. Declined cards leave the form open, and another card may be tried: a payment
// that has only those is pending, never declined. One without transactions is not found,
// although a form that is still open may be paid later.
//
// The gateway serves its script on another port than its API (6006), which is why Config has
// two addresses. A page that shows the form has to allow the script's origin.
//
// Amounts go out as integers in dirham. In the list an amount of digits alone is dirham;
// one with a decimal point is read as dinars, because the gateway writes dinars this way in
// the errors of its form. It has not been seen to do so in the list. If that reading is wrong,
// the amount differs from the payment's, and the payment is not settled without a person.
//
// # Failure
//
// No answer of the gateway closes a payment: an error is always an unknown outcome, except
// acquirer.ErrNotSent and acquirer.ErrAccount. ErrAccount is returned where the gateway
// itself says "Authentication failed"; the 401 of anything before it is an error like any
// other. "Not found" is trusted only as the gateway's own message with a count of 0. A list
// that has more transactions than could be read, and one with unknown words, are errors: the
// transaction that counts may be the one that was not understood.
//
// A refund that the gateway refuses is an unknown outcome too. "Already refunded" says that
// money went back, and not whether it was by this request. The hash of a refund does not
// cover its amount; TLS protects it.
//
// # Dates
//
// The gateway uses Tripoli's time, which is UTC+2 without summer time. The date of a
// request has twelve digits, down to the second, and "should be unique per terminal". One
// Provider repeats none in ten minutes, and takes a random second of the last minute, so that
// servers that ask at the same moment rarely use the same one. It cannot ask more than once a
// second in the long run: beyond that it repeats a date, and how the gateway treats that is
// not known. A refusal is an error, and the next inquiry has another date.
//
// # Ownership
//
// The Provider owns its connections, which Close ends, and remembers the dates that it used.
// Accounts belong to it and hold keys only.
package moamalat

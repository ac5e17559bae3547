// Package fake is LYPay for tests and for merchants' developers: a bank's endpoint to the
// instant payment system, the webhooks, and an app in which a payer pays a NUMO QR code. It
// shares only the format of the codes with the adapter. No real money is involved.
//
// # Paying by hand
//
// /app is the payer's bank app: paste the text of a code, type 111111 and pay. Any other code
// is wrong, and nothing happens. The amount can be changed, as apps allow. The payer's number
// decides what happens; any other number pays:
//
//	0920000001  the transfer is recorded (acknowledged) and never moves
//	0920000002  processing until control changes it
//	0920000003  processing for 6 s, then completed
//	0920000004  declined: over the daily limit; the code can be paid again
//	0920000005  paid, with five webhooks: right, twice, forged, another amount, unsigned
//	0920000006  paid, but the app drops the reference: the bank does not find it
//	0920000007  paid, but the app cuts the reference to 10 characters
//	0920000008  pays twice
//	0920000009  pays half
//	0920000010  pays double
//	0920000011  processing for 6 s, then failed
//	0920000012  paid, without a webhook
//	0920000013  paid, with the webhook at once; the books show it 2 min later
//	0920000014  the reference is paid, but to another account
//
// # API
//
// Below /api/v1/payments, with "Authorization: Bearer TOKEN", 300 requests a minute:
//
//	GET  credited-funds-transfers/by-internal-merchant-reference?internal_merchant_reference=
//	GET  credited-funds-transfers?filter[date]=&filter[type]=&page=
//	GET  funds-transfers/{uuid}?paymentReference=&transactionTimestamp=
//	POST funds-transfers/{uuid}/refund
//	POST details
//
// and GET /api/v1/miscs/institutions and /api/v1/miscs/transaction-status. Where the real form
// of an answer is not known, Dialect has the possible forms.
//
// # Control
//
// In addition to that of package payments/acquirer/fake, whose calls are by_reference, list,
// transfer, refund, details and institutions:
//
//	POST /control/scan                  a Scan: what a payer does in the app, with every detail
//	POST /control/transfers/{reference} {"status","notices"}: changes a transfer, and notifies
//	POST /control/webhook               {"iban","url","key"}: the address for webhooks of an
//	                                    account; without iban: of all other accounts
//	GET  /control/dialect, POST         a Dialect; what is left out becomes the default
//
// Notices names the webhooks, in their order: right, rrn, nameless, arabic, extra, upper_case
// and lower_currency are genuine; other_amount, other_payee and unknown are signed, but
// false; forged, reserialised, unsigned and doubled have no right signature; status and
// status_hyphen are events of the other kind. One that is named twice is a duplicate, and one
// sent by /control/transfers is as late as it is sent.
//
// # Webhooks
//
// They are sent before a scan is answered, once each, and to addresses on this machine only.
// A transfer that changes with time is notified at the next request to the API.
//
// # Failure and ownership
//
// The Fake owns its books, which end with it, and the webhooks under way, which Close ends.
// Faults in confirming a transfer happen between the payer and their bank, and are not simulated.
package fake

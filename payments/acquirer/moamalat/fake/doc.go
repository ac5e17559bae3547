// Package fake is Moamalat's gateway for tests and for merchants' developers: its lightbox,
// its list of transactions, its refunds and its notifications. It shares no code with the
// adapter, and no real money is involved.
//
// # Merchants
//
// Config.Merchants lists the terminals; without any there is Example, whose keys are public in
// this package.
//
// # The gateway
//
//	GET  /js/lightbox.js  the script: Lightbox.Checkout.configure, showLightbox(), closeLightbox()
//	POST /cube/paylink.svc/api/FilterTransactions
//	POST /cube/paylink.svc/api/RefundTransaction
//
// The case of paths below /cube is ignored. Values may be strings or numbers, and hashes in
// either case. The page's Content-Security-Policy must allow the script's origin in script-src,
// style-src and frame-src; connect-src is not used: the form is a page of the gateway in a frame
// (GET /form, POST /form), which may continue at that of a bank (GET /bank). cancelCallback is
// called when the form is closed, also after a success.
//
// # Cards and codes
//
// The code 111111 pays; any other is wrong, and the form stays open. The fifth wrong code
// under a reference is declined, and so is a code that is typed more than ten minutes after the
// form was opened. "Decline" means that the bank declines. A declined card leaves the form open
// as well. Any card of 16 digits works; some act differently when 111111 is typed:
//
//	0000000000000001  takes the money and never answers; no notification
//	0000000000000002  takes no money and never answers
//	0000000000000003  paid and notified at once, and in the list only 3 s later
//	0000000000000004  declined (Insufficient funds)
//	0000000000000005  paid; notified five times: right, right again, with another amount, with a
//	                  forged hash, under another reference
//	0000000000000006  paid twice: two approved sales under the reference
//	0000000000000007  3-D Secure: the frame continues at a bank of another host (localhost for
//	                  127.0.0.1), which opens a window
//
// "Never answers" ends the connection.
//
// # Control
//
// In addition to the addresses of package payments/acquirer/fake, whose calls are "filter",
// "refund" and "form":
//
//	POST /control/sale      {"reference","amount","outcome":"approved"|"declined"}: a payer's sale,
//	                        at any time
//	POST /control/notify    {"reference","kind",("as")}: sends a message about its last transaction
//	POST /control/merchant  {"notify_url"}: the address for notifications of the first merchant, or
//	                        of that in "merchant_id"
//	POST /control/style     {"numbers","dinars","extra","lower","delay"}: the form of answers from
//	                        now on, and their delay in milliseconds
//
// Amounts are in dirham. Kinds of messages: right, form (fields of a form), short (a date of
// 12 digits), lower (the hash in lower case), numbers (numbers instead of strings), old
// (right, and dated a year ago), altered (another amount, the hash as it was), forged (a hash
// of another key), repointed (under the reference "as"; the hash fits, because it does not
// cover the reference), foreign (of another merchant). Notifications go to http addresses of
// this machine only, once each.
//
// # What is assumed
//
// Not documented are: the words for a refund and a void in the list (Refund, Void Sale), the
// messages of refusals other than "Transaction Already Refunded", and that a full refund on the
// day of the sale is a void.
package fake

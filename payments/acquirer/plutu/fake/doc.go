// Package fake is Plutu for tests and for merchants' developers: its API for four
// gateways, its payment pages, its signed messages, and faults on demand. It is written
// from Plutu's documentation, shares no code with the adapter, and takes no money.
//
// # API
//
//	POST /v1/transaction/edfali/verify          mobile_number, amount
//	POST /v1/transaction/edfali/confirm         process_id, code (4 digits), amount, invoice_no
//	POST /v1/transaction/sadadapi/verify        mobile_number, birth_year, amount
//	POST /v1/transaction/sadadapi/confirm       process_id, code (6 digits), amount, invoice_no
//	POST /v1/transaction/localbankcards/confirm amount, invoice_no, return_url
//	POST /v1/transaction/tlync/confirm          mobile_number, amount, invoice_no, callback_url, return_url
//	GET  /pay/{id}, POST                        the payment page, form field "action": pay, decline or leave
//
// Forms are urlencoded or multipart; customer_ip, lang and email (tlync) are allowed as well, and
// no other field. Headers are X-API-KEY, Authorization: Bearer and Accept: application/json.
// Amounts have two decimals at most. callback_url must be http and on a loopback address.
//
// # Codes
//
// 111111 pays, 1111 where codes have four digits; any other code is wrong. The fifth wrong
// code ends the payment, and so does the end of the code's time (10 min): OTP_EXPIRED. This
// is an assumption about Plutu. A payment or a page uses up an invoice number, a wrong code
// does not.
//
// # Special numbers
//
// The last seven digits of the mobile number decide, whatever its 09X.
// At the confirmation with the right code:
//
//	0000001  takes the money, never answers
//	0000002  takes no money, never answers
//	0000003  takes the money, answers the HTML of a gateway
//	0000004  takes the money, answers BACKEND_SERVER_ERROR
//	0000005  takes no money, answers BACKEND_SERVER_ERROR
//	0000006  INSUFFICIENT_BALANCE
//	0000007  takes the money, answers CONFIRMATION_ERROR
//	0000008  takes no money, answers CONFIRMATION_ERROR
//	0000009  takes a hundredth of a dinar more than asked for, and reports that
//	0000010  takes the money, answers 200 without a body
//	0000019  takes the money, answers after 3 s
//
// At the beginning, also of T-Lync:
//
//	0000011  INVALID_MOBILE_NUMBER, of Sadad INVALID_MOBILE_NUMBER_OR_BIRTH_YEAR
//	0000012  OTP_WAIT_BEFORE_RESNED
//	0000013  TOO_MANY_REQUESTS
//	0000014  MAINTENANCE_MODE
//	0000015  UNAUTHORIZED
//	0000016  422 with {message, errors}, as a framework answers
//	0000017  BACKEND_ERROR
//	0000018  never answers
//
// Of T-Lync, when the payer pays:
//
//	0000021  nothing is posted to callback_url
//	0000022  it is posted twice
//	0000023  a forged, an altered and a re-pointed message are posted before it
//	0000024  paid, and posted, before the call that opens the page is answered
//
// 0001NNN answers the beginning with the error code at place NNN of GET /control/codes,
// 0002NNN the confirmation, 0003NNN the confirmation after the money was taken.
//
// # Control
//
// In addition to that of package payments/acquirer/fake:
//
//	GET  /control/codes     {"codes":["FORBIDDEN_IP_ADDRESS",…]}
//	POST /control/errors    {"call":"edfali/verify","code":"NOT_SUBSCRIBED","taken":false}: for its next call
//	POST /control/spelling  {"spelling":"documented"|"other"|"grouped"}: other has codes in lower case,
//	                        errors with HTTP 200, numbers for strings and the other way round, further
//	                        members; grouped has commas between thousands (1,250.00)
//	POST /control/messages  {"reference","kind"}: a message about a card or T-Lync payment
//
// A message of T-Lync is posted at once, and the answer is the receiver's {"status"}; for a card
// payment, whose message a browser would bring, the answer is {"query"}. Kinds: paid (takes the
// money if it was not taken), canceled, undecided, forged, altered, repointed, underpaid, extra
// (a further parameter, signed), unsigned_extra, doubled, lower (case of the signature),
// grouped (commas between thousands of the amount), and of T-Lync misspelt (paymet_method)
// and typed (true and a number). A second request sends a duplicate; the time of the request
// makes a message early or late. The protocol has no dates: a wrong clock changes only when a
// code lapses.
//
// # Failure and ownership
//
// All state is lost with the process. The Fake owns the messages that it posts; Close
// ends them. A message is posted once: it is not known whether Plutu tries again.
package fake

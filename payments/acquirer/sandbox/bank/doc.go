// Package bank is the sandbox acquirer: a small bank with its own HTTP API, page and
// books, which decides nothing at random and misbehaves on demand. It runs as a
// separate process and shares no code with its adapter, so that the two do not share
// errors.
//
// # Promise
//
// Money is taken once per payment, whatever is repeated. A payment that was paid
// stays paid, also after its money went back, which is never more than was taken. The
// same request, the same number and the same code always end the same way, except that
// a refund that is asked for twice is given twice. The ledger lists every amount taken,
// and nothing else.
//
// # How a payment ends
//
// A wallet payment needs a code. 111111 pays, 000000 is declined, any other is a
// wrong code, and the fifth wrong code locks the payment (declined, code_locked). A
// code not typed within 5 min declines it (code_expired); a code that is sent again,
// while the payment waits for it, restarts that time and does not reset the count of
// wrong codes. Some numbers act differently when 111111 is typed, and like any other
// number for every other code:
//
//	0920000001  takes the money, never answers; pending for 3 s, then paid; no notification
//	0920000002  takes no money, never answers; declined (timed_out); no notification
//	0920000003  pending from the beginning until control settles it; no code life
//	0920000004  declined (insufficient_funds)
//	0920000005  paid, and notified three times: right, wrong amount, bad signature
//	0920000006  declined (insufficient_funds), and 5 s later paid after all, with a notification
//
// These pay like any other number, and act differently when money is to go back:
//
//	0920000007  refuses it (refund_refused); nothing goes back
//	0920000008  gives it back, and answers 3 s later
//	0920000009  gives it back, never answers
//
// A thousand more numbers act like each of them: 096000, any three digits and the same
// last digit. A checkout takes one number only a few times an hour.
//
// "Never answers" holds the request until the client goes away, Config.HoldLimit
// passes (then 504) or Close is called; a repeated confirmation is answered, a repeated
// refund is another one.
//
// A card payment is decided on the bank page by the buttons pay, decline and
// leave (declined, abandoned). A page not used within 10 min declines it (abandoned).
//
// The merchant can cancel a payment that still waits for its payer (declined,
// abandoned). A decided payment stays as it is; one that is being decided stays
// pending, and so does 0920000003 at any time.
//
// Control can settle every payment that is not paid, also one that was declined,
// to test late payments. It cannot give money back: only the merchant can.
//
// # Refunds
//
// A paid payment gives money back in whole or in parts, until nothing is left of it; the
// sum never exceeds what was taken, however many are asked for at once. A refund has no
// id of the merchant's and is not idempotent, as at real acquirers: asked twice, the bank
// gives back twice. The books change before the answer, which can be lost. Inquiries and the
// ledger stay as they were; control lists refunds separately.
//
// # API
//
// Requests carry "Authorization: Bearer SECRET"; amounts are integers in minor
// units; every answer is JSON and errors are {"message"}; 401 has "error":"secret_refused".
//
//	POST /v1/payments               201 opened, 200 known already, 422 declined,
//	                                409 another payment has this id
//	POST /v1/payments/{id}/confirm  {"code"}: state paid, declined, wrong_code, or 202 pending
//	POST /v1/payments/{id}/resend   200 with the next step, 409 with "error":"no_code_wanted"
//	POST /v1/payments/{id}/cancel   200 with the state that it has now
//	POST /v1/payments/{id}/refunds  {"amount"}: 201 with the refund's reference; 409 with
//	                                "error":"payment_not_paid", 422 with "error":"refund_refused"
//	GET  /v1/payments/{id}          404 with "error":"payment_not_found" where the id is unknown
//	GET  /bank/{id}, POST           the bank page (?lang=en), form field "action"
//	GET  /control/payments?intent=  loopback only, without proxies
//	POST /control/payments/{id}/settle  {"outcome":"paid"|"declined"}
//	GET  /control/ledger            money that was taken
//	GET  /control/refunds           money that went back
//
// The id is the merchant's: 10 to 36 ASCII letters and digits. wire.go has the
// fields.
//
// # Notifications
//
// Each change to paid or declined is posted to the payment's notify_url, in the
// background, and tried again after 1, 5 and 30 s unless the receiver answers
// below 500. Sandbox-Timestamp is in Unix seconds, Sandbox-Signature is the
// HMAC-SHA256 in hex of timestamp + "." + body under the shared secret. A payment that
// lapses is not notified, and waiting notifications do not survive a restart: only an
// inquiry is certain.
//
// # Failure and ownership
//
// The Bank owns its journal, its notifications and the requests it holds; Close
// ends all three, and must come before the HTTP server's shutdown, which would
// wait for held requests. A change that cannot be written to the journal does not
// happen, nor any after it until a restart (500). Without a journal a restart
// forgets everything. The journal survives the end of the process, but not a power
// failure: these are test payments. Phone numbers are masked everywhere, codes are
// never kept.
package bank

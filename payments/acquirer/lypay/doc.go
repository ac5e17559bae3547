// Package lypay is the adapter to LYPay, the instant payment system of the Libyan banks, by
// NUMO QR codes: the payer scans a code with the app of their bank and pays from their account
// to the merchant's.
//
// LYPay has no API for merchants. Its API is for banks, and the adapter uses it through the
// merchant's own bank, which offers an endpoint to it. How a bank changes requests and answers
// is not known: the adapter is provisional until it has been tried with a bank.
//
// # Promise
//
// Begin makes the code without any call: LYPay learns of the payment when a payer scans. The
// code has the merchant's name and IBAN, the exact amount, and the reference three times
// (bill number, reference label and tag 51), because it is not documented which of them a
// payer's app passes on.
//
// A payment is paid when the bank calls a credit under the reference completed (or confirmed),
// and says in the same answer or in another that its amount is in dinars and that it went to
// the merchant's IBAN. What the first answer lacks is asked for in this order: the transfer
// itself, the lists of credits of the days around it, the details by retrieval number. Where
// answers contradict each other, or none has a value, there is an error: amounts are never
// guessed. Amounts are whole dirham; one with a decimal point is refused.
//
// A transfer that was declined, failed or canceled does not end the payment, since the code can
// be scanned again. The same code can also be paid twice: Report.More has the further credits
// that the bank reports. Where the bank reports one credit at a time, a credit other than the
// one in Ref.Memo is such a further credit.
//
// # Failure
//
// A payment cannot be canceled: the code has no deadline, and a payment of it may come days later.
// "Not found" is the bank's own answer in JSON, and means only that nobody has paid yet, or that the
// payer's app dropped the reference. 401 in JSON is acquirer.ErrAccount. Anything else that is not an
// answer of the API is an error from which nothing is learnt, and so is 429. A refund whose answer is
// lost is an unknown outcome.
//
// Notifications carry no time, so that an old one looks like a new one, and the
// credit notice carries no reference. They are hints to ask and never a proof.
//
// # Ownership
//
// Every request has the account's token. It lapses, and the bank issues a new one: the adapter
// neither knows its password nor renews it. What Refund needs of a payment is in Report.Memo:
// its uuid, payment reference and timestamp. Nothing else is remembered.
//
// # Known and assumed
//
// Known from the portal of the Central Bank: paths, the inquiry by reference, states by name,
// amounts in thousandths, the refund, the header Signature, tags 00 to 30 of the code. Seen in
// clients: HMAC-SHA256 in hex over the body, the credit notice, the rows of lists, tags 51 to
// 63. Assumed: names of page parameters, "fees" in the unit of amounts, the time of a list's
// row as a refund's timestamp, an amount without a currency as dinars. Tag 31 is not sent: two
// forms of it are known that contradict each other, and banks assign both.
package lypay

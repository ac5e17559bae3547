// Package lypay is the adapter to LYPay, the instant payment system of the Libyan banks, by
// NUMO QR codes: the payer scans a code with the app of their bank and pays from their account
// to the merchant's.
//
// LYPay has no API for merchants. Its API is for banks, and the adapter speaks it through the
// merchant's own bank, which puts an endpoint in front of it. What a bank changes on the way
// is not known: the adapter is provisional until a bank has been tried.
//
// # Promise
//
// Begin makes the code and asks nobody: LYPay hears of the payment when somebody scans. The
// code says the merchant's name and IBAN, the exact amount, and the reference three times
// (bill number, reference label and tag 51), because nobody says which of them a payer's app
// hands on.
//
// A payment is paid when the bank calls a credit under the reference completed (or confirmed),
// and says in the same answer or in another that its amount is in dinars and that it went to
// the merchant's IBAN. What the first answer leaves out is asked for in this order: the
// transfer itself, the lists of credits of the days around it, the details by retrieval
// number. Where answers contradict each other, or none says it, there is an error: amounts are
// never guessed. Amounts are whole dirham; one with a decimal point is refused.
//
// A transfer that was declined, failed or canceled ends nothing, since the code can be
// scanned again. The same code can also be paid twice: Report.More has the further credits
// that the bank reports; where it names one credit at a time, another than the one that
// Ref.Memo names is such a credit.
//
// # Failure
//
// Nothing can be taken back: the code has no deadline, and a payment of it may come days later. "Not found"
// is the bank's own answer in JSON, and only says that nobody has paid yet, or that the payer's app dropped
// the reference. 401 in JSON is acquirer.ErrAccount. Whatever else is not an answer of the API is an error
// from which nothing is learnt, and so is 429. A refund whose answer is lost is an unknown outcome.
//
// Notifications carry no time, so that an old one looks like a new one, and the
// credit notice carries no reference. They are hints to ask and never a proof.
//
// # Ownership
//
// The account's token goes with every request. It lapses, and the bank gives a new one: the
// adapter neither knows its password nor renews it. What Refund needs of a payment stands in
// Report.Memo: its uuid, payment reference and timestamp. Nothing else is remembered.
//
// # Known and assumed
//
// Known from the portal of the Central Bank: paths, the inquiry by reference, states by name,
// amounts in thousandths, the refund, the header Signature, tags 00 to 30 of the code. Seen in
// clients: HMAC-SHA256 in hex over the body, the credit notice, the rows of lists, tags 51 to
// 63. Assumed: names of page parameters, "fees" in the unit of amounts, the time of a list's
// row as a refund's timestamp, an amount without a currency as dinars. Tag 31 is not sent: two
// forms of it are known that contradict each other, and both are a bank's to give out.
package lypay

// Package fake is what the fakes of acquirers have in common: the books of the money that
// they took, the faults that can be asked of them, and the addresses below /control with
// which tests and merchants' developers do both. The protocols are in the folders of the
// adapters. No real money is anywhere near.
//
// # Control
//
//	GET  /control/ledger  {"payments":[{"reference","method","amount","currency","state","taken","refunded"}]}
//	POST /control/faults  {"call":"confirm","faults":["drop_after","html"]}: for its next calls, one each
//
// Control serves this machine only, without proxies, and no web page of another site in a
// browser of it. Local is for the addresses that a fake adds.
//
// taken is how often the amount was taken: two are a payment that was made twice. Amounts
// are in dirham. Calls are named by each fake; "*" is any.
package fake

// Package fake is what the fakes of acquirers have in common: the books of the money that
// they took, the faults that can be planned, the messages that they send, and the addresses
// below /control with which tests and merchants' developers read the books and plan faults. The
// protocols are in the folders of the adapters. No real money is involved.
//
// # Control
//
//	GET  /control/ledger  {"payments":[{"reference","method","amount","currency","state","taken","refunded"}]}
//	POST /control/faults  {"call":"confirm","faults":["drop_after","html"]}: for its next calls, one each
//
// Control serves this machine only: no proxies, and no web pages of other sites in a local
// browser. Local and Controlled are for the addresses that a fake adds.
//
// taken is how often the amount was taken: 2 is a payment that was made twice. Amounts are
// in dirham. Each fake has its names of calls; "*" is any call.
package fake

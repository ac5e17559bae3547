// Package demo runs everything on one machine: a private PostgreSQL, the sandbox
// acquirer and fakes of Plutu, Moamalat and LYPay in separate processes, the server, and
// a receiver for its webhooks.
//
// Run prints what a newcomer needs, ready to be copied, and each webhook as it
// arrives. It ends with its context; what it started has ended then, too. The folder
// that it is given keeps the database, the sandbox's books and the credentials, also as
// variables for a shell: the next run finds them. The fakes forget their books. A variable that
// is set is kept, and an address that it names and that is taken is a config.Error; where a
// default port is taken, another is used.
//
// The credentials open nothing but the demo. It is for trying out, with play money.
package demo

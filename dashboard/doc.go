// Package dashboard is where an organisation's people live: owners and developers
// keep applications and credentials, support finds a payment and answers customers,
// finance sees what came in and decides about money that came unexpectedly.
//
// Here are the routes, the permissions and the handlers; package dashboard/view has
// the pages, the words and the templates.
//
// # What it promises
//
// Every page is made on the server, in Arabic and English, works without a script
// and shows nothing that the person may not see. Who may use what stands in one
// table (routes.go); a request is checked against it before its handler runs, and
// whatever changes something checks it again in the transaction that does it
// (package accounts). What belongs to another organisation does not exist: it is
// answered like a page that is not there.
//
// A secret appears once, in the answer to the form that made it, which no browser
// keeps; the same form again makes no second one. Whatever changes credentials asks
// for the password again where it was given long ago. GET changes nothing. Forms are
// taken from our own pages only.
//
// A file that somebody uploads has to come at a least rate, and comes whole before anything that
// others wait for begins: a statement is in a temporary file without a name (in memory where
// there can be none), and gone when it was compared with the ledger. Of an organisation two files come at a
// time, and one statement is compared and one logo drawn; of all together 16, two and two. Others wait
// for a while, and then the page says so.
//
// Tables are exported while they are read, for programs (CSV) and for people (Excel). A
// sheet has a million rows; a file that cannot be completed is torn, so that no client
// takes a part for the whole.
//
// # When it fails
//
// Without the database, pages are answered with 503 and nothing is half done. The check
// of an account asks an acquirer, for half a minute at most; that it learns nothing is an
// answer too.
//
// # Who owns what
//
// The dashboard owns no goroutine. The accounts, the ledger, the projections, the
// deliveries, the providers and the pool stay the caller's. Sessions are kept by package
// accounts; the browser holds a random number, the database its hash.
package dashboard

// Package dashboard is the web interface for the members of organisations: owners and
// developers manage applications and credentials, support finds payments and answers
// customers, finance sees the turnover and decides about late and duplicate money.
//
// It has the routes, the permissions and the handlers; package dashboard/view has the
// pages, the texts and the templates.
//
// # What it promises
//
// Every page is rendered on the server, in Arabic and English, works without a script
// and shows nothing that the user may not see. One table (routes.go) has the permission
// that each route needs; a request is checked against it before its handler runs, and
// every change is checked again in the transaction that makes it (package accounts).
// What belongs to another organisation is answered like a page that does not exist.
//
// A secret appears once, in the answer to the form that made it, which browsers must not
// store; the same form sent again makes no second one. Changes of credentials ask for the
// password again if the sign-in is too old. GET changes nothing. Forms are accepted from
// our own pages only.
//
// An uploaded file must arrive at a minimum rate. It is received completely before it takes
// a slot that others wait for. A statement is kept in an unnamed temporary file (in memory if
// there can be none), which is gone after the comparison. One organisation can upload two
// files at a time, and have one statement compared and one logo decoded; all organisations
// together 16, two and two. Others wait for a while, and then get a page that says so.
//
// Tables are exported while they are read, for programs (CSV) and for people (Excel). A
// sheet has at most a million rows. If a file cannot be completed, the connection is broken,
// so that no client takes a part for the whole.
//
// # When it fails
//
// Without the database, pages are answered with 503 and nothing is half done. Checking the
// credentials of an account calls the acquirer, for half a minute at most; "not reachable"
// is a valid result.
//
// # Who owns what
//
// The dashboard owns no goroutine. The caller keeps the accounts, the ledger, the projections,
// the deliveries, the providers and the pool. Package accounts stores the sessions; the
// browser has a random token, the database its hash.
package dashboard

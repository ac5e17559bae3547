// Package requestlog keeps the last thousand API requests of each application, for
// its owners and developers to see what they sent and what came of it.
//
// # What it promises
//
// A request is kept with its time, method, route, status, duration and id, whether the
// answer was that of an earlier request, and of a refusal the beginning of the body
// that was answered. Nothing that was sent is kept but the uuid of an intent and what
// the caller of Note has found harmless: no header, no body, no credential, no address.
//
// Keeping a request costs its sender next to nothing: Note writes into memory under one
// lock, allocates nothing in the long run and never waits. Once a second Run writes what
// came, at most perFlush requests of an application that were fine and as many that were
// refused, the newest; refusals for want of a token are fewer, as anybody who knows an API
// key can bring them about. How many were left out is said beside the next one that was
// kept. So a busy application costs the database no more than 210 rows a second.
//
// # When it fails
//
// The log is a help and no record. What came in the last second is lost when a server
// crashes, and all of it when the database does: its table is not logged, and is empty on
// a standby that was promoted. What cannot be written is dropped and counted
// (daftar_request_log_requests_total), as is what comes while maxWaiting wait.
//
// # Who owns what
//
// A Log owns no goroutine: Run is the caller's and returns when its context has ended,
// after it has written what was left. The pools stay the caller's. Any number of servers
// share the table; each deletes what is over Kept of the applications that it wrote for.
package requestlog

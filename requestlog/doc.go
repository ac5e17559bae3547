// Package requestlog keeps the last thousand API requests of each application, so that
// its owners and developers see what they sent and what the answer was.
//
// # What it promises
//
// A request is kept with its time, method, route, status, duration and id, whether the
// answer was that of an earlier request, and for a refusal the beginning of the answer's
// body. Of what was sent, only the uuid of an intent is kept, and what the caller of Note
// has found harmless: no header, no body, no credential, no address.
//
// Keeping a request costs the request almost nothing: Note writes into memory under one
// lock, allocates nothing in the long run and never waits. Once a second Run writes the
// newest of them: of an application at most perFlush requests that succeeded, as many that
// were refused, and fewer without a valid token, since anyone with an API key can cause
// those. The next request that is kept has the number of those that were skipped. So a busy
// application costs the database no more than 210 rows a second.
//
// # When it fails
//
// The log is a help for developers, not a record. The requests of the last second are lost when a
// server crashes, and all of them when the database does: the table is unlogged, and is empty on
// a standby that was promoted. Requests that cannot be written are dropped and counted
// (daftar_request_log_requests_total), as are requests that arrive while maxWaiting wait.
//
// # Who owns what
//
// A Log owns no goroutine: Run is the caller's and returns when its context has ended,
// after it has written what was left. The pools stay the caller's. Any number of servers
// share the table; each deletes the rows over Kept of the applications that it wrote for.
package requestlog

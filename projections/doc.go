// Package projections keeps the read models that are derived from the ledger.
//
// intents is a row per payment intent, which the API serves. It is written by the
// statement that appends the events, so whoever was answered by a write, or told
// by a webhook, reads what was written.
//
// payments (with payment_exceptions) and turnover are for the people of an
// organisation: where to find an intent, which money somebody must decide about,
// and what came in each day. The group of TurnoverGroup keeps them, some
// milliseconds behind the log, so that they cost the writers nothing. What a list
// shows of an intent is its row in intents; payments only finds it.
//
// # What they promise
//
// A read model holds nothing that the events do not hold. All lists them; each can
// be verified, which replays every stream and compares field by field, and made
// anew on a live system. What differs from the events is kept as evidence until
// somebody accepts its loss. What people have decided (payment_decisions) is not
// derived, and no rebuild touches it.
//
// # How a rebuild goes
//
// New tables are made beside the old ones, as NAME_rID. Chunks of the streams are
// replayed with the functions that the write path uses, up to a position (h0), each
// chunk's rows and its mark in one transaction; then indexes are built; then what
// was appended since follows, by position. In one snapshot, in which old and new
// are brought to the same position, the new tables are held to the log (a row for
// each stream, a version for each position) and the old ones to the new. The last
// few events and the exchange are one short transaction under the lock on appends,
// or under that on the group's offset where a group keeps the read model: what
// keeps the old tables up to date is stopped, so that no event is in neither or
// counted twice. The exchange waits 20 ms at most for those who read the old table,
// and is tried again after a pause where that is not enough.
//
// The old tables are kept as NAME_old_ID for KeepReplaced; the next rebuild of the
// read model drops them after that, or Clean. A session's advisory lock keeps two
// rebuilds of one read model apart; projection_runs tells how far each is. One that
// was interrupted, or killed, goes on where it stopped.
//
// A schema of a new version is made with the next rebuild, by the program that
// knows it, and switched to. Programs of the version before go on writing, so the
// columns that it adds have defaults; after the last of them has ended, another
// rebuild fills in what they wrote meanwhile.
//
// The days of turnover are those of Tripoli's calendar, by the time that the event
// itself tells, which is the ledger's clock when it was decided. The totals equal
// the sum over the intents: an intent counts as succeeded on the day it was paid,
// or as canceled on the day it was canceled while it is not paid since; a late
// payment takes it off that day. Money that came twice is counted apart.
//
// Every question of Payments names the organisation and goes by way of its
// applications, so that nobody finds what is another's, whatever ids they know. A
// page looks at a bounded number of rows however many intents there are, and says
// so where it stopped before it was full.
//
// # When it fails
//
// The group halts before an event that it does not know, or whose intent it does
// not hold; a rebuild of payments mends the latter. Lists then stand still, and the
// feed's lag tells.
//
// # Who owns what
//
// The tables are this package's alone. Pools and transactions are the caller's;
// Intents owns its goroutines until Close.
package projections

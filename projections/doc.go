// Package projections keeps the read models that are derived from the ledger.
//
// intents is a row per payment intent, which the API serves. Inline writes it in
// the statement that appends the events, so every reader sees a write as soon as
// its caller was answered. Intents reads it.
//
// payments (with payment_exceptions) and turnover serve the dashboard: where to
// find an intent, which money a person must decide about, and what came in each
// day. DashboardGroup writes them, half a second behind the log while that grows, so
// that they cost the writers nothing. Payments reads them. The values that a page
// shows come from intents; payments only finds the intents.
//
// book_sums is what the accounts of the books (package books) moved by, within each 8,192
// positions. BooksGroup adds it up: its writes and its offset commit together, so each event
// counts once. Books reads a balance from it and from the events after its last whole
// bucket, and the journal from the events alone.
//
// # What it promises
//
// A read model has no data that is not in the events. Models lists them; package
// rebuild verifies each and builds it again as its Model describes. Only
// domain.Evolve decides what an event means for an intent. People's decisions and notes
// (payment_decisions, payment_notes, package payments/decisions) are not derived, and no
// rebuild changes them.
// An exception of whose money the ledger has nothing left to refund is closed by
// the refund that left nothing, also if a person has decided about it.
//
// The days of turnover are those of Tripoli's calendar, by the time in the event,
// which is the ledger's clock when it was decided. The totals equal the sum over
// the intents: an intent counts as succeeded on the day it was paid, or as canceled
// on the day it was canceled unless it was paid since; a late payment removes it
// from that day. Money that came twice is counted separately.
//
// Every call of Payments names the organisation, and its queries read payments of
// that organisation's applications alone, so nobody finds another organisation's
// intents. A page reads a bounded number of rows however many intents there are, and
// reports if it stopped before it was full. A search finds all of up to 10,000
// payments: it counts and sorts these; of more it shows the newest or the oldest.
//
// Of a payer's phone the read model has a digest of the last four digits, which the
// event has, too.
//
// # When it fails
//
// The groups halt before an event of an unknown type, and the dashboard's before one of an intent
// that the table does not have; a rebuild of payments repairs the latter. Lists then do not
// change, a balance reads more of the log, and the feed's lag shows it. Intents answers
// ErrClosed once it is closed.
//
// # Who owns what
//
// This package alone writes the tables in use, except for a rebuild, which replaces
// them. Other packages may read intents. Pools and transactions are the caller's;
// Intents owns its goroutines until Close.
package projections

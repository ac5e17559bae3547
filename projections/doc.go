// Package projections keeps the read models that are derived from the ledger.
//
// intents is a row per payment intent, which the API serves. Inline writes it in
// the statement that appends the events, so every reader sees a write as soon as
// its caller was answered. Intents reads it.
//
// payments (with payment_exceptions) and turnover serve the dashboard: where to
// find an intent, which money somebody must decide about, and what came in each
// day. DashboardGroup keeps them, half a second behind the log while that grows, so
// that they cost the writers nothing. Payments reads them. The values that a page
// shows come from intents; payments only finds it.
//
// # What it promises
//
// A read model holds nothing that the events do not hold. Models lists them; package
// rebuild verifies each and makes it anew from what its Model says. What an event
// means for an intent, domain.Evolve alone decides. People's decisions and notes
// (payment_decisions, payment_notes, package payments/decisions) are not derived, and no rebuild touches
// them.
// An exception of whose money the ledger has nothing left to give back is closed by
// the refund that left nothing, also where a person has decided about it.
//
// The days of turnover are those of Tripoli's calendar, by the time in the event,
// which is the ledger's clock when it was decided. The totals equal the sum over
// the intents: an intent counts as succeeded on the day it was paid, or as canceled
// on the day it was canceled while it is not paid since; a late payment takes it
// off that day. Money that came twice is counted apart.
//
// Every query of Payments names the organisation and goes by way of its
// applications, so nobody finds another organisation's intents. A page looks at a
// bounded number of rows however many intents there are, and says so where it
// stopped before it was full. A search knows all that it finds up to 10,000 payments:
// these it counts and sorts; of more it shows the newest or the oldest.
//
// Of a payer's phone the read model has a digest of the last four digits, which the
// event has, too.
//
// # When it fails
//
// The group halts before an event that it does not know, or whose intent it does
// not hold; a rebuild of payments mends the latter. Lists then stand still, and the
// feed's lag shows it. Intents answers ErrClosed once it is closed.
//
// # Who owns what
//
// This package alone writes the tables in use, except for a rebuild, which replaces
// them. Other packages may read intents. Pools and transactions are the caller's;
// Intents owns its goroutines until Close.
package projections

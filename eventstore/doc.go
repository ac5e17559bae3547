// Package eventstore keeps the ledger: an append-only log of events in
// PostgreSQL.
//
// # What it promises
//
// An append that was answered without an error is committed and on disk. An
// append names the version of its stream that it was decided on; if the stream
// has moved on, nothing is written and the answer is a Conflict. The events of
// one append are written together or not at all.
//
// Every event has a position. Positions start at 1, have no gaps, and are
// committed in their order, over all servers that share the database: they are
// given out under one lock that is held until commit. A reader that has seen
// position n can never be surprised later by an event at or below n. The lock is
// cheap because it is taken once per batch: all appends that wait while a batch
// is being committed form the next batch. One that finds none under way is a batch of
// its own, and is written by its caller's goroutine.
//
// Events that the log has lost, and that are known to the byte from a copy, are put back by
// Restore where they were. Nothing else is written but by a Store, and that writes nothing
// to a log that ends before what it has seen.
//
// Bytes are stored as they were given and never rewritten. The database refuses
// UPDATE, DELETE and TRUNCATE on the log.
//
// # When it fails
//
// Errors say how much is certain. Conflict, ErrFenced, ErrOverloaded, ErrClosed,
// ErrInvalid and ErrUnavailable mean that nothing was written. ErrOutcomeUnknown means that
// the answer of the database was lost and the outcome could not be determined in
// time: the append may or may not be in the log; reading the stream shows it.
//
// # Who owns what
//
// A Store has goroutines only while appends wait or an outcome is being found out;
// Close waits for them. The caller owns the pool. Slices handed to Append must not be changed afterwards.
package eventstore

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
// assigned under one lock that is held until commit. A reader that has seen
// position n never meets a new event at or below n later. The lock is
// cheap because it is taken once per batch: all appends that wait while a batch
// is being committed form the next batch. An append that finds no batch under way is a
// batch by itself, and its caller's goroutine writes it.
//
// Restore writes events that the log has lost, and that are known to the byte from a copy,
// at their old positions. All other events are written by a Store, which writes nothing to a
// log that ends before the last position it has seen.
//
// Bytes are stored as they were given and never rewritten. The database refuses
// UPDATE, DELETE and TRUNCATE on the log.
//
// # When it fails
//
// An error states what is certain. Conflict, ErrFenced, ErrOverloaded, ErrClosed,
// ErrInvalid and ErrUnavailable mean that nothing was written. ErrOutcomeUnknown means that
// the answer of the database was lost and the outcome could not be determined in
// time: the append may or may not be in the log; reading the stream shows it.
//
// # Who owns what
//
// A Store has goroutines only while appends wait or an outcome is being resolved;
// Close waits for them. The caller owns the pool. Slices passed to Append must not be changed
// afterwards.
package eventstore

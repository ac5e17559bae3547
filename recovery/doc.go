// Package recovery finds what a log has lost that was acknowledged before, such as by the
// promotion of an asynchronous standby, and restores it from a copy.
//
// # What it promises
//
// Find names the positions that the log lacks, or has other events at, as far as the
// evidence goes. Checkpoints that were kept elsewhere prove how many events there were and
// whether those that the log has are the same; between two checkpoints, they cannot say
// where the first differs. A Copy, such as the stream in NATS JetStream, says it exactly,
// and has the events to the byte. A webhook that a merchant received names an event of an
// intent, and not its position. Find changes nothing, and an auditor's rights will do.
//
// Restore writes the events that a Copy has and the log lacks, where they are the exact
// continuation of the log: to the byte, at their positions, with the rows that the API
// serves, in one transaction that holds the append lock. It commits only a log that has the
// root of the largest kept checkpoint within; events that no checkpoint covers are written
// only for a caller who says that they may be. Where positions were given anew it writes
// nothing: what stands there was acknowledged, too.
//
// # When it fails
//
// Evidence that cannot be read, or that nobody has signed, ends the search: that nothing is
// missing is never said of less than all that was given.
//
// # Who owns what
//
// The package owns no goroutine. The database, the copy and the evidence stay the caller's.
package recovery

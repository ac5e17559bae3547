// Package recovery finds acknowledged events that a log has lost, for example by the promotion
// of an asynchronous standby, and restores them from a copy.
//
// # What it promises
//
// Find returns the positions that the log lacks, or at which it has other events, as far as the
// evidence shows them. Checkpoints that were kept elsewhere prove how many events there were and
// whether the log's are the same; between two checkpoints, they do not show which is the first
// that differs. A Copy, such as the stream in NATS JetStream, shows that exactly, and has the
// events to the byte. A webhook that a merchant received names an event of an intent, but not
// its position. Find changes nothing; the rights of an auditor are enough.
//
// Restore writes the events that a Copy has and the log lacks, where they are the exact
// continuation of the log: to the byte, at their positions, with the rows that the API
// serves, in one transaction that holds the append lock. It commits only where the log then has
// the root of the largest kept checkpoint that it reaches. Events that no checkpoint covers are
// written only where the caller allows that. Where lost positions were used again for other
// events it writes nothing: those events were acknowledged too.
//
// # When it fails
//
// Evidence that cannot be read, or whose signature is not valid, ends the search with an error:
// Find reports that nothing is missing only after it has checked all the evidence.
//
// # Who owns what
//
// The package owns no goroutine. The database, the copy and the evidence stay the caller's.
package recovery

// Package ledger is the one way in which payment intents change.
//
// A command is carried out in four steps: read the intent's stream, fold it into
// its state, let the domain decide, and append the events on the condition that the
// stream is still at the same version. After a conflict the four steps are
// repeated. The read model's row is written with the events, so a caller that has its
// answer reads its own write from every server.
//
// An error of this package or of the domain means that nothing has changed, with one
// exception: after eventstore.ErrOutcomeUnknown the events may be stored. Every command
// may be sent again: a command that was carried out before changes nothing, and a create
// returns the intent that exists.
//
// The ledger owns nothing that must be closed; the store stays the caller's.
package ledger

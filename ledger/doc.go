// Package ledger is the one way in which payment intents change.
//
// A command is carried out in four steps: read the stream of the intent, fold it
// into its state, let the domain decide, and append what follows on the
// condition that the stream has not moved. If it has, the four steps are taken
// again. The read model's row is written with the events, so a caller that was
// answered sees its own write everywhere at once.
//
// An error of this package or of the domain means that nothing changed, with
// one exception: eventstore.ErrOutcomeUnknown means that it could not be found
// out in time. Every command may be sent again: what is already so changes
// nothing, and a create answers with the intent that exists.
//
// The ledger owns nothing that must be closed; the store stays the caller's.
package ledger
